"""What the memory offers against a failure: fixes that worked or may work, with their steps."""

from collections import Counter
from typing import TYPE_CHECKING

from gitmem.answers.solutions import Solution
from gitmem.catalog.conditions import TOMORROW
from gitmem.learning.tasks import jaccard
from gitmem.matching.labels import SAME_ERROR
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.reading.reader import Reader

_MOST = 3
_MOST_READ = 50
"""Fixes that are read before the ways in them are told."""
_BY_TYPE = f"""
SELECT a.id, a.author, a.error, e.title, a.approach
FROM (SELECT ? AS type) wanted CROSS JOIN attempts a JOIN errors e ON e.id = a.error
WHERE (a.error_type = type OR substr(a.error_type, -length(type) - 1) = '.' || type)
    AND a.outcome IN ('worked', 'unverified')
ORDER BY a.outcome = 'worked' DESC, a.created >= {TOMORROW}, a.verified = 'passed' DESC,
    a.created DESC, a.id
"""  # noqa: S608  a constant
"""A trace names a type with its module, and who asks often without."""


def solutions(reader: "Reader", matches: "Iterable[Match]", limit: int = _MOST) -> list[Solution]:
    """Give what worked against failures, or may: the surest and newest first, each way once.

    Args:
        reader: of the memory.
        matches: the failures, as ``Memory.hint`` or a run gave them.
        limit: how many at most.

    """
    offered: dict[str, Solution] = {}
    read: set[str] = set()
    for failure in matches:
        for row, errors, label in _candidates(failure):
            if row.id in read or len(read) == _MOST_READ:
                continue
            read.add(row.id)
            shown = reader.show(row.id)
            record = shown.record
            if not isinstance(record, Fix):
                continue
            approach, verdict = record.approach or row.title, shown.row.verdict
            solution = Solution(
                row.id, errors, approach, record.steps, row.author, label, shown.layer, verdict
            )
            times = offered[solution.words].times + 1 if solution.words in offered else 1
            first = offered.setdefault(solution.words, solution)
            offered[solution.words] = first._replace(times=times)
    return list(offered.values())[:limit]


def _candidates(failure: "Match") -> "Iterator[tuple[Row, tuple[str, ...], str]]":
    """Give what helped, and behind that what nobody has seen to fail, as every face orders it."""
    errors = tuple(row.id for row in failure.errors)
    offered = [(fix, errors, failure.label) for fix in failure.ranked]
    for hit in failure.similar:
        offered += [(fix, (hit.row.id,), hit.label or "similar") for fix in hit.ranked]
    yield from (candidate for candidate in offered if candidate[0].helped)
    yield from (candidate for candidate in offered if candidate[0].verdict == "unverified")


def solutions_of_type(
    reader: "Reader",
    error_type: str,
    message: str = "",
    among: "Collection[str] | None" = None,
    limit: int = _MOST,
) -> list[Solution]:
    """Give what was not seen to fail against errors of a type; what worked and is new first.

    Args:
        reader: of the memory.
        error_type: with its module or without.
        message: those whose error shares more words with it come first.
        among: ids of the fixes that may be given; None: all.
        limit: how many at most.

    """
    wanted = _words(message)
    rows = [
        (*row[:3], jaccard(wanted, _words(row[3].rpartition(f"{error_type}: ")[2])), row[4])
        for row in reader.query(_BY_TYPE, (error_type,)).rows
        if among is None or row[0] in among
    ]
    rows.sort(key=lambda row: -row[3])
    times = Counter(row[4].casefold() for row in rows)
    ways = {row[4].casefold(): row for row in reversed(rows)}
    firsts = sorted(ways.values(), key=rows.index)
    offered = []
    for name, author, error, share, way in firsts[:limit]:
        shown = reader.show(name)
        fix, verdict = shown.record, shown.row.verdict
        if isinstance(fix, Fix):
            approach, label = fix.approach or fix.title, SAME_ERROR if share == 1 else "same type"
            offered.append(
                Solution(
                    name, (error,), approach, fix.steps, author, label, "", verdict,
                    times[way.casefold()],
                )
            )  # fmt: skip
    return offered


def _words(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())
