"""Edits a draft before it becomes records, with the same checks."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.errors import InvalidError
from gitmem.memory.core.redaction import redact
from gitmem.memory.writing.record_builder import build, reject_unknown

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.memory.writing.writer import Writer


def edit_draft(
    writer: "Writer",
    reference: str,
    error: Mapping[str, Any],
    fixes: Sequence[Mapping[str, Any]],
    others: Sequence[Mapping[str, Any]] = (),
) -> "Draft":
    """Check the fields, and store them as the draft's; nothing is stored if one is wrong."""
    draft = writer.workspace.drafts.find(reference)
    if error or not others:
        _check(writer, "error", "error", error)
    for number, fix in enumerate(fixes, 1):
        _check(writer, "fix", f"fix {number} of {len(fixes)}", fix)
    for number, other in enumerate(others, 1):
        kind = str(other.get("kind", ""))
        _check(writer, kind, f"record {number} of {len(others)}", other)
    plain = {
        "error": dict(error),
        "fixes": [dict(fix) for fix in fixes],
        "others": [dict(other) for other in others],
    }
    shown, _ = redact(writer.workspace, plain)
    edited = draft._replace(
        error=dict(shown["error"]),
        fixes=[dict(fix) for fix in shown["fixes"]],
        others=[dict(other) for other in shown["others"]],
    )
    writer.workspace.drafts.add(edited)
    return edited


def _check(writer: "Writer", kind: str, name: str, fields: Mapping[str, Any]) -> None:
    try:
        draft_record = build(kind, fields, writer.author, writer.workspace.clock(), None)
        reject_unknown(draft_record, f"this {kind}")
    except InvalidError as error:
        raise InvalidError(f"{name}: {error.message}", error.hint, error.field) from None
