"""Which tool: by its name, and what all of them say of one field.

Ours are known by the generated index; those of installed packages come beside.

Nothing here imports a tool but ``load``, which is for those whose words were met.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from gitmem.lazy_pattern import lazily

if TYPE_CHECKING:
    from gitmem.installed import EntryPoint
    from gitmem.tools.base import Tool
    from gitmem.tools.packages import PackageTools

USUAL_ORDER: Final = 500
"""Of a tool that says no other."""
_NOTHING: Final = "(?!)"


@cache
def _index() -> Any:  # noqa: ANN401  a module
    """Import what all tools say: many commands ask for none of it, and it is long."""
    return import_module("gitmem.tools.index")


def _installed() -> "tuple[EntryPoint, ...]":
    from gitmem.installed import TOOLS, installed

    return installed(TOOLS)


@cache
def load(name: str) -> "Tool":
    """Import a tool."""
    if name in _index().NAMES:
        own: Tool = import_module(f"gitmem.tools.{name}").TOOL
        return own
    return package_tools().tools[name]


@cache
def package_tools() -> "PackageTools":
    """Load the tools that installed packages bring; a name that is taken is refused."""
    fields = _index().FIELDS
    others = {
        other
        for field in ("names", "bears")
        for each in fields.get(field, {}).values()
        for other in each
    }
    packages: PackageTools = import_module("gitmem.tools.packages").load_packages(
        _installed(), {*_index().NAMES, *others}
    )
    return packages


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
    return tuple(_ordered(tools, tuple(package_tools().tools))) if _installed() else tools


def tool_of(name: str) -> str:
    """Give the module of the tool that bears a name, however it is written; empty: none does.

    Args:
        name: of a tool, or what editors, reports, records and people call it.

    """
    return _modules().get(name.strip().lower(), "")


def borne(name: str) -> str:
    """Give the name that failures bear of the tool with a name; the name itself if none has it.

    Several tools can report under one name (Clang's messages are read as GCC's), and one under
    several: the linker's messages are in GCC's output.
    """
    written = name.strip().lower()
    module = tool_of(written)
    if not module:
        return written
    names_in_records = values("bears").get(module, ())
    if written in names_in_records:
        return written
    name_in_prints: str = values("identity.counts_as").get(module, "")
    return name_in_prints or (*names_in_records, module)[0]


def language_of(name: str) -> str:
    """Give the language of the code that a tool is about, by the tool's name; empty: any."""
    module = tool_of(name)
    by_name: str = values("names").get(module, {}).get(name.strip().lower(), "")
    return by_name or values("language").get(module, "")


@cache
def _modules() -> dict[str, str]:
    """Pair each name with the module of its tool: a tool's own name is nobody else's."""
    modules: dict[str, str] = {}
    for field in ("bears", "names"):
        for module, others in values(field).items():
            modules.update(dict.fromkeys(others, module))
    return modules | {module: module for module in names()}


def values(field: str) -> Mapping[str, Any]:
    """Give what tools say of a field, by their names, in their order.

    Args:
        field: such as ``output.words``. Of a callable only tells which tools have it: ``True``.

    Returns:
        Nothing of tools that leave the field at its default.

    """
    fields: Mapping[str, Mapping[str, Any]] = _index().FIELDS
    own = fields.get(field, {})
    further = _of_packages().get(field) if _installed() else None
    if not further:
        return own
    return {
        name: further[name] if name in further else own[name] for name in _ordered(own, further)
    }


@cache
def _of_packages() -> Mapping[str, Mapping[str, Any]]:
    collecting = import_module("gitmem.tools.collecting")
    fields: Mapping[str, Mapping[str, Any]] = collecting.fields_of(package_tools().tools.items())
    return fields


def _ordered(own: Collection[str], further: Collection[str]) -> list[str]:
    """Put tools of packages among ours, by their order; ours stay in theirs."""
    orders = {**_index().FIELDS.get("order", {}), **_of_packages().get("order", {})}
    return sorted([*own, *further], key=lambda name: orders.get(name, USUAL_ORDER))


@cache
def by_program(field: str) -> Mapping[str, Any]:
    """Give what tools say of a field, by the names of their usual programs.

    Other programs of a tool may end otherwise, and take other options.
    """
    answers = values(field)
    return {program: answers[tool] for program, tool in tools_by_program(field).items()}


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


@cache
def own_pattern(name: str, field: str) -> re.Pattern[str]:
    """Give a tool's own pattern for a field; without one nothing matches."""
    return lazily(values(field).get(name) or _NOTHING)
