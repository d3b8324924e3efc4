"""Searches the files of a work tree for a text, with ``git grep``."""

import os
from typing import NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs

_MOST = 1_000


class MentionLine(NamedTuple):
    """A line of a file: path relative to the work tree's top, number from 1, text."""

    path: str
    number: int
    text: str


def lines_with(git_dirs: GitDirs, text: str) -> list[MentionLine]:
    """Give the lines that hold a text, by path, of files that git does not ignore.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-I", "-n", "-z", "-F", "--untracked", "--no-color", "--full-name")
    output = git(git_dirs.root, "grep", *options, "-e", text, "--", ".", ok=(0, 1))
    matches = []
    for line in output.split(b"\n")[:_MOST]:
        path, _, rest = line.partition(b"\0")
        number, _, held = rest.partition(b"\0")
        if number.isdigit():
            matches.append(
                MentionLine(os.fsdecode(path), int(number), held.decode(errors="replace"))
            )
    return matches
