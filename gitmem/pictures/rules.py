"""Lines and carets drawn with letters, such as ``=====`` and ``^~~~``, told by their ink (pure).

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


def rule(
    cells: Sequence[Box | None], bands: Sequence[tuple[int, int]], tall: int, height: float,
    width: float, *, alone: bool,
) -> str:  # fmt: skip
    """Name the signs that a word consists of; empty: it is no rule.

    Args:
        cells: where the ink of each of its letters lies.
        bands: rows of pixels with ink in them.
        tall: height of the strip, in pixels.
        height: of a usual line, in pixels.
        width: of a cell, in pixels.
        alone: whether nothing but rules stands in its line.

    """
    known = [one for one in cells if one is not None]
    if len(known) < len(cells) or (len(cells) < _LONG and not alone):
        return ""
    if any(one.right - one.left < _DENSE * width for one in known):
        return ""
    first, rest = known[0], known[1:] or known
    # All alike; the first may be a caret before a wave.
    if any(abs(a - b) > 1 for one in rest for a, b in zip(one[1::2], rest[0][1::2], strict=True)):
        return ""
    signs = [_sign(one, bands, tall, height) for one in (first, rest[0])]
    if not all(signs) or (signs[0] != signs[1] and signs[0] != "^"):
        return ""
    return signs[0] + signs[1] * (len(cells) - 1)


def _sign(cell: Box, bands: Sequence[tuple[int, int]], tall: int, height: float) -> str:
    thick = (cell.bottom - cell.top) / height
    if thick > _FLAT:
        return ""
    strokes = [low - high for high, low in bands if high < cell.bottom and low > cell.top]
    if len(strokes) == 2 and max(strokes) < _WAVE * height:  # noqa: PLR2004  two strokes
        return "="
    if (cell.top + cell.bottom) / 2 > _BOTTOM * tall:
        return "_"
    if thick >= _CARET:
        return "^"
    return "~" if thick >= _WAVE else "-"
