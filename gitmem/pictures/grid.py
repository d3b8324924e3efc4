"""The grid of cells of monospaced text, found by the gaps between letters (pure).

The reader of letters loses blanks. In a monospaced line every letter has its cell, so the empty
cells are the blanks, exactly, and the filled ones tell how many letters there are.
"""

import cmath
import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_NARROWEST, _WIDEST = 0.36, 0.72
"""Width of a cell, in heights of a line."""
_STEP: Final = 0.02
"""Pixels between two widths that are tried."""
_REGULAR: Final = 0.55
"""How alike the gaps must lie in their cells, from 0 to 1; of proportional letters, below 0.4."""
_FEW: Final = 12
"""Gaps of fewer say nothing about the whole picture."""
_MIDDLE: Final = 0.22
"""Of a cell, the part at each side in which ink of a neighbour may stand."""

Ink = Sequence[bool]


class Gap(NamedTuple):
    """Columns without ink between two letters: from ``start`` up to ``end``."""

    start: int
    end: int


class Grid(NamedTuple):
    """Cells of one width, in pixels, and how regular the gaps are in it, from 0 to 1."""

    width: float
    regular: float


def gaps(ink: Ink) -> list[Gap]:
    """Give the gaps inside of a line."""
    found_gaps: list[Gap] = []
    before = None  # the last column with ink
    for at, filled in enumerate(ink):
        if filled:
            if before is not None and at - before > 1:
                found_gaps.append(Gap(before + 1, at))
            before = at
    return found_gaps


def grid(lines: Iterable[Ink], height: float) -> Grid | None:
    """Find the grid of a picture's lines; None where the letters have widths of their own."""
    centres = [
        [(gap.start + gap.end) / 2 for gap in gaps(ink) if gap.end - gap.start < height * _WIDEST]
        for ink in lines
    ]
    centres = [centre for centre in centres if len(centre) > 2]  # noqa: PLR2004  fewer fit any grid
    total = sum(map(len, centres))
    if total < _FEW:
        return None
    first, last = int(height * _NARROWEST / _STEP), int(height * _WIDEST / _STEP)
    best = max(
        (Grid(n * _STEP, _regular(centres, n * _STEP, total)) for n in range(first, last + 1)),
        key=lambda candidate: candidate.regular,
    )
    return best if best.regular >= _REGULAR else None


def _regular(centres: Sequence[Sequence[float]], width: float, total: int) -> float:
    return sum(abs(_turned(centre, width)) for centre in centres) / total


def _turned(centres: Iterable[float], width: float) -> complex:
    factor = 2j * math.pi / width
    return sum((cmath.exp(factor * at) for at in centres), 0j)


class Cells(NamedTuple):
    """The cells of one line, from its first letter on.

    Attributes:
        left: where the first begins, in pixels from the line's left.
        width: of each, in pixels.
        filled: whether a letter stands in it.

    """

    left: float
    width: float
    filled: tuple[bool, ...]

    def span(self, first: int, count: int) -> tuple[float, float]:
        """Give the pixels of some cells, from left to right."""
        start = self.left + first * self.width
        return start, start + count * self.width


def cells(ink: Ink, width: float) -> Cells:
    """Find the cells of a line."""
    inked = [at for at, is_inked in enumerate(ink) if is_inked]
    if not inked:
        return Cells(0, width, ())
    middles = [(gap.start + gap.end) / 2 for gap in gaps(ink) if gap.end - gap.start < width]
    # Where cells begin, from 0 to the width; a line without gaps begins at its first ink.
    phase = cmath.phase(_turned(middles, width)) / (2 * math.pi) * width if middles else inked[0]
    first = math.floor((inked[0] - phase) / width + _MIDDLE)
    last = math.ceil((inked[-1] + 1 - phase) / width - _MIDDLE)
    filled_cells = []
    for number in range(first, last):
        left = phase + number * width
        inner = range(
            max(0, round(left + _MIDDLE * width)),
            min(len(ink), round(left + (1 - _MIDDLE) * width)),
        )
        filled_cells.append(any(ink[at] for at in inner))
    while filled_cells and not filled_cells[-1]:
        filled_cells.pop()
    while filled_cells and not filled_cells[0]:
        filled_cells.pop(0)
        first += 1
    return Cells(phase + first * width, width, tuple(filled_cells))


def words(filled: Sequence[bool]) -> list[tuple[int, int]]:
    """Give the first cell and the number of cells of each word."""
    found_words: list[tuple[int, int]] = []
    for at, is_inked in enumerate(filled):
        if not is_inked:
            continue
        if at and filled[at - 1] and found_words:
            found_words[-1] = (found_words[-1][0], found_words[-1][1] + 1)
        else:
            found_words.append((at, 1))
    return found_words


def spread(letters: str, filled: Sequence[bool]) -> str:
    """Put letters, which are as many as there are filled cells, into their cells."""
    following = iter(letters)
    return "".join(next(following) if is_inked else " " for is_inked in filled)
