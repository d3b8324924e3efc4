r"""How a long text is searched: in blocks, with an allowance of looks, and signs as what they mean.

A sign that is written as others is no part of a name or of a token that stands beside it: of
``"begun\npassword=…"`` the name is no ``npassword``. So lines with ``\n``, ``%3D`` and the like are
read once more.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.redaction.spans import SecretSpan

BLOCK: Final = 65_536
_OVERLAP: Final = 1_024
_LONGEST_WORD: Final = 4_096
_LOOKS: Final = 64
_FLAT: Final = 1_000_000
# Each begins with its sign, which is searched for many times faster than one of several. Ends of
# lines and tabs only count where a word follows.
_ESCAPES: Final = (
    lazily(
        r"\\\\{0,3}(?:(?P<sign>[nrt](?=[\w.$-])|/)|(?:u00|x)(?P<hex>[0-7][0-9A-Fa-f])"
        r"|(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,12}m)"
    ),
    lazily(r"%(?:25){0,2}(?P<hex>[2-7][0-9A-Fa-f]|0[9AaDd])"),
    lazily(r"&(?:(?P<name>amp|quot|apos|lt|gt)|#(?P<number>[0-9]{1,3}));"),
)
_SIGNS: Final = {"n": "\n", "r": "\n", "t": "\t", "/": "/"}
_NAMES: Final = {"amp": "&", "quot": '"', "apos": "'", "lt": "<", "gt": ">"}


class OverBudget(Exception):  # noqa: N818  a state, not a fault
    """A block costs more looks than it may."""


class ScanBudget:
    """The looks at characters that a block of text may still cost."""

    def __init__(self, characters: int) -> None:
        self._left = _LOOKS * characters + _FLAT

    def spend(self, characters: int) -> None:
        """Count so many looks; raise OverBudget if there are none left."""
        self._left -= characters
        if self._left < 0:
            raise OverBudget


def lowered(text: str) -> str:
    """Lower a text without moving a character of it."""
    low = text.lower()
    # The only letter that is two when it is small.
    return low if len(low) == len(text) else text.replace("\u0130", "i").lower()


def blocks(text: str, stop: int, size: int = BLOCK) -> Iterator[tuple[int, int, int]]:
    """Cut a text into blocks of whole lines.

    Gives where each begins, where to begin to look (a few lines earlier, for what takes more
    than one), and where it ends.
    """
    start = 0
    while start < stop:
        end = text.find("\n", min(start + size, stop), stop) + 1 or stop
        reach = text.rfind("\n", 0, max(0, start - _OVERLAP)) + 1 if start else 0
        yield start, reach if start - reach <= BLOCK else start, end
        start = end


def last_break(text: str, budget: int) -> int:
    """Give the place up to which a text is searched: a line end, or else the end of a word."""
    if len(text) <= budget:
        return len(text)
    budget = max(budget, 0)
    line = text.rfind("\n", budget // 2, budget) + 1
    if line:
        return line
    words = text[max(0, budget - _LONGEST_WORD) : budget]
    word = words.rstrip()
    cut = max(map(word.rfind, " \t\"'"))
    return budget if cut < 0 else budget - len(words) + cut + 1


def escapes(text: str, start: int, end: int) -> Iterator[tuple[SecretSpan, str]]:
    """Give what is read in place of which pieces; nothing if there is no such character.

    Lines without one are read as nothing.

    Args:
        text: the text.
        start: where a line begins.
        end: where one ends.

    """
    pieces = [
        (*match.span(), _meaning(match))
        for escape in _ESCAPES
        for match in escape.finditer(text, start, end)
    ]
    if pieces:
        yield from lines_with(text, start, end, sorted(pieces))


def lines_with(
    text: str, start: int, end: int, pieces: Iterable[tuple[int, int, str]]
) -> Iterator[tuple[SecretSpan, str]]:
    """Give what is read in place of pieces, and nothing in place of the lines without one.

    Args:
        text: the text.
        start: where a line begins.
        end: where one ends.
        pieces: where each begins and ends, and what it means; in order.

    """
    line_end = -1
    for begin, close, meaning in pieces:
        if begin > line_end:
            line = text.rfind("\n", start, begin) + 1 or start
            between = "" if line_end < 0 else "\n"
            yield SecretSpan(max(0, line_end), line, "", "", ""), between
        if begin > line_end or close > line_end:
            line_end = text.find("\n", close, end)
            line_end = end if line_end < 0 else line_end
        yield SecretSpan(begin, close, "", "", ""), meaning
    if line_end >= 0:
        yield SecretSpan(line_end, len(text), "", "", ""), ""


def _meaning(match: re.Match[str]) -> str:
    meant = match.groupdict()
    if sign := meant.get("sign"):
        return _SIGNS[sign]
    if name := meant.get("name"):
        return _NAMES[name]
    if number := meant.get("number"):
        return chr(int(number))
    code = meant.get("hex")
    return chr(int(code, 16)) if code else ""
