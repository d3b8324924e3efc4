"""Rows as tables of a database in memory, for programs that ask in SQL. A copy: read only."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Connection = sqlite3.Connection
Table = tuple[Sequence[str], Iterable[Sequence[Any]]]


def copied(tables: Mapping[str, Table], views: str = "") -> Connection:
    """Make a database of rows; close it after use.

    Args:
        tables: (columns, rows) by name.
        views: SQL that makes views over them.

    Writing to it is an error, since nothing would come of it.

    """
    db = sqlite3.connect(":memory:", check_same_thread=False)
    for name, (columns, rows) in tables.items():
        marks = ", ".join("?" * len(columns))
        db.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        db.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608  our names
    db.executescript(views)
    db.commit()
    db.execute("PRAGMA query_only = ON")
    return db
