"""Which lines of which files a range of commits adds."""

from typing import Final, NamedTuple

from gitmem.diffs import ADDED, FileDiff, read_parts
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.ranges import Range

_OPTIONS: Final = (
    "-r", "-p", "-U0", "--full-index", "--find-renames",
    "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--diff-filter=AMR", "--submodule=short",
)  # fmt: skip


class NewLines(NamedTuple):
    """A file with new lines.

    Attributes:
        path: relative to the folder that was asked about.
        blob: id of its content after the range.
        lines: numbers of the new lines, from 1.

    """

    path: str
    blob: str
    lines: frozenset[int]


def new_lines(git_dirs: GitDirs, span: Range, folder: str = "") -> list[NewLines]:
    """List the files with lines that a range adds, in git's order.

    Args:
        git_dirs: the repository.
        span: the commits; it must name its end.
        folder: only what lies below it, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    before = (
        span.before or git(git_dirs.root, "hash-object", "-t", "tree", "--stdin").decode().strip()
    )
    where = [f"--relative={folder}/"] if folder else []
    output = git(git_dirs.root, "diff-tree", *_OPTIONS, *where, before, span.after)
    found_lines: list[NewLines] = []
    for file in read_parts(output.decode(errors="surrogateescape"), "surrogateescape"):
        if isinstance(file, FileDiff):
            numbers = {
                hunk.new_start + at for hunk in file.hunks for at in range(len(hunk.side(ADDED)))
            }
            if numbers:
                found_lines.append(NewLines(file.new, file.header.new_blob, frozenset(numbers)))
    return found_lines
