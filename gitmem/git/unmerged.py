"""Files that git could not merge by itself, and waits for somebody to decide about."""

import os
from typing import TYPE_CHECKING, Final

from gitmem.git.command import git

if TYPE_CHECKING:
    from gitmem.git.git_dirs import GitDirs

BASE: Final = 1
OURS: Final = 2
THEIRS: Final = 3
_OTHERS: Final = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD")
Stages = dict[int, str]
"""Ids of the contents that a file has in the last common state, on our side and on theirs."""


def unmerged(git_dirs: "GitDirs", folder: str) -> dict[str, Stages]:
    """Give the files below a folder that stand in git's index once for each side.

    Args:
        git_dirs: the repository.
        folder: relative to the work tree's top.

    Returns:
        By path relative to the folder, which contents git has of it.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    output = git(git_dirs.root, "ls-files", "-z", "--unmerged", "--", f":(top,literal){folder}")
    by_path: dict[str, Stages] = {}
    for line in output.split(b"\0"):
        head, _, path = line.partition(b"\t")
        if path:
            _, blob, stage = head.decode().split()
            by_path.setdefault(os.fsdecode(path)[len(folder) + 1 :], {})[int(stage)] = blob
    return by_path


def other_side(git_dirs: "GitDirs") -> str:
    """Name the commit that is being brought in, as git names it; empty if git keeps no name.

    It keeps none after ``git stash pop``.
    """
    there = (name for name in _OTHERS if os.path.exists(os.path.join(git_dirs.git_dir, name)))
    return next(there, "")


def content(git_dirs: "GitDirs", blob: str) -> bytes:
    """Give a content by its id.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    return git(git_dirs.root, "cat-file", "blob", blob)
