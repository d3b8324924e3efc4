"""What somebody says of a fix that a watched command has shown: one attempt, and not two."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from gitmem.capture.drafts import KEPT
from gitmem.catalog.rows import best_first
from gitmem.errors import NotFoundError
from gitmem.memory.core.fingerprints import fingerprints_of, seen_in
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.observed_runs import timeline
from gitmem.memory.failures.recorded_attempts import of_error
from gitmem.memory.failures.watched_in_full import watched_in_full
from gitmem.memory.writing.draft_edit import edit_draft
from gitmem.memory.writing.record_edit import edit_record
from gitmem.records import codec

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess

_RECENT: Final = timedelta(hours=12)
_OBSERVED: Final = frozenset({"outcome", "verification", "patch", "links", "reuses"})
"""Fields of which the watched command knows more than anybody says."""


def describe_watched(
    records: "RecordAccess", error: str, fields: Mapping[str, Any], *, waits: bool
) -> list[str]:
    """Add what is said of a fix to what was learnt when its command passed.

    Args:
        records: of the memory.
        error: id of an error, or what shows or names it.
        fields: of the fix, with an approach. Outcome and patch are those that were watched.
        waits: leave a draft a draft.

    Returns:
        The ids of the records that hold it now, the fix last, or of the draft; none where no
        watched command has shown a fix of this error that nobody has described, and where it fails
        again.

    """
    described = {name: value for name, value in fields.items() if name not in _OBSERVED}
    described["title"] = str(fields["approach"]).strip().partition("\n")[0][:200]
    site = _site_of(records, error)
    if not site or _fails(records, site):
        return []  # what is said now is of another attempt than the one that was seen to work
    if draft := _draft_of(records, site):
        *failed, worked = draft.fixes
        edited = edit_draft(
            records.writer, draft.id, draft.error, [*failed, {**worked, **described}]
        )
        if waits:
            return [draft.id]
        from gitmem.memory.failures.recording import keep

        written = keep(records, edited)
        records.workspace.drafts.mark(edited, KEPT, written)
        return written
    row = _recorded(records, site)
    if row is None:
        return []
    if data := _data_of(records, row):
        edit_record(records.writer, row, codec.dump({**data, **described}))
    return [row.id]


def _site_of(records: "RecordAccess", error: str) -> str:
    """Give the fingerprint of the failure that is meant; empty where that is not certain."""
    if "\n" not in error and error.strip().startswith("err-"):
        try:
            row = records.reader.find(error.strip(), "error")
        except NotFoundError:
            return ""
        data = _data_of(records, row)
        return fingerprints_of(records.workspace, data).site if data else ""
    if watched := watched_in_full(records, error):
        return fingerprints_of(records.workspace, watched).site
    failures = seen_in(records.workspace, error)
    return failures[0].site if len(failures) == 1 else ""


def _fails(records: "RecordAccess", site: str) -> bool:
    """Tell whether the newest run of a command shows a failure."""
    newest = {(run.folder, run.command): run for run in timeline(records)}
    return any(site in run.sites for run in newest.values())


def _data_of(records: "RecordAccess", row: "Row") -> dict[str, Any]:
    """Read a record as plain data; empty if its file went away or is broken by now."""
    from gitmem.records.convert import to_data

    record = read_record(records.workspace, row)
    return to_data(record) if record else {}


def _draft_of(records: "RecordAccess", site: str) -> "Draft | None":
    drafts = [
        draft
        for draft in records.workspace.drafts.open()
        if site in draft.all_sites and draft.fixes and draft.fixes[-1].get("outcome") == "worked"
    ]
    return drafts[-1] if drafts else None


def _recorded(records: "RecordAccess", site: str) -> "Row | None":
    """Give the newest fix that was recorded when its command passed, titled by its edit."""
    errors = records.workspace.ask(lambda now: now.catalog.errors_with("site", site))
    fixes = {fix.id: fix for error in errors for fix in of_error(records, error.id)}
    for row in best_first(fixes.values()):
        record: Any = read_record(records.workspace, row)
        if record is None or records.workspace.clock() - record.created > _RECENT:
            continue
        # Who describes an attempt does not call it by its edit.
        if row.verdict == "worked" and record.patch and record.title == record.approach:
            return row
    return None
