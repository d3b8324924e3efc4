"""Where a text stands in the files of a work tree, found by git."""

import os
from typing import NamedTuple

from gitmem.git.command import git
from gitmem.git.places import Places

_MOST = 1_000


class Line(NamedTuple):
    """A line of a file: path relative to the work tree's top, number from 1, text."""

    path: str
    number: int
    text: str


def lines_with(places: Places, text: str) -> list[Line]:
    """Give the lines that hold a text, by path, of files that git does not ignore.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-I", "-n", "-z", "-F", "--untracked", "--no-color", "--full-name")
    said = git(places.root, "grep", *options, "-e", text, "--", ".", ok=(0, 1))
    found = []
    for line in said.split(b"\n")[:_MOST]:
        path, _, rest = line.partition(b"\0")
        number, _, held = rest.partition(b"\0")
        if number.isdigit():
            found.append(Line(os.fsdecode(path), int(number), held.decode(errors="replace")))
    return found
