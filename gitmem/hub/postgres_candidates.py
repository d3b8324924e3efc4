"""How PostgreSQL finds the records for which the factors of terms add up highest.

The work of a question is that of the records that it reads. Several terms are read whole: who asks
keeps them within a budget (see ``protocol.POSTINGS``). The one term of a question of common words
may be in a third of all records: of it the newest are read, until there are enough. Where few
repositories may be seen, the newest of all would nearly all be others': the ages of theirs are
listed out of an index, and the newest of these read.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from gitmem.hub.postgres_overview import Condition, Statement
from gitmem.hub.protocol import STRONG

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
"""Repositories whose records are listed at most."""
_NEWEST: Final = """
(SELECT m.repo, m.id, m.created, round({score}::numeric, 6) AS score
FROM record m WHERE m.terms @@ {query}::tsquery AND {condition}
ORDER BY m.created DESC FETCH FIRST %(limit)s ROWS WITH TIES)
"""
# Both OFFSET 0 hold the planner to it: list, then look at one after the other until it is enough.
_NEWEST_OF_FEW: Final = """
(SELECT listed.repo, listed.id, listed.created, round({score}::numeric, 6) AS score
FROM (
    SELECT repo, id, created FROM record WHERE repo = any(%(few)s) ORDER BY created DESC OFFSET 0
) listed CROSS JOIN LATERAL (
    SELECT FROM record m WHERE m.repo = listed.repo AND m.id = listed.id
    AND m.terms @@ {query}::tsquery AND {condition} OFFSET 0
) having_it
ORDER BY listed.created DESC FETCH FIRST %(limit)s ROWS WITH TIES)
"""
# Few are wanted of many: what is read of a record beside its terms is read of these only.
_BEST_FIRST: Final = "ORDER BY score DESC, created DESC, name DESC, id DESC"
_BEST: Final = """
WITH matching AS ({matching}), best AS (
    SELECT * FROM matching JOIN repository p USING (repo) {order} LIMIT %(limit)s
)
SELECT name, id, created, score::float8, (
    SELECT json_object_agg(lexeme, positions[1]) FROM record m, unnest(m.terms)
    WHERE m.repo = best.repo AND m.id = best.id AND lexeme = any(%(reading)s)
)
FROM best {order}
"""


def candidates(
    visible: Condition,
    factors: Sequence[tuple[str, float]],
    kinds: Collection[str],
    limit: int,
    reading: Collection[str],
    few: Sequence[int] = (),
) -> Statement:
    """Ask for candidates; see ``protocol.Engine.candidates``.

    ``few``: the numbers of all repositories that are visible, if these are few.
    """
    condition, who = visible
    if kinds:
        condition += " AND m.kind = any(%(kinds)s)"
    values: dict[str, Any] = {
        **who, "few": list(few), "kinds": list(kinds), "reading": list(reading), "limit": limit,
        "terms": [quoted(term) for term, _ in factors], "weights": [value for _, value in factors],
    }  # fmt: skip
    alone = of_one_term(factors)
    if not alone:
        return _whole(_ADDED_UP.format(condition=condition)), values
    newest = _NEWEST_OF_FEW if few else _NEWEST
    branches = []
    for number, (query, score) in enumerate(alone):
        values |= {f"query{number}": query, f"score{number}": score}
        branches.append(
            newest.format(
                query=f"%(query{number})s", score=f"%(score{number})s", condition=condition
            )
        )
    return _whole(" UNION ALL ".join(branches)), values


def _whole(matching: str) -> str:
    return _BEST.format(matching=matching, order=_BEST_FIRST)


def of_one_term(factors: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Give what a record of each possible score has, if all factors are of one term."""
    (term, value), *others = factors
    if not others:
        return [(quoted(term), value)]
    if [name for name, _ in others] != [STRONG + term]:
        return []
    twin = quoted(STRONG + term)  # a record that has it has the term
    return [
        (f"{quoted(term)} & {twin}", value + others[0][1]),
        (f"{quoted(term)} & !{twin}", value),
    ]


def quoted(term: str) -> str:
    """Write a term so that it is one lexeme, whatever it holds."""
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
