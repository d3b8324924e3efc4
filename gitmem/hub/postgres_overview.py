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
    of_kind = "AND m.kind = any(%(kinds)s)" if kinds else ""
    named = "AND (p.name, m.id) IN (SELECT * FROM unnest(%(names)s::text[], %(ids)s::text[]))"
    values = {
        **who,
        "kinds": list(kinds),
        "names": [name for name, _ in only or ()],
        "ids": [record for _, record in only or ()],
        "limit": limit,
    }
    statement = (
        f"SELECT {COLUMNS} FROM record m JOIN repository p USING (repo)"
        f" WHERE {condition} {of_kind} {'' if only is None else named}"
        " ORDER BY m.created DESC, p.name DESC, m.id DESC LIMIT %(limit)s"
    )
    return statement, values


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
    statement = (
        "SELECT p.name, count(*) FROM record m JOIN repository p USING (repo)"
        f" WHERE {condition} GROUP BY p.name"
    )
    return statement, dict(who)
