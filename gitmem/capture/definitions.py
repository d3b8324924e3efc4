"""How a test begins in code: keywords of languages, and words that runners call. Pure."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from gitmem.tools.choice import values

FUNCTION: Final = "def|fn|func|void"
"""Keywords before the name of a function that may be a test."""


@cache
def test_words() -> str:
    """Give the alternatives of words that are called to define a test."""
    return alternatives_of(values("silence.defines"))


def alternatives_of(words: Mapping[str, tuple[str, ...]]) -> str:
    """Give the alternatives of words that tools say, each once."""
    return "|".join(sorted({word for several in words.values() for word in several})) or "(?!)"
