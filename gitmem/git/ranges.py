"""Ranges of commits as people type them, and the files that change in one."""

import os
from typing import Final, NamedTuple

from gitmem.errors import NotFoundError
from gitmem.git.added import branched_off
from gitmem.git.command import git
from gitmem.git.objects import commit_of
from gitmem.git.places import Places

_RENAMED: Final = ("R", "C")


class Range(NamedTuple):
    """From one commit to another, by their ids."""

    before: str
    after: str


class FileChange(NamedTuple):
    """A file that differs.

    Attributes:
        how: A added, M modified, D deleted, R renamed, C copied, T of another type.
        path: relative to the work tree's top; a renamed file's new one.
        old: a renamed or copied file's old path, else empty.

    """

    how: str
    path: str
    old: str = ""


def range_of(places: Places, text: str = "") -> Range:
    """Find the commits that a range names.

    Args:
        places: the repository.
        text: ``A..B``, ``A...B`` (from where B left A), ``A`` (up to what is checked out); empty:
            since this branch left the main one.

    Raises:
        NotFoundError: there is no such commit.
        EnvironmentProblem: git is missing or refuses.

    """
    if not text:
        return Range(branched_off(places), commit_of(places, "HEAD"))
    before, dots, after = text.partition("...")
    if not dots:
        before, dots, after = text.partition("..")
    first, last = commit_of(places, before or "HEAD"), commit_of(places, after or "HEAD")
    if dots == "...":
        common = git(places.root, "merge-base", first, last, ok=(0, 1)).decode().strip()
        if not common:
            raise NotFoundError(f"{text}: these two have no common commit", "name two: A..B")
        first = common
    return Range(first, last)


def changed_files(places: Places, span: Range) -> list[FileChange]:
    """List the files that differ between two commits, by path.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-r", "-z", "-M", "--name-status", "--no-ext-diff")
    said = iter(git(places.root, "diff-tree", *options, span.before, span.after).split(b"\0"))
    found = []
    for how in said:
        if not how:
            break
        kind = how[:1].decode()
        old = os.fsdecode(next(said)) if kind in _RENAMED else ""
        found.append(FileChange(kind, os.fsdecode(next(said)), old))
    return sorted(found, key=lambda one: one.path)
