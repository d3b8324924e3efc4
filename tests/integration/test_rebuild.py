"""A rebuild can be killed and goes on where it stopped; meanwhile questions are answered."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.catalog.catalog import Catalog
from gitmem.memory import Memory
from gitmem.memory.core import derived_check
from gitmem.sync import Progress, difference, ingest, quiet, workers
from gitmem.sync.derived import Derived
from tests import faults
from tests.answers import assert_right, derived_folder
from tests.depth import sampled
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

COUNT = 850


@pytest.fixture
def large(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Give a memory that is large enough to be read by several processes, in many pieces."""
    monkeypatch.setattr(ingest, "MANY", 400)
    monkeypatch.setattr(workers, "PIECE", 200)
    monkeypatch.setattr(workers, "BATCH", 25)
    # Files that are read as soon as they are written would be read once more for safety.
    monkeypatch.setattr(difference, "RACY_NS", 0)
    Memory.init(str(repo))
    rng = Random(1)
    for _ in range(COUNT):
        data = record(rng, [], "note")
        path = repo / ".memory" / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))
    return repo


def worker_count(root: Path) -> int:
    """Count the living processes that read for a rebuild of ``root``."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            here = os.readlink(folder / "cwd").startswith(str(root))
            found += here and b"gitmem.sync.worker" in (folder / "cmdline").read_bytes()
        except OSError:
            continue
    return found


def rebuild_and_die(root: Path, after: int) -> int:
    """Rebuild in a process of its own that dies after so many files; give its exit code."""
    child = os.fork()
    if child == 0:
        try:
            _rebuild_until(root, after)
        finally:
            os._exit(1)
    return faults.wait(child)


def _rebuild_until(root: Path, after: int) -> None:

    def die(_what: str, done: int, _total: int) -> None:
        if done >= after:
            os.kill(os.getpid(), signal.SIGKILL)

    with Memory.open(str(root)) as memory:
        memory.workspace.progress = die
        memory.checks.rebuild()


def test_a_killed_rebuild_goes_on_where_it_stopped(large: "Checkout") -> None:
    with Memory.open(str(large)) as memory:
        before = memory.workspace.derived.catalog().dump()
        memory.workspace.derived.index()
    assert rebuild_and_die(large, 500) == -signal.SIGKILL
    beside = derived_folder(large) / "next"
    kept = {path.name for path in (beside / "index").glob("*.trm")}
    assert len(kept) == 4  # two pieces, each written by two processes
    # Nothing of the old state was touched.
    with Memory.open(str(large)) as memory:
        assert memory.workspace.derived.catalog().dump() == before
        assert memory.checks.verify() == []
    told: list[int] = []
    with Memory.open(str(large)) as memory:
        memory.workspace.progress = lambda _what, _done, total: told.append(total)
        memory.checks.rebuild()
        assert set(told) == {COUNT - 400}  # what was committed is not read again
        assert memory.workspace.derived.catalog().dump() == before
        assert memory.checks.verify() == []
        assert memory.workspace.derived.notices == []
        assert_right(memory)
    assert not beside.exists()
    assert worker_count(large) == 0


def test_a_first_build_that_is_killed_goes_on_too(large: "Checkout") -> None:
    assert rebuild_and_die(large, 500) == -signal.SIGKILL
    kept = derived_folder(large) / "next" / "catalog.sqlite"
    assert kept.exists()
    with Memory.open(str(large)) as memory:
        memory.checks.rebuild()
        assert memory.checks.verify() == []


def test_questions_are_answered_while_another_process_rebuilds(large: "Checkout") -> None:
    with Memory.open(str(large)) as memory:
        memory.search("connection")
    answers: list[str] = []
    command = [sys.executable, "-m", "gitmem", "search", "connection", "--limit", "3"]

    def ask(_what: str, done: int, _total: int) -> None:
        if done == 300 and not answers:
            asked = subprocess.run(command, cwd=large, capture_output=True, text=True, check=True)
            answers.append(asked.stdout)
            assert asked.stderr == ""  # no notice that the index can't be used
            with Memory.open(str(large)) as reader:
                assert_right(reader)
                assert reader.workspace.derived.notices == []

    with Memory.open(str(large)) as memory:
        memory.workspace.progress = ask
        memory.checks.rebuild()
        assert answers
        assert_right(memory)
    again = subprocess.run(command, cwd=large, capture_output=True, text=True, check=True)
    assert again.stdout == answers[0]


def test_a_record_written_during_a_rebuild_is_found_after_it(large: "Checkout") -> None:
    written: list[int] = []
    with Memory.open(str(large)) as memory:

        def write(_what: str, done: int, _total: int) -> None:
            if done == 300 and not written:
                written.append(done)
                with Memory.open(str(large)) as other:
                    other.add("note", {"title": "written meanwhile", "tags": ["meanwhile"]})
                    assert len(other.list("tag:meanwhile")) == 1

        memory.workspace.progress = write
        memory.checks.rebuild()
        assert [row.title for row in memory.list("tag:meanwhile")] == ["written meanwhile"]
        assert memory.checks.verify() == []


@sampled(1)
@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/python3"])
def test_without_other_processes_everything_is_read_here(
    large: "Checkout", monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    stand_in = tmp_path / "python3"
    stand_in.symlink_to(program)
    monkeypatch.setattr(sys, "executable", str(stand_in))
    with Memory.open(str(large)) as memory:
        memory.checks.rebuild()
        assert memory.checks.verify() == []
        assert len(memory.list()) == COUNT


def test_what_workers_read_is_what_is_read_alone(
    large: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    note = large / ".memory" / "notes"
    first = min(note.rglob("*.yaml"))
    first.write_bytes(b"title: [")
    second = max(note.rglob("*.yaml"))
    second.write_bytes(b"\xff")
    with Memory.open(str(large)) as memory:
        memory.checks.rebuild()
        by_workers = memory.workspace.derived.catalog().dump()
        hits = [hit.row.id for hit in memory.search("connection timeout").hits]
        monkeypatch.setattr(workers, "start", lambda _job: None)
        memory.checks.rebuild()
        assert memory.workspace.derived.catalog().dump() == by_workers
        assert [hit.row.id for hit in memory.search("connection timeout").hits] == hits


def test_many_new_files_are_read_by_workers_also_where_nobody_asked_for_the_index(
    large: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[workers.ReadingJob] = []
    start = workers.start

    def noted(job: workers.ReadingJob) -> workers.Workers | None:
        jobs.append(job)
        return start(job)

    monkeypatch.setattr(workers, "start", noted)
    monkeypatch.setattr(ingest, "MANY", COUNT + 1)
    with Memory.open(str(large)) as memory:
        memory.search("connection")
        monkeypatch.setattr(ingest, "MANY", 400)
        for path in (large / ".memory" / "notes").rglob("*.yaml"):
            path.write_bytes(path.read_bytes().replace(b"\ntitle: ", b"\ntitle: zebra ", 1))
        changed = [row for row in memory.list() if "zebra" in row.title]
        assert len(changed) > COUNT // 2
        assert [job.indexed for job in jobs] == [False]
        assert len(memory.search("zebra", limit=COUNT).hits) == len(changed)
        assert memory.checks.verify() == []


def test_what_others_write_while_verify_reads_is_no_difference(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    Memory.init(str(repo))
    written: list[str] = []

    class ReadLater(Derived):
        def catalog(self, progress: Progress = quiet) -> Catalog:
            if not written:
                with Memory.open(str(repo)) as other:
                    written.append(other.add("note", {"title": "meanwhile"}).id)
            return super().catalog(progress)

    monkeypatch.setattr(derived_check, "Derived", ReadLater)
    with Memory.open(str(repo)) as memory:
        memory.add("note", {"title": "before"})
        assert memory.checks.verify() == []
    assert written
