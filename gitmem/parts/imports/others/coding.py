"""Kagura's ``memory.db``, or its export: what the coding memory and its users stored by key.

A key such as ``project:shop:error:error_1`` says what a value is. Its graph and its vectors hold
the same again, for search: they are not taken over.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from gitmem.exchange.identity import id_of
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    Query,
    envelope,
    from_json,
    line,
    mapping,
    number,
    stamp,
    text,
    texts,
    time,
)

FORM: Final = "coding"
TABLES: Final = frozenset({"memories"})
_KEY: Final = re.compile(r"project:(?P<project>.*?):(?P<kind>error|decision|session|file_change):")
_OUTSIDE: Final = re.compile(r"^[/\\~]|^[A-Za-z]:[/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)")
_ACTIONS: Final = frozenset({"create", "edit", "delete", "rename", "refactor", "test"})
_UNKNOWN: Final = frozenset({"", "unknown"})
_NO_IMPACT: Final = "To be determined"
"""What it writes where nobody said what follows from a decision."""
Row = dict[str, Any]


class _Stored(NamedTuple):
    """A value of the coding memory: its key, who stored it, its project, and when."""

    key: str
    who: str
    project: str
    value: Row
    at: datetime

    def fields(self, kind: str, title: object, tags: object = None) -> Row:
        """Give what every record of it has; the same stored by two users is two."""
        own = [f"project-{self.project}", *texts(tags)]
        return envelope(id_of(kind, FORM, self.who, self.key), title, self.at, self.who, FORM, own)


def read(query: Query, _tables: set[str], otherwise: datetime, root: str = "") -> ForeignFile:
    """Read the table.

    Args:
        query: asks the file.
        otherwise: the time of what bears none.
        root: the repository, so that absolute paths below it become its files.

    """
    rows = query("SELECT * FROM memories ORDER BY rowid")
    for row in rows:
        row["value"] = from_json(row.get("value"))
    return from_rows(rows, otherwise, root)


def from_rows(rows: list[Row], otherwise: datetime, root: str = "") -> ForeignFile:
    """Read rows of the table, also where they are lines of ``memories.jsonl``."""
    passed: Counter[str] = Counter()
    entries: list[ForeignEntry] = []
    stored: dict[str, list[_Stored]] = {}
    for row in rows:
        key, value = text(row.get("key")), row.get("value")
        at = time(row.get("created_at"), otherwise)
        match = _KEY.match(key)
        if row.get("scope") == "working":
            passed["working memory, which holds what is under way"] += 1
        elif match and isinstance(value, dict):
            when = time(value.get("timestamp") or value.get("start_time"), at)
            relative = _relative(value, root)
            item = _Stored(key, line(row.get("user_id")), match["project"], relative, when)
            stored.setdefault(match["kind"], []).append(item)
        elif key.startswith("project:"):
            passed["the coding memory's own notes of its state"] += 1
        else:
            entries += _note(row, key, value, at, passed)
    sessions = {_session_name(item): item for item in stored.get("session", ())}
    for item in stored.get("error", ()):
        entries += _error(item, sessions, passed)
    for item in stored.get("decision", ()):
        entries += _decision(item)
    changes: dict[tuple[str, str], list[_Stored]] = {}
    for item in stored.get("file_change", ()):
        if _outside(text(item.value.get("file_path"))):
            passed["changes of files outside of a repository"] += 1
            continue
        name = (item.project, text(item.value.get("session_id")))
        changes.setdefault(name if name in sessions else (item.project, item.key), []).append(item)
    for name, item in sessions.items():
        entries += _session(item, text(item.value.get("description")), changes.pop(name, []))
    for (alone,) in changes.values():
        # Nobody began a session: the change is one of its own.
        entries += _session(alone, text(alone.value.get("reason")), [alone])
    return ForeignFile(entries, passed)


def _session_name(item: _Stored) -> tuple[str, str]:
    return item.project, text(item.value.get("session_id"))


def _error(
    item: _Stored, sessions: dict[tuple[str, str], _Stored], passed: Counter[str]
) -> Iterator[ForeignEntry]:
    value = item.value
    message, kind = text(value.get("message")), line(value.get("error_type"))
    file, at_line = text(value.get("file_path")), value.get("line_number")
    error = {
        **item.fields("error", f"{kind}: {message}", value.get("tags")),
        "error_type": kind, "message": message, "excerpt": text(value.get("stack_trace")),
    }  # fmt: skip
    if file not in _UNKNOWN:
        place = {"line": at_line} if isinstance(at_line, int) and at_line > 0 else {}
        error["location"] = {"file": file} | place
    if session := sessions.get(_session_name(item)):
        error["session"] = session.fields("session", "")["id"]
    if value.get("screenshot_path") or value.get("screenshot_base64"):
        passed["screenshots: attach them with gitmem add error --screenshot"] += 1
    drafts: list[tuple[str, Row]] = [("error", error)]
    if solution := text(value.get("solution")).strip():
        fix = {
            **item.fields("fix", solution), "approach": solution,
            "outcome": "worked" if value.get("resolved") else "unverified",
            "links": {"fixes": [error["id"]]},
        }  # fmt: skip
        drafts.append(("fix", fix))
    yield ForeignEntry(line(error["title"]), item.key, "error", item.at, drafts)


def _decision(item: _Stored) -> Iterator[ForeignEntry]:
    value = item.value
    files = [file for file in texts(value.get("related_files")) if not _outside(file)]
    confidence, impact = number(value.get("confidence")), text(value.get("impact"))
    fields = {
        **item.fields("decision", value.get("decision"), value.get("tags")),
        "decision": text(value.get("decision")), "rationale": text(value.get("rationale")),
        "consequences": "" if impact == _NO_IMPACT else impact,
        "alternatives": [{"option": line(option)} for option in texts(value.get("alternatives"))],
        "governs": files, "confidence": None if confidence is None else min(confidence, 1.0),
    }  # fmt: skip
    yield ForeignEntry(
        line(value.get("decision")), item.key, "decision", item.at, [("decision", fields)]
    )


def _session(item: _Stored, goal: str, changes: list[_Stored]) -> Iterator[ForeignEntry]:
    value = item.value
    last = max([item.at, *(change.at for change in changes)])
    ended = max(last, time(value.get("end_time"), last))
    success = value.get("success")
    fields = {
        **item.fields("session", goal, value.get("tags")),
        "goal": line(goal), "started": stamp(item.at), "ended": stamp(ended),
        "success": success if isinstance(success, bool) else None,
        "summary": text(value.get("summary")),
        "changes": [_change(change.value) for change in changes],
    }  # fmt: skip
    yield ForeignEntry(line(goal), item.key, "session", item.at, [("session", fields)])


def _change(value: Row) -> Row:
    action, span = value.get("action"), value.get("line_range")
    related = [file for file in texts(value.get("related_files")) if not _outside(file)]
    fields: Row = {
        "path": text(value.get("file_path")), "reason": text(value.get("reason")),
        "action": action if action in _ACTIONS else "edit",
        "diff": text(value.get("diff")), "related_files": related,
    }  # fmt: skip
    if isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span):  # noqa: PLR2004
        first, last = span
        fields |= {"lines": [first, last]} if 0 < first <= last else {}
    return fields


def _note(
    row: Row, key: str, value: object, at: datetime, passed: Counter[str]
) -> Iterator[ForeignEntry]:
    body = text(value).strip()
    if not body:
        passed["says nothing"] += 1
        return
    who = line(row.get("user_id"))
    tags = texts(mapping(from_json(row.get("metadata"))).get("tags"))
    record_id = id_of("note", FORM, who, text(row.get("agent_name")), key)
    fields = {**envelope(record_id, key, at, who, FORM, tags), "body": body}
    yield ForeignEntry(line(key), key, "note", at, [("note", fields)])


def _relative(value: Row, root: str) -> Row:
    """Give a value with the paths below the repository as its files."""
    below = root.rstrip("/") + "/" if root else ""
    if not below:
        return value
    item = text(value.get("file_path")).removeprefix(below)
    more = [file.removeprefix(below) for file in texts(value.get("related_files"))]
    return value | ({"file_path": item} if item else {}) | ({"related_files": more} if more else {})


def _outside(path: str) -> bool:
    """Tell whether a path can't be one of a repository: it is absolute, or leads upwards."""
    return not path.strip() or bool(_OUTSIDE.search(path))
