"""Files that git tracks, without those that its attributes call generated or vendored."""

import os

from gitmem.git.command import all_but, git
from gitmem.git.git_dirs import GitDirs

_PLAIN = (b"100644", b"100755")
_SPECIAL = ("linguist-generated", "linguist-vendored", "linguist-documentation")


def tracked(git_dirs: GitDirs, folder: str = "", exclude: str = "") -> list[str]:
    """List tracked files as they are in the index, sorted; links and submodules are none.

    Args:
        git_dirs: the repository.
        folder: only what lies below it, relative to the work tree's top.
        exclude: a folder that is passed over, relative to the work tree's top; empty: none.

    Returns:
        Paths relative to the folder.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    here = (f":(top,literal){folder}",) if folder else ()
    prefix = len(folder) + 1 if folder else 0
    output = git(git_dirs.root, "ls-files", "-z", "--stage", "--", *here, *all_but(exclude))
    paths = set()
    for line in output.split(b"\0"):
        head, _, path = line.partition(b"\t")
        if head.startswith(_PLAIN):
            paths.add(os.fsdecode(path)[prefix:])
    return sorted(paths)


def special(git_dirs: GitDirs, folder: str = "", exclude: str = "") -> frozenset[str]:
    """Give the tracked files whose attributes call them generated or vendored.

    Args:
        git_dirs: the repository.
        folder: as of ``tracked``.
        exclude: the same.

    Returns:
        Paths relative to the folder.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    prefix = len(folder) + 1 if folder else 0
    marked = (f":(top,attr:{name}){folder}" for name in _SPECIAL)
    output = git(git_dirs.root, "ls-files", "-z", "--", *marked, *all_but(exclude))
    return frozenset(os.fsdecode(path)[prefix:] for path in output.split(b"\0") if path)
