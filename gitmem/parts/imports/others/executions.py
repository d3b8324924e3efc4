"""Lists of executions and error solutions, as a pattern learner keeps them in JSON.

Their ids are times in seconds, so that two of one second share one: what they say tells them
apart here. ``success_rate`` of a solution is what somebody claims, and is kept as that.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    before,
    envelope,
    line,
    mapping,
    number,
    scalars,
    stamp,
    text,
    texts,
    time,
)

_FORM: Final = "executions"
_COMPLEXITIES: Final = frozenset({"low", "medium", "high"})


def read(rows: list[dict[str, Any]], otherwise: datetime, folder: str = "") -> ForeignFile:
    """Read the rows of ``patterns.json`` and ``solutions.json``.

    Args:
        rows: of either or both.
        otherwise: the time of what bears none.
        folder: that the file is in: of ``memories/PROJECT`` the records bear the project's tag.

    """
    above, project = os.path.split(folder)
    tags = [f"project-{project}"] if os.path.basename(above) == "memories" else []
    passed: Counter[str] = Counter()
    things: list[ForeignEntry] = []
    for row in rows:
        if "solution_id" in row or "solution_approach" in row:
            things += _solution(row, otherwise)
        elif "pattern_id" in row or "task_category" in row:
            things += _execution(row, otherwise, tags)
        else:
            passed["neither an execution nor a solution"] += 1
    return ForeignFile(things, passed)


def _execution(row: dict[str, Any], otherwise: datetime, tags: list[str]) -> Iterator[ForeignEntry]:
    ended = time(row.get("timestamp"), otherwise)
    category, kind = line(row.get("task_category")), line(row.get("task_type")) or "general"
    approach, seconds = line(row.get("execution_approach")), number(row.get("execution_time"))
    complexity = row.get("task_complexity")
    title = f"{category or kind} task, {approach or 'standard'}"
    record_id = id_of("session", _FORM, _whole(row))
    calls = number(row.get("api_calls_made"))
    fields = {
        **envelope(record_id, title, ended, "pattern learner", _FORM, tags),
        "goal": line(row.get("description")) or title,
        "started": stamp(before(ended, seconds)), "ended": stamp(ended),
        "success": bool(row.get("success")), "approach": approach,
        "task": {
            "category": category, "type": kind,
            "complexity": complexity if text(complexity) in _COMPLEXITIES else None,
            "dependencies": texts(row.get("dependencies_resolved")),
        },
        "success_factors": texts(row.get("success_factors")),
        "tools_used": texts(row.get("tools_used")),
        "metrics": {"api_calls_made": calls} if calls else {},
    }  # fmt: skip
    yield ForeignEntry(title, text(row.get("pattern_id")), "session", ended, [("session", fields)])


def _solution(row: dict[str, Any], otherwise: datetime) -> Iterator[ForeignEntry]:
    at = time(row.get("timestamp"), otherwise)
    error_type, message = line(row.get("error_type")), text(row.get("error_message"))
    context = scalars(mapping(row.get("error_context")))
    message_line = f"{error_type}: {message}" if message else error_type
    error = {
        **envelope(
            id_of("error", _FORM, error_type, message), message_line, at, "pattern learner", _FORM
        ),
        "error_type": error_type,
        "message": message,
        "environment": context,
    }
    approach, steps = text(row.get("solution_approach")), texts(row.get("solution_steps"))
    rate = number(row.get("success_rate"))
    record_id = id_of("fix", _FORM, _whole(row))
    fix = {
        **envelope(record_id, approach or " ".join(steps), at, "pattern learner", _FORM),
        "approach": approach, "steps": steps, "outcome": "unverified",
        "applies_to": texts(row.get("applicable_categories")),
        "notes": "\n".join(f"{name}: {text(value)}" for name, value in context.items()),
        "stated_confidence": min(rate, 1.0) if rate else None,
        "links": {"fixes": [error["id"]]},
    }  # fmt: skip
    drafts: list[tuple[str, dict[str, Any]]] = [("error", error), ("fix", fix)]
    yield ForeignEntry(line(message_line), text(row.get("solution_id")), "solution", at, drafts)


def _whole(row: dict[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, ensure_ascii=False, default=str)
