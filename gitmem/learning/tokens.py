"""Estimates tokens of a text on the high side, without a tokeniser and its table of 2 MB.

Held against tiktoken's ``cl100k_base`` and ``o200k_base`` (the larger of the two): docs/context.md
says over which texts, and by how much the estimate is above. What is not ASCII counts by its
bytes, which no byte-pair encoding exceeds.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily

_PIECES: Final = lazily(
    r"""
      (?P<word>(?<![A-Za-z0-9])[A-Z]?[a-z]{1,20}(?![A-Za-z0-9]))
    | (?P<mixed>[A-Za-z0-9]+)                 # identifiers, ids, hashes
    | (?P<gap>[ ](?=[0-9])|[ \t]{2,}|\t)
    | (?P<blank>[ ])                          # a single one belongs to the next word
    | (?P<marks>[!-/:-@\[-`{-~]+)
    | (?P<cyrillic>[\u0410-\u044f]+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_BREAKS: Final = lazily(r"([\r\n]+[ \t]*)")
_RUNS: Final = lazily(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_UNSPEAKABLE: Final = lazily(r"[b-df-hj-np-tv-xz]{5}|\b[b-df-hj-np-tv-xz]{4,}\b")
_LETTERS: Final = 4
"""Of a word, for a token: a whole short word is one, and long ones are rarer."""
_BLANKS: Final = 16
_LONG: Final = 20
_LONGEST: Final = 40
_PAIR: Final = 2
_CACHED_LINES: Final = 2048
"""Who fits a text into a budget estimates the same lines several times."""


def estimate(text: str) -> int:
    """Give how many tokens a text takes, or somewhat more.

    Of two texts that are joined at an empty line it gives at most one more than of both.
    """
    # Lines at even places, the breaks between them at odd ones: no token crosses a line's end.
    parts = _BREAKS.split(text)
    breaks = sum(-(-len(gap) // _BLANKS) + (gap[-1] in " \t") for gap in parts[1::2])
    return breaks + sum(map(_line, parts[::2]))


@lru_cache(_CACHED_LINES)
def _line(text: str) -> int:
    total = 0
    for piece in _PIECES.finditer(text):
        kind, token = piece.lastgroup, piece.group()
        size = len(token)
        if kind == "word":
            total += _word(token, size)
        elif kind == "mixed":
            total += _mixed(token)
        elif kind == "gap":
            total += -(-size // _BLANKS)
        elif kind == "marks":
            total += size if size <= _PAIR else -(-3 * size // 4)
        elif kind == "cyrillic":
            total += -(-5 * size // 4)
        elif kind == "other":
            total += len(token.encode("utf-8", "surrogatepass"))
    return total


def _word(text: str, size: int) -> int:
    if size > _LONG or _UNSPEAKABLE.search(text.lower()):
        return -(-2 * size // 3)
    return 1 + (size - 1) // _LETTERS


def _mixed(text: str) -> int:
    """Count letters, capitals and digits that stand together; those of a hash are mostly apart."""
    runs: list[str] = _RUNS.findall(text)
    apart = len(text) < _LETTERS * len(runs) or len(text) > _LONGEST
    total = 0
    for run in runs:
        size = len(run)
        if run.isdigit():
            total += -(-size // 3)
        elif apart or run.isupper():
            total += -(-4 * size // 5)
        else:
            total += _word(run, size)
    return total


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
