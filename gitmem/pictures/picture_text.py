"""The text that a picture shows: finds lines, reads them, restores the blanks."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from gitmem.pictures import grid, rows, shapes
from gitmem.pictures.grid import Cells, Grid
from gitmem.pictures.images import Box, Colour, Screen, Strip, load
from gitmem.pictures.reader import HEIGHT, PictureReader, reader
from gitmem.pictures.repair import repaired
from gitmem.pictures.rules import rule
from gitmem.pictures.shapes import Glyph

_SMALL: Final = 1_200
"""Pictures whose longer side is shorter, in pixels, are searched at twice their size."""
_LARGE: Final = 5_000_000
"""Pixels that are searched at most: larger pictures are made smaller for that, not for reading."""
_SURE: Final = 0.5
"""Lines that are read with less than this are taken for pictures."""
_INNER: Final = 0.2
"""At both sides of a cell, in widths of one, letters of leaning fonts reach into the next."""
_RIM: Final = 2
"""Pixels around a line that are looked at, too."""
_SHADE: Final = 12
"""Of 255, in each colour: papers that differ less are one."""
_SPECK: Final = 0.2
"""Of a line's height; what is lower, and at its very edge, belongs to another line."""
_SIDE: Final = 0.4
"""Of a cell's width; between both sides is its middle."""
_LIKE: Final = frozenset("^~")
"""Rules of these may be stars or bold lines: their outline tells."""
_SIGNS: Final = 3
"""So many signs are a rule, wherever they stand."""
_STRETCHES: Final = (1.25, 1.0, 1.5)
"""Letters are read best a little wider; where some are missing, others are tried."""


class PictureLine(NamedTuple):
    """A line of a picture: its text with leading blanks, its box, and the reader's score."""

    text: str
    box: Box
    score: float


class PictureText(NamedTuple):
    """What a picture shows.

    Attributes:
        lines: from top to bottom, column by column.
        monospaced: blanks were put back by the cells that letters stand in.

    """

    lines: tuple[PictureLine, ...]
    monospaced: bool

    @property
    def text(self) -> str:
        """The lines, one below the other, as a terminal's text."""
        return "".join(f"{line.text}\n" for line in self.lines)


class _Piece(NamedTuple):
    """A part of a line: its text, the number of its first cell, and whether blanks are exact."""

    text: str
    cell: int
    exact: bool


class _Row(NamedTuple):
    """A line before sizes are compared: ``left`` is where its first letter begins, in pixels."""

    box: Box
    strip: Strip
    cells: Cells
    pieces: tuple[_Piece, ...]
    left: float
    score: float


def read(data: bytes, name: str) -> PictureText:
    """Read a picture; nothing leaves the machine.

    Args:
        data: the file.
        name: what it is called, for messages.

    Raises:
        EnvironmentProblem: the extra is not installed.
        InvalidError: it is no picture, or too large, too small or damaged.

    """
    screen = load(data, name)
    model = reader()
    width, tall = screen.size
    factor = 2.0 if max(width, tall) < _SMALL else min(1.0, math.sqrt(_LARGE / (width * tall)))
    columns = rows.columns(model.boxes(screen.data(factor), factor))
    strips = [strip for column in columns for box in column if (strip := _strip(screen, box))]
    usual = rows.height([box for column in columns for box in column])
    cells = grid.grid((strip.ink for strip in strips), usual)
    if cells is not None:
        return PictureText(tuple(_monospaced(model, screen, columns, cells)), monospaced=True)
    lines = [line for column in columns for line in _proportional(model, screen, column)]
    return PictureText(tuple(lines), monospaced=False)


def _proportional(
    model: PictureReader, screen: Screen, column: Sequence[Box]
) -> Iterator[PictureLine]:
    for box in column:
        strip = _strip(screen, box)
        text, score = model.line(strip.data(HEIGHT, _STRETCHES[0])) if strip else ("", 0.0)
        if score >= _SURE and text.strip():
            yield PictureLine(repaired(text.strip()), box, score)


