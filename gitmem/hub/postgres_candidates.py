"""How PostgreSQL finds the records for which the factors of terms add up highest.

The work of a question is that of the records that it reads. Several terms are read whole: who asks
keeps them within a budget (see ``protocol.POSTINGS``). The one term of a question of common words
may be in a third of all records. All that have it are worth the same, or one of two values, so the
newest of the better ones are asked for first, and of the others only if these are not enough.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gitmem.hub.postgres_overview import Condition, Statement
from gitmem.hub.protocol import POSTINGS, STRONG

_ADDED_UP: Final = """
SELECT repo, id, created, round(sum(weight)::numeric, 6) AS score
FROM unnest(%(terms)s::text[], %(weights)s::float8[]) AS q (term, weight)
CROSS JOIN LATERAL (
    SELECT m.repo, m.id, m.created FROM record m
    WHERE m.terms @@ q.term::tsquery AND {condition} OFFSET 0
) found
GROUP BY repo, id, created
"""
FEW: Final = 200
"""Repositories whose records are named as such, so that an index of these narrows the search."""
_OF_FEW: Final = " AND m.repo = any(%(few)s)"
_NEWEST: Final = """
SELECT m.repo, m.id, m.created, round(%(score)s::numeric, 6) AS score
FROM ({having_it}) m ORDER BY m.created DESC FETCH FIRST %(limit)s ROWS WITH TIES
"""
_HAVING_IT: Final = """
SELECT m.repo, m.id, m.created FROM record m WHERE m.terms @@ %(query)s::tsquery AND {condition}
"""
_PROBES: Final = 3.5
"""What it costs to see whether a record has a term, which are kept apart from the rest of it, by
what it costs to read one that the index of terms names."""
# Few are wanted of many: what is read of a record beside its terms is read of these only. To single
# terms out by a weight takes a sixth of the time that it takes to list all and drop most.
_BEST_FIRST: Final = "ORDER BY score DESC, created DESC, name DESC, id DESC"
_BEST: Final = """
WITH matching AS ({matching}), best AS (
    SELECT * FROM matching JOIN repository p USING (repo) {order} LIMIT %(limit)s
)
SELECT name, id, created, score::float8, (
    SELECT json_object_agg(lexeme, positions[1])
    FROM record m, unnest(ts_filter(setweight(m.terms, 'A', %(reading)s), '{{a}}'))
    WHERE m.repo = best.repo AND m.id = best.id
)
FROM best {order}
"""


class EqualRecords(NamedTuple):
    """Records that a question values alike.

    Attributes:
        query: what they have, as a ``tsquery``.
        score: of each.
        records: how many there are in the database.

    """

    query: str
    score: float
    records: int


class CandidateSearch(NamedTuple):
    """What candidates are asked for; see ``protocol.Engine.candidates``.

    Attributes:
        visible: who may see what.
        kinds: only these; empty: all.
        reading: terms of which to give impacts.

    """

    visible: Condition
    kinds: Collection[str]
    reading: Collection[str]

    def statement(self, matching: str, limit: int, values: Mapping[str, Any]) -> Statement:
        """Complete what finds records with what is read of them."""
        condition, who = self.visible
        if self.kinds:
            condition += " AND m.kind = any(%(kinds)s)"
        whole = _BEST.format(matching=matching.format(condition=condition), order=_BEST_FIRST)
        of_question = {"kinds": list(self.kinds), "reading": list(self.reading), "limit": limit}
        return whole, {**who, **of_question, **values}


def added_up(
    search: CandidateSearch, factors: Sequence[tuple[str, float]], limit: int
) -> Statement:
    """Ask for those for which the factors of several terms add up highest."""
    terms = [quoted(term) for term, _ in factors]
    weights = [value for _, value in factors]
    return search.statement(_ADDED_UP, limit, {"terms": terms, "weights": weights})


def newest(
    search: CandidateSearch, equal: EqualRecords, everything: int, few: Sequence[int], limit: int
) -> Statement:
    """Ask for the newest of equal records.

    Args:
        search: what is asked for.
        equal: of these.
        everything: how many records there are in the database.
        few: the numbers of all repositories that are visible, if these are few.
        limit: how many at most.

    """
    having_it = _HAVING_IT + (_OF_FEW if few else "")
    if few or equal.records <= max(POSTINGS, math.sqrt(_PROBES * limit * everything)):
        # OFFSET 0: all are read, by the index of terms. Else it is the planner's, which takes the
        # index of ages: it goes through the newest of all until there are enough with the term.
        having_it += " OFFSET 0"
    values = {"query": equal.query, "score": equal.score, "few": list(few)}
    return search.statement(_NEWEST.format(having_it=having_it), limit, values)


def is_of_one_term(factors: Sequence[tuple[str, float]]) -> bool:
    """Tell whether all factors are of one term, or of it and its twin."""
    (term, _), *others = factors
    return [name for name, _ in others] in ([], [STRONG + term])


def equals(
    factors: Sequence[tuple[str, float]], counts: Mapping[str, int]
) -> tuple[EqualRecords, ...]:
    """Give the records of each possible score, the best first, where all factors are of one term.

    Args:
        factors: see ``is_of_one_term``.
        counts: how many records in the database have each of the terms.

    """
    (term, value), *others = factors
    there, strong = counts.get(term, 0), counts.get(STRONG + term, 0)
    best = value + sum(more for _, more in others)
    if round(best, 6) == round(value, 6):
        return (EqualRecords(quoted(term), value, there),)
    twin = quoted(STRONG + term)  # a record that has it has the term
    return (
        EqualRecords(twin, best, strong),
        EqualRecords(f"{quoted(term)} & !{twin}", value, there - strong),
    )


def quoted(term: str) -> str:
    """Write a term so that it is one lexeme, whatever it holds."""
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
