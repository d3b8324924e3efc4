"""SQL that a user typed: read only, over the documented views, and bounded."""

import sqlite3
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from gitmem.catalog.views import NAMES
from gitmem.errors import UsageError

_STEPS: Final = 10_000
_LONGEST: Final = 16 * 2**20
"""Bytes of one value: ``zeroblob`` makes a thousand million of them."""
_DENIED_FUNCTIONS: Final = frozenset({"load_extension", "readfile", "writefile", "edit"})


class QueryResult(NamedTuple):
    """A table.

    Attributes:
        columns: names.
        rows: values: text, numbers or None; as many in each as there are columns.
        more: there would have been more rows.

    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool


def ask(
    db: sqlite3.Connection, sql: str, values: Sequence[Any], limit: int, wait: float = 30
) -> QueryResult:
    """Answer one SELECT over the views of ``catalog.views``.

    Args:
        db: the catalog; afterwards it may do all again that it could before.
        sql: one statement; ``?`` stands for ``values``.
        values: of its parameters.
        limit: how many rows at most; -1: all.
        wait: seconds after which the question is given up.

    Raises:
        UsageError: it is no SELECT, names something else, or takes too long.

    """
    end = time.monotonic() + wait
    db.set_authorizer(_allowed)
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    longest = db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    try:
        cursor = db.execute(sql, tuple(values))
        rows = cursor.fetchall() if limit < 0 else cursor.fetchmany(limit + 1)
        described = cursor.description
        cursor.close()
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise UsageError(*_reason(error, wait)) from None
    finally:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
        db.set_progress_handler(None, 0)
        db.set_authorizer(None)
    if described is None:
        raise UsageError("that is not a question", "begin with SELECT or WITH")
    more = 0 <= limit < len(rows)
    columns = tuple(column[0] for column in described)
    return QueryResult(columns, rows[:limit] if more else rows, more)


def _reason(error: Exception, wait: float) -> tuple[str, str]:
    text = str(error)
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return f"the query took more than {wait:g} seconds", "narrow it, or add LIMIT"
    if "prohibited" in text or "not authorized" in text:
        hint = f"SELECT from {', '.join(NAMES)}"
        return f"the query may only read: {text}", hint
    return f"the query failed: {text}", f"views: {', '.join(NAMES)}"


def _allowed(
    action: int, first: str | None, second: str | None, _: str | None, view: str | None
) -> int:
    """Let SELECT read the views, and what they are made of only through them."""
    if action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE}:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        denied = (second or "").lower() in _DENIED_FUNCTIONS
        return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_READ:
        # count(*) over a view asks for a table, but for none of its columns.
        readable = view is not None or first in NAMES or not second
        return sqlite3.SQLITE_OK if readable else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_DENY
