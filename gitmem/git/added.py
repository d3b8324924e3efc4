"""Which files of a folder a branch adds, and which are not yet part of the next commit."""

import os
from typing import Final

from gitmem.git.command import git
from gitmem.git.places import Places

# The remote says which branch is its default; without a remote, the usual names.
_DEFAULTS: Final = (
    "refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master",
    "refs/heads/main", "refs/heads/master",
)  # fmt: skip


def branched_off(places: Places) -> str:
    """Give the commit where this branch left the default one; empty before the first commit.

    Where there is no default branch, or no common commit, it is the commit checked out.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    head = _commit(places, "HEAD")
    for name in _DEFAULTS if head else ():
        if tip := _commit(places, name):
            return _said(places, "merge-base", "HEAD", tip) or head
    return head


def added_since(places: Places, commit: str, folder: str) -> list[str]:
    """Give the files below a folder that came since a commit, also those in no commit yet.

    Args:
        places: the repository.
        commit: from here on; empty: everything.
        folder: relative to the work tree's top.

    Returns:
        Paths relative to the folder.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    here = f":(top,literal){folder}"
    if commit:
        options = ("--cached", "-z", "--name-only", "--diff-filter=A", "--no-renames")
        said = git(places.root, "diff-index", *options, commit, "--", here)
    else:
        said = git(places.root, "ls-files", "-z", "--cached", "--", here)
    untracked = git(places.root, "ls-files", "-z", "--others", "--exclude-standard", "--", here)
    return _inside(said + untracked, folder)


def unstaged(places: Places, folder: str) -> list[str]:
    """Give the files below a folder that are new or changed and not staged as they are.

    Args:
        places: the repository.
        folder: relative to the work tree's top.

    Returns:
        Paths relative to the folder.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-z", "--others", "--modified", "--exclude-standard")
    return _inside(git(places.root, "ls-files", *options, "--", f":(top,literal){folder}"), folder)


def _inside(said: bytes, folder: str) -> list[str]:
    paths = {os.fsdecode(path) for path in said.split(b"\0") if path}
    return sorted(os.path.relpath(path, folder).replace(os.sep, "/") for path in paths)


def _commit(places: Places, name: str) -> str:
    return _said(places, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def _said(places: Places, *arguments: str) -> str:
    return git(places.root, *arguments, ok=(0, 1)).decode().strip()
