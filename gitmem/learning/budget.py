"""Chooses the parts of a text that fit a budget: best first, each whole or left out. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

FIRST: Final = 2
"""So many of each section come before more of any: the best of each beats the third of one."""


class FittedSection(NamedTuple):
    """A section of which some entries may be shown.

    Attributes:
        heading: what its heading costs, once one of its entries is shown.
        entries: what each entry costs, the best first.

    """

    heading: int
    entries: Sequence[int]


def fit(parts: Sequence[FittedSection], budget: int) -> list[list[int]]:
    """Choose entries whose cost, with the headings of their sections, is within the budget.

    Args:
        parts: the sections, the most important first.
        budget: what all may cost; below 1 nothing fits.

    Returns:
        For each section the positions of the chosen entries, ascending.

    """
    chosen: list[list[int]] = [[] for _ in parts]
    left = budget
    for beyond in (False, True):
        for part, taken in zip(parts, chosen, strict=True):
            for at, cost in enumerate(part.entries):
                if (at >= FIRST) is not beyond:
                    continue
                needed = cost + (0 if taken else part.heading)
                if needed <= left:
                    taken.append(at)
                    left -= needed
    return [sorted(taken) for taken in chosen]
