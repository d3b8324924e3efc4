"""The watcher on real files: real git, real editors' ways of saving, real limits of the kernel.

Nothing here waits for a time to pass: each test waits for what it expects, and a limit that
only means "it hangs" ends it. What must not be told is proven by what comes after it.
"""

import contextlib
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from gitmem.memory import Memory
from gitmem.store.poll import Poll, file_system, is_remote
from gitmem.store.store_change import StoreChange, WatchedStore, is_told_of
from gitmem.store.watch import Watcher
from tests.depth import amount, deep, sampled

if TYPE_CHECKING:
    from tests.conftest import Checkout

HANGS = 60
NOTE = "notes/2026/01/t-note-7k3m9q2d4x.yaml"
QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")


class Listening:
    """Collects what a watcher tells of one memory."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.everything = 0
        self.heads = 0
        self._told: queue.Queue[StoreChange] = queue.Queue()

    def __call__(self, changed: StoreChange) -> None:
        self._told.put(changed)

    def until(self, meets: Callable[["Listening"], bool]) -> "Listening":
        end = time.monotonic() + HANGS
        while not meets(self):
            changed = self._told.get(timeout=max(0.01, end - time.monotonic()))
            self.paths |= changed.paths
            self.everything += changed.everything
            self.heads += changed.head
        return self

    def until_path(self, *paths: str) -> "Listening":
        return self.until(lambda heard: {*paths} <= heard.paths)


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def watcher(notices: list[str]) -> Iterator[Watcher]:
    made = Watcher(settle=0.05, poll_seconds=0.05, on_notice=notices.append)
    yield made
    made.close()


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.commit("a memory")
    return repo


def spot(repo: Path) -> WatchedStore:
    return WatchedStore(str(repo / ".memory"), str(repo / ".git"))


def listening(watcher: Watcher, repo: Path, *, poll: bool = False) -> Listening:
    heard = Listening()
    watcher.add(spot(repo), heard, poll=poll)
    return heard


def number(index: int) -> str:
    """Give the path of a record by a number, spread over months."""
    return f"notes/2026/{index % 12 + 1:02}/n{index}-note-{index:010}.yaml"


@pytest.fixture(params=[False, True], ids=["notified", "polled"])
def poll(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


# --- what is told -------------------------------------------------------------------------------


def test_a_new_file_in_new_folders_a_change_and_a_deletion_are_told(
    world: "Checkout", watcher: Watcher, *, poll: bool
) -> None:
    heard = listening(watcher, world, poll=poll)
    file = world.add(f".memory/{NOTE}", "a: 1\n")
    heard.until_path(NOTE).paths.clear()
    file.write_text("a: 22\n")
    heard.until_path(NOTE).paths.clear()
    file.unlink()
    heard.until_path(NOTE)


def test_editors_that_save_by_renaming_are_understood(
    world: "Checkout", watcher: Watcher, *, poll: bool
) -> None:
    file = world.add(f".memory/{NOTE}", "a: 1\n")
    heard = listening(watcher, world, poll=poll)
    beside = file.with_name(".t.yaml.swp")
    backup = file.with_name(file.name + "~")
    beside.write_text("a: 2\n")
    file.rename(backup)
    beside.rename(file)
    heard.until_path(NOTE)
    assert heard.paths == {NOTE}


def test_temporary_names_are_not_told(world: "Checkout", watcher: Watcher) -> None:
    heard = listening(watcher, world)
    for name in ("4913", ".#t.yaml", "#t.yaml#", "t.yaml~", ".x.yaml", "t.yaml.tmp", "t.txt"):
        world.add(f".memory/notes/2026/01/{name}", "x")
    world.add(".memory/attachments/x.yaml", "x")
    world.add(".memory/stranger/x.yaml", "x")
    world.add(f".memory/{NOTE}", "a: 1\n")
    heard.until_path(NOTE)
    assert heard.paths == {NOTE}


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("gitmem.yaml", True),
        ("notes/a.yml", True),
        (NOTE, True),
        ("notes/.hidden/a.yaml", False),
        ("notes/a.yaml~", False),
        ("a.yaml", False),
        ("other/a.yaml", False),
        ("..", False),
    ],
)
def test_which_paths_are_told_of(path: str, *, told: bool) -> None:
    assert is_told_of(path) is told


def test_a_record_that_moves_is_told_at_both_places(
    world: "Checkout", watcher: Watcher, *, poll: bool
) -> None:
    file = world.add(f".memory/{NOTE}", "a: 1\n")
    heard = listening(watcher, world, poll=poll)
    other = NOTE.replace("/t-", "/u-")
    file.rename(world / ".memory" / other)
    heard.until_path(NOTE, other)


def test_a_folder_that_is_moved_away_is_told(
    world: "Checkout", watcher: Watcher, tmp_path: Path
) -> None:
    world.add(f".memory/{NOTE}", "a: 1\n")
    heard = listening(watcher, world)
    (world / ".memory/notes/2026").rename(tmp_path / "elsewhere")
    heard.until(lambda heard: heard.everything > 0)


@deep
def test_a_switch_of_thousands_of_files_is_told_and_the_last_one_is_not_lost(
    world: "Checkout", watcher: Watcher
) -> None:
    count = amount(share=1500, ci=5000, whole=5000)
    switched = {number(index) for index in range(count)}
    world.git("switch", "-qc", "many")
    for index in range(count):
        world.add(f".memory/{number(index)}", f"a: {index}\n")
    world.commit("many")
    heard = listening(watcher, world)

    def hears_of_all() -> None:
        """Wait for all at once, or where the machine is slow for each by its name."""
        everything, heads = heard.everything, heard.heads
        heard.paths.clear()
        heard.until(
            lambda heard: (
                heard.heads > heads and (heard.everything > everything or switched <= heard.paths)
            )
        )

    world.git("switch", "-q", "main")
    hears_of_all()
    assert not (world / ".memory" / number(0)).exists()
    world.git("switch", "-q", "many")
    hears_of_all()
    heard.paths.clear()
    # What follows is told as before: the folders that came back are watched.
    for index in (0, count - 1):
        (world / ".memory" / number(index)).write_text("changed: true\n")
    heard.until_path(number(0), number(count - 1))


def test_head_is_told_where_it_moves_and_not_where_files_change(
    world: "Checkout", watcher: Watcher, *, poll: bool
) -> None:
    world.git("branch", "other")
    heard = listening(watcher, world, poll=poll)
    world.add(f".memory/{NOTE}", "a: 1\n")
    assert heard.until_path(NOTE).heads == 0
    world.git("switch", "-q", "other")
    heard.until(lambda heard: heard.heads == 1)


def test_a_linked_work_tree_hears_of_its_own_head(
    world: "Checkout", watcher: Watcher, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    world.git("worktree", "add", "-q", "-b", "other", str(linked))
    with Memory.open(str(linked)) as memory:
        assert memory.workspace.site.git_dirs
        git_dir = memory.workspace.site.git_dirs.git_dir
    heard = Listening()
    watcher.add(WatchedStore(str(linked / ".memory"), git_dir), heard)
    first = listening(watcher, world)
    world.git("switch", "-qc", "third")
    first.until(lambda heard: heard.heads == 1)
    (linked / ".memory/gitmem.yaml").write_text("format: 1\n# mine\n")
    assert heard.until_path("gitmem.yaml").heads == 0
    subprocess.run(["git", "switch", "-qc", "fourth"], cwd=linked, check=True)
    heard.until(lambda heard: heard.heads == 1)


def test_a_memory_that_goes_and_comes_back_is_watched_again(
    world: "Checkout", watcher: Watcher, tmp_path: Path
) -> None:
    heard = listening(watcher, world)
    for turn in range(1, 4):
        (world / ".memory").rename(tmp_path / "away")
        heard.until(lambda heard: heard.everything > 0)
        heard.everything = 0
        (tmp_path / "away").rename(world / ".memory")
        heard.until(lambda heard: heard.everything > 0)
        heard.everything = 0
        world.add(f".memory/{number(turn)}", "a: 1\n")
        heard.until_path(number(turn))


def test_a_repository_that_goes_and_comes_back_is_watched_again(
    world: "Checkout", watcher: Watcher, tmp_path: Path
) -> None:
    heard = listening(watcher, world)
    subprocess.run(["cp", "-a", str(world), str(tmp_path / "copy")], check=True)
    subprocess.run(["rm", "-r", str(world)], check=True)
    heard.until(lambda _: watcher.why_polled(str(world / ".memory")) != "")
    (tmp_path / "copy").rename(world)
    heard.until(lambda _: watcher.why_polled(str(world / ".memory")) == "")
    world.add(f".memory/{NOTE}", "a: 1\n")
    heard.until_path(NOTE)


def test_several_memories_are_told_apart(
    world: "Checkout", make_repo: Callable[..., "Checkout"], watcher: Watcher
) -> None:
    other = make_repo("other")
    Memory.init(str(other))
    (world / "package").mkdir()
    Memory.init(str(world / "package"), here=True)
    first, second = listening(watcher, world), listening(watcher, other)
    inner = Listening()
    watcher.add(WatchedStore(str(world / "package/.memory"), str(world / ".git")), inner)
    world.add(f".memory/{number(1)}", "a: 1\n")
    other.add(f".memory/{number(2)}", "a: 1\n")
    world.add(f"package/.memory/{number(3)}", "a: 1\n")
    for heard, index in ((first, 1), (second, 2), (inner, 3)):
        assert heard.until_path(number(index)).paths == {number(index)}
    # The git folder of both stays watched when one of them is watched no more.
    watcher.remove(str(world / "package/.memory"))
    world.git("switch", "-qc", "elsewhere")
    first.until(lambda heard: heard.heads == 1)


def test_a_listener_that_fails_hears_of_the_next_change(
    world: "Checkout", watcher: Watcher, caplog: pytest.LogCaptureFixture
) -> None:
    heard, failed = Listening(), threading.Event()

    def fails_once(changed: StoreChange) -> None:
        if not failed.is_set():
            failed.set()
            raise ValueError("once")
        heard(changed)

    watcher.add(spot(world), fails_once)
    world.add(f".memory/{number(1)}", "a: 1\n")
    assert failed.wait(HANGS)
    world.add(f".memory/{number(2)}", "a: 1\n")
    heard.until_path(number(2))
    assert "a listener of" in caplog.text


def test_closing_ends_every_thread_and_gives_back_every_descriptor(world: "Checkout") -> None:
    def descriptors() -> list[str]:
        found = []
        for name in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                found.append(os.readlink(f"/proc/self/fd/{name}"))
        return [target for target in found if "inotify" in target]

    before, open_before = {*threading.enumerate()}, descriptors()
    watcher = Watcher()
    listening(watcher, world)
    assert {*threading.enumerate()} - before
    watcher.close()
    assert {*threading.enumerate()} == before
    assert descriptors() == open_before


# --- where the system can't tell ----------------------------------------------------------------


_WATCHING = """\
import sys
from gitmem.store.store_change import WatchedStore
from gitmem.store.watch import Watcher
def told(changed):
    print(*sorted(changed.paths), "everything" * changed.everything, flush=True)
