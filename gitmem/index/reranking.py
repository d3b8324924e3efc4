"""Candidates in the order of what they give to the clauses of a pasted text.

Gives exactly what ``scan_index`` gives: the same products, added up in the same order.
"""

import heapq
from collections.abc import Mapping, Sequence

from gitmem.index import clauses
from gitmem.index.lookup import Lookup
from gitmem.index.protocol import Hit
from gitmem.index.ranking import ScoredDocument, by_segment
from gitmem.index.sections import SIGN


def reranked(
    lookup: Lookup,
    asks: clauses.Demand,
    passing: Sequence[ScoredDocument],
    limit: int,
    nearer: Mapping[int, float] | None,
) -> list[Hit]:
    """Put candidates in the order of what they give to the clauses.

    Args:
        lookup: looks terms up.
        asks: the question.
        passing: the candidates.
        limit: how many hits at most.
        nearer: see ``clauses.total``, by key; None where meaning does not count.

    """
    enough = clauses.most_counted(lookup.alive)

    def count(term: str) -> int:
        return lookup.count(term) if term.startswith(SIGN) else lookup.count_to(term, enough)

    weighed = clauses.weigh(asks, count, lookup.alive, meant=nearer is not None)
    apart = nearer or {}
    totals: dict[int, float] = {}
    impacts: dict[int, dict[str, int]] = {}
    for number, documents in by_segment(passing).items():
        sums = dict.fromkeys(documents, 0.0)
        here: dict[int, dict[str, int]] = {document: {} for document in documents}
        # In the order in which the question asks, as clauses.total adds up.
        for term, value in weighed.values.items():
            of_term = lookup.impacts_in(number, term, documents)
            for document, impact in zip(*of_term, strict=True):
                sums[document] += value * impact
                here[document][term] = impact
        for term in weighed.marks():
            lookup.note(number, term, here)
        for document, given in sums.items():
            key = lookup.segments[number].keys[document]
            impacts[key] = here[document]
            nearness = apart.get(key, 0.0)
            totals[key] = clauses.with_marks(weighed, given, here[document], nearness)
    best = heapq.nlargest(limit, zip(totals.values(), totals, strict=True))
    return [
        Hit(key, score, clauses.explained(weighed, impacts[key], apart.get(key, 0.0)))
        for score, key in best
    ]
