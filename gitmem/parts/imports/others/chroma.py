"""``chroma.sqlite3``: the collections of a swarm's memory in Chroma, as it keeps them since 0.4.

Vectors lie beside it and are not taken over: gitmem makes its own, of the texts. A document of
the swarm is a text with headings (``Error:``, ``Context:``, ``Resolution:``); what stands in the
metadata as well wins.
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
    before,
    envelope,
    line,
    number,
    scalars,
    stamp,
    text,
    time,
)

FORM: Final = "chroma"
TABLES: Final = frozenset({"collections", "segments", "embeddings", "embedding_metadata"})
_DOCUMENT: Final = "chroma:document"
_HEADING: Final = re.compile(
    r"^(Pattern|Language|Context|Code|Error|Resolution|Problem|Approach|Solution|Task|Duration"
    r"|Status|Title):[ \t]*",
    re.MULTILINE,
)
_TIMES: Final = ("created_at", "timestamp", "started_at")
_WHO: Final = "swarm"
_STATES: Final = {"success": True, "failure": False}
_ENTRIES: Final = """
SELECT entry.id, entry.embedding_id AS name, entry.created_at, collection.name AS collection
FROM embeddings entry JOIN segments segment ON segment.id = entry.segment_id
JOIN collections collection ON collection.id = segment.collection ORDER BY entry.id
"""
_OTHER_HALF: Final = frozenset({"error_id", "decision_id", "session_id", "change_id"})
"""What the coding memory writes here again, for its search."""


class _Document(NamedTuple):
    """A document: its id there, its text, the parts below its headings, metadata and time."""

    name: str
    text: str
    parts: dict[str, str]
    about: dict[str, Any]
    at: datetime

    def said(self, *names: str) -> str:
        """Give the first of some metadata or parts that says something."""
        candidates = (self.about.get(name) or self.parts.get(name) for name in names)
        return next((text(value).strip() for value in candidates if value), "")

    def ids(self, kind: str, *more: str) -> str:
        return id_of(kind, FORM, self.name, *more)


def read(query: Query, tables: set[str], otherwise: datetime, _root: str = "") -> ForeignFile:
    """Read the documents of all collections.

    Args:
        query: asks the file.
        tables: the names of those that it has.
        otherwise: the time of what bears none.

    """
    passed: Counter[str] = Counter()
    entries: list[ForeignEntry] = []
    about = _metadata(query, tables)
    for row in query(_ENTRIES):
        metadata = about.get(row["id"], {})
        body = text(metadata.pop(_DOCUMENT, None))
        if not body.strip():
            passed["vectors without a text"] += 1
        elif "project_id" in metadata and _OTHER_HALF & metadata.keys():
            passed["copies for search of what the coding memory's memory.db holds"] += 1
        else:
            when = next((metadata[name] for name in _TIMES if metadata.get(name)), "")
            at = time(when, time(row["created_at"], otherwise))
            document = _Document(text(row["name"]), body, _parts(body), metadata, at)
            entries += _READERS.get(row["collection"], _note)(document, text(row["collection"]))
    return ForeignFile(entries, passed)


def _metadata(query: Query, tables: set[str]) -> dict[int, dict[str, Any]]:
    """Give the metadata of each entry; flags and lists have places of their own since 0.5."""
    values: dict[int, dict[str, Any]] = {}
    for row in query("SELECT * FROM embedding_metadata"):
        values.setdefault(row["id"], {})[row["key"]] = _value(row)
    if "embedding_metadata_array" in tables:
        for row in query("SELECT * FROM embedding_metadata_array ORDER BY rowid"):
            values.setdefault(row["id"], {}).setdefault(row["key"], []).append(_value(row))
    return values


def _value(row: dict[str, Any]) -> object:
    if row.get("bool_value") is not None:
        return bool(row["bool_value"])
    names = ("string_value", "int_value", "float_value")
    return next((row[name] for name in names if row.get(name) is not None), None)


def _parts(body: str) -> dict[str, str]:
    """Split a document at its headings, each the first time: code may hold such words, too."""
    parts: dict[str, str] = {}
    headings = []
    for match in _HEADING.finditer(body):
        if match[1].lower() not in parts:
            parts[match[1].lower()] = ""
            headings.append(match)
    if not headings or body[: headings[0].start()].strip():
        return {}
    for match, following in zip(headings, [*headings[1:], None], strict=True):
        end = following.start() if following else len(body)
        parts[match[1].lower()] = body[match.end() : end].strip("\n").rstrip()
    return parts


def _pattern(document: _Document, _collection: str) -> Iterator[ForeignEntry]:
    code = document.parts.get("code") or document.said("code") or document.text
    title = document.said("pattern_name", "pattern", "title", "name") or line(code)
    rate = document.about.get("success_rate")
    fields = {
        **envelope(document.ids("pattern"), title, document.at, _WHO, FORM),
        "code": code, "language": line(document.said("language")),
        "when_to_use": document.said("context"),
        "metrics": {"success_rate": rate} if number(rate) is not None else {},
    }  # fmt: skip
    yield ForeignEntry(line(title), document.name, "pattern", document.at, [("pattern", fields)])


def _error(document: _Document, _collection: str) -> Iterator[ForeignEntry]:
    message = document.said("error_message", "error") or document.text
    resolution = document.said("resolution", "solution")
    error = {
        **envelope(id_of("error", FORM, message), message, document.at, _WHO, FORM),
        "message": message,
        "environment": scalars(_rest(document, "error_message", "error", "success", "context",
                                     "resolution", "solution")),
    }  # fmt: skip
    drafts: list[tuple[str, dict[str, Any]]] = [("error", error)]
    if resolution:
        success = document.about.get("success")
        outcome = ("worked" if success else "failed") if success is not None else "unverified"
        fix = {
            **envelope(document.ids("fix"), resolution, document.at, _WHO, FORM),
            "approach": resolution, "outcome": outcome, "notes": document.said("context"),
            "links": {"fixes": [error["id"]]},
        }  # fmt: skip
        drafts.append(("fix", fix))
    yield ForeignEntry(line(message), document.name, "error", document.at, drafts)


def _episode(document: _Document, _collection: str) -> Iterator[ForeignEntry]:
    goal = document.said("task", "task_description", "task_title") or line(document.text)
    seconds = number(document.about.get("duration"))
    started = time(document.about.get("started_at"), before(document.at, seconds))
    ended = max(document.at, started)
    success = document.about.get("success")
    if success is None:
        success = _STATES.get(text(document.about.get("status")))
    fields = {
        **envelope(document.ids("session"), goal, ended, _WHO, FORM, ["episode"]),
        "goal": line(goal), "started": stamp(started), "ended": stamp(ended),
        "success": success, "summary": document.text.strip(),
        "metrics": scalars(_rest(document, "success", "status", "duration", "task")),
    }  # fmt: skip
    yield ForeignEntry(line(goal), document.name, "episode", ended, [("session", fields)])


def _solution(document: _Document, _collection: str) -> Iterator[ForeignEntry]:
    title = document.said("problem", "title") or line(document.text)
    yield from _as_note(document, title, "howto", ["solution", document.said("language")])


def _note(document: _Document, collection: str) -> Iterator[ForeignEntry]:
    title = document.said("title", "name") or line(document.text)
    yield from _as_note(document, title, "other", [collection])


def _as_note(document: _Document, title: str, kind: str, tags: list[str]) -> Iterator[ForeignEntry]:
    rest = "".join(f"\n{name}: {text(value)}" for name, value in _rest(document).items())
    fields = {
        **envelope(document.ids("note"), title, document.at, _WHO, FORM, tags),
        "type": kind, "body": document.text.strip() + (f"\n{rest}" if rest else ""),
    }  # fmt: skip
    yield ForeignEntry(line(title), document.name, "note", document.at, [("note", fields)])


def _rest(document: _Document, *elsewhere: str) -> dict[str, Any]:
    """Give the metadata that stands nowhere else, without counts of uses and the type."""
    left_out = {
        *elsewhere,
        *_TIMES,
        "type",
        "usage_count",
        "reuse_count",
        "accessed_count",
        "title",
    }
    return {name: value for name, value in document.about.items() if name not in left_out}


_READERS: Final = {
    "code_patterns": _pattern, "errors": _error, "experiences": _episode, "solutions": _solution,
}  # fmt: skip
