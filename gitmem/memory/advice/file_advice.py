"""What to mind at a file or a line of it: decisions, errors, and what was tried there."""

import os
import shlex
from typing import TYPE_CHECKING, Final

from gitmem.capture.episodes import files_in
from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.advice import AdviceItem
from gitmem.learning.advised import Advice
from gitmem.learning.analysis import SAME
from gitmem.memory.advice.trials import standing, trials_of
from gitmem.memory.advice.weighing import MOST, decisions_to_keep, weighed
from gitmem.memory.anchors.record_anchors import text_of
from gitmem.memory.codebase.import_graph import import_graph
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.observed_runs import timeline
from gitmem.memory.failures.recorded_attempts import files_of, of_errors
from gitmem.memory.history.blame import blame
from gitmem.memory.views.about_file import about
from gitmem.plurals import counted
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_LABEL: Final = "this file"
_MOST_NAMED: Final = 3
_SECONDS: Final = 5.0
"""How long source files are read at most, to tell which of them depend on one."""
NOTHING: Final = "nothing recorded speaks against a change"


def advise_on_file(records: "RecordAccess", typed: str) -> Advice:
    """Advise on a file or one line of it.

    Raises:
        NotFoundError: there is no such line.

    """
    workspace = records.workspace
    name, line = workspace.place(typed)
    unplaced: list[Row] = []
    if line:
        history = blame(workspace, name, line)
        rows = [touch.row for touch in (*history.governing, *history.touches)]
        unplaced = _unplaced(workspace, name, line)
        rows += [row for row in unplaced if row not in rows]
    else:
        concerned = about(workspace, name)
        rows = [*concerned.decisions, *concerned.errors, *concerned.fixes]
    advice = _on_rows(records, name, line, rows)
    notes = [f"{row.id} named line {line}, without its text: it may have moved" for row in unplaced]
    return advice._replace(notes=(*advice.notes, *notes[:_MOST_NAMED]))


def _unplaced(workspace: "Workspace", name: str, line: int) -> "list[Row]":
    """Give the errors that name a line by its number alone, so that nobody can follow it."""
    errors = []
    for row in about(workspace, name).errors:
        record = read_record(workspace, row)
        place = record.location if isinstance(record, Error) else None
        if place and (place.file, place.line) == (name, line) and not text_of(place):
            errors.append(row)
    return errors


def _on_rows(records: "RecordAccess", name: str, line: int, rows: "Sequence[Row]") -> Advice:
    workspace = records.workspace
    errors = [row for row in rows if row.kind == "error"]
    fixes = {row.id: row for row in rows if row.kind == "fix"}
    # What was tried on the same failure in another file is worth as much here.
    elsewhere = of_errors(records, errors)
    other = [row for row in elsewhere.values() if row.id not in fixes]
    back = [row for row in errors if row.status == "regressed"]
    trials = trials_of(workspace, standing(workspace, fixes.values()), _LABEL)
    trials += trials_of(workspace, standing(workspace, other), SAME)
    where = f"{name}:{line}" if line else name
    summary = (
        f"{where}: {counted(len(errors), 'error')}, {counted(len({*fixes, *elsewhere}), 'attempt')}"
    )
    decisions = decisions_to_keep(workspace, (row for row in rows if row.kind == "decision"))
    advice = weighed(workspace, [summary], trials, decisions, errors=True)
    stop = tuple(_came_back(row) for row in back[:MOST])
    dependents = _dependents(workspace, name)
    failing = _failing(records, name)
    notes = () if advice.knows or stop or dependents or failing else (NOTHING,)
    spread = _spread(records, name, errors[:_MOST_NAMED])
    of_file = _notes(workspace, name, errors)
    return advice._replace(stop=stop, notes=(*failing, *dependents, *spread, *notes, *of_file))


def _failing(records: "RecordAccess", name: str) -> tuple[str, ...]:
    """Say what watched commands show to fail in a file at present."""
    newest = {(run.folder, run.command): run for run in timeline(records)}
    titles = {
        failure.site: failure.title
        for run in newest.values()
        for failure in run.failures
        if files_in(failure, (name,), tests=True)
    }
    return tuple(
        f"fails now: {title}; see: gitmem runs attempts"
        for title in list(titles.values())[:_MOST_NAMED]
    )


def _dependents(workspace: "Workspace", name: str) -> tuple[str, ...]:
    """Say in one note how many source files depend on a file; none where none does."""
    try:
        path = os.path.join(workspace.site.root, name)
        graph = import_graph(workspace, path, 1, folders=False, seconds=_SECONDS)
    except (NotFoundError, UsageError):
        return ()  # it is not one of the source files read
    direct = [path for path, steps in graph.reached.items() if steps == 1]
    if not direct:
        return ()
    named = ", ".join(direct[:_MOST_NAMED]) + (", …" if len(direct) > _MOST_NAMED else "")
    files = counted(len(direct), "other file")
    verb = "depends" if len(direct) == 1 else "depend"
    further = len(graph.reached) - len(direct)
    more = f", and {further} more on these" if further else ""
    return (
        f"{files} {verb} on it{more}: {named}; see: gitmem code graph imports {shlex.quote(name)}",
    )


def _spread(records: "RecordAccess", name: str, errors: "Sequence[Row]") -> list[str]:
    """Say which of its failures other files had, too: one change in one place may mend them."""
    notes = []
    for row in errors:
        others = [path for path in files_of(records, row.id) if path != name]
        if others:
            more = ", …" if len(others) > _MOST_NAMED else ""
            files = f"{counted(len(others), 'other file')}: {', '.join(others[:_MOST_NAMED])}{more}"
            notes.append(f"{row.title} was also in {files}; see: gitmem stats analyse")
    return list(dict.fromkeys(notes))


def _notes(workspace: "Workspace", name: str, errors: "Sequence[Row]") -> list[str]:
    notes = []
    if still := [row.id for row in errors if row.status == "open"]:
        notes.append(f"{counted(len(still), 'error')} in it still open: {', '.join(still[:MOST])}")
    if not os.path.lexists(os.path.join(workspace.site.root, name)):
        notes.append(f"there is no file {name} now")
    return notes


def _came_back(row: "Row") -> AdviceItem:
    why = "first find out what happened to the fix: gitmem runs bisect"
    return AdviceItem(f"{row.title}: it came back after it was fixed", why, (row.id,))
