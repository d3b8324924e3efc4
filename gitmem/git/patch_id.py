"""Commits that make the same change: cherry-picked or squashed elsewhere.

As in ``git patch-id`` a change is known by the lines that it adds and takes away, with those
around them, whatever their numbers are; here without the memory's folder, which the two sides
often do not share.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.git.command import all_but, git
from gitmem.git.git_dirs import GitDirs

_MOST_COMMITS: Final = 300
"""That are compared, the newest of those that touch the file."""
_MOST_BRANCHES: Final = 30
_MOST_SUMS: Final = 20
"""Commits that are looked at whether they are the sum of a branch."""


class EquivalentCommit(NamedTuple):
    """A commit that makes the same change as another one, or a part of it.

    Attributes:
        commit: its id.
        how: ``same change``, or ``squashed``: one of the branch whose sum it is.

    """

    commit: str
    how: str


def equals(
    git_dirs: GitDirs, commits: Sequence[str], paths: Sequence[str], folder: str
) -> dict[str, list[EquivalentCommit]]:
    """Find other commits, on any branch, that make the change of a commit.

    Args:
        git_dirs: the repository.
        commits: their ids.
        paths: the names of a file that they change; what touches none of them is passed over.
        folder: the memory's folder, which does not count.

    Returns:
        For each commit those that are its equals, or parts of it; without those that have none.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    specs = [f":(top,literal){path}" for path in paths]
    options = ("--all", "--no-merges", f"--max-count={_MOST_COMMITS}")
    near = git(git_dirs.root, "rev-list", *options, "--", *specs).decode().split()
    ids = _ids(git_dirs, list(dict.fromkeys([*commits, *near])), folder)
    equal: dict[str, list[EquivalentCommit]] = {}
    for number, commit in enumerate(commits):
        own = ids.get(commit)
        if own is None:
            continue
        same = [commit_id for commit_id in ids if commit_id != commit and ids[commit_id] == own]
        parts = _parts(git_dirs, commit, own, specs, folder) if number < _MOST_SUMS else []
        matches = [EquivalentCommit(commit_id, "same change") for commit_id in same]
        matches += [
            EquivalentCommit(commit_id, "squashed")
            for commit_id in parts
            if commit_id not in same and commit_id != commit
        ]
        if matches:
            equal[commit] = matches
    return equal


def _parts(
    git_dirs: GitDirs, commit: str, own: bytes, specs: Sequence[str], folder: str
) -> list[str]:
    """Give the commits of a branch that is still there, if a commit is the sum of them."""
    parent = _line(git_dirs, "rev-parse", "--verify", "--quiet", f"{commit}^")
    if not parent:
        return []
    tips = git(
        git_dirs.root,
        "for-each-ref",
        "--format=%(objectname)",
        "--sort=-committerdate",
        f"--no-merged={parent}",
        f"--no-contains={commit}",
        f"--count={_MOST_BRANCHES}",
        "refs/heads",
        "refs/remotes",
    ).decode()
    for tip in dict.fromkeys(tips.split()):
        base = _line(git_dirs, "merge-base", parent, tip)
        if not base:
            continue
        output = git(git_dirs.root, "diff-tree", *_FORM, base, tip, "--", *all_but(folder))
        if _digest(output) == own:
            return git(git_dirs.root, "rev-list", f"{base}..{tip}", "--", *specs).decode().split()
    return []


_MOST_LINES: Final = 20_000
_LINES: Final = re.compile(r"(\d+) (?:insertion|deletion)")
_BINARY: Final = re.compile(rb"^Binary files ", re.MULTILINE)
_FORM: Final = ("-r", "-p", "--no-renames", "--no-color",
                "--full-index", "-U3")  # fmt: skip


def _ids(git_dirs: GitDirs, commits: Sequence[str], folder: str) -> dict[str, bytes]:
    """Give what tells the change of each commit from others.

    There is none for merges, for no change, and for one too large to be read.
    """
    commits = _readable(git_dirs, commits, folder)
    if not commits:
        return {}
    output = git(
        git_dirs.root,
        "log",
        "--no-walk=unsorted",
        *_FORM[1:],
        "--format=%x00%H",
        *commits,
        "--",
        ".",
        *all_but(folder),
    )
    numbers = {}
    for part in output.split(b"\0"):
        name, _, diff = part.partition(b"\n")
        if number := _digest(diff):
            numbers[name.decode()] = number
    return numbers


def _readable(git_dirs: GitDirs, commits: Sequence[str], folder: str) -> list[str]:
    """Leave out commits that bring in whole trees: their text could fill the memory."""
    if not commits:
        return []
    options = ("log", "--no-walk=unsorted", "--no-renames", "--shortstat", "--format=%x00%H")
    output = git(git_dirs.root, *options, *commits, "--", ".", *all_but(folder))
    readable = []
    for part in output.decode(errors="replace").split("\0"):
        name, _, summary = part.partition("\n")
        lines = sum(int(number) for number in _LINES.findall(summary))
        if summary.strip() and lines <= _MOST_LINES:
            readable.append(name)
    return readable


def _digest(diff: bytes) -> bytes | None:
    """Hash a change; None for one that a text does not tell."""
    if not diff.strip() or _BINARY.search(diff):
        return None
    lines = (line for line in diff.split(b"\n") if _counts(line))
    return hashlib.sha256(b"\n".join(b"".join(line.split()) for line in lines)).digest()


def _counts(line: bytes) -> bool:
    """Leave out what differs between equal changes: ids of blobs, and numbers of lines."""
    return bool(line.strip()) and not line.startswith((b"index ", b"@@ ", b"diff --git "))


def _line(git_dirs: GitDirs, *arguments: str) -> str:
    return git(git_dirs.root, *arguments, ok=(0, 1)).decode().strip()
