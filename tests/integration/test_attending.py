"""A memory that the system tells of changes: as right as one that compares all files each time."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from gitmem.memory import Memory
from gitmem.store import inotify
from gitmem.store.files import Store
from gitmem.store.inotify import InotifyQueue
from gitmem.store.listing import Listing
from tests.answers import assert_right, fill
from tests.depth import DEEP, amount, deep
from tests.integration.test_sync_machine import MemoryLife
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

NOTE = "notes/2026/01/t-note-7k3m9q2d4x.yaml"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes/2026/01").mkdir(parents=True)
    (tmp_path / NOTE).write_text("a")
    return tmp_path


@pytest.fixture
def hears(folder: Path) -> Iterator[InotifyQueue]:
    made = InotifyQueue(str(folder))
    yield made
    made.close()


def test_what_was_touched_is_told_once_and_at_once(
    folder: Path, hears: InotifyQueue, tmp_path_factory: pytest.TempPathFactory
) -> None:
    linked = tmp_path_factory.mktemp("elsewhere") / "linked"
    linked.write_text("c")
    assert hears.paths() == frozenset()
    for change in (
        lambda: (folder / NOTE).write_text("b"),
        lambda: (folder / NOTE).chmod(0o600),
        lambda: os.utime(folder / NOTE, (1, 1)),
        (folder / NOTE).unlink,
        lambda: os.link(linked, folder / NOTE),
    ):
        change()
        assert hears.paths() == frozenset({NOTE})
        assert hears.paths() == frozenset()
    (folder / "notes/2026/01/.hidden.yaml").write_text("x")
    (folder / "attachments").mkdir()
    (folder / "attachments/one").write_text("x")
    assert hears.paths() == frozenset()


def test_new_folders_are_heard_of_with_what_is_in_them(folder: Path, hears: InotifyQueue) -> None:
    (folder / "errors/2026/02").mkdir(parents=True)
    (folder / "errors/2026/02/one.yaml").write_text("x")
    assert hears.paths() == frozenset({"errors/2026/02/one.yaml"})
    (folder / "errors/2026/02/two.yaml").write_text("x")
    assert hears.paths() == frozenset({"errors/2026/02/two.yaml"})
    shutil.copytree(folder / "errors/2026", folder / "made")
    (folder / "made").rename(folder / "errors/2027")
    assert hears.paths() == frozenset({"errors/2027/02/one.yaml", "errors/2027/02/two.yaml"})
    shutil.rmtree(folder / "errors/2026")
    assert hears.paths() == frozenset({"errors/2026/02/one.yaml", "errors/2026/02/two.yaml"})
    (folder / "errors/2026").mkdir()
    assert hears.paths() == frozenset()
    (folder / "errors/2026/three.yaml").write_text("x")
    assert hears.paths() == frozenset({"errors/2026/three.yaml"})


@pytest.mark.parametrize(
    "change",
    [
        lambda top: (top / "notes/2026").rename(top / "notes/2025"),
        lambda top: (top / "notes/2026").rename(top.parent / "elsewhere"),
        lambda top: (top / "notes/2026/01/link").symlink_to(top),
        lambda top: (top / "notes/2026/01/x.yaml").mkdir(),
        lambda top: (top / "notes/2026").chmod(0o700),
        lambda top: (top / "errors").symlink_to(top / "notes"),
        lambda top: (top / "errors").write_text("no folder"),
    ],
)
def test_what_is_no_plain_change_means_all_and_more_is_heard_then(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    top = tmp_path / "top"
    (top / "notes/2026/01").mkdir(parents=True)
    hears = InotifyQueue(str(top))
    change(top)
    assert hears.paths() is None
    assert hears.paths() == frozenset()
    for place in sorted({one.parent for one in top.rglob("*")} - {top}):
        if not place.is_symlink() and place.is_dir() and not place.name.endswith(".yaml"):
            (place / "new.yaml").write_text("x")
            assert hears.paths() == frozenset({f"{place.relative_to(top)}/new.yaml"})
    hears.close()


def test_a_folder_that_goes_and_comes_is_heard_of_again(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "notes").mkdir(parents=True)
    hears = InotifyQueue(str(top))
    shutil.rmtree(top)
    assert hears.paths() is None
    (tmp_path / "other/notes").mkdir(parents=True)
    (tmp_path / "other").rename(top)
    assert hears.paths() is None
    (top / "notes/one.yaml").write_text("x")
    assert hears.paths() == frozenset({"notes/one.yaml"})
    hears.close()


def test_lost_events_mean_all(folder: Path, hears: InotifyQueue) -> None:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    first, second = folder / NOTE, folder / "notes/2026/01/two.yaml"
    second.touch()
    for number in range(most + 10):  # in turns: equal ones in a row are told once
        os.utime((first, second)[number % 2])
    assert hears.paths() is None
    first.write_text("after that")
    assert hears.paths() == frozenset({NOTE})


def test_where_the_system_can_not_tell_all_is_compared(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(repo)
    walks: list[int] = []
    listing = Store.listing

    def counted(store: Store) -> Listing:
        walks.append(1)
        return listing(store)

    monkeypatch.setattr(Store, "listing", counted)

    def asked(memory: Memory) -> int:
        memory.list()
        walks.clear()
        memory.list()
        return len(walks)

    with Memory.open(str(repo)) as memory:
        assert asked(memory) == 1
    with Memory.open(str(repo)) as memory:
        memory.checks.watch_incrementally()
        assert asked(memory) == 0
    for mode in ("poll", "off"):
        with Memory.open(str(repo), settings={"watch.mode": mode}) as memory:
            memory.checks.watch_incrementally()
            assert asked(memory) == 1
    for of, name, value in (
        (InotifyQueue, "_events", lambda _: iter(())),
        (inotify, "HAS_INOTIFY", False),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(of, name, value)
            with Memory.open(str(repo)) as memory:
                memory.checks.watch_incrementally()
                assert asked(memory) == 1
    monkeypatch.setattr("gitmem.memory.core.incremental.is_remote", lambda kind: True)
    with Memory.open(str(repo)) as memory:
        memory.checks.watch_incrementally()
        assert asked(memory) == 1


def test_a_limit_that_is_reached_meanwhile_is_no_fault(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(repo)

    def full(*_: object) -> bool:
        raise OSError(28, "no space left on device")

    with Memory.open(str(repo)) as memory:
        memory.checks.watch_incrementally()
        assert_right(memory)
        monkeypatch.setattr(InotifyQueue, "_add", full)
        data = record(Random(3), [])
        data["created"] = "2031-05-01T00:00:00Z"  # in a new folder
        repo.add(f".memory/{path_of(data)}", text_of(data))
        assert data["id"] in {row.id for row in memory.list()}
        monkeypatch.undo()
        repo.add(f".memory/{path_of(data)}", text_of(data).replace(b"title: ", b"title: Z"))
        assert_right(memory)


class AttendingLife(MemoryLife):
    """The same random lives, with a reader that is told what was touched."""

    @invariant()
    def answers_are_right(self) -> None:
        if self.folder.exists() and self.resident is None:
            self.resident = Memory.open(str(self.root))
            self.resident.checks.watch_incrementally()
        super().answers_are_right()


@deep
@pytest.mark.slow
@pytest.mark.timeout(7200 if DEEP else 400)
def test_random_lives_of_a_memory_that_is_told(tmp_path: Path) -> None:
    AttendingLife.base = tmp_path
    run_state_machine_as_test(
        AttendingLife,
        settings=settings(
            max_examples=amount(share=2, ci=10, whole=2000), stateful_step_count=20, deadline=None
        ),
    )
    assert MemoryLife.steps
