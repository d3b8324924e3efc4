"""Errors that a search found, one of each failure, with all that helped on its message."""

from typing import TYPE_CHECKING

from gitmem.memory.core.fingerprints import seen_in
from gitmem.memory.failures.matching import match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.answers.found import SearchHit
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess


def each_failure(
    records: "RecordAccess", hits: "Iterable[SearchHit]", most: int
) -> "list[tuple[SearchHit, int]]":
    """Give the best record of each failure, and how often that failure was seen.

    What was tried stays in sight, whichever of the records of a failure, or of its message in
    other places, comes first.

    Args:
        records: of the memory.
        hits: of a search, best first.
        most: so many failures at most.

    """
    from gitmem.memory.failures.occurrences import occurrences_by_error

    errors = [hit for hit in hits if hit.row.kind == "error"]
    counted = records.workspace.ask(
        lambda now: occurrences_by_error(now.catalog, [hit.row for hit in errors])
    )
    groups: dict[str, SearchHit] = {}
    for hit in errors:
        group = counted.get(hit.row.id, (hit.row.id, ()))[0]
        groups[group] = _with(groups.setdefault(group, hit), hit.attempts, hit)
    return [
        (_with_help(records, hit), len(counted.get(hit.row.id, ("", ()))[1]))
        for hit in list(groups.values())[:most]
    ]


def _with(hit: "SearchHit", attempts: "Iterable[Row]", other: "SearchHit") -> "SearchHit":
    new = tuple(fix for fix in attempts if fix not in hit.attempts)
    standing = {**other.standing, **hit.standing}
    return hit._replace(attempts=hit.attempts + new, standing=standing)


def _with_help(records: "RecordAccess", hit: "SearchHit") -> "SearchHit":
    """Add what helped on the same message, where nothing did on the error itself."""
    if hit.layer or any(fix.helped for fix in hit.attempts):
        return hit
    return _with(hit, _help(records, hit.row.title), hit)


def _help(records: "RecordAccess", title: str) -> "Iterator[Row]":
    for recognised in match(records.reader, seen_in(records.workspace, title)):
        alike = [hit for hit in recognised.similar if hit.label.startswith("same")]
        attempts = [*recognised.suggested, *(fix for hit in alike for fix in hit.attempts)]
        yield from (fix for fix in attempts if fix.helped)
