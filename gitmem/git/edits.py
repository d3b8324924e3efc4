"""Tracked files that were edited in place; git looks for them while other work goes on.

``git diff-files`` compares the work tree with an index of git's by stamps, several files at a
time. It is started without waiting and without a shell (1 ms), and asked for its answer later.

It is given a copy of git's own index: git writes that anew with every commit, and often for
``git status``, but what changed since the copy was made only the files can say.
"""

import contextlib
import os
import time
from typing import Final, NamedTuple

from gitmem.git.command import git, spawn
from gitmem.git.git_dirs import GitDirs

# Settings that would make git believe a file unchanged though its stamp is not.
_STRICT: Final = ("-c", "core.checkStat=default", "-c", "core.trustctime=true")
_NAMES: Final = ("diff-files", "--name-only", "--ignore-submodules=all", "-z")
_PIECE: Final = 1 << 16
COPY: Final = "git-index"
"""What the copy of git's index is called, in the folder of derived state."""


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
    git_dirs: GitDirs, path: str, meant: IndexStamp, refreshed: str = ""
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

    Raises:
        OSError: it can't be copied.
        EnvironmentProblem: git can't refresh it.

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
            if not refreshed:
                os.replace(new, path)
                return _stamped(os.fstat(copy.fileno()))  # of this one, even if another came
        where = f":(top,literal){refreshed}"
        git(git_dirs.root, *_STRICT, "add", "--refresh", "--", where, index=new)
        stamp = stamp_at(new)
        os.replace(new, path)
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
        pieces = []
        while piece := os.read(self._out, _PIECE):
            pieces.append(piece)
        if self._end() != 0:
            return None
        names = b"".join(pieces).split(b"\0")[:-1]
        if not all(name.startswith(self._prefix) for name in names):
            return None
        return {os.fsdecode(name[len(self._prefix) :]) for name in names}

    def close(self) -> None:
        """Give up waiting."""
        if self._child:
            import signal  # noqa: PLC0415  start-up

            os.kill(self._child, signal.SIGTERM)
            self._end()

    def _end(self) -> int:
        os.close(self._out)
        child, self._child = self._child, 0
        try:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        except ChildProcessError:
            return -1  # a program that ignores SIGCHLD never learns of its children


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
