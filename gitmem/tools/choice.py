"""Which tool: by its name, and what all of them say of one field.

Nothing here imports a tool but ``load``, which is for those whose words were met.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.base import Tool
from gitmem.tools.index import FIELDS, NAMES

_NOTHING: Final = "(?!)"


@cache
def load(name: str) -> Tool:
    """Import a tool."""
    tool: Tool = import_module(f"gitmem.tools.{name}").TOOL
    return tool


def names() -> tuple[str, ...]:
    """Name all tools, the more specific first."""
    return NAMES


def values(field: str) -> Mapping[str, Any]:
    """Give what tools say of a field, by their names, in their order.

    Args:
        field: such as ``output.words``. Of a callable only tells which tools have it: ``True``.

    Returns:
        Nothing of tools that leave the field at its default.

    """
    return FIELDS.get(field, {})


@cache
def by_program(field: str) -> Mapping[str, Any]:
    """Give what tools say of a field, by the names of their usual programs.

    Other programs of a tool may end otherwise, and take other options. Of two tools with one
    program the more specific is asked.
    """
    programs = values("command.programs")
    answers: dict[str, Any] = {}
    for name, value in values(field).items():
        for program in programs.get(name, ())[:1]:
            answers.setdefault(program, value)
    return answers


@cache
def pattern(field: str, flags: int = 0) -> re.Pattern[str]:
    """Join the patterns of all tools for a field, in the order of the tools.

    Without any nothing matches.
    """
    texts = dict.fromkeys(values(field).values())
    return lazily("|".join(texts) or _NOTHING, flags)
