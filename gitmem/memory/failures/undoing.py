"""Taking back what a watched run taught: its records, or the run itself."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.history import RunHistory
from gitmem.capture.lesson_log import LessonLog
from gitmem.errors import NotFoundError, UsageError
from gitmem.memory.core.team_rules import mask_rules
from gitmem.memory.failures.observed_runs import timeline

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess


class RunRecords(NamedTuple):
    """What a watched run wrote, as far as it is still there.

    Attributes:
        run: its name.
        rows: its records, in the order they were written.
        drafts: ids of the drafts that they were.

    """

    run: str
    rows: "tuple[Row, ...]"
    drafts: tuple[str, ...]


def last_records(records: "RecordAccess") -> RunRecords:
    """Give what the newest watched run wrote that wrote anything.

    Raises:
        NotFoundError: no watched run wrote anything that is still there.

    """
    wrote = _log(records).last_written()
    if wrote is None:
        raise NotFoundError(
            "no watched run in this work tree has recorded anything",
            "to delete one record: gitmem forget ID",
        )
    rows = []
    for record_id in wrote.records:
        try:
            rows.append(records.reader.find(record_id))
        except (NotFoundError, UsageError):
            continue
    return RunRecords(wrote.run, tuple(rows), wrote.drafts)


def undo(records: "RecordAccess", written: RunRecords) -> None:
    """Delete the records of a run, and drop the drafts that they were.

    The run is dismissed with those that showed its failures: nothing is learnt from them again.

    Args:
        records: of the memory.
        written: as ``last_records`` gave it.

    """
    for row in reversed(written.rows):
        records.workspace.store.delete(row.path)
    drafts = {draft.id: draft for draft in records.workspace.drafts.all()}
    sites = {site for name in written.drafts if name in drafts for site in drafts[name].all_sites}
    for name in written.drafts:
        records.workspace.drafts.drop(name)
    _log(records).note_undone(written.run)
    for run in timeline(records):
        if run.id == written.run or run.sites & sites:
            dismiss(records, run.id)


def dismiss(records: "RecordAccess", run: str) -> None:
    """Learn nothing from a watched run, as if it had not been watched."""
    _history(records).dismiss(run)


def _tree_name(records: "RecordAccess") -> str:
    places = records.workspace.site.git_dirs
    return places.git_dir if places else records.workspace.site.root


def _log(records: "RecordAccess") -> LessonLog:
    return LessonLog(records.workspace.journal, _tree_name(records))


def _history(records: "RecordAccess") -> RunHistory:
    workspace = records.workspace
    rules = partial(mask_rules, workspace.site, workspace.notices)
    return RunHistory(workspace.journal, _tree_name(records), rules)
