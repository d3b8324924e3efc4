"""Records of work that was done elsewhere: a task with its outcome, a solution."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from gitmem.learning.tasks import assess, task_of
from gitmem.parts.compat.arguments import number, truth
from gitmem.parts.compat.learning_report import ExecutionRow
from gitmem.parts.compat.shared import from_text, listed, to_text
from gitmem.parts.compat.write_once import resolved_new
from gitmem.records.kinds import Session
from gitmem.records.parts import Task

if TYPE_CHECKING:
    from gitmem.answers.solutions import Solution
    from gitmem.learning.recommendation import PastWork
    from gitmem.memory import Memory

_LONGEST: Final = 1e9
"""Seconds: thirty years."""
_FACTORS: Final = """
SELECT f.id, f.value FROM record_traits f JOIN record_tags t ON t.id = f.id
WHERE f.role = 'factor' AND t.tag = ?
"""
_FIGURES: Final = ("api_calls_made", "recovery_used", "error_type", "error_message")


def note_task(
    memory: "Memory", task: Mapping[str, Any], result: Mapping[str, Any], tags: Sequence[str] = ()
) -> str:
    """Write down a task that was done; give the id of its session record.

    Args:
        memory: the memory.
        task: ``description``, ``category``, ``type``, ``dependencies``, ``effort``, ``id``.
        result: ``success``, ``approach``, ``execution_time`` in seconds, ``success_factors``,
            ``tools_used``, ``api_calls_made``, ``recovery_used``, ``error_type``,
            ``error_message``.
        tags: words to find it by.

    Raises:
        InvalidError: a value that no record can hold.
        UsageError: one that can't be meant.

    """
    stated = task_of(task)
    name = str(task.get("id") or "")
    goal = stated.description or name or f"{stated.category or 'general'} task"
    ended = memory.workspace.clock()
    seconds = number(result.get("execution_time") or 0, "execution_time", most=_LONGEST)
    took = timedelta(seconds=seconds)
    fields: dict[str, Any] = {
        "title": " ".join(goal.split())[:200],
        "goal": goal,
        "started": (ended - took).isoformat(),
        "ended": ended.isoformat(),
        "success": truth(result.get("success"), "success"),
        "task": {
            "id": name,
            "category": stated.category,
            "type": stated.type or "general",
            "complexity": stated.complexity or assess(stated),
            "effort": stated.effort,
            "dependencies": list(stated.dependencies),
        },
        "approach": str(result.get("approach") or "standard"),
        "success_factors": list(dict.fromkeys(listed(result.get("success_factors")))),
        "tools_used": list(dict.fromkeys(listed(result.get("tools_used")))),
        "tags": list(tags),
        "metrics": {name: result[name] for name in _FIGURES if result.get(name) is not None},
    }
    return memory.add("session", fields).id


def note_solution(memory: "Memory", error: Mapping[str, Any], solution: Mapping[str, Any]) -> str:
    """Write down what solves an error, and the error if it is new; give the fix's id.

    Args:
        memory: the memory.
        error: ``error_type``, ``error_message``, ``context``.
        solution: ``approach``, ``steps``, ``success_rate`` (a claim from 0 to 1, which is kept
            as the stated confidence: nobody has seen it work), ``applicable_categories``.

    """
    kind = str(error.get("error_type") or "")
    message = str(error.get("error_message") or "")
    error_id = _recorded(memory, kind, message) if kind and message else None
    claimed = number(solution.get("success_rate") or 0, "success_rate", most=1)
    context = error.get("context")
    fields = {
        "approach": str(solution.get("approach") or ""),
        "steps": listed(solution.get("steps")),
        "outcome": "unverified",
        "stated_confidence": claimed or None,
        "applies_to": listed(solution.get("applicable_categories")),
        "notes": _context_text(context) if isinstance(context, Mapping) else str(context or ""),
    }
    if error_id is None:
        return resolved_new(memory, {"error_type": kind, "message": message or kind}, fields)
    return memory.resolve(error_id, fields).id


def _recorded(memory: "Memory", kind: str, message: str) -> str | None:
    """Give the newest error of a type and message, whatever else its record says."""
    matches = memory.hint(f"{kind}: {message}")
    for match in matches:
        for row in reversed(match.errors):
            record = memory.show(row.id).record
            if getattr(record, "message", "") == message and row.error_type == kind:
                return row.id
    return next((match.errors[-1].id for match in matches if match.is_known and match.errors), None)


def _context_text(context: Mapping[str, Any]) -> str:
    return "\n".join(f"{name}: {to_text(value, one_line=True)}" for name, value in context.items())


def executions(memory: "Memory", project: str) -> list[ExecutionRow]:
    """Give the executions that bear a project's tag, oldest first."""
    sql = (
        "SELECT s.id, s.created, coalesce(s.category, ''), s.success, coalesce(s.seconds, 0),"
        " s.approach FROM sessions s JOIN record_tags t ON t.id = s.id WHERE t.tag = ?"
        " ORDER BY s.created, s.id"
    )
    rows = memory.statistics.query(sql, (project,)).rows
    named: dict[str, list[str]] = {}
    for session, factor in memory.statistics.query(_FACTORS, (project,)).rows:
        named.setdefault(session, []).append(factor)
    return [
        ExecutionRow._make((*row[:3], bool(row[3]), *row[4:], tuple(named.get(row[0], ()))))
        for row in rows
    ]


