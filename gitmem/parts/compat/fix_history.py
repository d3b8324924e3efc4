"""Stands in for ``sqlite3`` in programs that asked the fix history's database themselves.

``connect`` gives a database in memory with ``fix_history``, ``issue_patterns`` and
``model_characteristics``, derived from the records. It can't be written: records are files.
Indexes may be made, and it may be vacuumed and analysed: it is the caller's own copy.
"""

import json
import sqlite3
from collections.abc import Iterator
from sqlite3 import (
    Connection,
    Cursor,
    DatabaseError,
    Error,
    IntegrityError,
    OperationalError,
    Row,
)
from typing import TYPE_CHECKING, Any, Final

from gitmem.parts.compat import issues
from gitmem.parts.compat.shared import ask_once

if TYPE_CHECKING:
    from gitmem.memory import Memory

__all__ = (
    "Connection", "Cursor", "DatabaseError", "Error", "IntegrityError", "OperationalError", "Row",
    "connect", "database_of",
)  # fmt: skip
_COLUMNS: Final = (
    "id", "timestamp", "model_name", "issue_type", "issue_signature", "description",
    "fixer_type", "claude_analysis", "fix_commands", "fix_success", "verification_success",
    "execution_time_seconds", "system_info", "notes",
)  # fmt: skip
_VIEWS: Final = """
CREATE VIEW issue_patterns AS
SELECT issue_signature || ' ' || model_name AS id,
    issue_type || ' ' || model_name || CASE row_number() OVER (
        PARTITION BY issue_type, model_name ORDER BY min(timestamp), issue_signature)
        WHEN 1 THEN '' ELSE ' ' || issue_signature END AS pattern_name,
    issue_signature,
    coalesce(sum(fix_success AND verification_success), 0) AS success_count,
    coalesce(sum(NOT (fix_success AND verification_success)), 0) AS failure_count,
    (SELECT h.fix_commands FROM fix_history h
        WHERE h.issue_signature = fix_history.issue_signature
        AND h.model_name = fix_history.model_name AND h.fix_success AND h.verification_success
        GROUP BY h.fix_commands ORDER BY count(*) DESC, max(h.timestamp) DESC LIMIT 1) AS best_fix,
    max(timestamp) AS last_seen, min(1.0, count(*) / 10.0) AS confidence_score
FROM fix_history GROUP BY issue_signature, issue_type, model_name;

CREATE VIEW model_characteristics AS
SELECT model_name, count(*) AS total_tests,
    avg(fix_success AND verification_success) AS success_rate,
    json_group_array(DISTINCT issue_type) AS common_issues,
    json_group_array(DISTINCT claude_analysis) FILTER (
        WHERE fix_success AND verification_success) AS effective_fixes,
    max(timestamp) AS last_updated,
    coalesce((SELECT group_concat(note, char(10)) FROM model_notes n
        WHERE n.model_name = fix_history.model_name), '') AS performance_notes
FROM fix_history WHERE model_name <> '' GROUP BY model_name;

CREATE TRIGGER no_insert BEFORE INSERT ON fix_history BEGIN {refused} END;
CREATE TRIGGER no_update BEFORE UPDATE ON fix_history BEGIN {refused} END;
CREATE TRIGGER no_delete BEFORE DELETE ON fix_history BEGIN {refused} END;
"""
_REFUSED: Final = "SELECT raise(ABORT, 'fix_history is readonly: record_fix_attempt writes');"


def connect(
    database: str = "",
    timeout: float = 5.0,
    *,
    check_same_thread: bool = True,
    folder: str = ".",
) -> Connection:
    """Open the fix history of a folder's memory; close it after use.

    Args:
        database: where the older tool kept its file; not read.
        timeout: nobody is waited for.
        check_same_thread: false: other threads may ask, too.
        folder: any folder of the repository.

    """
    del database, timeout
    return ask_once(folder, lambda memory: database_of(memory, check_same_thread=check_same_thread))


def database_of(memory: "Memory", *, check_same_thread: bool = False) -> Connection:
    """Copy the attempts into a database in memory; writing to them is an error."""
    db = sqlite3.connect(":memory:", check_same_thread=check_same_thread)
    db.execute(f"CREATE TABLE fix_history ({', '.join(_COLUMNS)})")
    db.execute("CREATE TABLE model_notes (model_name, note)")
    marks = ", ".join("?" * len(_COLUMNS))
    db.executemany(f"INSERT INTO fix_history VALUES ({marks})", _rows(memory))  # noqa: S608
    db.execute("CREATE INDEX model_issues ON fix_history (issue_signature, model_name)")
    models = [model for (model,) in db.execute("SELECT DISTINCT model_name FROM fix_history")]
    db.executemany("INSERT INTO model_notes VALUES (?, ?)", issues.notes(memory, models))
    db.executescript(_VIEWS.format(refused=_REFUSED))
    db.commit()
    return db


def _rows(memory: "Memory") -> Iterator[tuple[Any, ...]]:
    """Give the attempts in the order of ``_COLUMNS``, oldest first."""
    for row in issues.attempts(memory):
        yield tuple(
            json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
            for value in (row[name] for name in _COLUMNS)
        )
