"""Sorts boxes with text into rows of a screen, in reading order (pure)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from gitmem.pictures.images import Box

_SAME_ROW: Final = 0.5
"""Of the lower of two boxes so much must lie beside the other."""
_GUTTER: Final = 3.0
"""A blank band between columns is wider than so many heights of a line."""
_COLUMN_ROWS: Final = 3
"""So many rows make a column; fewer are set to the right, as pytest does with its progress."""
_NEXT: Final = 1.5
"""Lines that follow each other are less apart than so many times the nearest ones."""
_HOLE: Final = 6
_FLOOR: Final = 4
"""Lower boxes, in pixels, are no text."""


def columns(boxes: Iterable[Box]) -> list[list[Box]]:
    """Put boxes of one line together; columns from left to right, each from top to bottom."""
    boxes = [box for box in boxes if box.bottom - box.top >= _FLOOR]
    return [_joined(column) for column in _columns(boxes)]


def pitch(lines: Sequence[Box]) -> float:
    """Give the distance between two lines of a column, in pixels; 0 where there is only one."""
    apart = sorted(b - a for a, b in pairwise(map(middle, lines)))
    if not apart:
        return 0.0
    least = apart[len(apart) // 8]
    return median(distance for distance in apart if distance < _NEXT * least)


def between(lines: Sequence[Box], distance: float) -> Iterator[tuple[Box, bool]]:
    """Give the lines of a column and the empty rows between them.

    Args:
        lines: from top to bottom.
        distance: see ``pitch``.

    Yields:
        A box and whether it is one of the lines; of a large hole only the first place.

    """
    for number, line in enumerate(lines):
        yield line, True
        if number + 1 == len(lines) or not distance:
            continue
        steps = round((middle(lines[number + 1]) - middle(line)) / distance)
        for step in range(1, steps if steps <= _HOLE else min(steps, 2)):
            top = round(middle(line) + (step - 0.5) * distance)
            yield Box(line.left, top, line.right, round(top + distance)), False


def middle(box: Box) -> float:
    """Give the height at which a line lies."""
    return (box.top + box.bottom) / 2


def height(lines: Sequence[Box]) -> float:
    """Give the usual height of a line, in pixels."""
    return median(line.bottom - line.top for line in lines) if lines else 0.0


def _joined(boxes: Iterable[Box]) -> list[Box]:
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (box.top + box.bottom, box.left)):
        beside = next((row for row in reversed(rows[-3:]) if _beside(_around(row), box)), None)
        if beside is None:
            rows.append([box])
        else:
            beside.append(box)
    return sorted(map(_around, rows), key=lambda box: box.top + box.bottom)


def _beside(row: Box, box: Box) -> bool:
    shared = min(row.bottom, box.bottom) - max(row.top, box.top)
    return shared >= _SAME_ROW * min(row.bottom - row.top, box.bottom - box.top)


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return Box(min(left), min(top), max(right), max(bottom))


def _columns(boxes: Sequence[Box]) -> list[list[Box]]:
    """Cut where a blank band goes from top to bottom, with several rows on both of its sides."""
    if not boxes:
        return []
    band = _GUTTER * height(boxes)
    ordered = sorted(boxes, key=lambda box: box.left)
    reach = ordered[0].right
    for number, box in enumerate(ordered):
        if box.left - reach >= band:
            left, right = ordered[:number], ordered[number:]
            if min(len(_joined(left)), len(_joined(right))) >= _COLUMN_ROWS:
                return [left, *_columns(right)]
        reach = max(reach, box.right)
    return [list(boxes)]
