"""Tracked files that were edited in place; git looks for them while other work goes on.

``git diff-files`` compares the work tree with an index of git's by stamps, several files at a
time. It is started without waiting and without a shell (1 ms), and asked for its answer later.

It is given a copy of git's own index: git writes that anew with every commit, and often for
``git status``, but what changed since the copy was made only the files can say.

Git's look can also be left behind: it goes on when the answer is given, and the next question takes
what it found. The file that it writes into is locked as long as it runs, whoever has started it.

And it can be started before the rest of the program is imported, which takes a third of the time
that git needs in a large memory. Whoever compares (see ``sync.comparing``) takes what was started
if it was started with the index that he means, and closes it otherwise.
"""

import atexit
import contextlib
import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.git.command import git, spawn, spawn_apart
from gitmem.git.git_dirs import DERIVED, GitDirs, derived_dir, find
from gitmem.system import OPEN, OPEN_NO_LINK, lock_file, locked_within, replace, terminate, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

# Settings that would make git believe a file unchanged though its stamp is not.
_STRICT: Final = ("-c", "core.checkStat=default", "-c", "core.trustctime=true")
_NAMES: Final = ("diff-files", "--name-only", "--ignore-submodules=all", "-z")
_PIECE: Final = 1 << 16
COPY: Final = "git-index"
"""What the copy of git's index is called, in the folder of derived state."""
LEFT: Final = "git-edits"
"""What the file is called that a look left behind writes into, in the same folder."""
LEFT_SECONDS: Final = 600.0
"""What git found longer ago is not taken for now."""
_END: Final = b"//"
"""Ends that file, if git ended well: no name of a file is like it."""
_WAIT_SECONDS: Final = 2.0
_CATALOG: Final = "catalog.sqlite"
_LARGE: Final = 4 << 20
"""Bytes of a catalog of 4,000 records at least; with fewer, git is not asked."""


class IndexStamp(NamedTuple):
    """File attributes by which a rewritten index is noticed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def index_stamp(git_dirs: GitDirs) -> IndexStamp | None:
    """Stamp git's index of this work tree; None if there is none."""
    return stamp_at(os.path.join(git_dirs.git_dir, "index"))


def stamp_at(path: str) -> IndexStamp | None:
    """Stamp an index; None if there is none."""
    try:
        return _stamped(os.stat(path))
    except OSError:
        return None


def _stamped(status: os.stat_result) -> IndexStamp:
    return IndexStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def copy_index(
    git_dirs: GitDirs, path: str, meant: IndexStamp, refreshed: str = "", *, settled: bool = False
) -> IndexStamp | None:
    """Copy git's index, and stamp the copy; None if that is not the one with the stamp ``meant``.

    It keeps its time: what git compares by content, because it is as young as the index, it
    compares with the copy, too. Indexes are never written in place, so what is open stays whole.

    Args:
        git_dirs: the repository.
        path: where the copy goes.
        meant: the stamp of the index that is meant.
        refreshed: a folder, from the top of the work tree, of which the copy gets the stamps that
            files have now, where their content is what git has. Each is read; empty: none.
        settled: let git compare what is as young as the index once, and write down what it saw,
            instead of in every look at the copy. After a clone that may be most files.

    Raises:
        OSError: it can't be copied.
        EnvironmentProblem: git can't refresh or settle it.

    """
    import shutil  # noqa: PLC0415  start-up

    new = f"{path}.{os.getpid()}"
    try:
        with open(os.path.join(git_dirs.git_dir, "index"), "rb") as own, open(new, "wb") as copy:
            if _stamped(os.fstat(own.fileno())) != meant:
                return None
            shutil.copyfileobj(own, copy, _PIECE << 4)
            copy.flush()
            os.utime(copy.fileno(), ns=(meant.mtime_ns, meant.mtime_ns))
            if not (refreshed or settled):
                replace(new, path)
                return _stamped(os.fstat(copy.fileno()))  # of this one, even if another came
        if refreshed:
            where = f":(top,literal){refreshed}"
            git(git_dirs.root, *_STRICT, "add", "--refresh", "--", where, index=new)
        else:
            git(git_dirs.root, *_STRICT, "update-index", "--force-write-index", index=new)
        stamp = stamp_at(new)
        replace(new, path)
        # Of this one, even if another came. To be renamed changes the ctime.
        now = stamp_at(path)
        return now if stamp and now and now.inode == stamp.inode else None
    finally:
        for left in (new, f"{new}.lock"):
            with contextlib.suppress(OSError):
                os.unlink(left)


