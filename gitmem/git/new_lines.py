"""Which lines of which files a range of commits adds."""

import codecs
import re
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.places import GitDirs
from gitmem.git.ranges import Range

_HUNK: Final = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_OPTIONS: Final = (
    "-r", "-p", "-U0", "--full-index", "--find-renames", "--no-ext-diff", "--no-textconv",
    "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--diff-filter=AMR", "--submodule=short",
)  # fmt: skip
_NO_NAMES: Final = ("-c", "core.quotePath=false")


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


def new_lines(places: GitDirs, span: Range, folder: str = "") -> list[NewLines]:
    """List the files with lines that a range adds, in git's order.

    Args:
        places: the repository.
        span: the commits; it must name its end.
        folder: only what lies below it, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    before = (
        span.before or git(places.root, "hash-object", "-t", "tree", "--stdin").decode().strip()
    )
    where = [f"--relative={folder}/"] if folder else []
    said = git(places.root, *_NO_NAMES, "diff-tree", *_OPTIONS, *where, before, span.after)
    found: list[NewLines] = []
    path = blob = ""
    numbers: set[int] = set()
    left = 0
    for line in [*said.split(b"\n"), b"diff --git "]:
        if left and line[:1] in (b"+", b"-"):
            left -= line[:1] == b"+"
        elif line.startswith(b"diff --git "):
            if path and numbers:
                found.append(NewLines(path, blob, frozenset(numbers)))
            path, blob, numbers = "", "", set()
        elif line.startswith(b"index "):
            blob = line.split()[1].partition(b"..")[2].decode()
        elif line.startswith(b"+++ ") and not numbers:
            path = _name(line[4:])
        elif hunk := _HUNK.match(line):
            left = int(hunk[2] or 1)
            numbers.update(range(int(hunk[1]), int(hunk[1]) + left))
    return found


def _name(said: bytes) -> str:
    name = said.partition(b"\t")[0]
    if len(name) > 1 and name[:1] == name[-1:] == b'"':
        name = codecs.escape_decode(name[1:-1])[0]
    return name.removeprefix(b"b/").decode(errors="surrogateescape")
