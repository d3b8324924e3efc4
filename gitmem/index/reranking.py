"""Candidates in the order of what they give to the clauses of a pasted text.

Gives exactly what ``scan_index`` gives: the same products, added up in the same order.
"""

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import add

from gitmem.index import clauses
from gitmem.index.lookup import Impacts, Lookup
from gitmem.index.protocol import Hit, LateParts, Parts
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
    parts: dict[int, Callable[[], Parts]] = {}
    for number, documents in by_segment(passing).items():
        sums = dict.fromkeys(documents, 0.0)
        impacts_of: list[tuple[str, Impacts]] = []
        # In the order in which the question asks, as clauses.total adds up.
        for term, value in weighed.values.items():
            having, impacts = lookup.impacts_in(number, term, documents)
            if having:
                had = map(sums.__getitem__, having)
                sums.update(zip(having, map(add, had, map(value.__mul__, impacts)), strict=True))
                impacts_of.append((term, (having, impacts)))
        marks: dict[int, dict[str, int]] = {}
        for term in weighed.marks():
            for document, impact in zip(*lookup.impacts_in(number, term, documents), strict=True):
                marks.setdefault(document, {})[term] = impact
        for document, given in sums.items():
            key = lookup.segments[number].keys[document]
            nearness = apart.get(key, 0.0)
            # Most candidates have no mark of a question: for these it adds nothing.
            totals[key] = (
                clauses.with_marks(weighed, given, marks.get(document, {}), nearness)
                if nearness or document in marks
                else given
            )
            parts[key] = partial(_explained, weighed, document, impacts_of, marks, nearness)
    best = heapq.nlargest(limit, zip(totals.values(), totals, strict=True))
    return [Hit(key, score, LateParts(parts[key])) for score, key in best]


def _explained(
    weighed: clauses.Weighed,
    document: int,
    impacts_of: Iterable[tuple[str, Impacts]],
    marks: Mapping[int, Mapping[str, int]],
    nearness: float,
) -> Parts:
    impact = {}
    for term, (having, impacts) in impacts_of:
        at = bisect_left(having, document)
        if at < len(having) and having[at] == document:
            impact[term] = impacts[at]
    return clauses.explained(weighed, impact | dict(marks.get(document, {})), nearness)