def _monospaced(
    model: PictureReader, screen: Screen, columns: Sequence[Sequence[Box]], cells: Grid
) -> Iterator[PictureLine]:
    """Read columns of monospaced lines, then compare the sizes of their letters."""
    read_columns = []
    usual = rows.height([box for column in columns for box in column])
    for column in columns:
        distance = rows.pitch(column)
        left, right = (
            min(line_box.left for line_box in column),
            max(line_box.right for line_box in column),
        )
        read_columns.append(
            [
                _row(model, screen, box._replace(left=left, right=right), is_detected, cells, usual)
                for box, is_detected in rows.between(column, distance)
            ]
        )
    sizes = shapes.sizes(
        [glyph for _, _, glyph in _glyphs(row)]
        for read_rows in read_columns
        for row in read_rows
        if isinstance(row, _Row)
    )
    for read_rows in read_columns:
        sure = [row for row in read_rows if not isinstance(row, _Row) or row.score >= _SURE]
        margin = _margin([row for row in sure if isinstance(row, _Row)])
        for row in sure:
            if not isinstance(row, _Row):
                yield PictureLine("", row, 1.0)
            else:
                before = max(0, round((row.left - margin) / cells.width))
                text = _text(row, sizes)
                yield PictureLine(" " * before + repaired(text), row.box, row.score)


def _margin(read_rows: Sequence[_Row]) -> float:
    """Give the left edge of a column's first letters, in pixels.

    A title, or a bar at the bottom, stands on other paper than most lines; it says nothing.
    """
    papers = [row.strip.paper for row in read_rows]
    alike = [[_alike(paper, other) for other in papers] for paper in papers]
    most = max((sum(row) for row in alike), default=0)
    usual = next((row for row in alike if sum(row) == most), [])
    return min(
        (row.left for row, is_usual in zip(read_rows, usual, strict=True) if is_usual), default=0
    )


def _alike(colour: Colour, other: Colour) -> bool:
    return all(abs(a - b) <= _SHADE for a, b in zip(colour, other, strict=True))


def _row(
    model: PictureReader,
    screen: Screen,
    box: Box,
    is_detected: bool,  # noqa: FBT001  one of the lines, or a place between them
    cells: Grid,
    usual: float,
) -> "_Row | Box":
    """Read a line; give its box where it is blank."""
    # Rules are not found by the model, so they are looked for up to the rim.
    wide = box._replace(left=0, right=screen.size[0])
    strip = _strip(screen, wide) if is_detected else screen.strip(wide)
    if strip is None:
        return box
    at = grid.cells(strip.ink, cells.width)
    words = [word for word in grid.words(at.filled) if not _is_neighbours(strip, at, word)]
    signs = [_rule(strip, at, word, usual, alone=True) for word in words]
    inside = [_overlaps(at.span(*word), box, at.width / 2) for word in words]
    if not all(sign for sign, is_inside in zip(signs, inside, strict=True) if is_inside):
        signs = [_rule(strip, at, word, usual, alone=False) for word in words]
    parts = [
        (word, sign)
        for word, sign, overlaps in zip(words, signs, inside, strict=True)
        if overlaps or (sign and word[1] >= _SIGNS)
    ]
    if not parts:
        return box
    pieces: list[_Piece] = []
    least = 1.0
    for is_rule, group in groupby(parts, lambda part: bool(part[1])):
        members = list(group)
        if is_rule:
            pieces += [_Piece(sign, cell, True) for (cell, _), sign in members]  # noqa: FBT003
            continue
        first, last = members[0][0][0], sum(members[-1][0])
        letters, score = _letters(model, strip, at, first, last)
        pieces += letters
        least = min(least, score)
    return _Row(box, strip, at, tuple(pieces), at.span(parts[0][0][0], 1)[0], least)


def _is_neighbours(strip: Strip, at: Cells, word: tuple[int, int]) -> bool:
    """Tell the foot of a letter above, or the head of one below, that reaches into a line."""
    ink = strip.extent(*at.span(*word)) if word[1] == 1 else None
    if ink is None:
        return False
    low = _SPECK * strip.height
    above = ink.top <= 0 and ink.bottom <= low
    return above or (ink.bottom >= strip.height and strip.height - ink.top <= low)


