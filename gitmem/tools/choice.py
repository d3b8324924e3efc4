"""Which tool: by its name, and what all of them say of one field.

Nothing here imports a tool but ``load``, which is for those whose words were met.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.index import FIELDS, NAMES

if TYPE_CHECKING:
    from gitmem.tools.base import Tool

_NOTHING: Final = "(?!)"


@cache
def load(name: str) -> "Tool":
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
def pattern(field: str, flags: int = 0) -> re.Pattern[str]:
    """Join the patterns of all tools for a field, in the order of the tools.

    Without any nothing matches.
    """
    return lazily(alternatives(field), flags)


@cache
def alternatives(field: str) -> str:
    """Give the text of such a pattern, each alternative once; a tool says one text, or several."""
    by_tool = (texts if isinstance(texts, tuple) else (texts,) for texts in values(field).values())
    return "|".join(dict.fromkeys(text for texts in by_tool for text in texts)) or _NOTHING
