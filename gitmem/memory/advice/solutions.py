"""What the memory offers against a failure: the fixes that worked, with their steps."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.capture.recognising import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory

_MOST = 3
_BY_TYPE = """
SELECT id, author, error FROM attempts
WHERE error_type = ? AND outcome IN ('worked', 'unverified')
ORDER BY outcome = 'worked' DESC, created DESC, id LIMIT ?
"""


class Solution(NamedTuple):
    """A fix that worked before.

    Attributes:
        fix: its id.
        errors: ids of the errors that it stands by, as the failure was recognised.
        approach: what was done, in its author's words.
        steps: what was done, step by step; somebody else's words, never run unasked.
        author: who wrote it.
        layer: the pack or archive that it is from; empty: it is one of the memory's files.
        label: how surely it belongs to the failure: ``same error``, ``same place``,
            ``same message`` or ``similar``.

    """

    fix: str
    errors: tuple[str, ...]
    approach: str
    steps: tuple[str, ...]
    author: str
    label: str
    layer: str = ""


def solutions(
    memory: "Memory", recognised: "Iterable[Match]", limit: int = _MOST
) -> list[Solution]:
    """Give what worked against failures, the surest and newest first, each fix once.

    Args:
        memory: the memory.
        recognised: the failures, as ``Memory.hint`` or a run gave them.
        limit: how many at most.

    """
    found: list[Solution] = []
    seen: set[str] = set()
    for one in recognised:
        for row, errors, label in _worked(one):
            if row.id in seen or len(found) == limit:
                continue
            shown = memory.show(row.id)
            record = shown.record
            first = getattr(record, "reuses", None) or row.id
            if isinstance(record, Fix) and first not in seen:
                found.append(
                    Solution(
                        row.id,
                        errors,
                        record.approach or row.title,
                        record.steps,
                        row.author,
                        label,
                        shown.layer,
                    )
                )
            seen |= {row.id, first}
    return found


def _worked(one: "Match") -> "Iterator[tuple[Row, tuple[str, ...], str]]":
    errors = tuple(row.id for row in one.errors)
    for fix in reversed(one.suggested):
        if fix.stated == "worked":
            yield fix, errors, one.label
    for hit in one.similar:
        for fix in reversed(hit.attempts):
            if fix.stated == "worked":
                yield fix, (hit.row.id,), hit.label or "similar"


def by_type(memory: "Memory", error_type: str, limit: int = _MOST) -> list[Solution]:
    """Give what was not seen to fail against errors of a type; what worked and is new first."""
    found = []
    for name, author, error in memory.statistics.query(_BY_TYPE, (error_type, limit)).rows:
        fix = memory.show(name).record
        if isinstance(fix, Fix):
            approach = fix.approach or fix.title
            found.append(Solution(name, (error,), approach, fix.steps, author, "same type"))
    return found
