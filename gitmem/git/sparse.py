"""What a sparse checkout leaves out of the work tree."""

import os
import shlex

from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs, is_sparse
from gitmem.records.layout import MARKER
from gitmem.system import relative_path


def left_out(git_dirs: GitDirs, *paths: str) -> list[str]:
    """Name the files that git has and a sparse checkout leaves out, of folders or files.

    Git is only asked where the checkout was ever sparse.

    Args:
        git_dirs: the repository.
        paths: relative to the work tree's top.

    """
    if not is_sparse(git_dirs):
        return []
    specs = [f":(top,literal){path}" for path in paths]
    try:
        output = git(git_dirs.root, "ls-files", "-t", "-z", "--", *specs)
    except EnvironmentProblem:
        return []
    entries = (entry.partition(b" ") for entry in output.split(b"\0") if entry)
    return [os.fsdecode(name) for tag, _, name in entries if tag == b"S"]


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


def refuse_left_out(git_dirs: GitDirs, start: str, folder: str, last: str = "") -> None:
    """Refuse to go on where a sparse checkout leaves out the memory that would be taken.

    Args:
        git_dirs: the repository.
        start: where the command is typed; the nearest memory from there up would be taken.
        folder: the memory's name.
        last: the last folder to look in; empty: the work tree's top.

    Raises:
        ConflictError: it does.

    """
    nearer: list[str] = []
    here = os.path.realpath(start)
    while not os.path.lexists(os.path.join(here, folder, MARKER)):
        nearer.append(relative_path(os.path.join(here, folder, MARKER), git_dirs.root))
        if here in {last or git_dirs.root, os.path.dirname(here)}:
            break
        here = os.path.dirname(here)
    outside = left_out(git_dirs, *nearer) if nearer else []
    if outside:
        memory = os.path.dirname(max(outside, key=len))
        raise ConflictError(outside_of_checkout(git_dirs, start, memory))


def notice(git_dirs: GitDirs, start: str, folder: str) -> list[str]:
    """Say in a line that a part of a memory is outside of a sparse checkout; none where it is in.

    Args:
        git_dirs: the repository.
        start: where the command is typed.
        folder: the memory's, relative to the work tree's top.

    """
    outside = left_out(git_dirs, folder)
    return [outside_of_checkout(git_dirs, start, folder, "a part of the")] if outside else []
