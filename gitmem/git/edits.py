"""Which tracked files were edited in place, told by git while something else is done.

``git diff-files`` compares the work tree with git's index by stamps, several files at a time.
It is started without waiting and without a shell (1 ms), and asked for its answer later.
"""

import os
import time
from typing import Final, NamedTuple

from gitmem.git.command import QUIET, git, sealed_environment
from gitmem.git.places import Places

# Settings that would make git believe a file unchanged though its stamp is not.
_STRICT: Final = ("-c", "core.checkStat=default", "-c", "core.trustctime=true")
_NAMES: Final = ("diff-files", "--name-only", "--no-ext-diff", "--ignore-submodules=all", "-z")
_PIECE: Final = 1 << 16


class IndexStamp(NamedTuple):
    """What tells that git's index was written anew."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def index_stamp(places: Places) -> IndexStamp | None:
    """Stamp git's index of this work tree; None if there is none."""
    try:
        found = os.stat(os.path.join(places.git_dir, "index"))
    except OSError:
        return None
    return IndexStamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


class Edits:
    """A ``git diff-files`` that is under way.

    ``index`` is the stamp of git's index just before it was started, ``began_ns`` the time.

    Args:
        places: the repository.
        folder: the folder to look at, from the top of the work tree.

    Raises:
        OSError: git can't be started.

    """

    def __init__(self, places: Places, folder: str) -> None:
        self.began_ns = time.time_ns()
        self.index = index_stamp(places)
        self._prefix = folder.encode() + b"/"
        where = ("-C", places.root)
        arguments = ("git", *QUIET, *_STRICT, *where, *_NAMES, "--", f":(top,literal){folder}")
        self._out, inner = os.pipe()
        try:
            self._child = os.posix_spawnp(
                "git",
                arguments,
                sealed_environment(),
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_DUP2, inner, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
            )
        except BaseException:
            os.close(self._out)
            raise
        finally:
            os.close(inner)

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


def vouched_for(places: Places, folder: str) -> set[str]:
    """Give the files whose edits git notices, relative to the folder.

    Left out are files that git was told not to look at (assume-unchanged, skip-worktree),
    that are in conflict, or that it has no stamp of.

    Raises:
        EnvironmentProblem: git can't tell.

    """
    listed = git(places.root, "ls-files", "-v", "-z", "--", f":(top,literal){folder}")
    start = f"H {folder}/".encode()
    lines = (line for line in listed.split(b"\0") if line.startswith(start))
    return {os.fsdecode(line[len(start) :]) for line in lines}
