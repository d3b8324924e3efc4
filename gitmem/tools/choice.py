"""Which tool: by its name, and what all of them say of one field.

Nothing here imports a tool but ``load``, which is for those whose words were met.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from gitmem.lazy_pattern import lazily

if TYPE_CHECKING:
    from gitmem.tools.base import Tool

_NOTHING: Final = "(?!)"


@cache
def _index() -> Any:  # noqa: ANN401  a module
    """Import what all tools say: many commands ask for none of it, and it is long."""
    return import_module("gitmem.tools.index")


@cache
def load(name: str) -> "Tool":
    """Import a tool."""
    tool: Tool = import_module(f"gitmem.tools.{name}").TOOL
    return tool


@cache
def usual_programs() -> Mapping[str, str]:
    """Give by each wrapper's name, such as ``gradlew``, the program for which it stands."""
    programs = values("command.programs")
    return {
        wrapper: programs[name][0]
        for name, wrappers in values("command.wrappers").items()
        for wrapper in wrappers
    }


@cache
def tools_by_program(field: str) -> Mapping[str, str]:
    """Give those tools that say something of a field, by the names of their usual programs.

    Of two with one program, such as Node and its runner of tests, the more specific is given.
    """
    programs = values("command.programs")
    tools: dict[str, str] = {}
    for name in values(field):
        if name in programs:
            tools.setdefault(programs[name][0], name)
    return tools


def names() -> tuple[str, ...]:
    """Name all tools, the more specific first."""
    tools: tuple[str, ...] = _index().NAMES
    return tools


def values(field: str) -> Mapping[str, Any]:
    """Give what tools say of a field, by their names, in their order.

    Args:
        field: such as ``output.words``. Of a callable only tells which tools have it: ``True``.

    Returns:
        Nothing of tools that leave the field at its default.

    """
    fields: Mapping[str, Mapping[str, Any]] = _index().FIELDS
    return fields.get(field, {})


@cache
def pattern(field: str, flags: int = 0) -> re.Pattern[str]:
    """Join the patterns of all tools for a field, in the order of the tools.

    Without any nothing matches.
    """
    texts = dict.fromkeys(values(field).values())
    return lazily("|".join(texts) or _NOTHING, flags)


@cache
def own_pattern(name: str, field: str) -> re.Pattern[str]:
    """Give a tool's own pattern for a field; without one nothing matches."""
    return lazily(values(field).get(name) or _NOTHING)
