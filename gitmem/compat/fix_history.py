"""Stands in for ``sqlite3`` in programs that asked the fix history's database themselves.

``connect`` gives a database in memory with ``fix_history``, ``issue_patterns`` and
``model_characteristics``, derived from the records. It can't be written: records are files.
"""

import json
import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gitmem.compat import issues
from gitmem.compat.shared import opened
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from gitmem.memory import Memory

Connection = sqlite3.Connection

_COLUMNS: Final = (
    "id", "timestamp", "model_name", "issue_type", "issue_signature", "description",
    "fixer_type", "claude_analysis", "fix_commands", "fix_success", "verification_success",
    "execution_time_seconds", "system_info", "notes",
)  # fmt: skip
_ATTEMPTS: Final = """
SELECT a.id, a.created, coalesce(e.subject, ''), coalesce(nullif(e.category, ''), e.error_type, ''),
    coalesce(a.error, ''), a.title, a.fixer, a.verified, a.success, a.applied, a.seconds
FROM attempts a LEFT JOIN errors e ON e.id = a.error ORDER BY a.created, a.id
"""
_PRINTS: Final = "SELECT id, level, value FROM fingerprints"
_VIEWS: Final = """
CREATE VIEW issue_patterns AS
SELECT issue_signature || ' ' || model_name AS id, issue_type || ' ' || model_name AS pattern_name,
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
    max(timestamp) AS last_updated, '' AS performance_notes
FROM fix_history WHERE model_name <> '' GROUP BY model_name;
"""


def connect(database: str = "", folder: str = ".") -> Connection:
    """Open the fix history of a folder's memory; close it after use.

    Args:
        database: where the older tool kept its file; not read.
        folder: any folder of the repository.

    """
    del database
    with opened(folder) as memory:
        return database_of(memory)


def database_of(memory: "Memory") -> Connection:
    """Copy the attempts into a database in memory; writing to it is an error."""
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.execute(f"CREATE TABLE fix_history ({', '.join(_COLUMNS)})")
    marks = ", ".join("?" * len(_COLUMNS))
    db.executemany(f"INSERT INTO fix_history VALUES ({marks})", _rows(memory))  # noqa: S608
    db.executescript(_VIEWS)
    db.commit()
    db.execute("PRAGMA query_only = ON")
    return db


def _rows(memory: "Memory") -> Iterator[tuple[Any, ...]]:
    """Give the attempts in the order of ``_COLUMNS``, oldest first. Every fix's file is read.

    What nobody verified is NULL in ``verification_success``: neither a success nor a failure.
    """
    prints: dict[str, dict[str, str]] = {}
    for error, level, value in memory.statistics.query(_PRINTS).rows:
        prints.setdefault(error, {})[level] = value
    attempts = {attempt[0]: attempt for attempt in memory.statistics.query(_ATTEMPTS).rows}
    for row in memory.list("kind:fix", sort="oldest"):
        fix = memory.show(row.id).record
        attempt = attempts.get(row.id)
        if isinstance(fix, Fix) and attempt:
            name, created, subject, kind, error, title, fixer, checked, worked, applied, seconds = (
                attempt
            )
            mark = issues.stored_key(prints.get(error, {}), subject)
            yield (
                name,
                created,
                subject,
                kind,
                mark,
                issues.description(memory, error) if error else title,
                fixer,
                fix.analysis or fix.approach,
                json.dumps(list(fix.steps), ensure_ascii=False),
                worked if applied is None else applied,
                issues.verification(checked, worked),
                seconds,
                json.dumps(fix.environment, ensure_ascii=False),
                fix.notes or None,
            )
