"""What the memory offers against a failure: fixes that worked or may work, with their steps."""

from typing import TYPE_CHECKING

from gitmem.answers.solutions import Solution
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.capture.recognising import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.reading.reader import Reader

_MOST = 3
_BY_TYPE = """
SELECT id, author, error FROM attempts
WHERE (error_type = ?1 OR substr(error_type, -length(?1) - 1) = '.' || ?1)
    AND outcome IN ('worked', 'unverified')
ORDER BY outcome = 'worked' DESC, created DESC, id LIMIT ?2
"""
"""A trace names a type with its module, and who asks often without."""


def solutions(reader: "Reader", matches: "Iterable[Match]", limit: int = _MOST) -> list[Solution]:
    """Give what worked against failures, or may: the surest and newest first, each fix once.

    Args:
        reader: of the memory.
        matches: the failures, as ``Memory.hint`` or a run gave them.
        limit: how many at most.

    """
    offered: list[Solution] = []
    offered_ids: set[str] = set()
    for failure in matches:
        for row, errors, label in _candidates(failure):
            if row.id in offered_ids or len(offered) == limit:
                continue
            shown = reader.show(row.id)
            record = shown.record
            first = getattr(record, "reuses", None) or row.id
            if isinstance(record, Fix) and first not in offered_ids:
                offered.append(
                    Solution(
                        row.id,
                        errors,
                        record.approach or row.title,
                        record.steps,
                        row.author,
                        label,
                        shown.layer,
                        shown.row.verdict,
                    )
                )
            offered_ids |= {row.id, first}
    return offered


def _candidates(failure: "Match") -> "Iterator[tuple[Row, tuple[str, ...], str]]":
    """Give what helped, and behind that what nobody has seen to fail, newest first."""
    errors = tuple(row.id for row in failure.errors)
    offered = [(fix, errors, failure.label) for fix in reversed(failure.suggested)]
    for hit in failure.similar:
        offered += [(fix, (hit.row.id,), hit.label or "similar") for fix in reversed(hit.attempts)]
    yield from (candidate for candidate in offered if candidate[0].helped)
    yield from (candidate for candidate in offered if candidate[0].verdict == "unverified")


def solutions_of_type(reader: "Reader", error_type: str, limit: int) -> list[Solution]:
    """Give what was not seen to fail against errors of a type; what worked and is new first."""
    offered = []
    for name, author, error in reader.query(_BY_TYPE, (error_type, limit)).rows:
        shown = reader.show(name)
        fix, verdict = shown.record, shown.row.verdict
        if isinstance(fix, Fix):
            approach = fix.approach or fix.title
            offered.append(
                Solution(name, (error,), approach, fix.steps, author, "same type", verdict=verdict)
            )
    return offered
