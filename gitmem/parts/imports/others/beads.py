"""The JSON lines of beads, an issue tracker for agents: a bug is an error, all else a note.

A bug that was closed with a reason has a fix that says so, unless the reason says that nothing was
fixed. Whether the fix held, beads does not know; that it was closed is taken for *worked*.
"""

import re
from collections import Counter
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    envelope,
    line,
    mappings,
    text,
    texts,
    time,
)

_FORM: Final = "beads"
_NOT_FIXED: Final = re.compile(
    r"\b(?:won'?t.?fix|wontfix|duplicate|invalid|obsolete|stale|superseded|not a bug|by design"
    r"|(?:can'?t|cannot|could not) (?:be )?reproduced?|abandoned|out of scope)\b",
    re.IGNORECASE,
)
_PARTS: Final = (
    ("", "description"), ("Design", "design"), ("Accepted when", "acceptance_criteria"),
    ("Notes", "notes"), ("Closed", "close_reason"),
)  # fmt: skip


def read(rows: list[dict[str, Any]], otherwise: datetime) -> ForeignFile:
    """Read the lines of ``issues.jsonl``.

    Args:
        rows: an object a line.
        otherwise: the time of what bears none.

    """
    passed: Counter[str] = Counter()
    imported_rows = []
    for row in rows:
        if row.get("status") == "tombstone" or row.get("deleted_at"):
            passed["deleted there"] += 1
        elif not (text(row.get("id")) and text(row.get("title")).strip()):
            passed["without an id or a title"] += 1
        else:
            imported_rows.append(row)
    ids = {text(row["id"]): id_of(_kind(row), _FORM, text(row["id"])) for row in imported_rows}
    return ForeignFile([_thing(row, ids, otherwise) for row in imported_rows], passed)


def _kind(row: dict[str, Any]) -> str:
    return "error" if row.get("issue_type") == "bug" else "note"


def _thing(row: dict[str, Any], ids: dict[str, str], otherwise: datetime) -> ForeignEntry:
    name, kind = text(row["id"]), _kind(row)
    at = time(row.get("created_at"), otherwise)
    who = text(row.get("created_by")) or text(row.get("assignee"))
    status, what = text(row.get("status")), text(row.get("issue_type")) or "task"
    tags = [what, status, *texts(row.get("labels", []))]
    links = _links(row, ids, ids[name])
    fields: dict[str, Any] = {
        **envelope(ids[name], row["title"], at, who, _FORM, tags), "links": links,
    }  # fmt: skip
    if kind == "error":
        fields |= {"message": text(row["title"]), "excerpt": _body(row)}
        # A tracker's text is no output of a tool, and is not read as one.
        fields["environment"] = {"beads": name}
    else:
        fields["body"] = _body(row) or text(row["title"])
    drafts: list[tuple[str, dict[str, Any]]] = [(kind, fields)]
    reason = text(row.get("close_reason")).strip()
    if kind == "error" and status == "closed" and reason and not _NOT_FIXED.search(reason):
        closed = time(row.get("closed_at"), at)
        fix = {
            **envelope(id_of("fix", _FORM, name, reason), reason, closed, who, _FORM),
            "approach": reason, "outcome": "worked", "links": {"fixes": [ids[name]]},
        }  # fmt: skip
        drafts.append(("fix", fix))
    return ForeignEntry(line(row["title"]), name, what, at, drafts)


def _links(row: dict[str, Any], ids: dict[str, str], own: str) -> dict[str, list[str]]:
    links: dict[str, list[str]] = {}
    for dependency in mappings(row.get("dependencies")):
        target = ids.get(text(dependency.get("depends_on_id")))
        if target is None or target == own:
            continue
        same = text(dependency.get("type")) in {"duplicates", "duplicate-of"}
        both_errors = own.startswith("err-") and target.startswith("err-")
        relation = "duplicates" if same and both_errors else "relates"
        links.setdefault(relation, []).append(target)
    return {relation: list(dict.fromkeys(targets)) for relation, targets in links.items()}


def _body(row: dict[str, Any]) -> str:
    parts = [
        f"{heading}:\n{content}" if heading else content
        for heading, field in _PARTS
        if (content := text(row.get(field)).strip())
    ]
    parts += [
        f"{text(comment.get('author')) or 'somebody'}: {content}"
        for comment in mappings(row.get("comments"))
        if (content := text(comment.get("text")).strip())
    ]
    return "\n\n".join(parts)
