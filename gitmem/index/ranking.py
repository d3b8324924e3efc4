"""Ranking over segments of posting lists, a term at a time.

Gives exactly what ``scan_index`` gives: the same terms, the same products, added up in the
same order.
"""

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from gitmem.index import meaning
from gitmem.index.protocol import Allow, Hit, Near, TextOf
from gitmem.index.scoring import (
    ALL_TERMS,
    CANDIDATES,
    Asked,
    Factor,
    Phrase,
    allowed,
    factors,
    hit,
    occurs,
)
from gitmem.index.whoosh_files import Postings, Segment

if TYPE_CHECKING:
    from gitmem.index.clauses import Weighed

_SHORT: Final = 3_000
"""Entries of a list that are gone through for a set of candidates."""
_TOP: Final = 4
"""Times the limit: so many are sorted at first, to have some left for filters to drop."""


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
        self._weighed: Weighed | None = None
        self._nearness: Near | None = None
        # Of each segment: documents with every word, with what is excluded, and the scores.
        self._complete: list[set[int]] = []
        self._excluded: list[list[tuple[Phrase, set[int] | None]]] = []
        self._found: list[dict[int, float]] = []

    def ask(
        self,
        question: Asked,
        loose: Mapping[str, float],
        nearness: Callable[[], Near | None] | None = None,
    ) -> None:
        """Choose the terms that count, and read all that the answer needs."""
        self._question = question
        loose = {term: factor for term, factor in loose.items() if term not in question.terms}
        counts = {term: self.count(term) for term in (*question.terms, *loose)}
        alive = sum(len(s.keys) - len(s.info.deleted) for s in self._segments)
        loose |= question.faint
        asks = question.demand
        self._chosen = factors(counts, alive, loose, question.power, asks.lead if asks else ())
        every = tuple(question.every)
        numbers = range(len(self._segments))
        self._complete = [(every and self._having(n, every)) or set() for n in numbers]
        self._excluded = [
            [(phrase, self._having(n, phrase.leaves)) for phrase in question.excluded]
            for n in numbers
        ]
        self._found = [self._scores(n) for n in numbers]
        if nearness and sum(map(len, self._found)) >= meaning.FEWEST:
            self._nearness = nearness()
        if asks:
            from gitmem.index.clauses import weigh  # noqa: PLC0415  start-up

            self._weighed = weigh(asks, self.count, alive, meant=self._nearness is not None)

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
        if not question.ranked and not (question.phrases and self._chosen):
            info = self._segments[number].info
            scores = {d: 0.0 for d in range(info.documents) if d not in info.deleted}
        else:
            scores = self._ranked(number)
        wanted = self._having(number, tuple({x for p in question.phrases for x in p.leaves}))
        if wanted is not None:
            scores = {d: total for d, total in scores.items() if d in wanted}
        return scores

    def _ranked(self, number: int) -> dict[int, float]:
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
        for document in self._complete[number]:
            if document in scores:
                scores[document] *= ALL_TERMS
        return scores

    def hits(self, limit: int, allow: Allow, text_of: TextOf) -> list[Hit]:
        """Give the best documents that fulfil every condition. Reads no file of the index."""
        found: list[Hit] = []
        if limit <= 0:
            return found
        if self._weighed is not None:
            most = max(limit, CANDIDATES)
            return self._reranked(self._weighed, self._passing(most, allow, text_of), limit)
        if self._nearness is None:
            for key, number, document in self._passing(limit, allow, text_of):
                found.append(self._hit(key, number, document))
            return found
        most = max(limit, meaning.CANDIDATES)
        passing = self._passing(most, allow, text_of)
        found = [self._hit(key, number, document) for key, number, document in passing]
        return meaning.typed(found, self._nearness)[:limit]

    def _passing(self, most: int, allow: Allow, text_of: TextOf) -> Iterator[tuple[int, int, int]]:
        """Yield key, segment and document of those that fulfil every condition, best first."""
        left = most
        for key, number, document in self._ordered(most):
            if not allowed(allow, key):
                continue
            out = any(
                (having is None or document in having) and occurs((phrase,), key, text_of)
                for phrase, having in self._excluded[number]
            )
            if not out and occurs(self._question.phrases, key, text_of):
                yield key, number, document
                left -= 1
                if not left:
                    return

    def _reranked(
        self, weighed: "Weighed", passing: Iterable[tuple[int, int, int]], limit: int
    ) -> list[Hit]:
        """Put candidates in the order of what they give to the clauses."""
        from gitmem.index.clauses import explained, total  # noqa: PLC0415  start-up

        impacts: dict[tuple[int, int], dict[str, int]] = {}
        keys: dict[tuple[int, int], int] = {}
        numbers: dict[int, set[int]] = {}
        for key, number, document in passing:
            keys[number, document] = key
            impacts[number, document] = {}
            numbers.setdefault(number, set()).add(document)
        for term in weighed.terms():
            for number, documents in numbers.items():
                for document, impact in self._impacts_in(number, term, documents):
                    impacts[number, document][term] = impact
        nearer = meaning.nearer(self._nearness(keys.values())) if self._nearness else {}
        scored = [
            (total(weighed, impact, nearer.get(keys[place], 0.0)), keys[place], place)
            for place, impact in impacts.items()
        ]
        best = heapq.nlargest(limit, scored)
        return [
            Hit(key, score, explained(weighed, impacts[place], nearer.get(key, 0.0)))
            for score, key, place in best
        ]

    def _impacts_in(self, number: int, term: str, documents: set[int]) -> Iterator[tuple[int, int]]:
        """Yield those of ``documents`` that have a term, with its impact."""
        found = self._postings(number, term)
        if found is None:
            return
        if len(found.documents) < _SHORT:  # looking at every entry is faster than searching
            for document in documents.intersection(found.documents):
                yield document, _impact(found, document)
        else:
            for document in documents:
                if impact := _impact(found, document):
                    yield document, impact

    def _ordered(self, limit: int) -> Iterator[tuple[int, int, int]]:
        """Yield key, segment and document, best first; most searches need only the top."""
        totals = chain.from_iterable(scores.values() for scores in self._found)
        top = heapq.nlargest(_TOP * limit, totals)
        floor = top[-1] if top else 0.0
        for lower in (False, True):
            candidates = [
                (total, self._segments[number].keys[document], number, document)
                for number, scores in enumerate(self._found)
                for document, total in scores.items()
                if (total < floor) is lower
            ]
            candidates.sort(reverse=True)
            for _, key, number, document in candidates:
                yield key, number, document

    def _hit(self, key: int, number: int, document: int) -> Hit:
        impact: dict[str, int] = {}
        for term, _ in self._chosen:
            found = self._postings(number, term)
            if found and (value := _impact(found, document)):
                impact[term] = value
        complete = document in self._complete[number]
        return hit(key, self._chosen, impact, complete=complete)


def _impact(postings: Postings, document: int) -> int:
    at = bisect_left(postings.documents, document)
    if at < len(postings.documents) and postings.documents[at] == document:
        return postings.impacts[at]
    return 0
