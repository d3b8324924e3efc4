"""Upper or lower case by the size of a letter in its cell: ``S`` or ``s``, ``0`` or ``o`` (pure).

Readers of letters see shapes without their size, so they mix up those that differ in nothing
else, and signs that are rare in prose.
"""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final, NamedTuple

_SMALL: Final = frozenset("aemnr")
"""Low letters whose capitals look otherwise."""
_TALL: Final = frozenset("ABDEFGHKLMNRT23456789")
"""Capitals whose low letters look otherwise; a b or d may stand higher than these."""
_STANDING: Final = _SMALL | _TALL | frozenset("bdfhiklOCSUVWXZ01couvwxz")
"""Letters that stand on the line."""
_TWINS: Final = frozenset("cosz")
"""Their top is in the middle of the cell, where no neighbour leans over."""
_BARS: Final = frozenset("lI1!i|\u4e28-\u4e00/")
_FLAT: Final = frozenset("-_\u2013\u2014\u2015\u2212\u4e00")
_LINE: Final = 0.15
"""A stroke below the line may begin so much above it, in heights of low letters."""
_HIGH: Final = frozenset("'\"*^`~")


class Glyph(NamedTuple):
    """A letter as it was read, and the ink in its cell, in pixels from the strip's top."""

    letter: str
    left: int
    top: int
    right: int
    bottom: int


class Sizes(NamedTuple):
    """How tall capitals and low letters are, in pixels above the line."""

    tall: float
    small: float


def sizes(lines: Iterable[Sequence[Glyph]]) -> Sizes | None:
    """Measure the letters of a picture; None if there are too few."""
    tall, small = [], []
    for line in lines:
        standing = [glyph.bottom for glyph in line if glyph.letter in _STANDING]
        if not standing:
            continue
        base = median(standing)
        tall += [base - glyph.top for glyph in line if glyph.letter in _TALL]
        small += [base - glyph.top for glyph in line if glyph.letter in _SMALL]
    return Sizes(median(tall), median(small)) if tall and small else None


def reshaped(line: Sequence[Glyph], sizes: Sizes, width: float) -> list[str]:
    """Give the letters of a line, those put right that their size contradicts.

    Args:
        line: its letters.
        sizes: of the picture.
        width: of a cell, in pixels.

    """
    standing = [glyph.bottom for glyph in line if glyph.letter in _STANDING]
    if not standing:
        return [glyph.letter for glyph in line]
    base = median(standing)
    # The line's own measures, where it has such letters: it may be cut off a little.
    tall = [base - glyph.top for glyph in line if glyph.letter in _TALL]
    small = [base - glyph.top for glyph in line if glyph.letter in _SMALL]
    own = Sizes(median(tall) if tall else sizes.tall, median(small) if small else sizes.small)
    letters = [_letter(glyph, base, own, width) for glyph in line]
    around = zip(["", *letters], letters, [*letters[1:], ""], strict=False)
    # A tall round letter among digits is a zero.
    return [
        "0" if now == "O" and line[at].letter == "o" and _digits(before, after) else now
        for at, (before, now, after) in enumerate(around)
    ]


def _digits(before: str, after: str) -> bool:
    return (before + after).strip(",.:;)('l").isdigit()


def _letter(glyph: Glyph, base: float, own: Sizes, width: float) -> str:
    letter = glyph.letter
    height, wide = base - glyph.top, glyph.right - glyph.left
    is_tall = height > (own.tall + own.small) / 2
    if letter.lower() in _TWINS:
        return letter.upper() if is_tall else letter.lower()
    if letter == "0":
        return "0" if is_tall else "o"
    if letter in {"p", "P"}:
        return "P" if is_tall else "p"
    ink = glyph.bottom - glyph.top
    if letter in _BARS and ink > 1.18 * own.tall and wide < 0.4 * width:
        return "|"
    if letter == "^" and wide < 0.45 * width:
        return "`"
    if letter in _FLAT and wide > ink:
        return "_" if glyph.top >= base - _LINE * own.small else "-"
    hangs = height > 0.8 * own.tall and ink < 0.5 * own.tall
    if letter not in _HIGH and hangs and wide > 0.5 * width:
        return "^"
    return letter