def _overlaps(span: tuple[float, float], box: Box, rim: float) -> bool:
    # A frame beside the text may reach into its first cell.
    return span[0] + rim < box.right and span[1] - rim > box.left


def _glyphs(row: _Row) -> Iterator[tuple[int, int, Glyph]]:
    """Give the letters with a cell of their own: piece, index in its text, and ink."""
    for at, piece in enumerate(row.pieces):
        for number, letter in enumerate(piece.text if piece.exact else ""):
            left, right = row.cells.span(piece.cell + number, 1)
            rim = _INNER * row.cells.width
            extent = row.strip.extent(left, right)
            inner = row.strip.extent(left + rim, right - rim)
            if letter != " " and extent and inner:
                yield at, number, Glyph(letter, extent.left, inner.top, extent.right, inner.bottom)


def _text(row: _Row, sizes: "shapes.Sizes | None") -> str:
    texts = [list(piece.text) for piece in row.pieces]
    glyphs = list(_glyphs(row)) if sizes else []
    if sizes:
        letters = shapes.reshaped([glyph for _, _, glyph in glyphs], sizes, row.cells.width)
        for (at, number, _), letter in zip(glyphs, letters, strict=True):
            texts[at][number] = letter
    text_so_far, start = "", row.pieces[0].cell
    for piece, text in zip(row.pieces, texts, strict=True):
        text_so_far += " " * max(
            piece.cell - start - len(text_so_far), 1 if text_so_far else 0
        ) + "".join(text)
    return text_so_far


def _strip(screen: Screen, box: Box) -> Strip | None:
    width, tall = screen.size
    return screen.strip(
        Box(
            max(0, box.left - _RIM),
            max(0, box.top - _RIM),
            min(width, box.right + _RIM),
            min(tall, box.bottom + _RIM),
        )
    )


def _rule(strip: Strip, at: Cells, word: tuple[int, int], height: float, *, alone: bool) -> str:
    first, count = word
    extents = [strip.extent(*at.span(cell, 1)) for cell in range(first, first + count)]
    bands = strip.cut(*at.span(*word)).bands
    signs = rule(extents, bands, strip.height, height, at.width, alone=alone)
    if count > 1 and not set(signs) & _LIKE:
        return signs
    outlines = [_outline(strip, at, cell) for cell in range(first, first + count)]
    return rule(extents, bands, strip.height, height, at.width, outlines, alone=alone)


def _outline(strip: Strip, at: Cells, cell: int) -> list[Box | None]:
    left, right = at.span(cell, 1)
    side = _SIDE * (right - left)
    edges = [left, left + side, right - side, right]
    return [strip.extent(*edge) for edge in pairwise(edges)]


def _letters(
    model: PictureReader, strip: Strip, at: Cells, first: int, last: int
) -> tuple[list[_Piece], float]:
    """Read some cells; where the letters are as many as those filled, blanks are exact."""
    filled = at.filled[first:last]
    left, right = at.span(first, last - first)
    part = strip.cut(left - _RIM, right + _RIM)
    tries = []
    for stretch in _STRETCHES:
        text, score = model.line(part.data(HEIGHT, stretch))
        letters = "".join(text.split())
        if len(letters) == sum(filled):
            return [_Piece(grid.spread(letters, filled), first, exact=True)], score
        tries.append((abs(len(letters) - sum(filled)), -score, text.strip()))
    _, score, text = min(tries)
    words = grid.words(filled)
    if len(words) == 1:
        return [_Piece(text, first, exact=False)], -score
    # Those words again that have other letters than cells.
    read_words = text.split()
    pieces: list[_Piece] = []
    for number, (cell, count) in enumerate(words):
        if len(read_words) == len(words) and len(read_words[number]) == count:
            pieces.append(_Piece(read_words[number], first + cell, exact=True))
        else:
            pieces += _letters(model, strip, at, first + cell, first + cell + count)[0]
    return pieces, -score
