"""Parts: what stands beside the core and can be left out, ours as well as other people's.

A part is a package with a ``Part`` under the entry point group ``gitmem.parts``. What it brings is
named there and imported when it is used.
"""

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.installed import PARTS, installed  # noqa: TID253  it is about these


class PartCommand(NamedTuple):
    """A command of a part.

    Attributes:
        summary: what it does, in one sentence.
        target: where it is, as ``module:attribute``; empty: its part can't be loaded.

    """

    summary: str
    target: str

    def load(self) -> Any:  # noqa: ANN401  this module does without click
        """Import it.

        Raises:
            EnvironmentProblem: its part can't be loaded; the summary says why.

        """
        if not self.target:
            raise EnvironmentProblem(self.summary, "install its package again")
        return _load(self.target)


_NOTHING: Final[Mapping[str, PartCommand]] = {}


class Part(NamedTuple):
    """What a part brings.

    Attributes:
        name: the one that its entry point has.
        commands: of the command line, by name; ``import acme`` is one of the group ``import``.

    """

    name: str
    commands: Mapping[str, PartCommand] = _NOTHING


def part_commands(group: str = "") -> Mapping[str, PartCommand]:
    """Give what parts add to a group of the command line, by the last word of the name.

    A part that can't be loaded has one command, its name, which says why.

    Args:
        group: ``import``, say; empty: what stands in no group.

    """
    split = ((name.rpartition(" "), command) for name, command in _every().items())
    return {word: command for (before, _, word), command in split if before == group}


@cache
def _every() -> Mapping[str, PartCommand]:
    """Give the commands of all parts; of a name that two of them have, the first one's."""
    commands: dict[str, PartCommand] = {}
    for entry in installed(PARTS):
        try:
            brought: Mapping[str, PartCommand] = _load(entry.target).commands
        except Exception as error:  # noqa: BLE001  it is somebody else's code
            why = f"this part of {entry.package} can't be loaded: {error}"
            brought = {entry.name: PartCommand(why, "")}
        for name, command in brought.items():
            commands.setdefault(name, command)
    return commands


def _load(target: str) -> Any:  # noqa: ANN401  whatever stands there
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)
