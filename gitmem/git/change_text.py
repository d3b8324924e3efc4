"""The text of a change: what is staged, what differs in the work tree, or between two commits."""

from typing import Final, NamedTuple

from gitmem.git.command import git, stream
from gitmem.git.git_dirs import GitDirs
from gitmem.git.ranges import ChangedFile, Range, read_statuses

DIFF_FORM: Final = ("-M", "-U8", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
_MOST_NAMED: Final = 500
"""Paths on one command line."""
WHOLE: Final = 1 << 20
"""Lines around a change, so that each file is shown whole."""


class ChangeOfCode(NamedTuple):
    """A change that git can show.

    Attributes:
        words: what git is asked with.
        before: the commit or tree that it begins with.
        index_file: git's index if it is another than the work tree's own.

    """

    words: tuple[str, ...]
    before: str
    index_file: str | None = None


def staged_change(git_dirs: GitDirs, index: str | None = None) -> ChangeOfCode:
    """Give what the next commit would change."""
    tip = _tip(git_dirs)
    return ChangeOfCode(("diff-index", "--cached", tip), tip, index)


def work_tree_change(git_dirs: GitDirs) -> ChangeOfCode:
    """Give what differs from the commit that is checked out, staged or not."""
    tip = _tip(git_dirs)
    return ChangeOfCode(("diff", tip), tip)


def range_change(git_dirs: GitDirs, span: Range) -> ChangeOfCode:
    """Give what changes between two commits, or up to the files as they are."""
    before = span.before or _empty_tree(git_dirs)
    words = ("diff-tree", "-r", before, span.after) if span.after else ("diff", before)
    return ChangeOfCode(words, before)


def _tip(git_dirs: GitDirs) -> str:
    tip = git(git_dirs.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", ok=(0, 1))
    return tip.decode().strip() or _empty_tree(git_dirs)


def _empty_tree(git_dirs: GitDirs) -> str:
    return git(git_dirs.root, "hash-object", "-t", "tree", "--stdin").decode().strip()


def files_of_change(git_dirs: GitDirs, change: ChangeOfCode) -> list[ChangedFile]:
    """Give the files that a change touches.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    command, *rest = change.words
    output = git(
        git_dirs.root, command, "-z", "-M", "--name-status", *rest, "--", index=change.index_file
    )
    return list(read_statuses(output).values())


def change_text(
    git_dirs: GitDirs, change: ChangeOfCode, only: list[str], most: int, *, whole: bool = False
) -> tuple[str, bool]:
    """Give a change as a unified diff, and whether it was longer than that.

    Args:
        git_dirs: the repository.
        change: the change.
        only: files that matter; more than a command line takes are all of them.
        most: bytes that are read.
        whole: show each file whole.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    command, *rest = change.words
    paths = [f":(top,literal){path}" for path in only] if len(only) <= _MOST_NAMED else []
    words = (command, "-p", *DIFF_FORM, *([f"-U{WHOLE}"] if whole else []), *rest, "--", *paths)
    if change.index_file is not None:
        output = git(git_dirs.root, *words, index=change.index_file)
    else:
        with stream(git_dirs.root, words) as pipe:
            output = pipe.read(most + 1)
            if len(output) > most:
                while pipe.read(1 << 20):  # git ends well only if all is taken
                    pass
    return output[:most].decode(errors="replace"), len(output) > most
