"""Ranking over segments of posting lists, a term at a time.

Gives exactly what ``scan_index`` gives: the same terms, the same products, added up in the
same order.
"""

import heapq
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from gitmem.index.protocol import Allow, Hit, TextOf
from gitmem.index.scoring import (
    ALL_TERMS,
    Asked,
    Factor,
    allowed,
    factors,
    hit,
    occurs,
)
from gitmem.index.whoosh_files import Postings, Segment

Place = tuple[int, int]
"""A segment, and a document in it, both counted from 0."""


class Ranking:
    """One question to a set of segments.

    ``count`` may be asked at any time; ``ask`` first, then ``hits``.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments
        self._places: dict[str, list[int | None]] = {}
        self._read: dict[tuple[int, str], Postings | None] = {}
        self._question = Asked((), frozenset(), (), (), ranked=False, power=1.0)
        self._chosen: tuple[Factor, ...] = ()

    def ask(self, question: Asked, loose: Mapping[str, float]) -> None:
        """Choose the terms that count."""
        self._question = question
        loose = {term: factor for term, factor in loose.items() if term not in question.terms}
        counts = {term: self.count(term) for term in (*question.terms, *loose)}
        alive = sum(len(s.keys) - len(s.info.deleted) for s in self._segments)
        self._chosen = factors(counts, alive, loose, question.power)

    def count(self, term: str) -> int:
        """Count the documents alive that have a term."""
        total = 0
        for number, place in enumerate(self._find(term)):
            if place is None:
                continue
            segment = self._segments[number]
            if segment.info.deleted:
                found = self._postings(number, term)
                total += len(found.documents) if found else 0
            else:
                total += segment.frequency(place)
        return total

    def _find(self, term: str) -> list[int | None]:
        places = self._places.get(term)
        if places is None:
            places = self._places[term] = [segment.find(term) for segment in self._segments]
        return places

    def _postings(self, number: int, term: str) -> Postings | None:
        """Read where a term occurs in a segment; None if nowhere."""
        known = (number, term)
        if known not in self._read:
            place = self._find(term)[number]
            found = None if place is None else self._segments[number].postings(place)
            self._read[known] = found if found and found.documents else None
        return self._read[known]

    def _having(self, number: int, terms: Sequence[str]) -> set[int] | None:
        """Give the documents of a segment that have every one of ``terms``; None for all."""
        if not terms:
            return None
        lists = [self._postings(number, term) for term in terms]
        if None in lists:
            return set()
        first, *others = sorted((p.documents for p in lists if p), key=len)
        return set(first).intersection(*others)

    def _scores(self, number: int) -> dict[int, float]:
        """Score the documents of a segment that may be hits."""
        question = self._question
        segment = self._segments[number]
        scores: dict[int, float] = {}
        for term, value in self._chosen:
            found = self._postings(number, term)
            if found is None:
                continue
            if not scores:
                scores = {d: value * i for d, i in zip(*found, strict=True)}
                continue
            get = scores.get
            for document, impact in zip(*found, strict=True):
                scores[document] = get(document, 0.0) + value * impact
        for document in self._complete(number):
            if document in scores:
                scores[document] *= ALL_TERMS
        leaves = tuple({leaf for phrase in question.phrases for leaf in phrase.leaves})
        wanted = self._having(number, leaves)
        if not question.ranked and not (question.phrases and self._chosen):
            deleted = segment.info.deleted
            scores = {d: 0.0 for d in range(len(segment.keys)) if d not in deleted}
        if wanted is not None:
            scores = {d: total for d, total in scores.items() if d in wanted}
        return scores

    def _complete(self, number: int) -> set[int]:
        """Give the documents with every word of the question."""
        every = self._question.every
        return (self._having(number, tuple(every)) or set()) if every else set()

    def hits(self, limit: int, allow: Allow, text_of: TextOf) -> list[Hit]:
        """Give the best documents that fulfil every condition."""
        if limit <= 0:
            return []
        found: list[Hit] = []
        excluded = [
            [(phrase, self._having(number, phrase.leaves)) for phrase in self._question.excluded]
            for number in range(len(self._segments))
        ]
        for key, (number, document) in self._ordered(limit, allow):
            out = any(
                (having is None or document in having) and occurs((phrase,), key, text_of)
                for phrase, having in excluded[number]
            )
            if not out and occurs(self._question.phrases, key, text_of):
                found.append(self._hit(key, number, document))
                if len(found) == limit:
                    break
        return found

    def _ordered(self, limit: int, allow: Allow) -> Iterator[tuple[int, Place]]:
        """Yield keys from the best on; only as much is sorted as is taken."""
        candidates: list[tuple[float, int, Place]] = []
        for number, segment in enumerate(self._segments):
            keys = segment.keys
            candidates += [
                (-total, -keys[document], (number, document))
                for document, total in self._scores(number).items()
            ]
        heapq.heapify(candidates)
        while candidates:
            _, key, place = heapq.heappop(candidates)
            if allowed(allow, -key):
                yield -key, place

    def _hit(self, key: int, number: int, document: int) -> Hit:
        impact: dict[str, int] = {}
        for term, _ in self._chosen:
            found = self._postings(number, term)
            if found and (value := _impact(found, document)):
                impact[term] = value
        complete = document in self._complete(number)
        return hit(key, self._chosen, impact, complete=complete)


def _impact(postings: Postings, document: int) -> int:
    at = bisect_left(postings.documents, document)
    if at < len(postings.documents) and postings.documents[at] == document:
        return postings.impacts[at]
    return 0

