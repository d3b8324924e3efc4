"""Looking terms up in segments, once for a question: counts, postings, impacts of documents."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from gitmem.index.hot import Entries, Hot
from gitmem.index.whoosh_files import Postings, Segment

_DENSE: Final = 8
"""Where more than one of so many documents of a term are asked for, all are read, and kept."""
_FEW: Final = 32
"""So few documents are looked for one by one in a list of a thousand."""

Pairs = Iterable[tuple[int, int]]


class Lookup:
    """What one question looks up in a set of segments.

    Attributes:
        segments: those segments.
        gone: how many documents in them are deleted.
        alive: how many are not.

    """

    def __init__(self, segments: Sequence[Segment], hot: Hot) -> None:
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
        known = (number, term)
        if known not in self._read:
            entry = self.find(term)[number]
            found = None if entry is None else self.segments[number].postings(entry)
            self._read[known] = found if found and found.documents else None
        return self._read[known]

    def impacts_in(self, number: int, term: str, wanted: Sequence[int]) -> Pairs:
        """Give those of ``wanted`` (documents, rising) that have a term, with its impact."""
        entry = self.find(term)[number]
        if entry is None or not wanted:
            return ()
        segment = self.segments[number]
        found = self._read.get((number, term))
        if found is not None:
            documents, impacts = found
            if len(wanted) > _FEW:
                wanted = sorted(frozenset(wanted).intersection(documents))
            places = (bisect_left(documents, document) for document in wanted)
            return [
                (document, impacts[at])
                for document, at in zip(wanted, places, strict=True)
                if at < len(documents) and documents[at] == document
            ]
        if len(wanted) > 1:
            hot = self._hot.impacts((number, term), segment, entry)
            if hot is not None:
                pairs = zip(wanted, map(hot.__getitem__, wanted), strict=True)
                return [pair for pair in pairs if pair[1]]
        return segment.impacts(entry, wanted)

    def having(self, number: int, terms: Sequence[str]) -> set[int] | None:
        """Give the documents of a segment that have every one of ``terms``; None for all."""
        if not terms:
            return None
        if any(self.find(term)[number] is None for term in terms):
            return set()
        rarest, *others = sorted(terms, key=self.with_deleted)
        first = self.postings(number, rarest)
        return self._having_too(number, others, set(first.documents) if first else set())

    def _having_too(self, number: int, terms: Iterable[str], among: set[int]) -> set[int]:
        for term in terms:
            entry = self.find(term)[number]
            if entry is None or not among:
                return set()
            frequent = self.segments[number].frequency(entry)
            if len(among) * _DENSE > frequent or (number, term) in self._read:
                found = self.postings(number, term)
                among = among.intersection(found.documents) if found else set()
            else:
                among = {document for document, _ in self.impacts_in(number, term, sorted(among))}
        return among
