"""Evaluation data as a memory on disk, and its questions asked as users ask them.

Records are written to files as ``gitmem`` writes them, without secrets, but not one by one with
a sync to the disk. Every question goes through ``gitmem.search``, the one pipeline of all faces:
fingerprints from the catalog, the index, stories, facts, labels.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from gitmem import query as query_language
from gitmem.answers.found import SearchHit
from gitmem.errors import ConflictError
from gitmem.memory import Memory, sentence_model
from gitmem.memory.core.redaction import redact_record
from gitmem.memory.reading.circumstances import circumstances
from gitmem.query import Query
from gitmem.records.convert import encode
from gitmem.records.kinds import Record
from gitmem.records.layout import path_for
from gitmem.search.pipeline import search

_PATIENCE: Final = 900.0
"""Seconds that another process may take to read the records."""
_EMBEDDERS: Final = {True: "auto", False: "off"}


class Asked:
    """A memory that questions are put to."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def pasted(self, text: str, limit: int) -> list[SearchHit]:
        """Ask for a failure: the text is taken literally."""
        return self._ask(Query(text, pasted=True), text, limit)

    def typed(self, text: str, limit: int) -> list[SearchHit]:
        """Ask as the search box does, which tells pasted from typed by itself."""
        parsed = query_language.parse(text, self._memory.workspace.clock())
        return self._ask(parsed, text if parsed.pasted else "", limit)

    def _ask(self, query: Query, pasted: str, limit: int) -> list[SearchHit]:
        # The files that the records speak of were never in this work tree, so none is gone.
        around = circumstances(self._memory.workspace, pasted)._replace(root="")
        derived = self._memory.workspace.derived
        return derived.mended(lambda: search(derived, query, limit, around)).hits


def keep(records: Sequence[Record], folder: str) -> dict[str, str]:
    """Make a memory of records in an empty folder; give the environment that opens it.

    What is configured on this machine does not count.
    """
    home = os.path.join(folder, "home")
    os.mkdir(home)
    environ = {"HOME": home, "PATH": os.environ.get("PATH", os.defpath)}
    lend_sentence_model(environ)
    start = os.path.join(folder, "work")
    os.mkdir(start)
    Memory.init(start, here=True, environ=environ)
    with Memory.open(start, environ=environ) as memory:
        for record in (redact_record(memory.workspace, record) for record in records):
            path = path_for(record.kind, record.id, record.title, record.created)
            target = os.path.join(memory.workspace.site.folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(encode(record))
    return environ


def lend_sentence_model(environ: dict[str, str]) -> None:
    """Let another user's home have the sentence model that is installed here, if there is one."""
    own, other = sentence_model(os.environ), sentence_model(environ)
    if own.size:
        os.makedirs(os.path.dirname(other.path), exist_ok=True)
        os.symlink(own.path, other.path)


@contextmanager
def opened(folder: str, environ: dict[str, str], *, semantic: bool) -> Iterator[Asked]:
    """Open a memory that ``keep`` made, with nearness in meaning or without."""
    settings = {"semantic.embedder": _EMBEDDERS[semantic]}
    start = os.path.join(folder, "work")
    with Memory.open(start, settings=settings, environ=environ) as memory:
        memory.checks.catch_up()
        if semantic:
            _read_for_meaning(memory)
        yield Asked(memory)


def _read_for_meaning(memory: Memory) -> None:
    """Make all vectors; a process that catching up has started may be at it."""
    ends = time.monotonic() + _PATIENCE
    while True:
        try:
            memory.checks.read_for_meaning()
        except ConflictError:
            if time.monotonic() > ends:
                raise
            time.sleep(1)
        else:
            return
