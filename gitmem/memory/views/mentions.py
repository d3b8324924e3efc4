"""Where a record's id is mentioned: in other records, and anywhere in the work tree."""

import os
from typing import TYPE_CHECKING, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.mentions import lines_with

if TYPE_CHECKING:
    from gitmem.memory.reading.reader import Reader


class Mention(NamedTuple):
    """A line that names a record: the file, absolute; the line's number from 1; its text."""

    path: str
    line: int
    text: str


def mentions(reader: "Reader", reference: str) -> list[Mention]:
    """Give the lines that name a record, by file; its own file's too."""
    row = reader.find(reference)
    workspace = reader.workspace
    site = workspace.site
    if site.git_dirs:
        try:
            return [
                Mention(os.path.join(site.git_dirs.root, line.path), line.number, line.text)
                for line in lines_with(site.git_dirs, row.id)
            ]
        except EnvironmentProblem as problem:
            workspace.notices.append(f"looked into records only: {problem.message}")
    linking = workspace.ask(lambda now: now.catalog.linking_to(row.id))
    lines = []
    for path in dict.fromkeys([row.path, *(other.path for _, other in linking)]):
        text = workspace.store.read(path).decode(errors="replace")
        full = os.path.join(site.folder, path)
        lines += [
            Mention(full, number, line)
            for number, line in enumerate(text.split("\n"), 1)
            if row.id in line
        ]
    return lines
