"""Recognises lines and carets drawn with letters, such as ``=====`` and ``^~~~`` (pure).

Readers of letters leave them out or take them for words.
"""

from collections.abc import Sequence
from typing import Final

from gitmem.pictures.images import Box

_LONG: Final = 3
"""So many signs are a rule; fewer only where nothing else stands in the line."""
_DENSE: Final = 0.42
"""Of a sign's cell so much has ink, from left to right; of dots and quotes, less."""
# In heights of a line, which is from the top of capitals to the end of a g, with a rim.
_FLAT: Final = 0.36
_CARET: Final = 0.18
_WAVE: Final = 0.115
_BOTTOM: Final = 0.72
_HANGS: Final = 0.62
"""Beside words a caret ends above that."""
_CARET_ALONE: Final = 0.5
"""A caret in a line of its own may be taller: nothing else is open below."""
_BENT: Final = 0.75
"""A wave bends more than that in each of its cells; a line does not, but for lossy pictures."""

Outline = Sequence[Box | None]
"""Where the ink of a sign lies: at the left, in the middle and at the right of its cell."""


def rule(
    cells: Sequence[Box | None],
    bands: Sequence[tuple[int, int]],
    tall: int,
    height: float,
    width: float,
    outlines: Sequence[Outline] = (),
    *,
    alone: bool,
) -> str:
    """Name the signs that a word consists of; empty: it is no rule.

    Args:
        cells: where the ink of each of its letters lies.
        bands: rows of pixels with ink in them.
        tall: height of the strip, in pixels.
        height: of a usual line, in pixels.
        width: of a cell, in pixels.
        outlines: of the cells, in their order; without them carets and waves are told from
            stars and bold lines by their size alone.
        alone: whether nothing but rules stands in its line.

    """
    boxes = [cell for cell in cells if cell is not None]
    if len(boxes) < len(cells) or (len(cells) < _LONG and not alone):
        return ""
    if any(cell.right - cell.left < _DENSE * width for cell in boxes):
        return ""
    first, rest = boxes[0], boxes[1:] or boxes
    # All alike; the first may be a caret before a wave.
    if any(abs(a - b) > 1 for cell in rest for a, b in zip(cell[1::2], rest[0][1::2], strict=True)):
        return ""
    wavy = not outlines or sum(map(_bend, outlines)) >= _BENT * len(outlines)
    carets = [not _is_star(outline) for outline in outlines[:2]] if len(cells) > 1 else []
    if len(outlines) == 1 and _is_open(outlines[0]) and _is_caret_alone(first, height):
        return "^"
    signs = [
        _sign(cell, bands, tall, height, wavy=wavy, caret=caret)
        for cell, caret in zip((first, rest[0]), carets or (True, True), strict=True)
    ]
    if not all(signs) or (signs[0] != signs[1] and signs[0] != "^"):
        return ""
    if signs[0] == "^" and not alone and first.bottom > _HANGS * tall:
        return ""  # low letters stand on the line: no caret does
    return signs[0] + signs[1] * (len(cells) - 1)


def _sign(
    cell: Box,
    bands: Sequence[tuple[int, int]],
    tall: int,
    height: float,
    *,
    wavy: bool,
    caret: bool,
) -> str:
    thick = (cell.bottom - cell.top) / height
    if thick > _FLAT:
        return ""
    strokes = [low - high for high, low in bands if high < cell.bottom and low > cell.top]
    if len(strokes) == 2 and max(strokes) < _WAVE * height:  # noqa: PLR2004  two strokes
        return "="
    if (cell.top + cell.bottom) / 2 > _BOTTOM * tall:
        return "_"
    if thick >= _CARET:
        return "^" if caret else ""
    return "~" if thick >= _WAVE and wavy else "-"


def _is_caret_alone(cell: Box, height: float) -> bool:
    return (cell.bottom - cell.top) / height <= _CARET_ALONE


def _bend(outline: Outline) -> int:
    """Give by how many pixels one side of a sign lies higher than the other, twice."""
    left, _, right = outline
    if left is None or right is None:
        return 0
    return abs(left.top - right.top) + abs(left.bottom - right.bottom)


def _is_star(outline: Outline) -> bool:
    """Tell a star: its middle arm ends below the others."""
    left, middle, right = outline
    if left is None or middle is None or right is None:
        return False
    return middle.bottom > max(left.bottom, right.bottom)


def _is_open(outline: Outline) -> bool:
    """Tell a caret: its middle ends above its feet, and begins above them."""
    left, middle, right = outline
    if left is None or middle is None or right is None:
        return False
    return middle.bottom < max(left.bottom, right.bottom) and middle.top < max(left.top, right.top)
