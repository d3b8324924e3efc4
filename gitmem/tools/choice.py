"""Which tool: by its name, and what all of them say of one field.

Ours are known by the generated index; those of installed packages come beside.

Nothing here imports a tool but ``load``, which is for those whose words were met.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from gitmem.installed import installed_tools
from gitmem.lazy_pattern import lazily
from gitmem.tools.base import Tool
from gitmem.tools.index import FIELDS, NAMES

if TYPE_CHECKING:
    from gitmem.tools.packages import PackageTools

_NOTHING: Final = "(?!)"


@cache
def load(name: str) -> Tool:
    """Import a tool."""
    if name in NAMES:
        own: Tool = import_module(f"gitmem.tools.{name}").TOOL
        return own
    return package_tools().tools[name]


@cache
def package_tools() -> "PackageTools":
    """Load the tools that installed packages bring; a name that is taken is refused."""
    others = {other for each in FIELDS.get("names", {}).values() for other in each}
    loading: PackageTools = import_module("gitmem.tools.packages").load_packages(
        installed_tools(), {*NAMES, *others}
    )
    return loading


def names() -> tuple[str, ...]:
    """Name all tools, the more specific first."""
    return tuple(_ordered(NAMES, tuple(package_tools().tools))) if installed_tools() else NAMES


def values(field: str) -> Mapping[str, Any]:
    """Give what tools say of a field, by their names, in their order.

    Args:
        field: such as ``output.words``. Of a callable only tells which tools have it: ``True``.

    Returns:
        Nothing of tools that leave the field at its default.

    """
    own: Mapping[str, Any] = FIELDS.get(field, {})
    further = _of_packages().get(field) if installed_tools() else None
    if not further:
        return own
    return {
        name: further[name] if name in further else own[name] for name in _ordered(own, further)
    }


def outside_words() -> tuple[str, ...]:
    """Give the words of the tools of packages: the generated index knows nothing of them."""
    said = _of_packages().get("output.words", {}) if installed_tools() else {}
    return tuple(word for words in said.values() for word in words)


@cache
def _of_packages() -> Mapping[str, Mapping[str, Any]]:
    said: Mapping[str, Mapping[str, Any]] = import_module("gitmem.tools.collecting").fields_of(
        package_tools().tools.items()
    )
    return said


def _ordered(own: Collection[str], further: Collection[str]) -> list[str]:
    """Put tools of packages among ours, by their order; ours stay in theirs."""
    orders = {**FIELDS.get("order", {}), **_of_packages().get("order", {})}
    return sorted([*own, *further], key=lambda name: orders.get(name, Tool("").order))


@cache
def pattern(field: str, flags: int = 0) -> re.Pattern[str]:
    """Join the patterns of all tools for a field, in the order of the tools.

    Without any nothing matches.
    """
    texts = dict.fromkeys(values(field).values())
    return lazily("|".join(texts) or _NOTHING, flags)
