"""Finds records by the words of any text; no filters or operators are parsed in it."""

from typing import TYPE_CHECKING

from gitmem.memory.reading.circumstances import circumstances
from gitmem.query import Filters, Query

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.memory.core.workspace import Workspace


def worded(
    workspace: "Workspace", text: str, limit: int, kinds: tuple[str, ...]
) -> "list[SearchHit]":
    """Find records of some kinds by the words of a text, best first; none without a word.

    Nothing in the text is a filter or an operator.
    """
    if not any(map(str.isalnum, text)):
        return []
    question = Query(words=text, filters=Filters(kinds=kinds))
    around = circumstances(workspace)
    return workspace.ask(lambda now: now.search(question, limit, around).hits)
