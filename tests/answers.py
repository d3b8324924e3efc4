"""What a memory has to answer, worked out from its files alone, to hold its answers against."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from gitmem.memory import Memory
from gitmem.memory.core.workspace import Workspace
from gitmem.records.convert import decode, to_data
from gitmem.records.kinds import Record
from gitmem.records.layout import KIND_OF_FOLDER
from gitmem.records.migrations import SCHEMA
from gitmem.sync import VERSION
from gitmem.sync.derived import Derived
from tests import oracle
from tests.random_records import memory as random_memory
from tests.random_records import path_of, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

_QUESTIONS = ("connection", "timeout parseConfig user_id", "naïve title", "-retry null", "kind:fix")
_BETWEEN = {"dangling-link", "unwritten-session", "duplicate-id", "wrong-kind", "supersedes-cycle"}


def derived_folder(root: Path) -> Path:
    """Give the folder for derived state of the repository at ``root``."""
    return root / ".git" / "gitmem" / f"derived.{VERSION}"


def a_record(root: Path) -> Path:
    """Give one of the record files."""
    return min((root / ".memory").rglob("*-*.yaml"))


def fill(repo: "Checkout") -> None:
    """Make a memory of twenty committed records there, derived state up to date."""
    Memory.init(str(repo))
    for data in random_memory(Random(7), 20):
        repo.add(f".memory/{path_of(data)}", text_of(data))
    repo.commit()
    with Memory.open(str(repo)) as memory:
        memory.search("connection")


def readable(memory: Memory) -> tuple[dict[str, oracle.Data], set[str]]:
    """Read every record file; give the records by path, and the paths of those that fail."""
    files: dict[str, oracle.Data] = {}
    broken: set[str] = set()
    for path in _paths(memory.workspace.site.folder):
        full = os.path.join(memory.workspace.site.folder, path)
        if os.path.getsize(full) > memory.workspace.store.max_bytes:
            broken.add(path)
            continue
        with open(full, "rb") as file:
            reading = decode(file.read(), path)
        if reading.record is None or reading.record.schema > SCHEMA:
            broken.add(path)
        if reading.record is not None:
            files[path] = _as_data(reading.record)
    return files, broken


def _as_data(record: Record) -> oracle.Data:
    return to_data(record) | {"created": record.created.isoformat()}


def _paths(root: str) -> Iterator[str]:
    for folder in KIND_OF_FOLDER:
        if os.path.islink(os.path.join(root, folder)):
            continue
        for here, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                full = os.path.join(here, name)
                regular = os.path.isfile(full) and not os.path.islink(full)
                if name.endswith((".yaml", ".yml")) and not name.startswith(".") and regular:
                    yield os.path.relpath(full, root)


@contextmanager
def from_files(memory: Memory) -> Iterator[Memory]:
    """Give the same memory without derived state on disk."""
    plain = Memory(Workspace(memory.workspace.site, memory.workspace.environ))
    plain.workspace.derived = Derived(plain.workspace.store, None, 0)
    try:
        yield plain
    finally:
        plain.close()


def assert_right(memory: Memory) -> None:
    """Hold ``list``, ``check`` and ``search`` against the oracle and a scan of the files."""
    files, broken = readable(memory)
    rows = {row.id: row for row in memory.list()}
    assert {record_id: row.status for record_id, row in rows.items()} == oracle.statuses(files)
    for record_id, (path, data) in oracle.speaking(files).items():
        assert (rows[record_id].path, rows[record_id].title) == (path, data["title"])
    found = memory.checks.files()
    between = {oracle.Fault(p.path, p.code, p.field) for p in found if p.code in _BETWEEN}
    assert between == oracle.faults(files)
    assert broken <= {p.path for p in found}
    with from_files(memory) as plain:
        for question in _QUESTIONS:
            assert _hits(memory, question) == _hits(plain, question), question


def _hits(memory: Memory, question: str) -> dict[str, float]:
    """Give score by id: which of two equal scores comes first is nobody's concern here."""
    return {hit.row.id: round(hit.score, 6) for hit in memory.search(question, limit=1000).hits}
