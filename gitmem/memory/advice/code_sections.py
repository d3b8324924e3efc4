"""The code at places that fail or are asked about, with its neighbours: as it was, or as it is."""

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.state import text_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.memory.view import View

_AROUND: Final = 8
"""Lines before and after the one that is meant."""
_LONGEST: Final = 2000
"""Characters of a line: longer ones are no code that anybody wrote."""
_MOST_BYTES: Final = 1 << 20


class CodeLine(NamedTuple):
    """A line of a file of this repository; 0: its beginning."""

    path: str
    line: int


class Piece(NamedTuple):
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
    frames = [one for one in fields.get("frames") or () if one.get("in_app")]
    named = [*reversed(frames), fields.get("location") or {}]
    found = [CodeLine(str(one.get("file") or ""), int(one.get("line") or 0)) for one in named]
    return [one for one in dict.fromkeys(found) if _inside(root, one.path)]


def _inside(root: str, path: str) -> bool:
    """Tell whether a path that somebody wrote down is a file that really lies in the project."""
    if not path or os.path.isabs(path) or "\0" in path:
        return False
    top, full = os.path.realpath(root), os.path.realpath(os.path.join(root, path))
    return full.startswith(os.path.join(top, "")) and os.path.isfile(full)


def pieces(memory: "View", places: "Iterable[CodeLine]", tree: str = "") -> list[Piece]:
    """Give the code at places; those that can't be read are left out.

    Args:
        memory: the memory.
        places: what is meant.
        tree: the code that failed, as git keeps it; empty: the files as they are.

    """
    found = []
    for place in places:
        text, then = _text(memory, place.path, tree)
        if text is None:
            continue
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        first = max(1, place.line - _AROUND)
        last = min(len(lines), max(place.line, 1) + _AROUND)
        some = lines[first - 1 : last]
        if place.line <= len(lines) and some and max(map(len, some)) <= _LONGEST:
            clean = memory.without_secrets("\n".join(some))
            found.append(Piece(place, first, last, clean, then))
    return found


def _text(memory: "View", path: str, tree: str) -> tuple[str | None, bool]:
    """Give a file's text, and whether it is as it was in a tree."""
    places = memory.site.git_dirs
    if tree and places:
        folder = os.path.relpath(memory.site.root, places.root).replace(os.sep, "/")
        inside = path if folder == "." else f"{folder}/{path}"
        try:
            text = text_at(places, tree, inside)
        except GitmemError as error:
            memory.derived.notices.append(error.message)
            text = None
        if text is not None:
            return text, True
    if not _inside(memory.site.root, path):
        return None, False
    full = os.path.join(memory.site.root, path)
    try:
        if os.path.getsize(full) > _MOST_BYTES:
            return None, False
        with open(full, "rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return None, False
    return (None if b"\0" in data else data.decode(errors="replace")), False
