"""Files that are missing now: renamed or deleted, and in which commit."""

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs

_ROUNDS: Final = 20
_MOST_PATHS: Final = 500
"""On one command line."""


class FileFate(NamedTuple):
    """What became of a file.

    Attributes:
        path: where it is now, relative to the work tree's top; empty: nowhere.
        commit: id of the commit that renamed or deleted it last; empty: that is not committed.

    """

    path: str
    commit: str


def whereabouts(
    git_dirs: GitDirs, paths: Collection[str], revision: str = ""
) -> tuple[dict[str, FileFate], set[str]]:
    """Follow files to where they are now.

    Args:
        git_dirs: the repository.
        paths: as they were called once, relative to the work tree's top.
        revision: as it is there; empty: in the work tree.

    Returns:
        Fates by path. Left out is what is still there under its name, and what no commit that
        can be reached ever took away. And the names, of those that are asked for and of those
        that were given later, that the revision or commit has.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    tip = revision or "HEAD"
    called = {path: path for path in paths if "\0" not in path}
    fates: dict[str, FileFate] = {}
    there: set[str] = set()
    for _ in range(_ROUNDS):
        there = _listed(git_dirs, tip, {*called.values()})
        lost = {
            path
            for path, name in called.items()
            if name not in there and (path not in fates or fates[path].path)
        }
        gone = _deletions(git_dirs, tip, {called[path] for path in lost})
        renames = _renames(git_dirs, {*gone.values()})
        moved = False
        for path in lost:
            commit = gone.get(called[path])
            if commit is None:
                fates.pop(path, None)
                continue
            new = renames.get((commit, called[path]), "")
            fates[path] = FileFate(new, commit)
            moved = moved or bool(new)
            called[path] = new or called[path]
        if not moved:
            break
    # The whole work tree is compared for that: only where the commit has one that is not there.
    if not revision and not there.isdisjoint(called.values()):
        _follow_uncommitted(git_dirs, called, fates)
    return fates, there


def _follow_uncommitted(
    git_dirs: GitDirs, called: dict[str, str], fates: dict[str, FileFate]
) -> None:
    options = ("-z", "-M", "--name-status", "--diff-filter=DR")
    output = git(git_dirs.root, "diff", *options, "HEAD", "--", ok=(0, 128))
    now = {old: new for how, old, new in _statuses(output) if how in "DR"}
    for path, name in called.items():
        if name in now and (path not in fates or fates[path].path):
            fates[path] = FileFate(now[name], "")


def _listed(git_dirs: GitDirs, tip: str, paths: set[str]) -> set[str]:
    names: set[str] = set()
    for batch in _batches(sorted(paths)):
        options = ("ls-tree", "-z", "--name-only", "--full-tree")
        output = git(git_dirs.root, *options, tip, "--", *batch, ok=(0, 128))
        names |= {os.fsdecode(path) for path in output.split(b"\0") if path}
    return names


def _deletions(git_dirs: GitDirs, tip: str, paths: set[str]) -> dict[str, str]:
    """Give the newest commit that took each path away."""
    commits: dict[str, str] = {}
    for batch in _batches(sorted(paths)):
        output = git(
            git_dirs.root,
            "log",
            "-z",
            "--no-renames",
            "--diff-filter=D",
            "--name-only",
            "--format=%x01%H",
            tip,
            "--",
            *(f":(top,literal){path}" for path in batch),
            ok=(0, 128),
        )
        for commit, names in _by_commit(output):
            for name in names:
                commits.setdefault(os.fsdecode(name), commit)
    return commits


def _renames(git_dirs: GitDirs, commits: set[str]) -> dict[tuple[str, str], str]:
    """Give new paths by commit and old path."""
    renames: dict[tuple[str, str], str] = {}
    for batch in _batches(sorted(commits)):
        options = ("log", "-z", "--no-walk=unsorted", "-M", "-l1000", "--diff-filter=R")
        output = git(git_dirs.root, *options, "--name-status", "--format=%x01%H", *batch, "--")
        for part in output.split(b"\x01")[1:]:
            commit, _, rest = part.partition(b"\0")
            for _, old, new in _statuses(rest.lstrip(b"\n")):
                renames[commit.decode(), old] = new
    return renames


def names_of(git_dirs: GitDirs, path: str, seconds: float | None = None) -> list[str]:
    """Give the names that a file had before, the newest first.

    Args:
        git_dirs: the repository.
        path: as it is called now, relative to the work tree's top.
        seconds: give up after so long.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes too long.

    """
    names = committed_names_of(git_dirs, path, seconds)
    if not is_committed(git_dirs, path, seconds):
        names += staged_names_of(git_dirs, path, seconds)
    return list(dict.fromkeys(names))


def is_committed(git_dirs: GitDirs, path: str, seconds: float | None = None) -> bool:
    """Tell whether the commit that is checked out has a file: then nobody is just renaming it."""
    tree = ("ls-tree", "-z", "--name-only", "--full-tree", "HEAD", "--", path)
    return bool(git(git_dirs.root, *tree, ok=(0, 128), seconds=seconds))


def committed_names_of(git_dirs: GitDirs, path: str, seconds: float | None = None) -> list[str]:
    """Give the names that a file had in commits before; see ``names_of``."""
    output = git(
        git_dirs.root,
        "log",
        "-z",
        "--follow",
        "-M",
        "--diff-filter=R",
        "--name-status",
        "--format=%x01%H",
        "HEAD",
        "--",
        path,
        ok=(0, 128),
        seconds=seconds,
    )
    names = [path]
    for part in output.split(b"\x01")[1:]:
        for _, old, new in _statuses(part.partition(b"\0")[2].lstrip(b"\n")):
            if new == names[-1]:
                names.append(old)
    return names[1:]


def staged_names_of(git_dirs: GitDirs, path: str, seconds: float | None = None) -> list[str]:
    """Give the names of a file that is being renamed; see ``names_of``.

    git compares the whole work tree for it.
    """
    names: list[str] = []
    options = ("-z", "-M", "--name-status", "--diff-filter=R")
    staged = git(git_dirs.root, "diff", *options, "HEAD", "--", ok=(0, 128), seconds=seconds)
    for _, old, new in _statuses(staged):
        if new == path:
            names += [old, *names_of(git_dirs, old, seconds)]
    return names


def commits_touching(git_dirs: GitDirs, path: str, since: str, tip: str) -> list[str]:
    """Give the commits that changed a file since another commit, oldest first.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("rev-list", "--topo-order", "--reverse", f"{since}..{tip}", "--")
    output = git(git_dirs.root, *options, f":(top,literal){path}")
    return output.decode().split()


def _by_commit(output: bytes) -> Iterator[tuple[str, list[bytes]]]:
    for part in output.split(b"\x01")[1:]:
        commit, _, rest = part.partition(b"\0")
        yield commit.decode(), [name for name in rest.lstrip(b"\n").split(b"\0") if name]


def _statuses(output: bytes) -> Iterator[tuple[str, str, str]]:
    """Read letter, old path and new path (empty if it is none)."""
    words = iter(output.split(b"\0"))
    for how in words:
        if not how:
            continue
        old = os.fsdecode(next(words, b""))
        new = os.fsdecode(next(words, b"")) if how[:1] in (b"R", b"C") else ""
        yield how[:1].decode(), old, new


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(paths), _MOST_PATHS):
        yield paths[first : first + _MOST_PATHS]
