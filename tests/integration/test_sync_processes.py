"""Several processes at once, and branches that change under an open memory."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.system import lock
from tests import faults
from tests.answers import a_record, assert_right, derived_folder, fill
from tests.depth import DEEP, amount, deep
from tests.random_records import memory as random_memory
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

SWITCHES = amount(share=30, ci=200, whole=1000)


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    fill(repo)
    return repo


@pytest.fixture
def memory(world: Path) -> Iterator[Memory]:
    with Memory.open(str(world)) as opened:
        yield opened


# --- other processes ----------------------------------------------------------------------------


def test_a_lock_that_is_held_is_waited_for_and_then_done_without(world: Path) -> None:
    (world / ".memory" / "notes" / "new.yaml").parent.mkdir(parents=True, exist_ok=True)
    data = record(Random(1), [], "note")
    path = world / ".memory" / path_of(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text_of(data))
    with (
        lock(str(derived_folder(world) / "lock"), 1),
        Memory.open(str(world), settings={"index.wait_seconds": 0.1}) as memory,
    ):
        assert_right(memory)
        assert "another process is updating it" in memory.workspace.derived.notices[0]


def test_who_reads_many_files_is_waited_for_as_long_as_it_takes_to_read_them(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else every question that is asked during a first build takes as long as the build."""
    monkeypatch.setattr("gitmem.sync.folder.SECONDS_A_FILE", 60)
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with lock(str(derived_folder(world) / "lock"), 1):
            held.set()
            over.wait(1)

    holder = threading.Thread(target=hold)
    with Memory.open(str(world), settings={"index.wait_seconds": 0}) as memory:
        assert_right(memory)
        data = record(Random(1), [], "note")
        path = world / ".memory" / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))
        holder.start()
        held.wait()
        assert_right(memory)
        assert memory.workspace.derived.notices == []
    over.set()
    holder.join()


def test_rebuilding_what_another_process_updates_is_refused_in_a_sentence(world: Path) -> None:
    with (
        lock(str(derived_folder(world) / "lock"), 1),
        Memory.open(str(world), settings={"index.wait_seconds": 0.1}) as memory,
        pytest.raises(GitmemError, match="another process"),
    ):
        memory.checks.rebuild()


def test_a_lock_file_of_a_dead_process_is_no_lock(world: Path) -> None:
    path = derived_folder(world) / "lock"
    path.write_text("4194304")
    with Memory.open(str(world)) as memory:
        a_record(world).unlink()
        assert_right(memory)
        assert memory.workspace.derived.notices == []


def rebuild_often(world: Path, times: int) -> None:
    for _ in range(times):
        with Memory.open(str(world), settings={"index.wait_seconds": 60}) as memory:
            memory.checks.rebuild()
            assert_right(memory)


@deep
def test_processes_that_rebuild_at_once_all_answer_right(world: Path) -> None:
    children = [
        faults.start(partial(rebuild_often, world, amount(share=2, ci=4, whole=40)))
        for _ in range(3)
    ]
    assert [faults.wait(child) for child in children] == [0, 0, 0]
    with Memory.open(str(world)) as memory:
        assert_right(memory)
        assert memory.checks.verify() == []


@deep
def test_a_resident_reader_stays_right_while_others_rebuild(world: Path, memory: Memory) -> None:
    assert_right(memory)
    for number in range(amount(share=3, ci=6, whole=60)):
        with Memory.open(str(world)) as other:
            other.checks.rebuild()
            data = record(Random(number), [])
            path = world / ".memory" / path_of(data)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text_of(data))
            assert_right(other)
        assert_right(memory)


def test_two_residents_do_not_undo_each_others_work(world: Path, memory: Memory) -> None:
    a_record(world).unlink()  # from now on numbers of files have a gap
    data = record(Random(1), [])
    (world / ".memory" / path_of(data)).write_bytes(text_of(data))
    assert_right(memory)
    with Memory.open(str(world)) as other:
        other.checks.rebuild()
        assert_right(memory)
        assert_right(other)
        generation = other.workspace.derived.index().generation()
        for _ in range(3):
            assert_right(memory)
            assert_right(other)
        assert other.workspace.derived.index().generation() == generation


def look(world: Path) -> None:
    with Memory.open(str(world)) as memory:
        memory.search("connection")


@deep
def test_a_process_killed_at_any_moment_of_an_update_leaves_no_trace_in_answers(
    world: Path,
) -> None:
    rng = Random(5)
    for number in range(amount(share=5, ci=25, whole=100)):
        for data in random_memory(rng, 5):
            path = world / ".memory" / path_of(data)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text_of(data))
        if number % 5 == 0:
            shutil.rmtree(derived_folder(world), ignore_errors=True)
        child = os.fork()
        if child == 0:
            look(world)
            os._exit(0)
        time.sleep(rng.random() * 0.06)
        os.kill(child, signal.SIGKILL)
        faults.wait(child)
        with Memory.open(str(world)) as memory:
            assert_right(memory)
            assert memory.workspace.derived.notices == []
            assert memory.checks.verify() == []


# --- branches -----------------------------------------------------------------------------------


@deep
@pytest.mark.slow
@pytest.mark.timeout(1200 if DEEP else 120)
def test_the_index_equals_the_files_after_every_branch_switch(
    repo: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(11)
    Memory.init(str(repo))
    repo.commit()
    names = []
    for number in range(5):
        names.append(f"b{number}")
        repo.git("checkout", "-q", "-b", names[-1], rng.choice([*names[:-1], "main"]))
        for data in random_memory(rng, 4):
            repo.add(f".memory/{path_of(data)}", text_of(data))
        if number % 2:
            a_record(repo).unlink()
        repo.commit()
    with Memory.open(str(repo)) as memory:
        for number in range(SWITCHES):
            repo.git("checkout", "-q", rng.choice(names))
            if number % 20 == 0:
                assert_right(memory)
            else:
                assert memory.checks.verify() == []
    with capsys.disabled():
        print(f"\n{SWITCHES} branch switches: index equals files each time")  # noqa: T201


def test_a_program_that_uses_a_large_memory_runs_only_once(world: Path) -> None:
    """Helper processes import the main program again: here, it would add its note again."""
    rng = Random(1)
    for _ in range(900):
        data = record(rng, [], "note")
        path = world / ".memory" / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))
    program = world / "program.py"
    program.write_text(
        "from gitmem import Memory\n"
        "memory = Memory.open('.')\n"
        "memory.add('note', {'title': 'once', 'tags': ['once']})\n"
        "print(len(memory.list('tag:once')))\n"
    )
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=world, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