class Edits:
    """A ``git diff-files`` that is under way.

    ``index`` is the stamp of the index just before it was started, ``began_ns`` the time.

    Args:
        git_dirs: the repository.
        folder: the folder to look at, from the top of the work tree.
        path: the index to compare with.

    Raises:
        OSError: git can't be started.

    """

    def __init__(self, git_dirs: GitDirs, folder: str, path: str) -> None:
        self.began_ns = time.time_ns()
        self.index = stamp_at(path)
        self._prefix = folder.encode() + b"/"
        where = ("--", f":(top,literal){folder}")
        self._child, self._out = spawn(git_dirs.root, *_STRICT, *_NAMES, *where, index=path)

    def paths(self) -> set[str] | None:
        """Wait, and give the paths, relative to the folder; None if git could not tell."""
        output = _all_of(self._out)
        if self._end() != 0:
            return None
        return _inside(output.split(b"\0")[:-1], self._prefix)

    def close(self) -> None:
        """Give up waiting."""
        if self._child:
            terminate(self._child)
            self._end()

    def _end(self) -> int:
        os.close(self._out)
        child, self._child = self._child, 0
        return wait_for(child)


class LeftEdits:
    """What a ``git diff-files`` tells that an earlier question left behind.

    ``began_ns`` is now, ``left_ns`` the time when git was started.
    """

    def __init__(self, handle: int, folder: str, left_ns: int) -> None:
        self.began_ns = time.time_ns()
        self.left_ns = left_ns
        self._handle = handle
        self._prefix = folder.encode() + b"/"

    def paths(self) -> set[str] | None:
        """Wait if it still runs, and give the paths, relative to the folder; None: it failed."""
        try:
            if not locked_within(self._handle, _WAIT_SECONDS, shared=True):  # somebody writes it
                return None
            os.lseek(self._handle, 0, os.SEEK_SET)
            _, *names = _all_of(self._handle).split(b"\0")
        except OSError:
            return None
        finally:
            self.close()
        return _inside(names[:-1], self._prefix) if names and names[-1] == _END else None

    def close(self) -> None:
        """Give up waiting; git goes on."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def was_left(path: str) -> bool:
    """Tell whether a look was left behind that is not too old."""
    try:
        return time.time() - os.stat(path).st_mtime < LEFT_SECONDS
    except OSError:
        return False


def left_at(path: str, index: IndexStamp, folder: str) -> LeftEdits | None:
    """Give what was left behind in a file; None: nothing about this index, or it is too old."""
    try:
        handle = os.open(path, os.O_RDONLY | OPEN_NO_LINK)
    except OSError:
        return None
    try:
        head, separator, _ = os.read(handle, _PIECE).partition(b"\0")
        *stamp, left_ns = map(int, head.split())
        seconds = (time.time_ns() - left_ns) / 1e9
        if separator and tuple(stamp) == index and 0 <= seconds < LEFT_SECONDS:
            return LeftEdits(handle, folder, left_ns)
    except (OSError, ValueError):
        pass
    os.close(handle)
    return None


def leave(git_dirs: GitDirs, folder: str, index: str, path: str) -> None:
    """Start git's look at the files and do not wait for it.

    Args:
        git_dirs: the repository.
        folder: the folder to look at, from the top of the work tree.
        index: the index to compare with.
        path: the file for what git finds, which ``left_at`` reads.

    Raises:
        OSError: git can't be started, or the file not be written.

    """
    now, stamp = time.time_ns(), stamp_at(index)
    where = ("--", f":(top,literal){folder}")
    with _left_file(path) as handle:
        lock_file(handle)  # git's own from now on
        os.write(handle, b"%d %d %d %d %d\0" % (*(stamp or (0, 0, 0, 0)), now))
        end = _END.decode()
        spawn_apart(git_dirs.root, *_STRICT, *_NAMES, *where, index=index, out=handle, end=end)


def keep(edited: set[str], folder: str, index: IndexStamp, began_ns: int, path: str) -> None:
    """Write down what git has told already, as ``leave`` does; raise OSError if it can't be."""
    head = b"%d %d %d %d %d" % (*index, began_ns)
    names = [os.fsencode(f"{folder}/{name}") for name in sorted(edited)]
    with _left_file(path) as handle, open(handle, "wb", closefd=False) as file:
        file.write(b"\0".join([head, *names, _END]))


