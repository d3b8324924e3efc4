"""Which places that records name still hold. It is found out each time, and kept nowhere.

A mark in a record's file would be one that another branch can set otherwise, and that can be
computed. What no longer holds is superseded by a person, or written down anew.
"""

from contextlib import closing
from typing import TYPE_CHECKING, Final

from gitmem.memory.anchors.anchoring import Anchoring, wanted_of
from gitmem.memory.failures.knowing import read

if TYPE_CHECKING:
    from gitmem.answers import Placed
    from gitmem.catalog.rows import Row
    from gitmem.memory.view import View

_OVER: Final = ("superseded", "rejected", "deprecated")


def anchors(memory: "View", row: "Row | None" = None) -> "list[Placed]":
    """Find the places that records name, the newest record first.

    Args:
        memory: the memory.
        row: of this record; None: of all but decisions that are in force no more.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    rows = [row] if row else _all(memory)
    records = [(one, record) for one in rows if (record := read(memory, one))]
    wanted = [place for one, record in records for place in wanted_of(one, record, errors=False)]
    with closing(Anchoring(memory)) as anchoring:
        return anchoring.place(wanted)


def _all(memory: "View") -> "list[Row]":
    def ask() -> "list[Row]":
        return memory.derived.catalog(memory.progress).naming("anchor")

    return [row for row in memory.derived.mended(ask) if row.status not in _OVER]


def stale(memory: "View") -> "list[Placed]":
    """Give the places that can't be told any more, each with the reason.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    return [one for one in anchors(memory) if one.held is None]
