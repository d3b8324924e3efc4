"""Whether git would ignore a new file, by a ``.gitignore`` or the user's own excludes."""

import os
from typing import TYPE_CHECKING, NamedTuple

from gitmem.git.command import git

if TYPE_CHECKING:
    from gitmem.git.git_dirs import GitDirs

_NO_MATCH = 1
_FIELDS = 4
_SECONDS = 10
"""A .gitignore may be a pipe, which git would wait for."""


class IgnoreRule(NamedTuple):
    """The line that leaves a file out.

    Attributes:
        file: where it stands, as git names it.
        line: its number there, from 1.
        pattern: the line.

    """

    file: str
    line: int
    pattern: str


def ignoring_rule(git_dirs: "GitDirs", path: str) -> IgnoreRule | None:
    """Give the rule by which git would not add a file; None where it would.

    Args:
        git_dirs: the repository.
        path: of the file, relative to the work tree; it need not be there.

    Raises:
        EnvironmentProblem: git could not be asked.

    """
    output = git(
        git_dirs.root,
        "check-ignore",
        "--verbose",
        "--no-index",
        "-z",
        "--stdin",
        stdin=os.fsencode(path) + b"\0",
        ok=(0, _NO_MATCH),
        seconds=_SECONDS,
    )
    fields = output.decode(errors="surrogateescape").split("\0")
    if len(fields) < _FIELDS or fields[2].startswith("!"):
        return None
    file, line, pattern = fields[:3]
    return IgnoreRule(file, int(line), pattern)