@contextlib.contextmanager
def _left_file(path: str) -> "Iterator[int]":
    """Open a new file; where another process has made one meanwhile, that one stays."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _all_of(handle: int) -> bytes:
    pieces = []
    while piece := os.read(handle, _PIECE):
        pieces.append(piece)
    return b"".join(pieces)


def _inside(names: list[bytes], prefix: bytes) -> set[str] | None:
    """Give names relative to a folder; None if one is not in it."""
    if not all(name.startswith(prefix) for name in names):
        return None
    return {os.fsdecode(name[len(prefix) :]) for name in names}


def vouched_for(git_dirs: GitDirs, folder: str, path: str) -> set[str]:
    """Give the files whose edits git notices, relative to the folder, by the index at ``path``.

    Left out are files that git was told not to look at (assume-unchanged, skip-worktree),
    that are in conflict, or that it has no stamp of.

    Raises:
        EnvironmentProblem: git can't tell.

    """
    where = f":(top,literal){folder}"
    listed = git(git_dirs.root, "ls-files", "-v", "-z", "--", where, index=path)
    start = f"H {folder}/".encode()
    lines = (line for line in listed.split(b"\0") if line.startswith(start))
    return {os.fsdecode(line[len(start) :]) for line in lines}


_started: list[tuple[GitDirs, str, Edits]] = []


def start_early(here: str, folder: str, version: str, *, prompt: bool = False) -> None:
    """Start git, if there is a large memory in ``folder`` at the top of the work tree.

    Args:
        here: the folder that the command was given in.
        folder: the memory's folder, from the top of the work tree.
        version: ends the name of the folder of derived state.
        prompt: do not, where the question before has left a look behind.

    """
    if _started:
        return
    git_dirs = find(here)
    ours = derived_dir(git_dirs) if git_dirs else None
    if git_dirs is None or ours is None:
        return
    derived = os.path.join(ours, f"{DERIVED}.{version}")
    try:
        if os.stat(os.path.join(derived, _CATALOG)).st_size < _LARGE:
            return
        copy = os.path.join(derived, COPY)
        os.stat(copy)
        if prompt and was_left(os.path.join(derived, LEFT)):
            return
        os.stat(os.path.join(git_dirs.root, folder))
        _started.append((git_dirs, folder, Edits(git_dirs, folder, copy)))
    except OSError:
        return  # what is missing is told by who needs it
    atexit.register(close_early)


def started_for(git_dirs: GitDirs, folder: str) -> Edits | None:
    """Give what was started, once; None if nothing was, or for another folder."""
    if not _started or _started[0][:2] != (git_dirs, folder):
        return None
    return _started.pop()[2]


def close_early() -> None:
    """Give up what was started and not taken."""
    while _started:
        _started.pop()[2].close()
