"""An index in memory that reads every document: the oracle of tests, and the fallback.

Where no index can be kept on disk, searches are answered from here; and what the index on
disk answers is tested against it. Kept simple enough to be seen right.
"""

from collections.abc import Callable, Iterable
from itertools import islice

from gitmem.index import clauses, semantic_scores, spelling
from gitmem.index.document import Document, Impacts
from gitmem.index.protocol import Allow, Hit, Near, Nearness, TextOf
from gitmem.index.scoring import (
    CANDIDATES,
    Asked,
    Phrase,
    allowed,
    factors,
    hit,
    impacts,
    occurs,
    only_adding,
    parse_question,
    score,
    spellings,
)
from gitmem.index.semantic_scores import BROUGHT
from gitmem.query import Query


class ScanIndex:
    """See ``protocol.Index``."""

    def __init__(self, nearness: Nearness | None = None) -> None:
        self._nearness = nearness
        self._documents: dict[int, dict[str, int]] = {}
        self._updates = 0

    def generation(self) -> str:
        """Count the updates of this object."""
        return str(self._updates) if self._updates else ""

    def update(
        self,
        upserts: Iterable[tuple[int, Document | Impacts]],
        deletes: Iterable[int],
        progress: Callable[[int], None] | None = None,
    ) -> str:
        """See ``protocol.Index``."""
        changed = dict(self._documents)
        for key in deletes:
            changed.pop(key, None)
        for taken, (key, document) in enumerate(upserts):
            changed[key] = impacts(document)
            if progress:
                progress(taken + 1)
        if changed != self._documents:
            self._documents = changed
            self._updates += 1
        return self.generation()

    def search(
        self, query: Query, limit: int, *, allow: Allow = None, text_of: TextOf
    ) -> list[Hit]:
        """See ``protocol.Index``."""
        question = parse_question(query)
        loose = self._loose(query, question)
        related = {t: factor for t, factor in question.related.items() if t not in loose}
        counts = {term: self._count(term) for term in (*question.terms, *loose, *related)}
        alive = len(self._documents)
        loose |= question.faint
        leads = question.demand.leads if question.demand else ()
        adding = only_adding(question, lambda term, _: self._count(term), alive)
        chosen = factors(counts, alive, loose, question.power, leads, related, adding)
        finding = {factor.term for factor in chosen}.difference(adding)
        unranked = not question.ranked and not (question.phrases and chosen)

        def complete(impact: dict[str, int]) -> bool:
            return bool(question.every) and question.every <= impact.keys()

        ranked: list[tuple[float, int]] = []
        for key, impact in self._documents.items():
            if not allowed(allow, key):
                continue
            total = score(chosen, impact, complete=complete(impact))
            is_found = unranked or not finding.isdisjoint(impact)
            if is_found and all(_has(phrase, impact) for phrase in question.phrases):
                ranked.append((total, key))
        near = self._near_to(query, question, len(ranked), limit)
        asks, meant = question.demand, near is not None
        weighed = clauses.weigh(asks, self._count, alive, meant=meant) if asks else None
        hits: list[Hit] = []
        most = max(limit, CANDIDATES if weighed else semantic_scores.CANDIDATES if near else 0)

        def passes(key: int) -> bool:
            there = key in self._documents and allowed(allow, key)
            return there and self._passes(question, key, text_of)

        def hit_of(key: int) -> Hit:
            impact = self._documents[key]
            return hit(key, chosen, impact, complete=complete(impact))

        for _, key in sorted(ranked, reverse=True):
            if limit <= 0 or len(hits) >= most:
                break
            if passes(key):
                hits.append(hit_of(key))
        if weighed is not None:
            hits = self._reranked(weighed, [hit.key for hit in hits], near)
        elif near:
            have = {hit.key for hit in hits}
            brought = {key for key in _brought(near, question, allow) if passes(key)} - have
            hits = semantic_scores.with_meaning([*hits, *map(hit_of, brought)], near, brought)
        return hits[: max(limit, 0)]

    def _loose(self, query: Query, question: Asked) -> dict[str, float]:
        """Give the factors of terms that are spelt nearly as words of the question."""
        loose: dict[str, float] = {}
        for word, steps in query.fuzzy:
            for term, factor in spellings(self._near(word, steps), self._count).items():
                loose[term] = max(factor, loose.get(term, 0.0))
        return {term: factor for term, factor in loose.items() if term not in question.terms}

    def _passes(self, question: Asked, key: int, text_of: TextOf) -> bool:
        impact = self._documents[key]
        return occurs(question.phrases, key, text_of) and not any(
            _has(phrase, impact) and occurs((phrase,), key, text_of) for phrase in question.excluded
        )

    def _near_to(self, query: Query, question: Asked, hits: int, limit: int) -> Near | None:
        if self._nearness and question.ranked and limit > 0:
            return self._nearness(query, hits)
        return None

    def _reranked(self, weighed: clauses.Weighed, keys: list[int], near: Near | None) -> list[Hit]:
        nearer = semantic_scores.nearer(near.cosines(keys)) if near else {}
        hits = []
        terms = (*weighed.values, *weighed.marks())
        for key in keys:
            impact = self._documents[key]
            impact = {term: impact[term] for term in terms if term in impact}
            asks = weighed, impact, nearer.get(key, 0.0)
            hits.append(Hit(key, clauses.total(*asks), clauses.explained(*asks)))
        return sorted(hits, key=lambda hit: (-hit.score, -hit.key))

    def suggest(self, query: Query) -> str | None:
        """See ``protocol.Index``."""
        lexicon = self._lexicon()
        return spelling.respelt(
            query,
            self._count,
            lambda word, most: spelling.scan(word, most, lexicon),
            lambda start: (word for word in lexicon if word.startswith(start)),
        )

    def keys(self) -> set[int]:
        """See ``protocol.Index``."""
        return set(self._documents)

    def close(self) -> None:
        """See ``protocol.Index``."""
        self._documents = {}

    def _count(self, term: str) -> int:
        return sum(term in impact for impact in self._documents.values())

    def _lexicon(self) -> set[str]:
        return {term for impact in self._documents.values() for term in impact}

    def _near(self, word: str, steps: int) -> dict[str, int]:
        lexicon = self._lexicon()
        return spelling.near(word, steps, lambda form, most: spelling.scan(form, most, lexicon))


def _brought(near: Near, question: Asked, allow: Allow) -> Iterable[int]:
    """Give the nearest of those that may be found."""
    nearest = near.nearest() if near.nearest and not question.phrases else ()
    return islice((key for key in nearest if allowed(allow, key)), BROUGHT)


def _has(phrase: Phrase, impact: dict[str, int]) -> bool:
    return impact.keys() >= set(phrase.leaves)
