"""Records found by the words of a text that is no query: nothing in it is a filter or operator."""

from typing import TYPE_CHECKING

from gitmem.memory.asking import circumstances
from gitmem.query import Filters, Query
from gitmem.search import search

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.memory.view import View


def worded(memory: "View", text: str, limit: int, kinds: tuple[str, ...]) -> "list[SearchHit]":
    """Find records of some kinds by the words of a text, best first; none without a word.

    It is part of a larger question, which is asked through ``Derived.mended``.
    """
    if not any(map(str.isalnum, text)):
        return []
    question = Query(words=text, filters=Filters(kinds=kinds))
    return search(memory.derived, question, limit, circumstances(memory), memory.progress).hits
