"""Ranking over segments of posting lists, a term at a time.

Gives exactly what ``scan_index`` gives: the same terms, the same products, added up in the
same order.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, compress, islice, repeat
from operator import add
from typing import Final, NamedTuple

from gitmem.index.hot_cache import HotCache
from gitmem.index.lookup import NONE, ROUNDING, Joint, Lookup, best_of
from gitmem.index.protocol import Allow, Hit, TextOf
from gitmem.index.scoring import (
    ALL_TERMS,
    HIGHEST,
    MAX_TERMS,
    Asked,
    Factor,
    Phrase,
    allowed,
    factors,
    hit,
    most_leading,
    occurs,
    only_adding,
)
from gitmem.index.semantic_scores import BROUGHT
from gitmem.index.whoosh_files import Segment

WORTH_PRUNING: Final = 500
"""Postings of a term that are read sooner than it is worked out whether they are needed."""


class ScoredDocument(NamedTuple):
    """A document that may be a hit: its score, its key, and where it lies."""

    score: float
    key: int
    number: int
    document: int


class Ranking:
    """One question to a set of segments.

    In turn: ``ask``, ``score``, ``passing`` and ``hits``. All but ``passing`` read files of the
    index.

    Args:
        segments: the segments.
        hot: what is kept of them.
        allow: which keys may be found; others are not scored.

    Attributes:
        lookup: looks terms up.

    """

    def __init__(self, segments: Sequence[Segment], hot: HotCache, allow: Allow = None) -> None:
        self._segments = segments
        self._allow = allow
        self._allowed = hot.allowed(allow, segments)
        self.lookup = Lookup(segments, hot)
        self._question = Asked((), frozenset(), (), (), ranked=False, power=1.0)
        self._chosen: tuple[Factor, ...] = ()
        self._adding: frozenset[str] = frozenset()
        self._deleted, self._alive = self.lookup.gone, self.lookup.alive
        # Of each segment: documents with what is excluded, the scores, and those with every word.
        self._excluded: list[list[tuple[Phrase, set[int] | None]]] = []
        self._scores: list[dict[int, float]] = []
        self._complete: list[set[int]] = []
        self._joint: list[Joint] = []
        self._most = 0
        self.all_scored = False
        self._passed: dict[int, bool] = {}

    def count(self, term: str) -> int:
        """Count the documents alive that have a term; at any time."""
        return self.lookup.count(term)

    def ask(self, question: Asked, loose: Mapping[str, float]) -> None:
        """Choose the terms that count."""
        self._question = question
        loose = {term: factor for term, factor in loose.items() if term not in question.terms}
        asks = question.demand
        counts = self._rough_counts((*question.terms, *loose))
        related = {t: factor for t, factor in question.related.items() if t not in loose}
        most = most_leading(self._alive)
        counts |= {term: self.lookup.count_to(term, most) for term in related}
        self._adding = only_adding(question, self.lookup.count_to, self._alive)
        self._chosen = factors(
            counts,
            self._alive,
            {**loose, **question.faint},
            question.power,
            asks.leads if asks else (),
            related,
            self._adding,
        )
        self._excluded = [
            [(phrase, self._having(n, phrase.leaves)) for phrase in question.excluded]
            for n in range(len(self._segments))
        ]

    def _rough_counts(self, terms: Iterable[str]) -> dict[str, int]:
        """Count documents, exactly where a term may be among those that count.

        To count without the deleted ones, postings are read; of words that many records have,
        they are long.
        """
        counts = {term: self.lookup.with_deleted(term) for term in terms}
        if self._deleted:
            sure = heapq.nsmallest(MAX_TERMS, (n for n in counts.values() if n > self._deleted))
            enough = sure[-1] if len(sure) == MAX_TERMS else self._alive
            enough = max(enough, most_leading(self._alive))
            counts = {term: self.lookup.count_to(term, enough) for term in counts}
        return counts

    # Scores

    def score(self, most: int) -> None:
        """Score the documents that may be among the ``most`` best; it may be called with more."""
        question = self._question
        numbers = range(len(self._segments))
        leaves = tuple({leaf for phrase in question.phrases for leaf in phrase.leaves})
        having = [self._having(n, leaves, are_allowed=True) for n in numbers]
        self._most, self.all_scored = most, True
        self._joint = [self._with_every_word(n) for n in numbers]
        self._complete = [set(joint.documents) for joint in self._joint]
        if not question.ranked and not (question.phrases and self._chosen):
            documents_of = [
                self._living(n) if joint_documents is None else joint_documents
                for n, joint_documents in enumerate(having)
            ]
            self._scores = [dict.fromkeys(documents, 0.0) for documents in documents_of]
        elif leaves:
            self._scores = [dict.fromkeys(joint_documents or (), 0.0) for joint_documents in having]
            for term, value in self._chosen:
                self._add_to_found(term, value)
            self._scores = [{d: s for d, s in scores.items() if s} for scores in self._scores]
        else:
            self._scores = [{} for _ in numbers]
            self._rank(most)
        for scores, complete in zip(self._scores, self._complete, strict=True):
            for document in complete.intersection(scores):
                scores[document] *= ALL_TERMS

    def _having(
        self, number: int, terms: Sequence[str], *, are_allowed: bool = False
    ) -> set[int] | None:
        postings = self.lookup.having(number, terms)
        if postings is None:
            return None
        documents = postings.documents
        if are_allowed and self._allowed:
            return {*compress(documents, map(self._allowed[number].__getitem__, documents))}
        return set(documents)

    def _with_every_word(self, number: int) -> Joint:
        joint = self.lookup.having(number, tuple(self._question.every)) or NONE
        if not self._allowed:
            return joint
        chosen = [*map(self._allowed[number].__getitem__, joint.documents)]
        of_chosen = {term: [*compress(given, chosen)] for term, given in joint.impacts.items()}
        return Joint([*compress(joint.documents, chosen)], of_chosen)

    def _living(self, number: int) -> Iterable[int]:
        info = self._segments[number].info
        documents: Iterable[int] = range(info.documents)
        if self._allowed:
            documents = compress(documents, self._allowed[number])
        return [document for document in documents if document not in info.deleted]

    def _rank(self, most: int) -> None:
        """Add up what the terms give: those that find documents, rarest first, then the others.

        What the terms left can give at most is known. A document that has none of those before
        them is out as soon as that is less than what the ``most`` best have already; from then
        on postings are only looked up for documents that are still in. Which have every word is
        known beforehand, so that nobody else is kept for what that would add.
        """
        alone = self._bounds()
        left = [*accumulate(reversed(alone), initial=0.0)][::-1]
        sure = self._only_complete(most, alone, left)
        if not self.all_scored:
            return
        for at, (term, value) in enumerate(self._chosen):
            if self.all_scored and term in self._adding:
                self._add_to_found(term, value)
                continue
            if self.all_scored:
                # No score is higher than what the terms before this one give at most.
                reached = max(sure, (left[0] - left[at]) * ALL_TERMS)
                if self.lookup.with_deleted(term) < WORTH_PRUNING or reached <= left[at]:
                    self._add(term, value)
                    continue
            least = max(sure, self._least(most))
            if self.all_scored:
                if left[at] >= least:
                    self._add(term, value)
                    continue
                self.all_scored = False
                for scores, complete in zip(self._scores, self._complete, strict=True):
                    scores.update(dict.fromkeys(complete - scores.keys(), 0.0))
            floor, lower = least - left[at], least / ALL_TERMS - left[at]
            self._scores = [
                {d: s for d, s in scores.items() if s >= floor or (s >= lower and d in complete)}
                for scores, complete in zip(self._scores, self._complete, strict=True)
            ]
            self._add_to_found(term, value)

    def _only_complete(self, most: int, alone: Sequence[float], left: Sequence[float]) -> float:
        """Score the documents with every word; give what the last of the ``most`` best has.

        Where that is more than any document can have that lacks a word, no other is scored.
        Otherwise the scores are dropped. Where there are fewer, 0 is given.
        """
        if not 0 < most <= sum(len(joint.documents) for joint in self._joint):
            return 0.0
        scores_found, least = best_of(self.lookup, self._joint, self._chosen, left, most)
        least *= ALL_TERMS
        bounds = {term: bound for (term, _), bound in zip(self._chosen, alone, strict=True)}
        lacking = left[0] - min(bounds.get(leaf, 0.0) for leaf in self._question.every)
        if least > lacking:
            self.all_scored = False
            self._scores = scores_found
        return least

    def _least(self, most: int) -> float:
        """Give what the last of the ``most`` best has already; 0 if there are fewer."""
        totals: list[float] = []
        for scores, complete in zip(self._scores, self._complete, strict=True):
            more = {document: scores[document] * ALL_TERMS for document in complete & scores.keys()}
            totals += (scores | more if more else scores).values()
        return heapq.nlargest(most, totals)[-1] * ROUNDING if len(totals) >= most > 0 else 0.0

    def _bounds(self) -> list[float]:
        """Give for each term what it can add at most."""
        bounds: list[float] = []
        for term, value in self._chosen:
            highest = 0
            for segment, entry in zip(self._segments, self.lookup.find(term), strict=True):
                if entry is not None:
                    highest = max(highest, segment.highest(entry) or HIGHEST)
            bounds.append(value * highest)
        return bounds

    def _add(self, term: str, value: float) -> None:
        for number, scores in enumerate(self._scores):
            postings = self.lookup.postings(number, term)
            if postings is None:
                continue
            documents: Sequence[int] = postings.documents
            impacts: Sequence[int] = postings.impacts
            if self._allowed:
                chosen = [*map(self._allowed[number].__getitem__, documents)]
                documents, impacts = [*compress(documents, chosen)], [*compress(impacts, chosen)]
            given = map(value.__mul__, impacts)
            if scores:
                given = map(add, map(scores.get, documents, repeat(0.0)), given)
            scores.update(zip(documents, given, strict=True))

    def _add_to_found(self, term: str, value: float) -> None:
        for number, scores in enumerate(self._scores):
            documents, impacts = self.lookup.impacts_in(number, term, sorted(scores))
            had = map(scores.__getitem__, documents)
            scores.update(zip(documents, map(add, had, map(value.__mul__, impacts)), strict=True))

    @property
    def found(self) -> int:
        """Count the documents that were scored."""
        return sum(map(len, self._scores))

    # Hits

    def passing(self, most: int, text_of: TextOf) -> list[ScoredDocument]:
        """Give the best documents that fulfil every condition."""
        ordered = self._ordered() if most > 0 else iter(())
        if not (self._question.phrases or any(self._excluded)):
            return [*islice(ordered, most)]
        documents: list[ScoredDocument] = []
        for document in ordered:
            if self._passes(document, text_of):
                documents.append(document)
                if len(documents) == most:
                    break
        return documents

    def brought(
        self,
        nearest: Iterable[int],
        passing: Sequence[ScoredDocument],
        text_of: TextOf,
    ) -> list[ScoredDocument]:
        """Give the documents nearest in meaning, of those that fulfil every condition.

        Args:
            nearest: keys, the nearest first; some may be of no document.
            passing: documents that words have found, which are left out.
            text_of: gives a key's text, for what must not occur.

        """
        have = {document.key for document in passing}
        keys = islice((key for key in nearest if allowed(self._allow, key)), BROUGHT)
        wanted = {key for key in keys if key not in have}
        documents = [
            ScoredDocument(0.0, key, number, document)
            for number, segment in enumerate(self._segments)
            for document, key in enumerate(segment.keys)
            if key in wanted and document not in segment.info.deleted
        ]
        return [document for document in documents if self._passes(document, text_of)]

    def _passes(self, document: ScoredDocument, text_of: TextOf) -> bool:
        passed = self._passed.get(document.key)
        if passed is None:
            passed = not any(
                (having is None or document.document in having)
                and occurs((phrase,), document.key, text_of)
                for phrase, having in self._excluded[document.number]
            )
            passed = passed and occurs(self._question.phrases, document.key, text_of)
            self._passed[document.key] = passed
        return passed

    def _ordered(self) -> Iterator[ScoredDocument]:
        """Yield documents, best first; if not all were scored, as many as are sure."""
        totals = chain.from_iterable(scores.values() for scores in self._scores)
        top = heapq.nlargest(self._most, totals)
        floor = top[-1] if top else 0.0
        for lower in (False, True) if self.all_scored else (False,):
            candidates = [
                ScoredDocument(total, self._segments[number].keys[document], number, document)
                for number, scores in enumerate(self._scores)
                for document, total in scores.items()
                if (total < floor) is lower
            ]
            candidates.sort(reverse=True)
            yield from candidates if self.all_scored else candidates[: self._most]

    def hits(self, passing: Sequence[ScoredDocument]) -> list[Hit]:
        """Give hits with what each term gave."""
        impacts: dict[int, dict[int, dict[str, int]]] = {}
        for number, documents in by_segment(passing).items():
            impacts[number] = {document: {} for document in documents}
            for term, _ in self._chosen:
                self.lookup.note(number, term, impacts[number])
        return [
            hit(
                key,
                self._chosen,
                impacts[number][document],
                complete=document in self._complete[number],
            )
            for _, key, number, document in passing
        ]


def by_segment(passing: Iterable[ScoredDocument]) -> dict[int, list[int]]:
    """Give the documents of each segment, rising."""
    documents_by_segment: dict[int, list[int]] = {}
    for document in passing:
        documents_by_segment.setdefault(document.number, []).append(document.document)
    for documents in documents_by_segment.values():
        documents.sort()
    return documents_by_segment
