"""What watched runs wrote, and failures that passed without an edit: in the local journal."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from gitmem.capture.composing import error_fields_of
from gitmem.capture.learnt import Draft, GoneRemark
from gitmem.capture.runs import Run
from gitmem.store.journal import Journal

_STREAM: Final = "lessons"
_WRITTEN, _GONE, _UNDONE = "written", "gone", "undone"
_NEWEST: Final = 500
"""So many events stay in the journal."""


class WrittenRecords(NamedTuple):
    """What one watched run wrote.

    Attributes:
        run: its name in the journal.
        records: ids of the records.
        drafts: ids of the drafts that they were.

    """

    run: str
    records: tuple[str, ...]
    drafts: tuple[str, ...]


class GoneFailure(NamedTuple):
    """A failure that passes, and no edit fixed it.

    Attributes:
        error: fields of an error record.
        command: what passes now.
        around: what is known to have changed around the code, in words.

    """

    error: dict[str, Any]
    command: str
    around: tuple[str, ...]


class LessonLog:
    """What the watched runs of one work tree did to the memory.

    Args:
        journal: the local journal, which all work trees share.
        worktree: names the work tree.

    """

    def __init__(self, journal: Journal, worktree: str) -> None:
        self._journal = journal
        self._worktree = worktree

    def note_written(self, run: Run, draft: Draft, records: Iterable[str]) -> None:
        """Note the records that a draft of a run became."""
        self._append(_WRITTEN, run=run.id, draft=draft.id, records=list(records))

    def note_gone(self, run: Run, remarks: Iterable[GoneRemark]) -> None:
        """Note the failures that pass in a run, and that no edit fixed."""
        for remark in remarks:
            if remark.mark == "passes":
                fields = error_fields_of(remark.seen, run)
                del fields["exit_code"]  # of the run that passed
                self._append(_GONE, run=run.id, error=fields, around=list(remark.around))

    def note_undone(self, run: str) -> None:
        """Note that what a run wrote was taken back."""
        self._append(_UNDONE, run=run)

    def last_written(self) -> WrittenRecords | None:
        """Give what the newest run wrote that wrote anything and was not undone."""
        written = self.all_written()
        if not written:
            return None
        mine = [entry for entry in written if entry.run == written[-1].run]
        return WrittenRecords(
            written[-1].run,
            tuple(record for entry in mine for record in entry.records),
            tuple(draft for entry in mine for draft in entry.drafts),
        )

    def all_written(self) -> list[WrittenRecords]:
        """Give what was written and not undone, a draft each, oldest first."""
        events = self._events()
        undone = {event["run"] for event in events if event["event"] == _UNDONE}
        return [
            WrittenRecords(
                str(event["run"]), tuple(map(str, event["records"])), (str(event["draft"]),)
            )
            for event in events
            if event["event"] == _WRITTEN and event["run"] not in undone
        ]

    def last_gone(self) -> GoneFailure | None:
        """Give the newest failure that passed without an edit."""
        gone = [event for event in self._events() if event["event"] == _GONE]
        if not gone:
            return None
        error = dict(gone[-1]["error"])
        return GoneFailure(error, str(error.get("command", "")), tuple(gone[-1]["around"]))

    def _append(self, event: str, **fields: Any) -> None:  # noqa: ANN401  plain data
        line = {"event": event, "worktree": self._worktree, **fields}
        self._journal.append(_STREAM, line, live=lambda events: events[-_NEWEST:])

    def _events(self) -> list[dict[str, Any]]:
        events = self._journal.read(_STREAM)
        return [event for event in events if event.get("worktree") == self._worktree]
