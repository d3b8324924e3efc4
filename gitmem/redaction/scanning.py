"""How a long text is searched: in blocks, with an allowance of looks."""

from collections.abc import Iterator
from typing import Final

BLOCK: Final = 65_536
_OVERLAP: Final = 1_024
_LONGEST_WORD: Final = 4_096
_LOOKS: Final = 64
_FLAT: Final = 1_000_000


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
