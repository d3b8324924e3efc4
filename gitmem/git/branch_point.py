"""Where a branch began, and which files are not staged for the next commit."""

import os
from typing import Final

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.system import relative_path

# The remote says which branch is its default; without a remote, the usual names, then the one
# that new repositories of this user begin with.
_REMOTE: Final = "refs/remotes/origin/HEAD"
_DEFAULTS: Final = (
    _REMOTE, "refs/remotes/origin/main", "refs/remotes/origin/master",
    "refs/heads/main", "refs/heads/master",
)  # fmt: skip


def branched_off(git_dirs: GitDirs) -> tuple[str, str]:
    """Give the commit where this branch left the default one, and the one that is checked out.

    Both are empty before the first commit. Where there is no default branch, or no common
    commit, they are the same.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    head = _commit(git_dirs, "HEAD")
    tip = _default(git_dirs, head)[1] if head else ""
    before = head if tip in {"", head} else _output(git_dirs, "merge-base", head, tip) or head
    return before, head


def default_branch(git_dirs: GitDirs) -> str:
    """Give the default branch's name, as ``main`` or ``origin/main``; empty: there is none."""
    name = _default(git_dirs, _commit(git_dirs, "HEAD"))[0]
    if name == _REMOTE:
        name = _output(git_dirs, "symbolic-ref", "--quiet", name) or name
    return name.removeprefix("refs/").removeprefix("heads/").removeprefix("remotes/")


def left_upstream(git_dirs: GitDirs) -> tuple[str, str]:
    """Give the commit where this branch left its upstream branch, and that branch's name.

    Without an upstream it is the default branch, whose name is empty.
    """
    branch = _output(git_dirs, "symbolic-ref", "--quiet", "HEAD")
    name = ""
    if branch.startswith("refs/heads/"):
        name = _output(git_dirs, "for-each-ref", "--format=%(upstream:short)", branch)
    tip = _commit(git_dirs, name) if name else ""
    commit = _output(git_dirs, "merge-base", "HEAD", tip) if tip else ""
    return (commit, name) if commit else (branched_off(git_dirs)[0], "")


def _default(git_dirs: GitDirs, head: str) -> tuple[str, str]:
    """Give the default branch's whole name and its commit; both are empty if there is none."""
    form = "--format=%(refname) %(objectname)"
    output = git(git_dirs.root, "for-each-ref", form, *_DEFAULTS).decode(errors="surrogateescape")
    there: dict[str, str] = dict(map(str.split, output.splitlines()))
    for name in filter(there.__contains__, _DEFAULTS):
        # Its commit may not be here.
        tip = head if there[name] == head else _commit(git_dirs, name)
        if tip:
            return name, tip
    own = _output(git_dirs, "config", "--get", "init.defaultBranch")
    tip = _commit(git_dirs, f"refs/heads/{own}") if own else ""
    return (f"refs/heads/{own}", tip) if tip else ("", "")


def unstaged(git_dirs: GitDirs, folder: str) -> list[str]:
    """Give the files below a folder that are new or changed and not staged as they are.

    Args:
        git_dirs: the repository.
        folder: relative to the work tree's top.

    Returns:
        Paths relative to the folder.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-z", "--others", "--modified", "--exclude-standard")
    return _inside(
        git(git_dirs.root, "ls-files", *options, "--", f":(top,literal){folder}"), folder
    )


def _inside(output: bytes, folder: str) -> list[str]:
    paths = {os.fsdecode(path) for path in output.split(b"\0") if path}
    return sorted(relative_path(path, folder) for path in paths)


def _commit(git_dirs: GitDirs, name: str) -> str:
    return _output(git_dirs, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def _output(git_dirs: GitDirs, *arguments: str) -> str:
    return git(git_dirs.root, *arguments, ok=(0, 1)).decode().strip()
