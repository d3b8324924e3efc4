"""The errors of a few failures and the attempts on them, asked of the records themselves."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.catalog.conditions import GENERAL, VERDICT
from gitmem.catalog.sightings import AttemptMade, ErrorOccurrence

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row

Among = Callable[[str, Sequence[str]], list[Any]]
"""Asks a statement with ``{}`` where marks for many values stand."""

# The plus keeps SQLite from going through all records of a kind instead of the few asked for.
_ERRORS: Final = f"""
SELECT r.id, r.file, r.created, p.value, a.leader FROM records r
LEFT JOIN prints p ON p.file = r.file AND p.level = 'site' LEFT JOIN alike a ON a.id = r.id
WHERE +r.kind = 'error' AND NOT r.shadowed AND NOT {GENERAL} AND """  # noqa: S608  constants
_BY_ID: Final = _ERRORS + "r.id IN ({})"
_WITH_SITE: Final = "SELECT file FROM prints WHERE level = 'site' AND value IN ({})"
_BY_SITE: Final = f"{_ERRORS} r.file IN ({_WITH_SITE})"
_BY_LEADER: Final = _ERRORS + "a.leader IN ({})"
_ATTEMPTS: Final = f"""
SELECT k.target, r.id, r.file, r.created, e.seconds, {VERDICT} FROM links k
JOIN records r ON r.file = k.file JOIN efforts e ON e.file = r.file
WHERE k.target IN ({{}}) AND k.relation = 'fixes' AND +r.kind = 'fix' AND NOT r.shadowed
AND NOT {GENERAL}
"""  # noqa: S608  constants


class FollowedFailures(NamedTuple):
    """The records of some failures, each with a name that records of one failure share."""

    errors: list[tuple[str, ErrorOccurrence]]
    attempts: list[tuple[str, AttemptMade]]


def followed(among: Among, ids: Iterable[str]) -> FollowedFailures:
    """Give all records of the failures that errors belong to.

    A failure is all errors of one fingerprint of level ``site``, and those said to be the same.

    Args:
        among: asks the catalog.
        ids: of errors.

    """
    rows: dict[str, tuple[str, int, str, str | None, str | None]] = {}
    new = among(_BY_ID, sorted(set(ids)))
    queried: set[str] = set()
    while new:
        rows |= {row[0]: row for row in new}
        sites = sorted({row[3] for row in new if row[3]} - queried)
        leaders = sorted({row[4] for row in new if row[4]} - queried)
        queried.update(sites, leaders)
        more = [*among(_BY_SITE, sites), *among(_BY_LEADER, leaders)]
        new = [row for row in more if row[0] not in rows]
    names = _names(rows.values())
    errors = [(names[row[0]], ErrorOccurrence(0, row[2], row[0], row[1])) for row in rows.values()]
    return FollowedFailures(errors, _attempts(among, rows, names))


def attempts_on(
    failures: FollowedFailures, rows_of: "Callable[[Iterable[int]], dict[int, Row]]"
) -> "dict[str, list[Row]]":
    """Give by each error of some failures the fix attempts on its failure, oldest first."""
    names = {error.id: name for name, error in failures.errors}
    rows = rows_of({attempt.file for _, attempt in failures.attempts})
    attempts: dict[str, list[Row]] = {name: [] for name in names.values()}
    for name, attempt in failures.attempts:
        attempts[name].append(rows[attempt.file])
    for fixes in attempts.values():
        fixes.sort(key=lambda fix: (fix.created, fix.id))
    return {error: attempts[name] for error, name in names.items()}


def _attempts(
    among: Among,
    errors: dict[str, tuple[str, int, str, str | None, str | None]],
    names: dict[str, str],
) -> list[tuple[str, AttemptMade]]:
    attempts: dict[tuple[str, str], AttemptMade] = {}
    for target, record, file, created, seconds, outcome in among(_ATTEMPTS, sorted(errors)):
        after = max(created, errors[target][2])
        attempt = AttemptMade(0, after, record, file, created, seconds, outcome, target)
        key = names[target], record
        if before := attempts.get(key):
            attempt = attempt._replace(
                after=max(after, before.after), error=min(target, before.error)
            )
        attempts[key] = attempt
    return [(name, attempt) for (name, _), attempt in attempts.items()]


def _names(rows: Iterable[tuple[str, int, str, str | None, str | None]]) -> dict[str, str]:
    """Give each error the first id of its failure: of those with its fingerprint or leader."""
    first: dict[str, str] = {}

    def lead(part: str) -> str:
        while first.setdefault(part, part) != part:
            part = first[part]
        return part

    ids = []
    for record, _, _, *parts in rows:
        ids.append(record)
        for part in parts:
            first_part, other = sorted((lead(record), lead(part or record)))
            first[other] = first_part
    return {record: lead(record) for record in ids}
