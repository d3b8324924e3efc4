"""Starts git's comparison before the rest of the program is imported.

In a large memory git takes longer to look at all files than the answer takes to be found, and
importing the program takes a third of that. Nothing is decided here: whoever compares (see
``sync.comparing``) takes what was started if it was started with the index that he means, and
closes it otherwise.
"""

import atexit
import os
from typing import Final

from gitmem.git.edits import COPY, LEFT, Edits, was_left
from gitmem.git.git_dirs import DERIVED, GitDirs, derived_dir, find

_CATALOG: Final = "catalog.sqlite"
_LARGE: Final = 4 << 20
"""Bytes of a catalog of 4,000 records at least; with fewer, git is not asked."""

_started: list[tuple[GitDirs, str, Edits]] = []


def start(here: str, folder: str, version: str, *, prompt: bool = False) -> None:
    """Start git, if there is a large memory in ``folder`` at the top of the work tree.

    Args:
        here: the folder that the command was given in.
        folder: the memory's folder, from the top of the work tree.
        version: ends the name of the folder of derived state.
        prompt: do not, where the question before has left a look behind.

    """
    if _started or not hasattr(os, "posix_spawnp"):
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
    atexit.register(_close)


def started_for(git_dirs: GitDirs, folder: str) -> Edits | None:
    """Give what was started, once; None if nothing was, or for another folder."""
    if not _started or _started[0][:2] != (git_dirs, folder):
        return None
    return _started.pop()[2]


def _close() -> None:
    while _started:
        _started.pop()[2].close()