sys.stdin.readline()
watcher = Watcher(settle=0.05, poll_seconds=0.05, on_notice=lambda line: print(line, flush=True))
watcher.add(WatchedStore(sys.argv[1], None), told)
print("ready", flush=True)
sys.stdin.read()
watcher.close()
"""


_SLOW: Final = """\
import time
from watchdog.observers.inotify import InotifyWatchGroup
usual = InotifyWatchGroup._add_all_callbacks
def slowly(self, path):
    if self.is_active and self.is_recursive:
        time.sleep(0.5)
    usual(self, path)
InotifyWatchGroup._add_all_callbacks = slowly
"""


@pytest.mark.parametrize("slow", ["", _SLOW], ids=["usual", "slow"])
def test_events_that_the_kernel_lost_are_made_up_for(world: "Checkout", slow: str) -> None:
    """A watcher that is stopped while hundreds of files are written loses events for sure.

    watchdog then watches all folders anew, and what is written before it has done so is lost,
    too: on a slow machine that is long enough to matter.
    """
    if not os.access(QUEUE, os.W_OK):
        pytest.skip("only the superuser can make the kernel's queue small")
    for index in range(12):
        world.add(f".memory/{number(index)}", "a: 1\n")
    usual = QUEUE.read_text()
    with subprocess.Popen(
        [sys.executable, "-c", slow + _WATCHING, str(world / ".memory")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        try:
            QUEUE.write_text("16")
            process.stdin.write("start\n")
            process.stdin.flush()
            assert process.stdout.readline() == "ready\n"
        finally:
            QUEUE.write_text(usual)
        process.send_signal(signal.SIGSTOP)
        for index in range(600):  # fewer than are no longer listed one by one
            world.add(f".memory/{number(index)}", "a: 2\n")
        process.send_signal(signal.SIGCONT)
        lines = iter(process.stdout.readline, "")
        assert next(line for line in lines if "everything" in line)
        world.add(f".memory/{number(9_999)}", "a: 1\n")
        # In so small a queue it may be lost again: then everything is told of once more.
        assert next(line for line in lines if number(9_999) in line or "everything" in line)
        process.stdin.close()
        assert process.wait(HANGS) == 0


def test_the_line_that_tells_of_lost_events_means_look_at_everything(
    world: "Checkout", watcher: Watcher, caplog: pytest.LogCaptureFixture
) -> None:
    heard = listening(watcher, world)
    logger = logging.getLogger("watchdog.observers.inotify_c")
    logger.warning("Inotify queue overflowed; filesystem events were lost")
    heard.until(lambda heard: heard.everything > 0 and heard.heads > 0)
    logger.warning("something else")
    assert "something else" in caplog.text
    assert "overflow" not in caplog.text


@sampled(2)
@pytest.mark.parametrize(
    ("limit", "value", "says"),
    [
        ("max_inotify_instances", 0, "the limit of inotify instances is reached"),
        ("max_inotify_watches", 0, "the limit of inotify watches is reached"),
        # The folder itself can be watched, the last one below can't.
        ("max_inotify_watches", 4, "the limit of inotify watches is reached"),
    ],
)
def test_where_the_kernel_gives_no_more_stamps_are_compared(
    world: "Checkout", limit: str, value: int, says: str
) -> None:
    """In a user namespace of its own, a process has limits of its own."""
    world.add(f".memory/{NOTE}", "a: 1\n")
    wrap = ["unshare", "--user", "--map-root-user", "sh", "-ec"]
    probe = [*wrap, f"echo 5 > /proc/sys/user/{limit}"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this machine lets no process have limits of its own")
    script = f'echo {value} > /proc/sys/user/{limit}; exec "$@"'
    with subprocess.Popen(
        [*wrap, script, "sh", sys.executable, "-c", _WATCHING, str(world / ".memory")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stdin
        process.stdin.write("start\n")
        process.stdin.flush()
        assert says in process.stdout.readline()
        assert process.stdout.readline() == "ready\n"
        for index in (1, 2):
            world.add(f".memory/{number(index)}", "a: 1\n")
            assert process.stdout.readline().split() == [number(index)]
        process.stdin.close()
        assert process.wait(HANGS) == 0


def test_when_the_watches_run_out_later_stamps_are_compared_from_then(
    world: "Checkout",
) -> None:
    """The memory's two folders can be watched, the months that come later can't."""
    wrap = ["unshare", "--user", "--map-root-user", "sh", "-ec"]
    script = 'echo 3 > /proc/sys/user/max_inotify_watches; exec "$@"'
    if subprocess.run([*wrap, script, "sh", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets no process have limits of its own")
    with subprocess.Popen(
        [*wrap, script, "sh", sys.executable, "-c", _WATCHING, str(world / ".memory")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stdin
        process.stdin.write("start\n")
        process.stdin.flush()
        assert process.stdout.readline() == "ready\n"
        world.add(f".memory/{number(1)}", "a: 1\n")
        lines = iter(process.stdout.readline, "")
        assert next(line for line in lines if "limit of inotify watches" in line)
        world.add(f".memory/{number(2)}", "a: 1\n")
        assert next(line for line in lines if number(2) in line)
        process.stdin.close()
        assert process.wait(HANGS) == 0


@pytest.mark.parametrize(
    ("place", "kind", "remote"),
    [
        ("/home/ann/work/.memory", "nfs4", True),
        ("/home/ann", "nfs4", True),
        ("/home/annual", "ext4", False),
        ("/mnt/with space/x", "fuse.sshfs", True),
        ("/mnt/twice", "cifs", True),
        ("/", "ext4", False),
    ],
)
def test_network_file_systems_are_known_by_the_table_of_mounts(
    tmp_path: Path, place: str, kind: str, *, remote: bool
) -> None:
    table = tmp_path / "mounts"
    table.write_text(
        "/dev/vda / ext4 rw 0 0\n"
        "host:/home /home/ann nfs4 rw 0 0\n"
        "ann@host: /mnt/with\\040space fuse.sshfs rw 0 0\n"
        "/dev/vdb /mnt/twice ext4 rw 0 0\n"
        "//host/share /mnt/twice cifs rw 0 0\n"
        "odd line\n"
    )
    assert file_system(place, str(table)) == kind
    assert is_remote(kind) is remote


def test_without_a_table_of_mounts_nothing_is_remote(tmp_path: Path) -> None:
    assert file_system("/", str(tmp_path / "none")) == ""
    assert not is_remote("")


def test_a_network_file_system_is_polled(
    world: "Checkout", watcher: Watcher, notices: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.store.watch.file_system", lambda _: "nfs4")
    heard = listening(watcher, world)
    assert "network file system (nfs4)" in notices[0]
    assert "every 0.05 s" in notices[0]
    world.add(f".memory/{NOTE}", "a: 1\n")
    heard.until_path(NOTE)


def test_a_look_tells_only_what_differs(world: "Checkout") -> None:
    file = world.add(f".memory/{NOTE}", "a: 1\n")
    look = Poll(spot(world))
    assert look.changed() == (set(), False)
    file.write_text("a: 22\n")
    world.git("switch", "-qc", "other")
    assert look.changed() == ({NOTE}, True)
    assert look.changed() == (set(), False)
