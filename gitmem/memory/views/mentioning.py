"""Where a record is named: in other records, and anywhere in the work tree."""

import os
from typing import TYPE_CHECKING, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.mentions import lines_with

if TYPE_CHECKING:
    from gitmem.memory.view import View


class Mention(NamedTuple):
    """A line that names a record: the file, absolute; the line's number from 1; its text."""

    path: str
    line: int
    text: str


def mentions(memory: "View", reference: str) -> list[Mention]:
    """Give the lines that name a record, by file; its own file's too."""
    row = memory.find(reference)
    places = memory.site.git_dirs
    if places:
        try:
            return [
                Mention(os.path.join(places.root, line.path), line.number, line.text)
                for line in lines_with(places, row.id)
            ]
        except EnvironmentProblem as problem:
            memory.derived.notices.append(f"looked into records only: {problem.message}")
    linking = [other.path for _, other in memory.derived.opened.linking_to(row.id)]
    found = []
    for path in dict.fromkeys([row.path, *linking]):
        text = memory.store.read(path).decode(errors="replace")
        full = os.path.join(memory.site.folder, path)
        found += [
            Mention(full, number, line)
            for number, line in enumerate(text.split("\n"), 1)
            if row.id in line
        ]
    return found
