"""memvid-sdk: one file, its lexical search (BM25); its vectors need a model or a key."""

import os
import tempfile
from collections.abc import Sequence
from importlib.metadata import version

from benchmarks.peers.serving import Answer, Record, serve
from benchmarks.peers.texts import body, words

_URI = "mv2://records/"
_BATCH = 100


class Memvid:
    """One file below ``folder``."""

    def __init__(self, folder: str) -> None:
        os.environ["MEMVID_TELEMETRY"] = "0"  # before the import, which reads it
        from memvid_sdk import (  # type: ignore[import-not-found]  # noqa: PLC0415  only in its venv
            LexIndexDisabledError,
            create,
        )

        # What it raises if none of the words is in the file, too: that is no answer.
        self.nothing: type[Exception] = LexIndexDisabledError
        self.memory = create(os.path.join(folder, "memory.mv2"))

    def about(self) -> str:
        """Name and version."""
        return f"memvid-sdk {version('memvid-sdk')}"

    def add(self, records: Sequence[Record]) -> None:
        """Put them in batches, and write them out."""
        rows = [
            {
                "title": record["title"],
                "label": record["kind"],
                # A title alone is not searched, so it is text as well.
                "text": f"{record['title']}\n\n{body(record)}",
                "uri": _URI + record["id"],
            }
            for record in records
        ]
        for start in range(0, len(rows), _BATCH):
            self.memory.put_many(rows[start : start + _BATCH])
        self.memory.commit()

    def ask(self, question: str, limit: int) -> Answer:
        """Ask for any of the words: all of them, the default, finds nothing for most."""
        any_word = " OR ".join(words(question))
        if not any_word:
            return Answer(())
        try:
            hits = self.memory.find(any_word, k=limit, mode="lex")["hits"]
        except self.nothing:
            return Answer(())
        ids = dict.fromkeys(hit["uri"].removeprefix(_URI).partition("#")[0] for hit in hits)
        return Answer(list(ids))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        serve(Memvid(folder))
