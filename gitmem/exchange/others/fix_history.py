"""The SQLite file of an automatic fixer: ``fix_history``, ``issue_patterns``, notes on models.

Its counters and scores are not taken over: they follow from the attempts. Every row is an
occurrence of its issue, an error, and an attempt to fix it.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from gitmem.errors import InvalidError
from gitmem.exchange.identity import id_of
from gitmem.exchange.others.imported import (
    ForeignEntry,
    ForeignFile,
    envelope,
    line,
    number,
    scalars,
    stamp,
    text,
    texts,
    time,
)

_FORM: Final = "fix-history"
Row = dict[str, Any]


def read(path: str, otherwise: datetime) -> ForeignFile:
    """Read such a file, which is not changed.

    Args:
        path: where it is.
        otherwise: the time of what bears none.

    Raises:
        InvalidError: it is no such file.

    """
    try:
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as db:
            db.row_factory = sqlite3.Row
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
            if "fix_history" not in tables:
                raise InvalidError("this SQLite file has no table fix_history")
            rows = [dict(row) for row in db.execute("SELECT * FROM fix_history ORDER BY rowid")]
            patterns = _all(db, "issue_patterns", tables)
            models = _all(db, "model_characteristics", tables)
    except sqlite3.Error as error:
        raise InvalidError(f"this SQLite file can't be read: {error}") from None
    passed: Counter[str] = Counter()
    passed["counts and scores of patterns: they follow from the attempts"] = sum(
        not row.get("best_fix") for row in patterns
    )
    things = [*_attempts(rows, otherwise), *_patterns(patterns, otherwise)]
    return ForeignFile([*things, *_notes(models, otherwise)], passed)


def _all(db: sqlite3.Connection, table: str, tables: set[str]) -> list[Row]:
    if table not in tables:
        return []
    return [dict(row) for row in db.execute(f"SELECT * FROM {table} ORDER BY rowid")]  # noqa: S608


def _attempts(rows: list[Row], otherwise: datetime) -> Iterator[ForeignEntry]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        fields = ("issue_signature", "model_name", "issue_type", "description")
        groups.setdefault(tuple(text(row.get(name)) for name in fields), []).append(row)
    for key, same in groups.items():
        signature, model, kind, description = key
        first_id = id_of("error", _FORM, *key)
        for place, row in enumerate(same):
            at = time(row.get("timestamp"), otherwise)
            own_id = first_id
            if (
                place
            ):  # the first one keeps the id that it had when rows of one issue were one error
                when = text(row.get("timestamp"))
                own_id = id_of("error", _FORM, *key, when, str(place))
            error = {
                **envelope(own_id, description or kind, at, "fix history", _FORM),
                "category": line(kind), "subject": line(model), "message": description,
                "environment": {"issue_signature": signature} if signature else {},
            }  # fmt: skip
            fix = _fix(row, first_id, own_id, at)
            source = f"row {row.get('id', '?')}"
            yield ForeignEntry(fix["title"], source, "fix", at, [("error", error), ("fix", fix)])


def _fix(row: Row, issue: str, error: str, at: datetime) -> dict[str, Any]:
    commands = _json(row.get("fix_commands"))
    steps = texts(commands)
    analysis = text(row.get("claude_analysis"))
    applied, verified = bool(row.get("fix_success")), bool(row.get("verification_success"))
    named = [text(row.get(name)) for name in ("timestamp", "fixer_type", "notes")]
    record_id = id_of("fix", _FORM, issue, *named, analysis, *steps)
    fields: dict[str, Any] = {
        **envelope(record_id, analysis or " ".join(steps), at, text(row.get("fixer_type")), _FORM),
        "approach": line(analysis, 2000), "analysis": analysis, "steps": steps,
        "outcome": "worked" if applied and verified else "failed", "applied": applied,
        "verification": {"after": {"result": "passed" if verified else "failed"}},
        "seconds": number(row.get("execution_time_seconds")),
        "fixer": line(row.get("fixer_type")), "notes": text(row.get("notes")),
        "environment": scalars(_json(row.get("system_info"))), "links": {"fixes": [error]},
    }  # fmt: skip
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _patterns(rows: list[Row], otherwise: datetime) -> Iterator[ForeignEntry]:
    for row in rows:
        best = _json(row.get("best_fix"))
        if not best:
            continue
        name, at = line(row.get("pattern_name")), time(row.get("last_seen"), otherwise)
        fields = {
            **envelope(id_of("pattern", _FORM, name), name, at, "fix history", _FORM),
            "when_to_use": name, "code": "\n".join(texts(best)),
            "source": f"{_FORM}, signature {text(row.get('issue_signature')) or 'unknown'}",
        }  # fmt: skip
        yield ForeignEntry(name, "issue_patterns", "pattern", at, [("pattern", fields)])


def _notes(rows: list[Row], otherwise: datetime) -> Iterator[ForeignEntry]:
    for row in rows:
        body = text(row.get("performance_notes"))
        if not body.strip():
            continue
        model, at = line(row.get("model_name")), time(row.get("last_updated"), otherwise)
        title = f"About {model}"
        record_id = id_of("note", _FORM, model, stamp(at), body)
        fields = envelope(record_id, title, at, "fix history", _FORM, [model]) | {"body": body}
        yield ForeignEntry(title, "model_characteristics", "note", at, [("note", fields)])


def _json(value: object) -> object:
    """Read a column that holds JSON; a text that is none stays a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
