"""Drafts become records: the error unless it is open already, and its fixes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gitmem.capture.patches import parse_patch
from gitmem.capture.recognising import errors_of_site
from gitmem.errors import GitmemError
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.core.records import read_record
from gitmem.memory.core.redaction import redact

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.capture.patches import Line
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess


def keep(records: "RecordAccess", draft: "Draft") -> list[str]:
    """Write a draft as records: the error (unless it is open already), and its fixes.

    An error that came back after it was fixed gets a record of its own that says so. Whole
    records that wait for a person are written as they are.
    """
    if draft.others:
        from gitmem.memory.writing.proposing_writer import write_proposed

        return write_proposed(records.writer, draft)
    written_by = _written_by(records, draft)
    status = {row.id: row.status for error_id in draft.known if (row := _find(records, error_id))}
    live = [error_id for error_id, state in status.items() if state in {"open", "regressed"}]
    written: list[str] = []
    if live:
        errors = live
    else:
        links = {"duplicates": [next(iter(status))]} if status else {}
        fields = {**draft.error, **written_by, **({"links": links} if links else {})}
        record = records.writer.add("error", _clean(records, fields))
        written.append(record.id)
        errors = [record.id]
    for ids, fields in draft.shared:
        open_errors = [
            error_id
            for error_id in ids
            if (row := _find(records, error_id)) and row.status == "open"
        ]
        if not open_errors:
            signed = {**fields, **written_by}
            open_errors = [records.writer.add("error", _clean(records, signed)).id]
            written += open_errors
        errors = [*errors, *open_errors]
    for fix in not_yet_written(records, errors, draft.fixes):
        fields = {**fix, **written_by, "links": {"fixes": errors}}
        written.append(records.writer.add("fix", _clean(records, fields)).id)
    return written


def with_known(records: "RecordAccess", draft: "Draft") -> "Draft":
    """Add the ids of the error records of its failure which came after a draft, if it has none."""
    if draft.known or not draft.error:
        return draft
    prints = fingerprints_of(records.workspace, draft.error)
    rows = records.workspace.ask(lambda now: errors_of_site(now.catalog, prints, draft.error))
    return draft._replace(known=[row.id for row in rows])


def _written_by(records: "RecordAccess", draft: "Draft") -> dict[str, dict[str, str]]:
    """Give the author of what an assistant's work taught: who keeps it, via the assistant."""
    if not draft.actor:
        return {}
    via, _, tool = draft.actor.partition(":")
    author = records.writer.author
    data = {"name": author.name, "email": author.email, "via": via, "tool": tool}
    return {"author": {name: value for name, value in data.items() if value}}


def not_yet_written(
    records: "RecordAccess", errors: Sequence[str], fixes: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Leave out failed attempts that the memory has already: those tried long are written early."""
    failed = [fix for fix in fixes if fix.get("outcome") == "failed" and fix.get("patch")]
    if not failed or not errors:
        return list(fixes)
    written_lines = set()
    for error in errors:
        for relation, row in records.reader.show(error).backlinks:
            if relation == "fixes" and row.stated == "failed":
                patch = str(getattr(records.reader.show(row.id).record, "patch", "") or "")
                written_lines.add(parse_patch(patch).lines)
    left = []
    for fix in fixes:
        lines: frozenset[Line] = frozenset()
        if fix in failed:
            lines = parse_patch(str(_clean(records, {"patch": fix["patch"]})["patch"])).lines
        if not lines or lines not in written_lines:
            left.append(fix)
            written_lines.add(lines)
    return left


def _find(records: "RecordAccess", record_id: str) -> "Row | None":
    try:
        return records.reader.find(record_id)
    except GitmemError:
        return None


def _clean(records: "RecordAccess", fields: dict[str, object]) -> dict[str, object]:
    return dict(redact(records.workspace, fields)[0])


def recorded_patch(records: "RecordAccess", fix: "Row") -> str:
    """Give the patch of a recorded fix; empty if it has none."""
    record = read_record(records.workspace, fix)
    return str(getattr(record, "patch", None) or "")