def newest(memory: "Memory", kind: str, limit: int | None) -> frozenset[str] | None:
    """Give the ids of so many newest records of a kind; None: no limit is set."""
    if limit is None:
        return None
    return frozenset(row.id for row in memory.list(f"kind:{kind}", limit=limit))


def pattern(memory: "Memory", work: "PastWork") -> dict[str, Any]:
    """Show an execution that is like a task, with all that its record says."""
    session = memory.show(work.id).record
    task, seconds = Task(), 0.0
    factors, tools = work.factors, work.tools
    if isinstance(session, Session):
        task = session.task or task
        # In the order they were given, which the catalog does not keep.
        factors, tools = session.success_factors, session.tools_used
        seconds = (session.ended - session.started).total_seconds()
    return {
        "pattern_id": work.id,
        "description": work.title,
        "task_category": task.category,
        "task_type": task.type,
        "task_complexity": task.complexity,
        "execution_approach": work.approach,
        "success_factors": list(factors),
        "execution_time": seconds,
        "dependencies_resolved": list(task.dependencies),
        "tools_used": list(tools),
        "api_calls_made": getattr(session, "metrics", {}).get("api_calls_made", 0),
        "timestamp": work.created,
        "success": bool(work.success),
        "similarity": work.likeness.share,
    }


def solution(memory: "Memory", offered: "Solution") -> dict[str, Any]:
    """Show a solution with the error that it was written for.

    ``success_rate`` is what its author claims, or where nobody claimed anything 1 for a solution
    that was seen to work; ``outcome`` is what was seen.
    """
    fix = memory.show(offered.fix).record
    named = fix.links.fixes or offered.errors
    error = memory.show(named[0]).record if named else None
    outcome = getattr(fix, "outcome", "")
    claimed = getattr(fix, "stated_confidence", None)
    return {
        "solution_id": offered.fix,
        "error_type": getattr(error, "error_type", ""),
        "error_message": getattr(error, "message", ""),
        "error_context": _context(getattr(fix, "notes", "")),
        "solution_approach": offered.approach,
        "solution_steps": list(offered.steps),
        "success_rate": float(outcome == "worked") if claimed is None else claimed,
        "applicable_categories": list(getattr(fix, "applies_to", ())),
        "timestamp": fix.created.isoformat(),
        "outcome": outcome,
        "why": offered.label,
        "times": offered.times,
    }


def _context(notes: str) -> dict[str, Any]:
    pairs = (line.partition(": ") for line in notes.splitlines())
    return {name: from_text(value) for name, colon, value in pairs if colon}
