"""Searching for words as they stand: nothing in them is an operator."""

from typing import TYPE_CHECKING

from gitmem.answers.found import FEW_WORDS
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.answers.found import SearchResult
    from gitmem.memory import Memory


def plain_search(memory: "Memory", text: str, limit: int) -> "SearchResult":
    """Search; what is no question in the query language is taken as plain words."""
    try:
        return memory.search(text, limit)
    except UsageError:
        plain = "".join(char if char.isalnum() or char == "_" else " " for char in text)
        return memory.search(plain, limit)


def few_words_of(result: "SearchResult") -> str:
    """Say of hits that they have little of what was asked; empty: they have more."""
    return f"{FEW_WORDS.capitalize()}." if result.few_words else ""
