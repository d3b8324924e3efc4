"""The code at places that fail or are asked about, with its neighbours: as it was, or as it is."""

import os
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.objects import Objects
from gitmem.worktree import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.memory.core.workspace import Workspace

_AROUND: Final = 8
"""Lines before and after the one that is meant."""
_LONGEST: Final = 2000
"""Characters of a line: longer ones are no code that anybody wrote."""
_MOST_BYTES: Final = 1 << 20


class CodeLine(NamedTuple):
    """A line of a file of this repository; 0: its beginning."""

    path: str
    line: int


class CodeSection(NamedTuple):
    """Some lines of a file.

    Attributes:
        place: what is meant.
        first, last: the lines, from 1.
        text: what they hold, without secrets.
        then: it is how the file was when it failed; else how it is now.

    """

    place: CodeLine
    first: int
    last: int
    text: str
    then: bool


def places_of(root: str, fields: "Mapping[str, Any]") -> list[CodeLine]:
    """Give the places in the project that a failure names, the innermost first.

    Args:
        root: the folder that paths are relative to.
        fields: of the failure's record.

    """
    frames = [frame for frame in fields.get("frames") or () if frame.get("in_app")]
    named = [*reversed(frames), fields.get("location") or {}]
    lines = [CodeLine(str(at.get("file") or ""), int(at.get("line") or 0)) for at in named]
    return [line for line in dict.fromkeys(lines) if _inside(root, line.path)]


def _inside(root: str, path: str) -> bool:
    """Tell whether a path that somebody wrote down is a file that really lies in the project."""
    if not path or os.path.isabs(path) or "\0" in path:
        return False
    top, full = os.path.realpath(root), os.path.realpath(os.path.join(root, path))
    return full.startswith(os.path.join(top, "")) and os.path.isfile(full)


def code_sections(
    workspace: "Workspace", places: "Iterable[CodeLine]", tree: str = ""
) -> list[CodeSection]:
    """Give the code at places; those that can't be read are left out.

    Args:
        workspace: of the memory.
        places: what is meant.
        tree: the code that failed, as git keeps it; empty: the files as they are.

    """
    sections = []
    for place in places:
        text, then = _text(workspace, place.path, tree)
        if text is None:
            continue
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        first = max(1, place.line - _AROUND)
        last = min(len(lines), max(place.line, 1) + _AROUND)
        some = lines[first - 1 : last]
        if place.line <= len(lines) and some and max(map(len, some)) <= _LONGEST:
            clean = workspace.redacted_text("\n".join(some))
            sections.append(CodeSection(place, first, last, clean, then))
    return sections


def _text(workspace: "Workspace", path: str, tree: str) -> tuple[str | None, bool]:
    """Give a file's text, and whether it is as it was in a tree."""
    site = workspace.site
    if tree and site.git_dirs:
        package = site.package_in_repository
        inside = f"{package}/{path}" if package else path
        try:
            with closing(Objects(site.git_dirs)) as objects:
                text = objects.text(tree, inside)
        except GitmemError as error:
            workspace.notices.append(error.message)
            text = None
        if text is not None:
            return text, True
    if not _inside(site.root, path):
        return None, False
    return read_text(site.root, path, _MOST_BYTES), False
