"""Finds the records that say nearly what a new one would say, before it is written."""

from typing import TYPE_CHECKING, Final

from gitmem.index.analysis import query_terms, terms
from gitmem.index.fillers import STOP_WORDS
from gitmem.learning.tasks import jaccard
from gitmem.memory.reading.word_search import worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

_SAME: Final = 0.8
"""Share of words in common: above it two titles differ in a filler or an inflection."""
_RELATED: Final = 0.7
"""Share of the telling words of the shorter title: above it both are about one matter."""
_LEAST_RELATED: Final = 2
_MOST_LOOKED_AT: Final = 20
_OVER: Final = ("superseded", "rejected", "deprecated")


def near_records(workspace: "Workspace", kind: str, title: str) -> "list[Row]":
    """Give the records of a kind that are titled nearly so and still hold, the nearest first."""
    wanted = terms(title).keys()
    alike: dict[str, tuple[float, Row]] = {}
    for row in _in_force(workspace, kind, title):
        share = jaccard(wanted, terms(row.title).keys())
        if share >= _SAME:
            alike[row.id] = (share, row)
    return [row for _, row in sorted(alike.values(), key=lambda pair: -pair[0])]


def related_records(workspace: "Workspace", kind: str, title: str) -> "list[Row]":
    """Give the records of a kind that hold and are about the same matter, by their titles."""
    wanted = _telling(title)
    related = []
    for row in _in_force(workspace, kind, title):
        words = _telling(row.title)
        shared = len(wanted & words)
        if shared >= max(_LEAST_RELATED, _RELATED * min(len(wanted), len(words))):
            related.append(row)
    return related


def _in_force(workspace: "Workspace", kind: str, title: str) -> "Iterator[Row]":
    for hit in worded(workspace, title, _MOST_LOOKED_AT, (kind,)):
        if hit.row.status not in _OVER:
            yield hit.row


def _telling(title: str) -> set[str]:
    """Give the stems of the words of a title that are not in every sentence."""
    words = [word for word in query_terms(title) if word.terms[0] not in STOP_WORDS]
    return {leaf for word in words for leaf in word.leaves}
