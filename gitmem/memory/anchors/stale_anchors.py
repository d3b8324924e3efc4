"""Anchors that no longer hold; computed anew each time, stored nowhere.

A mark in a record's file would be one that another branch can set otherwise, and that can be
computed. What no longer holds is superseded by a person, or written down anew.
"""

from contextlib import closing
from typing import TYPE_CHECKING, Final

from gitmem.memory.anchors.anchor_finder import AnchorFinder
from gitmem.memory.anchors.record_anchors import wanted_of
from gitmem.memory.core.records import read_record

if TYPE_CHECKING:
    from gitmem.answers.places import PlacedAnchor
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

_OVER: Final = ("superseded", "rejected", "deprecated")


def anchors(workspace: "Workspace", row: "Row | None" = None) -> "list[PlacedAnchor]":
    """Find the places that records name, the newest record first.

    Args:
        workspace: of the memory.
        row: of this record; None: of all but decisions that are in force no more.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    rows = [row] if row else _naming_places(workspace)
    records = [(row, record) for row in rows if (record := read_record(workspace, row))]
    wanted = [anchor for row, record in records for anchor in wanted_of(row, record, errors=False)]
    with closing(AnchorFinder(workspace)) as anchoring:
        return anchoring.place(wanted)


def _naming_places(workspace: "Workspace") -> "list[Row]":
    rows = workspace.ask(lambda now: now.catalog.naming("anchor"))
    return [row for row in rows if row.status not in _OVER]


def stale(workspace: "Workspace") -> "list[PlacedAnchor]":
    """Give the anchors that can't be found any more, each with the reason.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    return [anchor for anchor in anchors(workspace) if anchor.held is None]
