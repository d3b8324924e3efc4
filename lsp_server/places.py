"""Positions and paths: an editor's units and addresses against lines, columns and files."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lsprotocol import types
from pygls.uris import to_fs_path

Units = Callable[[str], int]
Point = tuple[int, int]


class Span(NamedTuple):
    """A range in a document, in the editor's units: (line, column) from 0, the end excluded."""

    start: Point
    end: Point

    def holds(self, point: Point) -> bool:
        """Tell whether a position is in it; its end counts, as a cursor there touches it."""
        return self.start <= point <= self.end

    def touches(self, other: "Span") -> bool:
        """Tell whether two ranges share a position."""
        return self.start <= other.end and other.start <= self.end

    def range(self) -> types.Range:
        """Give it as the protocol writes it."""
        return types.Range(
            start=types.Position(line=self.start[0], character=self.start[1]),
            end=types.Position(line=self.end[0], character=self.end[1]),
        )


def span_of(range_: types.Range) -> Span:
    """Read a range of the protocol."""
    return Span(
        (range_.start.line, range_.start.character), (range_.end.line, range_.end.character)
    )


def moved(span: Span, edit: Span, text: str, units: Units) -> Span | None:
    """Give where a range is after an edit; None where the edit changed what stands in it.

    Args:
        span: the range.
        edit: what was replaced.
        text: what it was replaced by.
        units: counts a text in the editor's units.

    """
    if span.end < edit.start or (span.end == edit.start and span.start != span.end):
        return span
    if span.start < edit.end or span.start < edit.start:
        return None
    return Span(_after(span.start, edit, text, units), _after(span.end, edit, text, units))


def _after(point: Point, edit: Span, text: str, units: Units) -> Point:
    breaks = text.count("\n")
    line = point[0] - edit.end[0] + edit.start[0] + breaks
    if point[0] != edit.end[0]:
        return line, point[1]
    before = units(text.rpartition("\n")[2]) + (0 if breaks else edit.start[1])
    return line, point[1] - edit.end[1] + before


def path_of(uri: str) -> str:
    """Give the file that an address names; empty for what is no file, such as an unsaved text."""
    try:
        path = to_fs_path(uri) or ""
    except ValueError:
        return ""
    return "" if "\0" in path else path


def line_at(lines: Sequence[str], number: int) -> str:
    """Give a line without its end; empty beyond the text."""
    return lines[number].rstrip("\r\n") if 0 <= number < len(lines) else ""


def work_tree_of(folder: str) -> str:
    """Give the work tree of a git folder, where messages of commits are written; else the folder.

    A linked work tree's git folder lies within the main one's, and names its work tree.
    """
    above, inside, below = folder.partition(f"{os.sep}.git")
    if not inside or (below and not below.startswith(os.sep)):
        return folder
    linked = below.split(os.sep)[1:3]
    if linked[:1] == ["worktrees"] and len(linked) == 2:  # noqa: PLR2004  and its name
        try:
            with open(os.path.join(above, ".git", *linked, "gitdir"), encoding="utf-8") as file:
                return os.path.dirname(file.read(4096).strip()) or above
        except (OSError, ValueError):
            return above
    return above
