"""Finds the records that say nearly what a new one would say, before it is written."""

from typing import TYPE_CHECKING, Final

from gitmem.index.analysis import terms
from gitmem.learning.tasks import jaccard
from gitmem.memory.reading.word_search import worded

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

_ALIKE: Final = 0.8
"""Share of words in common: above it two titles differ in a filler or an inflection."""
_MOST_LOOKED_AT: Final = 20
_OVER: Final = ("superseded", "rejected", "deprecated")


def near_records(workspace: "Workspace", kind: str, title: str) -> "list[Row]":
    """Give the records of a kind that are titled nearly so and still hold, the nearest first."""
    wanted = terms(title).keys()
    alike: dict[str, tuple[float, Row]] = {}
    for hit in worded(workspace, title, _MOST_LOOKED_AT, (kind,)):
        share = jaccard(wanted, terms(hit.row.title).keys())
        if share >= _ALIKE and hit.row.status not in _OVER:
            alike[hit.row.id] = (share, hit.row)
    return [row for _, row in sorted(alike.values(), key=lambda pair: -pair[0])]
