"""How lines look that may tell how a test ended, as the runners say it."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import pattern, values


class Signs(NamedTuple):
    """What lines are looked for; see the fields of ``ToolTests``.

    Attributes:
        begins: by the first character of a line how it begins.
        ends: by its last character how it ends.
        inside: texts; lines in which one stands are tried for a shape.
        around: texts; lines of a block in which one stands are.
        around_numbers: texts; lines of such a block that begin with a digit are.
        number: a number that may count tests; most lines that begin with one begin with a time.
        shape: what is told neither by the beginning nor by the end.

    """

    begins: Mapping[str, tuple[str, ...]]
    ends: Mapping[str, tuple[str, ...]]
    inside: tuple[str, ...]
    around: tuple[str, ...]
    around_numbers: tuple[str, ...]
    number: re.Pattern[str]
    shape: re.Pattern[str]


@cache
def signs() -> Signs:
    """Collect the signs of all runners."""
    return Signs(
        _by_character(_texts("begins"), 0),
        _by_character(_texts("ends"), -1),
        _texts("inside"),
        _texts("around"),
        _texts("around_numbers"),
        lazily(rf"\d++(?:{pattern('tests.numbered').pattern})"),
        pattern("tests.shape"),
    )


def _texts(field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for own in values(f"tests.{field}").values() for text in own))


def _by_character(texts: tuple[str, ...], at: int) -> dict[str, tuple[str, ...]]:
    by_character: dict[str, tuple[str, ...]] = {}
    for text in texts:
        by_character[text[at]] = (*by_character.get(text[at], ()), text)
    return by_character
