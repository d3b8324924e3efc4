"""Columns for statistics: who made an attempt, how, how long it took, what it cost."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

_APPROACH = 200


def efforts(record: "Record") -> Iterator[tuple[Any, ...]]:
    """Give the row of a fix or a session, in the order of the table's columns; else none."""
    if record.kind == "fix":
        yield _of_fix(record)
    elif record.kind == "session":
        yield _of_session(record)


def _of_fix(fix: Any) -> tuple[Any, ...]:  # noqa: ANN401  fields of one kind
    after = fix.verification.after if fix.verification else None
    tool, model = fix.author.tool, fix.author.model
    # A record that names no fixer was made by its author: a tool, or somebody.
    fixer = fix.fixer or tool or fix.author.name
    applied = None if fix.applied is None else int(fix.applied)
    verified = after.result if after else ""
    return (
        fixer, tool, model, _line(fix.approach), applied, verified, fix.seconds,
        "", "", "", *_usage(fix.usage),
    )  # fmt: skip


def _of_session(session: Any) -> tuple[Any, ...]:  # noqa: ANN401  fields of one kind
    task = session.task
    about = (task.category, task.type, task.complexity or "") if task else ("", "", "")
    seconds = (session.ended - session.started).total_seconds()
    return (
        session.author.tool or session.author.name, session.author.tool, session.author.model,
        _line(session.approach), None, "", seconds, *about, *_usage(session.llm),
    )  # fmt: skip


def _usage(usage: Any) -> tuple[Any, ...]:  # noqa: ANN401  a part of a record, or None
    if usage is None:
        return (None, None, None, None)
    return (usage.calls, usage.input_tokens, usage.output_tokens, usage.cost_usd)


def _line(text: str) -> str:
    return " ".join(text[: 4 * _APPROACH].split())[:_APPROACH]


def traits(record: "Record") -> Iterator[tuple[str, str]]:
    """Give (role, word) of what describes an error, a session, a pattern or a rule."""
    for role, field in (("factor", "success_factors"), ("tool", "tools_used")):
        yield from ((role, value) for value in getattr(record, field, ()) if value)
    if task := getattr(record, "task", None):
        yield from (("dependency", value) for value in task.dependencies if value)
    for role, field in (("tool", "tool"), ("language", "language"), ("command", "command")):
        if value := getattr(record, field, ""):
            yield role, " ".join(value.split())[:_APPROACH]
    if test := getattr(record, "test", None):
        yield "test", test.name
    if rule := getattr(record, "guard", None):
        yield "guard", rule.language
