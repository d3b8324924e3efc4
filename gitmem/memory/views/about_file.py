"""The records that concern one file."""

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.memory.anchors.withheld_records import not_stale
from gitmem.memory.failures.verdicts import judged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace

_MOST_ROWS: Final = 100
_OVER: Final = ("superseded", "rejected")


class About(NamedTuple):
    """What concerns one file, newest first, at most 100 of each.

    Attributes:
        decisions: those that govern it or speak of a place in it, are in force or proposed, and
            not stale.
        errors: what went wrong in it.
        fixes: attempts on those errors, and those that changed the file.

    """

    decisions: "list[Row]"
    errors: "list[Row]"
    fixes: "list[Row]"


def about(workspace: "Workspace", path: str) -> About:
    """Give what concerns a file.

    Args:
        workspace: of the memory.
        path: relative to the folder that the memory belongs to; of an absolute one, which is
            outside of it, nothing is known.

    """
    if os.path.isabs(path):
        return About([], [], [])

    def question(now: "Snapshot") -> About:
        catalog = now.catalog
        rows = catalog.by_file(catalog.speaking_of(path)).values()
        errors = _newest(row for row in rows if row.kind == "error")
        fixes = {row.id: row for row in rows if row.kind == "fix"}
        for attempts in catalog.fixes_of(error.id for error in errors).values():
            fixes |= attempts
        decisions = _standing(workspace, rows)
        return About(decisions, errors, judged(workspace, _newest(fixes.values())))

    return workspace.ask(question)


def decisions_about(workspace: "Workspace", path: str) -> "list[Row]":
    """Give the decisions alone that ``about`` gives."""
    if os.path.isabs(path):
        return []

    def question(now: "Snapshot") -> "list[Row]":
        files = now.catalog.speaking_of(path, "decision")
        return _standing(workspace, now.catalog.by_file(files).values())

    return workspace.ask(question)


def _standing(workspace: "Workspace", rows: "Iterable[Row]") -> "list[Row]":
    decisions = [row for row in rows if row.kind == "decision" and row.status not in _OVER]
    return not_stale(workspace, _newest(decisions))


def _newest(rows: "Iterable[Row]") -> "list[Row]":
    return sorted(rows, key=lambda row: (row.created, row.id), reverse=True)[:_MOST_ROWS]
