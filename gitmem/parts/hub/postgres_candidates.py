"""How PostgreSQL finds the records for which the factors of terms add up highest.

The work of a question is that of the records that it reads. Several terms are read whole: who asks
keeps them within a budget (see ``protocol.POSTINGS``). The one term of a question of common words
may be in a third of all records. All that have it are worth the same, or one of two values, so the
newest of the better ones are asked for first, and of the others only if these are not enough. How
many have a term is counted, so it is known how far back there will be enough of them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gitmem.parts.hub.postgres_overview import Condition, Statement
from gitmem.parts.hub.protocol import STRONG

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
_SEEN: Final = "SELECT sum(records)::bigint, (array_agg(repo))[:%(few)s] FROM repository m WHERE "
_AGE: Final = "SELECT created FROM record ORDER BY created DESC OFFSET %s LIMIT 1"
_MARGIN: Final = 1.25
"""How much farther back is looked than where there should be enough."""
_FARTHER: Final = 4
_READING: Final = 100
"""Of how many records the age can be gone through, in the time that it takes to read one."""
_COMPARING: Final = 60
"""Of how many records the index says that they have a term, in the time that it takes to see it of
one: the terms of a record are kept apart from it."""
# IS TRUE: no index of terms is used.
_ONE_BY_ONE: Final = "(m.terms @@ %(query)s::tsquery) IS TRUE"
_BY_INDEX: Final = "m.terms @@ %(query)s::tsquery"
# OFFSET 0: else the planner takes it that there will be enough among the newest few, and compares
# term by term all that there are. So it lets indexes of terms, age and repositories meet.
_NEWEST: Final = """
SELECT m.repo, m.id, m.created, round(%(score)s::numeric, 6) AS score
FROM (
    SELECT m.repo, m.id, m.created FROM record m
    WHERE {having_it} AND m.created >= %(since)s AND {condition}{few} OFFSET 0
) m ORDER BY m.created DESC FETCH FIRST %(limit)s ROWS WITH TIES
"""
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


Rows = Callable[..., list[tuple[Any, ...]]]
"""Gives the rows of a statement with values."""


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
    ask: Rows, search: CandidateSearch, equals: Iterable[EqualRecords], everything: int, limit: int
) -> list[tuple[Any, ...]]:
    """Give the newest of the best of equal records, and of the next where these are not enough.

    Args:
        ask: the database.
        search: what is asked for.
        equals: of these, the best first.
        everything: how many records there are in the database.
        limit: how many at most.

    """
    condition, who = search.visible
    ((visible, numbers),) = ask(_SEEN + condition, {**who, "few": FEW + 1})
    rows: list[tuple[Any, ...]] = []
    for equal in equals if visible else ():
        share = visible / everything
        few = numbers if len(numbers) <= FEW else []
        back = _MARGIN * limit * everything / max(equal.records * share, 1)
        rows += _newest(ask, search, equal, few, limit - len(rows), share, back)
        if len(rows) == limit:
            break
    return rows


def _newest(
    ask: Rows,
    search: CandidateSearch,
    equal: EqualRecords,
    few: Sequence[int],
    limit: int,
    share: float,
    back: float,
) -> list[tuple[Any, ...]]:
    """Look for them among the newest records, farther and farther back, then among all."""
    statement = _NEWEST.replace("{few}", _OF_FEW if few else "")
    values = {"query": equal.query, "score": equal.score, "few": list(few)}
    while back < _READING * share * equal.records and (ages := ask(_AGE, [int(back)])):
        one_by_one = _COMPARING * share * back < equal.records
        narrow = statement.replace("{having_it}", _ONE_BY_ONE if one_by_one else _BY_INDEX)
        rows = ask(*search.statement(narrow, limit, {**values, "since": ages[0][0]}))
        if len(rows) == limit:
            return rows
        back *= _FARTHER
    wide = statement.replace("{having_it}", _BY_INDEX)
    return ask(*search.statement(wide, limit, {**values, "since": ""}))


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
