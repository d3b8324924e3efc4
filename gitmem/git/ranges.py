"""Ranges of commits as people type them, and the files that change in one."""

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.errors import NotFoundError, UsageError
from gitmem.git.branch_point import branched_off
from gitmem.git.command import git
from gitmem.git.commit_cache import files_between
from gitmem.git.git_dirs import GitDirs
from gitmem.git.objects import commit_of

_RENAMED: Final = ("R", "C")
_ALONE: Final = "^!"


class Range(NamedTuple):
    """From one commit to another, by their ids.

    Attributes:
        before: empty: from before the first commit.
        after: empty: up to the files as they are now, committed or not.

    """

    before: str
    after: str


class ChangedFile(NamedTuple):
    """A file that differs.

    Attributes:
        how: A added, M modified, D deleted, R renamed, C copied, T of another type, U unmerged.
        path: relative to the work tree's top; a renamed file's new one.
        old: a renamed or copied file's old path, else empty.

    """

    how: str
    path: str
    old: str = ""


def range_of(git_dirs: GitDirs, text: str = "", *, worktree: bool = False) -> Range:
    """Find the commits that a range names.

    Args:
        git_dirs: the repository.
        text: ``A..B``, ``A...B`` (from where B left A), ``A`` (up to what is checked out), ``A^!``
            (that commit alone); empty: since this branch left the main one.
        worktree: up to the files as they are now; then the range names no end.

    Raises:
        NotFoundError: there is no such commit.
        UsageError: it names an end, and shall end with the files.
        EnvironmentProblem: git is missing or refuses.

    """
    if not text:
        before, last = branched_off(git_dirs)
        if not before and not worktree:
            hint = "see what the first one would hold: gitmem review --worktree"
            raise NotFoundError("there is no commit yet", hint)
        return Range(before, "" if worktree else last)
    alone = text.endswith(_ALONE)
    before, dots, after = text.partition("...")
    if not dots:
        before, dots, after = text.partition("..")
    if worktree and (after or alone):
        raise UsageError(
            f"{text} names an end, and --worktree already ends at the files as they are",
            f"name only the start: {before.removesuffix(_ALONE) or 'HEAD'} --worktree",
        )
    if alone:
        last = commit_of(git_dirs, text.removesuffix(_ALONE))
        return Range(_parent(git_dirs, last), last)
    first, last = commit_of(git_dirs, before or "HEAD"), commit_of(git_dirs, after or "HEAD")
    if dots == "...":
        common = git(git_dirs.root, "merge-base", first, last, ok=(0, 1)).decode().strip()
        if not common:
            raise NotFoundError(f"{text}: these two share no commit", "name two: A..B")
        first = common
    return Range(first, "" if worktree else last)


def _parent(git_dirs: GitDirs, commit: str) -> str:
    """Give a commit's first parent; empty if it is a first commit, not where a clone ends."""
    header = git(git_dirs.root, "cat-file", "commit", commit).partition(b"\n\n")[0]
    for line in header.splitlines():
        if line.startswith(b"parent "):
            return commit_of(git_dirs, line.split()[1].decode())
    return ""


def changed_files(
    git_dirs: GitDirs, span: Range, folder: str = "", *, paths: Sequence[str] = ()
) -> list[ChangedFile]:
    """List the files that differ between two commits, by path.

    Where the range ends with the files as they are, those that git does not track yet are among
    them, and those that it ignores are not.

    Args:
        git_dirs: the repository.
        span: the commits.
        folder: only what lies below it, relative to the work tree's top; there, a file that was
            renamed is one that went and one that came.
        paths: only these below the folder, relative to the top; none: all.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    if span.before and span.before == span.after:
        return []
    before = (
        span.before or git(git_dirs.root, "hash-object", "-t", "tree", "--stdin").decode().strip()
    )
    here = tuple(f":(top,literal){path}" for path in paths or filter(None, (folder,)))
    options = ("-z", "--no-renames" if folder else "-M", "--name-status")
    if span.after and folder:
        output = files_between(git_dirs, before, span.after, folder)
        return sorted(read_statuses(output).values(), key=lambda file: file.path)
    if span.after:
        output = git(git_dirs.root, "diff-tree", "-r", *options, before, span.after, "--", *here)
        return sorted(read_statuses(output).values(), key=lambda file: file.path)
    quiet = "--ignore-submodules=dirty"
    files = read_statuses(git(git_dirs.root, "diff", *options, quiet, before, "--", *here))
    untracked = git(git_dirs.root, "ls-files", "-z", "--others", "--exclude-standard", "--", *here)
    for name in untracked.split(b"\0"):
        if name and not name.endswith(b"/"):  # else: a repository in this one
            path = os.fsdecode(name)
            files[path] = ChangedFile("M" if path in files else "A", path)
    return sorted(files.values(), key=lambda file: file.path)


def read_statuses(output: bytes) -> dict[str, ChangedFile]:
    """Read what git lists with ``-z --name-status``: the changed files by path."""
    words = iter(output.split(b"\0"))
    files: dict[str, ChangedFile] = {}
    for how in words:
        if not how:
            break
        kind = how[:1].decode()
        old = os.fsdecode(next(words)) if kind in _RENAMED else ""
        path = os.fsdecode(next(words))
        files[path] = ChangedFile(kind, path, old)
    return files
