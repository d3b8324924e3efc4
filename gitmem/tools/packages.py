"""Tools of installed packages: loaded, judged, and kept from doing harm.

A package is code that the user installed, so it is trusted, and may be broken all the same: what
fails is left out and told by ``gitmem check``, and what a reader of it raises is no finding.
"""

import re
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar

from gitmem.installed import EntryPoint  # noqa: TID253  it is about these
from gitmem.tools.base import Tool

_NAME: Final = re.compile(r"[a-z][a-z0-9_.+-]{0,59}")
_NO_PATTERNS: Final = ("events",)
_Result = TypeVar("_Result")


class RefusedPackage(NamedTuple):
    """A tool of a package that is not used.

    Attributes:
        entry: the package's entry point.
        reason: in one line.

    """

    entry: EntryPoint
    reason: str


class PackageTools(NamedTuple):
    """Tools of packages: those that are used, by name, and those that are not."""

    tools: dict[str, Tool]
    refused: tuple[RefusedPackage, ...]
    origins: dict[str, EntryPoint]


def load_packages(entries: Iterable[EntryPoint], taken: Collection[str]) -> PackageTools:
    """Load the tools of packages.

    Args:
        entries: their entry points.
        taken: names that they can't have.

    """
    tools: dict[str, Tool] = {}
    origins: dict[str, EntryPoint] = {}
    refused: list[RefusedPackage] = []
    for entry in entries:
        tool, reason = _loaded(entry)
        if tool and (tool.name in taken or taken_by(tool, taken)):
            reason = f"the name {taken_by(tool, taken) or tool.name} is taken by a tool of gitmem"
        elif tool and tool.name in tools:
            reason = f"the name {tool.name} is taken by {origins[tool.name].package}"
        if reason or tool is None:
            refused.append(RefusedPackage(entry, reason))
            continue
        tools[tool.name] = _guarded(tool)
        origins[tool.name] = entry
    return PackageTools(tools, tuple(refused), origins)


def taken_by(tool: Tool, taken: Collection[str]) -> str:
    """Give another name of a tool that is taken; empty: none is."""
    return next((name for name in tool.names if name in taken), "")


def _loaded(entry: EntryPoint) -> tuple[Tool | None, str]:
    module, _, attribute = entry.target.partition(":")
    try:
        tool = getattr(import_module(module.strip()), attribute.strip() or "TOOL")
        if not isinstance(tool, Tool):
            return None, f"{entry.target} is no Tool"
        if not _NAME.fullmatch(str(tool.name)):
            return None, f"{str(tool.name)[:60]!r} is no name of a tool"
        _refuse_broken(tool)
    except Exception as error:  # noqa: BLE001  code of others
        return None, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return tool, ""


def _refuse_broken(tool: Any) -> None:  # noqa: ANN401  a Tool, of which nobody checked the fields
    """Raise where a field can't be what it is to be: all that is joined with others' is tried."""
    if bool(tool.output.words) != bool(tool.output.parse):
        raise ValueError("output.words and output.parse go together")
    for words in (tool.output.words, tool.output.beside, tool.output.commands):
        if not isinstance(words, tuple) or not all(
            isinstance(word, str) and word for word in words
        ):
            raise ValueError("words are to be texts, none of them empty, in a tuple")
    if (form := tool.silence.definition) and "name" not in re.compile(form).groupindex:
        raise ValueError("silence.definition is to have a group with the test's name")
    if not isinstance(tool.order, int):
        raise TypeError("order is to be a number")
    for part in tool:
        for name, value in part._asdict().items() if hasattr(part, "_asdict") else ():
            if isinstance(value, str) and name not in _NO_PATTERNS:
                re.compile(value)


def _guarded(tool: Tool) -> Tool:
    """Give a tool whose readers raise nothing."""
    output = tool.output
    if output.parse:
        output = output._replace(parse=_quiet(output.parse, None))
    if tool.diagnostic is None:
        return tool._replace(output=output)
    worded = tool.diagnostic

    def diagnostic(code: str, message: str) -> tuple[str, str]:
        try:
            code_then, message_then = worded(code, message)
        except Exception:  # noqa: BLE001  code of others
            return code, message
        return code_then, message_then

    return tool._replace(output=output, diagnostic=diagnostic)


def _quiet(function: Callable[..., _Result], otherwise: _Result) -> Callable[..., _Result]:
    @wraps(function)
    def call(*arguments: Any) -> _Result:  # noqa: ANN401  whatever it takes
        try:
            return function(*arguments)
        except Exception:  # noqa: BLE001  code of others
            return otherwise

    return call
