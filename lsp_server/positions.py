"""Ranges in an editor's text, in the client's position encoding."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lsprotocol import types

Units = Callable[[str], int]
Point = tuple[int, int]


class EditorRange(NamedTuple):
    """A range in a document, in the editor's units: (line, column) from 0, the end excluded."""

    start: Point
    end: Point

    def touches(self, other: "EditorRange") -> bool:
        """Tell whether two ranges share a position."""
        return self.start <= other.end and other.start <= self.end

    def range(self) -> types.Range:
        """Give it as the protocol writes it."""
        return types.Range(
            start=types.Position(line=self.start[0], character=self.start[1]),
            end=types.Position(line=self.end[0], character=self.end[1]),
        )


def span_of(range_: types.Range) -> EditorRange:
    """Read a range of the protocol."""
    return EditorRange(
        (range_.start.line, range_.start.character), (range_.end.line, range_.end.character)
    )


def moved(span: EditorRange, edit: EditorRange, text: str, units: Units) -> EditorRange | None:
    """Give a range after an edit; None where the edit changed its text.

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
    return EditorRange(_after(span.start, edit, text, units), _after(span.end, edit, text, units))


def _after(point: Point, edit: EditorRange, text: str, units: Units) -> Point:
    breaks = text.count("\n")
    line = point[0] - edit.end[0] + edit.start[0] + breaks
    if point[0] != edit.end[0]:
        return line, point[1]
    before = units(text.rpartition("\n")[2]) + (0 if breaks else edit.start[1])
    return line, point[1] - edit.end[1] + before


def line_at(lines: Sequence[str], number: int) -> str:
    """Give a line without its end; empty beyond the text."""
    return lines[number].rstrip("\r\n") if 0 <= number < len(lines) else ""
