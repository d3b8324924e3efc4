"""Looks terms up in segments: counts, postings, impacts, and documents that have every term."""

import heapq
from collections.abc import Mapping, Sequence
from itertools import chain, compress, repeat
from operator import add
from typing import Final, NamedTuple

from gitmem.index.hot_cache import Entries, HotCache
from gitmem.index.scoring import Factor
from gitmem.index.whoosh_files import Postings, Segment, among

_DENSE: Final = 8
"""Where more than one of so many documents of a term are asked for, all are read, and kept."""

Impacts = tuple[Sequence[int], Sequence[int]]
"""Documents, and the impact of a term in each."""


class Joint(NamedTuple):
    """Documents that have several terms, rising, and the impacts of each term in their order."""

    documents: Sequence[int]
    impacts: Mapping[str, Sequence[int]]


NONE: Final = Joint([], {})


class Lookup:
    """What one question looks up in a set of segments.

    Attributes:
        segments: those segments.
        gone: how many documents in them are deleted.
        alive: how many are not.

    """

    def __init__(self, segments: Sequence[Segment], hot: HotCache) -> None:
        self.segments = segments
        self._hot = hot
        hot.next_question()
        self._entries = hot.entries
        self._counts, self._totals = hot.counts, hot.totals
        self._read: dict[tuple[int, str], Postings | None] = {}
        self.gone = sum(len(segment.info.deleted) for segment in segments)
        self.alive = sum(len(segment.keys) for segment in segments) - self.gone

    def find(self, term: str) -> Entries:
        """Give a term's entry in each segment; None where it does not occur."""
        entries = self._entries.get(term)
        if entries is None:
            entries = self._entries[term] = [segment.find(term) for segment in self.segments]
        return entries

    def with_deleted(self, term: str) -> int:
        """Count the documents that have a term, also those that are deleted."""
        total = self._totals.get(term)
        if total is None:
            pairs = zip(self.segments, self.find(term), strict=True)
            total = sum(segment.frequency(entry) for segment, entry in pairs if entry is not None)
            self._totals[term] = total
        return total

    def count(self, term: str) -> int:
        """Count the documents alive that have a term."""
        if not self.gone:
            return self.with_deleted(term)
        total = self._counts.get(term)
        if total is None:
            pairs = zip(self.segments, self.find(term), strict=True)
            total = sum(segment.living(entry) for segment, entry in pairs if entry is not None)
            self._counts[term] = total
        return total

    def count_to(self, term: str, enough: int) -> int:
        """Count as ``count`` does; more than ``enough`` may be any number above it."""
        roughly = self.with_deleted(term)
        return roughly if roughly > enough + self.gone else self.count(term)

    def postings(self, number: int, term: str) -> Postings | None:
        """Read where a term occurs in a segment; None if nowhere."""
        key = (number, term)
        if key not in self._read:
            entry = self.find(term)[number]
            postings = None if entry is None else self.segments[number].postings(entry)
            self._read[key] = postings if postings and postings.documents else None
        return self._read[key]

    def impacts_in(self, number: int, term: str, wanted: Sequence[int]) -> Impacts:
        """Give those of ``wanted`` (documents, rising) that have a term, with its impacts."""
        entry = self.find(term)[number]
        if entry is None or not wanted:
            return (), ()
        segment = self.segments[number]
        postings = self._read.get((number, term))
        if postings is not None:
            return among(postings.documents, postings.impacts, wanted)
        if len(wanted) > 1:
            hot = self._hot.impacts((number, term), segment, entry)
            if hot is not None:
                impacts = [*map(hot.__getitem__, wanted)]
                return [*compress(wanted, impacts)], [*filter(None, impacts)]
        return segment.impacts(entry, wanted)

    def note(self, number: int, term: str, impacts: dict[int, dict[str, int]]) -> None:
        """Add what a term gives to documents of a segment; they are the keys, rising."""
        for document, impact in zip(*self.impacts_in(number, term, [*impacts]), strict=True):
            impacts[document][term] = impact

    def having(self, number: int, terms: Sequence[str]) -> Joint | None:
        """Give the documents of a segment that have every one of ``terms``; None for all."""
        if not terms:
            return None
        if any(self.find(term)[number] is None for term in terms):
            return NONE
        left: Sequence[int] | None = None
        impacts_of: dict[str, Sequence[int]] = {}
        for term in sorted(terms, key=self.with_deleted):
            documents, impacts = self._narrowed(number, term, left)
            if left is not None and len(documents) < len(left):
                chosen = [*map(frozenset(documents).__contains__, left)]
                impacts_of = {
                    word: [*compress(word_impacts, chosen)]
                    for word, word_impacts in impacts_of.items()
                }
            left, impacts_of[term] = documents, impacts
        return Joint(left or [], impacts_of)

    def _narrowed(self, number: int, term: str, left: Sequence[int] | None) -> Impacts:
        entry = self.find(term)[number]
        if entry is None or left == []:
            return [], []
        # A list of which much is wanted is read whole, and kept: it may be wanted again.
        if left is None or len(left) * _DENSE > self.segments[number].frequency(entry):
            postings = self.postings(number, term)
            if left is None or postings is None:
                return postings or ([], [])
        return self.impacts_in(number, term, left)


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
