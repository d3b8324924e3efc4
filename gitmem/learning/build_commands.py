"""Reads off a project's files by which commands it is built and tested. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from gitmem.learning.manifests import as_data
from gitmem.tools.choice import load, values

_NAMES: Final = (
    "setup", "install", "bootstrap", "build", "compile", "test", "tests", "check", "lint",
    "typecheck", "format", "docs", "dev", "start", "run",
)  # fmt: skip
"""Of targets and scripts, those that somebody who begins wants to know, in this order."""
_MOST: Final = 6


class BuildCommands(NamedTuple):
    """Commands, and the file that says so."""

    source: str
    commands: tuple[str, ...]


def files_to_read() -> frozenset[str]:
    """Name the files whose text says by which commands; of others their name does."""
    files = (*values("files.runs").values(), *values("files.signs").values())
    return frozenset().union(*files)


def build_commands(names: frozenset[str], texts: Mapping[str, str]) -> tuple[BuildCommands, ...]:
    """Give the commands by which a project is built and tested, as its files say.

    Args:
        names: of what lies in its top folder.
        texts: of the files of ``files_to_read`` that are there.

    """
    listed, usual = _listed(names, texts), _usual(names, texts)
    return tuple(each for each in (*listed, *usual) if each.commands)


def _listed(names: frozenset[str], texts: Mapping[str, str]) -> Iterator[BuildCommands]:
    """Give what files list, such as targets and scripts."""
    tools_of: dict[str, list[str]] = {}
    for tool in _in_turn("files.runs"):
        for file in values("files.runs")[tool]:
            tools_of.setdefault(file, []).append(tool)
    locks = values("files.locks")
    for file, tools in tools_of.items():
        if text := texts.get(file):
            locked = (tool for tool in tools if not names.isdisjoint(locks.get(tool, ())))
            start = values("files.runs")[next(locked, tools[-1])][file]
            yield BuildCommands(file, _some(start, _targets(tools, file, text)))


def _targets(tools: Iterable[str], file: str, text: str) -> frozenset[str]:
    """Name what a file lists; only one of the tools that have it need know how to read it."""
    targets = next(filter(None, (load(tool).files.targets for tool in tools)), None)
    try:
        return frozenset(targets(as_data(file, text)) if targets else ())
    except (ValueError, RecursionError):
        return frozenset()


def _some(start: str, targets: frozenset[str]) -> tuple[str, ...]:
    named = [name for name in _NAMES if name in targets]
    return tuple(f"{start}{name}" for name in named[:_MOST])


def _usual(names: frozenset[str], texts: Mapping[str, str]) -> Iterator[BuildCommands]:
    """Give the commands that are the same in all projects with a file."""
    for tool in _in_turn("files.commands"):
        by_file = values("files.commands")[tool]
        wrapper = values("files.wrapper").get(tool, "")
        present = [file for file in by_file if file in names]
        for file in present:
            yield BuildCommands(
                file, tuple(_wrapped(each, wrapper, names) for each in by_file[file])
            )
        if present:
            continue
        for file, sign in values("files.signs").get(tool, {}).items():
            if sign in texts.get(file, ""):
                yield BuildCommands(file, next(iter(by_file.values())))


def _wrapped(command: str, wrapper: str, names: frozenset[str]) -> str:
    return f"./{wrapper} {command.partition(' ')[2]}" if wrapper in names and wrapper else command


def _in_turn(field: str) -> list[str]:
    turns = values("files.turn")
    return sorted(values(field), key=lambda tool: turns.get(tool, 0))
