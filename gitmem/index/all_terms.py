"""Scores of the documents that have every word of a question, list by list."""

import heapq
from collections.abc import Sequence
from itertools import chain, compress, repeat
from operator import add
from typing import Final

from gitmem.index.lookup import Joint, Lookup
from gitmem.index.scoring import Factor

ROUNDING: Final = 1 - 1e-9
"""What is added up in another order may be so much less."""


class _Scores:
    """Those of one segment."""

    def __init__(self, lookup: Lookup, number: int, joint: Joint) -> None:
        self._lookup = lookup
        self._number = number
        self.documents, self._impacts = joint
        self.totals = [0.0] * len(self.documents)

    def add(self, term: str, value: float) -> None:
        impacts = self._impacts.get(term)
        if impacts is None:
            documents_and_impacts = self._lookup.impacts_in(self._number, term, self.documents)
            value_of = dict(zip(*documents_and_impacts, strict=True))
            impacts = [*map(value_of.get, self.documents, repeat(0))]
        self.totals = [*map(add, self.totals, map(value.__mul__, impacts))]

    def drop_below(self, floor: float) -> None:
        chosen = [*map(floor.__le__, self.totals)]
        self.documents = [*compress(self.documents, chosen)]
        self.totals = [*compress(self.totals, chosen)]
        self._impacts = {
            term: [*compress(impacts, chosen)] for term, impacts in self._impacts.items()
        }


def best_of(
    lookup: Lookup,
    joints: Sequence[Joint],
    chosen: Sequence[Factor],
    left: Sequence[float],
    most: int,
) -> tuple[list[dict[int, float]], float]:
    """Score those that may be among the ``most`` best of the documents with every word.

    Args:
        lookup: where to look.
        joints: those documents, of each segment; ``most`` or more together.
        chosen: the terms that count.
        left: what each of them and those behind it can add at most, and 0.
        most: how many are wanted.

    Returns:
        The scores of each segment's, without what having every word adds, and the last of the
        best of them.

    """
    scores = [_Scores(lookup, number, joint) for number, joint in enumerate(joints)]
    least = 0.0
    for at, (term, value) in enumerate(chosen, 1):
        for segment_scores in scores:
            segment_scores.add(term, value)
        if left[0] - left[at] <= left[at]:
            continue  # none is out yet
        least = heapq.nlargest(
            most, chain.from_iterable(segment_scores.totals for segment_scores in scores)
        )[-1]
        floor = least * ROUNDING - left[at]
        if floor > 0:
            for segment_scores in scores:
                segment_scores.drop_below(floor)
    return [
        dict(zip(segment_scores.documents, segment_scores.totals, strict=True))
        for segment_scores in scores
    ], least * ROUNDING
