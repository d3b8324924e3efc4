"""What a sparse checkout leaves out of the work tree."""

import os
import shlex

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs, is_sparse


def left_out(git_dirs: GitDirs, path: str) -> list[str]:
    """Name the files that git has and a sparse checkout leaves out, of a folder or one file.

    Git is only asked where the checkout was ever sparse.

    Args:
        git_dirs: the repository.
        path: relative to the work tree's top.

    """
    if not is_sparse(git_dirs):
        return []
    try:
        output = git(git_dirs.root, "ls-files", "-t", "-z", "--", f":(top,literal){path}")
    except EnvironmentProblem:
        return []
    entries = (entry.partition(b" ") for entry in output.split(b"\0") if entry)
    return [os.fsdecode(name) for tag, _, name in entries if tag == b"S"]


def is_left_out(git_dirs: GitDirs, path: str) -> bool:
    """Tell whether a sparse checkout leaves out a file, and it is not there for another reason."""
    there = os.path.lexists(os.path.join(git_dirs.root, path))
    return not there and bool(left_out(git_dirs, path))


def outside_of_checkout(git_dirs: GitDirs, start: str, folder: str, what: str = "the") -> str:
    """Say that a memory is outside of a sparse checkout, with the command that brings it.

    Args:
        git_dirs: the repository.
        start: where that is typed.
        folder: the memory's, relative to the work tree's top.
        what: of the memory is outside.

    """
    here = os.path.realpath(start) == os.path.realpath(git_dirs.root)
    where = [] if here else ["-C", git_dirs.root]
    command = shlex.join(["git", *where, "sparse-checkout", "add", folder])
    return f"{what} memory is outside of this sparse checkout; to bring it: {command}"


def notice(git_dirs: GitDirs, start: str, folder: str) -> list[str]:
    """Say in a line that a part of a memory is outside of a sparse checkout; none where it is in.

    Args:
        git_dirs: the repository.
        start: where the command is typed.
        folder: the memory's, relative to the work tree's top.

    """
    outside = left_out(git_dirs, folder)
    return [outside_of_checkout(git_dirs, start, folder, "a part of the")] if outside else []
