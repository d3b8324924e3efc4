"""What to mind at a file or a line of it: decisions, errors, and what was tried there."""

import os
import re
from typing import TYPE_CHECKING, Final

from gitmem.learning.advice import AdviceItem, Trial
from gitmem.learning.advised import Advice
from gitmem.memory.advice.trials import last_seen, standing, trials_of
from gitmem.memory.advice.weighing import MOST, kept, weighed
from gitmem.memory.failures.attempting import of_error
from gitmem.memory.views.browsing import about
from gitmem.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory

_LABEL: Final = "this file"
_LINE: Final = re.compile(r"(?P<path>.+):(?P<line>\d{1,7})")


def place(memory: "Memory", typed: str) -> tuple[str, int]:
    """Take ``PATH`` or ``PATH:LINE``, as typed, apart; the path is relative to the repository."""
    found = _LINE.fullmatch(typed)
    if found and not os.path.lexists(os.path.join(memory.start, typed)):
        return memory.path(found["path"]), int(found["line"])
    return memory.path(typed), 0


def on_file(memory: "Memory", typed: str) -> Advice:
    """Advise on a file or one line of it.

    Raises:
        NotFoundError: there is no such line.

    """
    name, line = place(memory, typed)
    if line:
        found = memory.history.blame(typed)
        rows = [touch.row for touch in (*found.governing, *found.touches)]
    else:
        concerned = about(memory, name)
        rows = [*concerned.decisions, *concerned.errors, *concerned.fixes]
    return _on_rows(memory, name, line, rows)


def _on_rows(memory: "Memory", name: str, line: int, rows: "Sequence[Row]") -> Advice:
    catalog = memory.derived.catalog(memory.progress)
    errors = [row for row in rows if row.kind == "error"]
    fixes = {row.id: row for row in rows if row.kind == "fix"}
    for error in errors if line else ():
        fixes |= {row.id: row for row in of_error(memory.records, error.id)}
    back = [row for row in errors if row.status == "regressed"]
    again = {
        fix.id: last_seen(memory.workspace, [error])
        for error in back
        for relation, fix in catalog.linking_to(error.id)
        if relation == "fixes"
    }
    trials: list[Trial] = trials_of(
        memory.workspace, standing(memory.workspace, fixes.values()), again, _LABEL
    )
    where = f"{name}:{line}" if line else name
    known = f"{where}: {counted(len(errors), 'error')}, {counted(len(fixes), 'attempt')}"
    found = weighed(
        memory, [known], trials, kept(memory, (r for r in rows if r.kind == "decision"))
    )
    stop = tuple(_came_back(row) for row in back[:MOST])
    notes = (
        () if found.knows or stop else ("nothing is known about it that speaks against a change",)
    )
    return found._replace(stop=stop, notes=(*notes, *_notes(memory, name, errors)))


def _notes(memory: "Memory", name: str, errors: "Sequence[Row]") -> list[str]:
    found = []
    if still := [row.id for row in errors if row.status == "open"]:
        found.append(f"{counted(len(still), 'error')} in it still open: {', '.join(still[:MOST])}")
    if not os.path.lexists(os.path.join(memory.site.root, name)):
        found.append(f"there is no file {name} now")
    return found


def _came_back(row: "Row") -> AdviceItem:
    why = "see what became of the fix first: gitmem bisect"
    return AdviceItem(f"{row.title}: it came back after it was fixed", why, (row.id,))
