"""gitmem itself, through its Python interface, in a repository made for it."""

import os
import subprocess
import tempfile
from collections.abc import Sequence

from benchmarks.peers.serving import Answer, Record, serve
from benchmarks.retrieval_memory import lend_sentence_model
from gitmem import Memory
from gitmem._version import __version__

Fields = dict[str, object]


class Gitmem:
    """A memory in a folder that goes with the process; settings as they come."""

    def __init__(self, folder: str) -> None:
        git = ("git", "-C", folder)
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
        for name, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
            subprocess.run([*git, "config", name, value], check=True)
        Memory.init(folder)
        self.memory = Memory.open(folder)

    def about(self) -> str:
        """Name and version."""
        return f"gitmem {__version__}"

    def add(self, records: Sequence[Record]) -> None:
        """Write every record as ``gitmem add`` would: fixes last, they link to errors."""
        for kind in ("error", "decision", "fix"):
            entries = [fields(record) for record in records if record["kind"] == kind]
            self.memory.records.writer.add_all(kind, entries)
        self.memory.checks.read_for_meaning()

    def ask(self, question: str, limit: int) -> Answer:
        """Search; vouch for a record that has the fingerprint of a pasted failure."""
        ids = [hit.row.id for hit in self.memory.search(question, limit).hits]
        recognised = {row.id for match in self.memory.hint(question) if match.is_known
                 for row in match.errors}  # fmt: skip
        return Answer(ids, sure=int(bool(recognised & set(ids[:1]))))


def fields(record: Record) -> Fields:
    """Give a record of the pool in gitmem's fields."""
    fields_of_record: Fields = {"id": record["id"], "title": record["title"]}
    if record["kind"] == "error":
        names = {"cause": "cause", "command": "command", "text": "excerpt", "tool": "tool"}
        return fields_of_record | {
            own_name: record[name] for name, own_name in names.items() if record.get(name)
        }
    if record["kind"] == "fix":
        return fields_of_record | {"approach": record["title"], "outcome": record["outcome"],
                       "links": {"fixes": [record["fixes"]]}}  # fmt: skip
    return fields_of_record | {
        name: record[name] for name in ("context", "decision", "rationale", "status")
    }


def main() -> None:
    """Serve from a folder that is removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        # What is configured on this machine must not change the result.
        apart = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder}
        lend_sentence_model(apart)
        os.environ.pop("XDG_CACHE_HOME", None)
        os.environ.update(apart)
        serve(Gitmem(folder))


if __name__ == "__main__":
    main()
