"""Searching for words as they stand: nothing in them is an operator."""

from typing import TYPE_CHECKING

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
