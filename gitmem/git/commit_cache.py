"""Answers that depend on commit ids alone: git is asked for each once per process.

A commit never changes. What git shows of it does where somebody puts another one in its place
(``git replace``, grafts) or a shallow clone learns of older ones, so the stamps of what says so
are part of every question.
"""

import os
from functools import lru_cache
from typing import Final

from gitmem.git import objects
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.log import AuthoredCommit, commits
from gitmem.git.repository import shown_words
from gitmem.git.state import TABLES, file_stamp

_MOST_CACHED: Final = 16
_MOST_LARGE: Final = 4
_MOST_MESSAGE: Final = 4096
_OTHERS: Final = ("shallow", "packed-refs", TABLES, "refs/replace", "info/grafts")

_Stamp = tuple[object, ...]


def newest(git_dirs: GitDirs, tip: str, most: int, folder: str) -> tuple[AuthoredCommit, ...]:
    """Give the newest commits, to be shown; see ``git.log.commits``.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    return _newest(git_dirs, tip, most, folder, _stamp(git_dirs))


def names_in(git_dirs: GitDirs, commit: str, folder: str) -> tuple[str, ...]:
    """Name what lies directly in a folder of a commit; names of folders end with ``/``.

    Args:
        git_dirs: the repository.
        commit: its id.
        folder: relative to the work tree's top; empty: the top.

    Raises:
        EnvironmentProblem: git is missing or refuses, or there is no such folder.

    """
    return _names_in(git_dirs, commit, folder, _stamp(git_dirs))


def tree_of(git_dirs: GitDirs, commit: str, folder: str) -> str:
    """Give the id of a folder's tree in a commit; see ``git.objects.tree_of``.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    return _tree_of(git_dirs, commit, folder, _stamp(git_dirs))


def log(
    git_dirs: GitDirs,
    tip: str,
    options: tuple[str, ...],
    paths: tuple[str, ...],
    seconds: float | None = None,
) -> bytes:
    """Give what ``git log`` says of a commit and those before it that touch some paths.

    Args:
        git_dirs: the repository.
        tip: the commit's id.
        options: of ``git log``; none that depends on the time of day.
        paths: pathspecs.
        seconds: give up after so long.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes too long.

    """
    return _log(git_dirs, tip, options, paths, seconds, _stamp(git_dirs))


def files_between(git_dirs: GitDirs, before: str, after: str, folder: str) -> bytes:
    """Give letter and name of the files below a folder that differ, as ``git diff-tree -z`` does.

    Args:
        git_dirs: the repository.
        before: id of a commit or tree.
        after: the same.
        folder: relative to the work tree's top; a file that was renamed went, and another came.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    return _files_between(git_dirs, before, after, folder, _stamp(git_dirs))


def _stamp(git_dirs: GitDirs) -> _Stamp:
    return tuple(file_stamp(os.path.join(git_dirs.common_dir, name)) for name in _OTHERS)


@lru_cache(_MOST_CACHED)
def _newest(
    git_dirs: GitDirs, tip: str, most: int, folder: str, _stamped: _Stamp
) -> tuple[AuthoredCommit, ...]:
    return tuple(
        commit._replace(
            message=shown_words(_beginning(commit.message)),
            name=shown_words(commit.name),
            email=shown_words(commit.email),
        )
        for commit in commits(git_dirs, tip, most=most, folder=folder)
    )


def _beginning(message: str) -> str:
    """Give a message as far as anybody reads it, up to a whole word; some have megabytes."""
    if len(message) <= _MOST_MESSAGE:
        return message
    some = message[:_MOST_MESSAGE]
    return some[: max(some.rfind(" "), some.rfind("\n"))]


@lru_cache(_MOST_CACHED)
def _names_in(git_dirs: GitDirs, commit: str, folder: str, _stamped: _Stamp) -> tuple[str, ...]:
    names = []
    output = git(git_dirs.root, "ls-tree", "-z", f"{commit}:{folder}")
    for entry in filter(None, output.split(b"\0")):
        about, _, name = entry.partition(b"\t")
        names.append(os.fsdecode(name) + ("/" if about.split()[1] == b"tree" else ""))
    return tuple(names)


@lru_cache(_MOST_CACHED)
def _tree_of(git_dirs: GitDirs, commit: str, folder: str, _stamped: _Stamp) -> str:
    return objects.tree_of(git_dirs, commit, folder)


@lru_cache(_MOST_CACHED)
def _log(
    git_dirs: GitDirs,
    tip: str,
    options: tuple[str, ...],
    paths: tuple[str, ...],
    seconds: float | None,
    _stamped: _Stamp,
) -> bytes:
    return git(git_dirs.root, "log", *options, tip, "--", *paths, seconds=seconds)


@lru_cache(_MOST_LARGE)
def _files_between(
    git_dirs: GitDirs, before: str, after: str, folder: str, _stamped: _Stamp
) -> bytes:
    options = ("-z", "--no-renames", "--name-status")
    return git(
        git_dirs.root, "diff-tree", "-r", *options, before, after, "--", f":(top,literal){folder}"
    )
