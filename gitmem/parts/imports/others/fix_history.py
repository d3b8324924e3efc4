"""The SQLite file of an automatic fixer: ``fix_history``, ``issue_patterns``, notes on models.

Its counters and scores are not taken over: they follow from the attempts. Every row is an
occurrence of its issue, an error, and an attempt to fix it.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    Query,
    envelope,
    from_json,
    line,
    number,
    scalars,
    stamp,
    text,
    texts,
    time,
)
from gitmem.records.layout import kind_of

FORM: Final = "fix-history"
TABLES: Final = frozenset({"fix_history"})
COLUMNS: Final = frozenset({"issue_type", "fixer_type", "fix_commands", "fix_success"})
"""What the first line of such a CSV file names."""
_NO: Final = frozenset({"0", "0.0", "false", "no"})
Row = dict[str, Any]


def read(query: Query, tables: set[str], otherwise: datetime, _root: str = "") -> ForeignFile:
    """Read the tables.

    Args:
        query: asks the file.
        tables: the names of those that it has.
        otherwise: the time of what bears none.

    """
    patterns = _all(query, "issue_patterns", tables)
    attempts = from_rows(_all(query, "fix_history", tables), otherwise)
    attempts.passed["counts and scores of patterns: they follow from the attempts"] = sum(
        not _best(row) for row in patterns
    )
    things = [*attempts.things, *_patterns(patterns, otherwise)]
    notes = _notes(_all(query, "model_characteristics", tables), otherwise)
    return ForeignFile([*things, *notes], attempts.passed)


def from_rows(rows: list[Row], otherwise: datetime) -> ForeignFile:
    """Read rows of the table ``fix_history``, also where they come from a CSV file."""
    return ForeignFile(list(_attempts(rows, otherwise)), Counter())


def _all(query: Query, table: str, tables: set[str]) -> list[Row]:
    if table not in tables:
        return []
    return query(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608


def _attempts(rows: list[Row], otherwise: datetime) -> Iterator[ForeignEntry]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        fields = ("issue_signature", "model_name", "issue_type", "description")
        groups.setdefault(tuple(text(row.get(name)) for name in fields), []).append(row)
    for key, same in groups.items():
        signature, model, kind, description = key
        first_id = id_of("error", FORM, *key)
        for place, row in enumerate(same):
            at = time(row.get("timestamp"), otherwise)
            own_id = first_id
            if (
                place
            ):  # the first one keeps the id that it had when rows of one issue were one error
                when = text(row.get("timestamp"))
                own_id = id_of("error", FORM, *key, when, str(place))
            error = {
                **envelope(own_id, description or kind, at, "fix history", FORM),
                "error_type": line(kind), "category": line(kind), "subject": line(model),
                "message": description,
                "environment": {"issue_signature": signature} if signature else {},
            }  # fmt: skip
            fix = _fix(row, first_id, own_id, at)
            source = f"row {row.get('id', '?')}"
            if kind_of(text(row.get("id"))) == "fix":  # a table that was made of these records
                source = fix["id"] = text(row["id"])
            yield ForeignEntry(fix["title"], source, "fix", at, [("error", error), ("fix", fix)])


def _fix(row: Row, issue: str, error: str, at: datetime) -> dict[str, Any]:
    commands = from_json(row.get("fix_commands"))
    steps = texts(commands)
    analysis = text(row.get("claude_analysis"))
    applied, verified = _truth(row.get("fix_success")), _truth(row.get("verification_success"))
    named = [text(row.get(name)) for name in ("timestamp", "fixer_type", "notes")]
    record_id = id_of("fix", FORM, issue, *named, analysis, *steps)
    fields: dict[str, Any] = {
        **envelope(record_id, analysis or " ".join(steps), at, text(row.get("fixer_type")), FORM),
        "approach": line(analysis, 2000), "analysis": analysis, "steps": steps,
        "outcome": _outcome(applied, verified), "applied": applied,
        "seconds": number(from_json(row.get("execution_time_seconds"))),
        "fixer": line(row.get("fixer_type")), "notes": text(row.get("notes")),
        "environment": scalars(from_json(row.get("system_info"))), "links": {"fixes": [error]},
    }  # fmt: skip
    if verified is not None:
        fields["verification"] = {"after": {"result": "passed" if verified else "failed"}}
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _outcome(applied: bool | None, verified: bool | None) -> str:  # noqa: FBT001
    """What was not verified is no failure: nobody looked."""
    if applied and verified is None:
        return "unverified"
    return "worked" if applied and verified else "failed"


def _truth(value: object) -> bool | None:
    """Read a flag, which a CSV file holds as a text; None: nobody said."""
    if isinstance(value, str):
        return None if not value.strip() else value.strip().lower() not in _NO
    return None if value is None else bool(value)


def _best(row: Row) -> list[str]:
    """Give what helped best, as steps: ``{}`` and ``[]`` are as empty as NULL."""
    best = from_json(row.get("best_fix"))
    return texts(best) if best else []


def _patterns(rows: list[Row], otherwise: datetime) -> Iterator[ForeignEntry]:
    for row in rows:
        best = _best(row)
        if not best:
            continue
        name, at = line(row.get("pattern_name")), time(row.get("last_seen"), otherwise)
        fields = {
            **envelope(id_of("pattern", FORM, name), name, at, "fix history", FORM),
            "when_to_use": name, "code": "\n".join(best),
            "source": f"{FORM}, signature {text(row.get('issue_signature')) or 'unknown'}",
        }  # fmt: skip
        yield ForeignEntry(name, "issue_patterns", "pattern", at, [("pattern", fields)])


def _notes(rows: list[Row], otherwise: datetime) -> Iterator[ForeignEntry]:
    for row in rows:
        body = text(row.get("performance_notes"))
        if not body.strip():
            continue
        model, at = line(row.get("model_name")), time(row.get("last_updated"), otherwise)
        title = f"About {model}"
        record_id = id_of("note", FORM, model, stamp(at), body)
        fields = envelope(record_id, title, at, "fix history", FORM, [model]) | {"body": body}
        yield ForeignEntry(title, "model_characteristics", "note", at, [("note", fields)])
