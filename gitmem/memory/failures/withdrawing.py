"""Withdrawing fixes: a failure that came and went on the same code was fixed by no edit."""

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from gitmem.capture.learnt import GoneRemark
from gitmem.errors import NotFoundError, UsageError
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.capture.drafts import Drafts
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.lesson_log import LessonLog
    from gitmem.memory.failures.access import RecordAccess

_WHY: Final = "the failure passed without a code change"
_NOTE: Final = f"Withdrawn: {_WHY}."


def withdraw(
    records: "RecordAccess",
    drafts: "Drafts",
    log: "LessonLog",
    flaky: "Iterable[FingerprintedFailure]",
) -> list[GoneRemark]:
    """Take back that edits worked which watched runs recorded as fixes of flaky failures.

    Their records stay, as unverified ones that say why; open drafts are dropped. What a person
    recorded or kept is left alone.

    Args:
        records: of the memory.
        drafts: what was learnt here.
        log: what watched runs wrote.
        flaky: failures that were there and not there on one tree.

    Returns:
        A remark for each fix.

    """
    by_site = {failure.site: failure for failure in flaky}
    if not by_site:
        return []
    remarks = []
    about = {}
    for draft in drafts.all():
        # What else an edit mended may come and go, and the error that names it does not.
        failure = by_site.get(draft.site)
        if failure:
            about[draft.id] = failure
    for draft in drafts.open():
        if draft.id in about and draft.fixes:
            drafts.drop(draft.id)
            text = f"draft {draft.id} is dropped: {_WHY}"
            remarks.append(GoneRemark("withdrawn", about[draft.id], text))
    for written in log.all_written():
        for name in written.drafts:
            if name in about:
                remarks += [
                    GoneRemark("withdrawn", about[name], f"{fix} is unverified now: {_WHY}")
                    for fix in written.records
                    if _withdraw_record(records, fix)
                ]
    return remarks


def _withdraw_record(records: "RecordAccess", record_id: str) -> bool:
    """Make a fix that worked an unverified one; tell whether it was one that worked."""
    try:
        row = records.reader.find(record_id)
    except (NotFoundError, UsageError):
        return False
    record = read_record(records.workspace, row)
    if not isinstance(record, Fix) or record.outcome != "worked":
        return False
    notes = f"{record.notes}\n\n{_NOTE}" if record.notes else _NOTE
    _, data = records.writer.encoded(replace(record, outcome="unverified", notes=notes))
    records.workspace.store.replace(row.path, data)
    return True
