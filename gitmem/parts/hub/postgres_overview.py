"""What pages ask PostgreSQL beside a developer's questions: what is new, shared, and how much."""

from collections.abc import Collection, Mapping
from typing import Any, Final

COLUMNS: Final = "p.name, m.id, m.path, m.commit, m.kind, m.created, m.body"
"""Columns that make a ``Stored``, in its order, of record ``m`` and repository ``p``."""
Condition = tuple[str, Mapping[str, Any]]
"""Who may see what, as part of a statement, with its values."""
Statement = tuple[str, dict[str, Any]]


def newest(
    visible: Condition,
    kinds: Collection[str],
    only: Collection[tuple[str, str]] | None,
    limit: int,
) -> Statement:
    """Ask for the newest records; see ``protocol.Engine.newest``."""
    condition, who = visible
    if kinds:
        condition += " AND m.kind = any(%(kinds)s)"
    matching = f"record m JOIN repository p USING (repo) WHERE {condition}"
    if only is not None:
        # OFFSET 0: else all records of their repositories are gone through.
        matching = (
            "(SELECT DISTINCT * FROM unnest(%(names)s::text[], %(ids)s::text[]) AS one (name, id))"
            " one JOIN repository p USING (name) CROSS JOIN LATERAL (SELECT * FROM record m"
            f" WHERE m.repo = p.repo AND m.id = one.id AND {condition} OFFSET 0) m"
        )
    values = {
        **who,
        "kinds": list(kinds),
        "names": [name for name, _ in only or ()],
        "ids": [record for _, record in only or ()],
        "limit": limit,
    }
    statement = (
        f"SELECT {COLUMNS} FROM {matching}"
        " ORDER BY m.created DESC, p.name DESC, m.id DESC LIMIT %(limit)s"
    )
    return statement, values


def with_print(visible: Condition, named: str, limit: int) -> Statement:
    """Ask for the newest records with a fingerprint."""
    condition, who = visible
    statement = (
        f"SELECT {COLUMNS} FROM (SELECT m.repo, m.id FROM printed m"
        f" WHERE m.print = %(print)s AND {condition}"
        " ORDER BY m.created DESC FETCH FIRST %(limit)s ROWS WITH TIES) newest"
        " JOIN record m USING (repo, id) JOIN repository p USING (repo)"
        " ORDER BY m.created DESC, p.name DESC, m.id DESC LIMIT %(limit)s"
    )
    return statement, {**who, "print": named, "limit": limit}


def shared(visible: Condition, level: str, since: str, limit: int) -> Statement:
    """Ask for fingerprints of more than one repository, with repositories and records counted."""
    return _prints(visible, level, since, limit, having="HAVING count(*) > 1")


def printed(
    visible: Condition, level: str, since: str, limit: int, only: Collection[str] | None
) -> Statement:
    """Ask for fingerprints of any number of repositories; ``only``: these values, None: all."""
    if only is None:
        return _prints(visible, level, since, limit)
    statement, values = _prints(visible, level, since, limit, among="AND m.print = any(%(only)s)")
    return statement, {**values, "only": [f"{level}:{value}" for value in only]}


def _prints(
    visible: Condition, level: str, since: str, limit: int, *, among: str = "", having: str = ""
) -> Statement:
    condition, who = visible
    # A level's fingerprints are those from its name and ":" on, up to the sign that follows ":".
    statement = (
        "SELECT print, count(*), sum(records)::bigint FROM ("
        "SELECT m.print, m.repo, count(*) AS records FROM printed m"
        " WHERE m.print >= %(from)s AND m.print < %(to)s AND m.created >= %(since)s"
        f" {among} AND {condition} GROUP BY m.print, m.repo) having_it GROUP BY print {having}"
        " ORDER BY 2 DESC, 3 DESC, print LIMIT %(limit)s"
    )
    return statement, {
        **who, "from": f"{level}:", "to": f"{level};", "since": since, "limit": limit,
    }  # fmt: skip


def sizes(visible: Condition) -> Statement:
    """Ask for the number of records of each repository."""
    condition, who = visible
    return f"SELECT name, records FROM repository m WHERE records > 0 AND {condition}", dict(who)
