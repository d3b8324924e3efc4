"""What a command runs in, besides the code: variables, packages, and files in no snapshot.

No value of a variable is kept: of each a hash of two bytes, which tells that it changed and
nothing of what it is.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from gitmem.git.beside import INSIDE
from gitmem.tools.choice import values

_MOST: Final = 600
_IGNORED: Final = ("_", "SHLVL", "PWD", "OLDPWD", "COLUMNS", "LINES", "RANDOM", "SECONDS", "PS1")
_OURS: Final = (
    "GITMEM_", "TERM_SESSION", "WINDOWID", "SSH_", "TMUX", "STY", "XDG_SESSION", "XDG_RUNTIME",
    "DBUS_", "GPG_", "VSCODE_", "INVOCATION_ID", "JOURNAL_STREAM", "HISTFILE", "TTY",
)  # fmt: skip
"""Ours, and those that differ from one terminal to the next."""


def surroundings(environ: Mapping[str, str], folder: str) -> dict[str, str]:
    """Describe what a command would run in.

    Args:
        environ: the variables that it gets.
        folder: where it runs.

    Returns:
        By ``$NAME`` a hash of the variable, by name of a package its version.

    """
    anew = (name for names in values("files.variables").values() for name in names)
    left_out = (*_OURS, *anew)
    described = {
        f"${name}": hashlib.blake2b(value.encode(errors="replace"), digest_size=2).hexdigest()
        for name, value in environ.items()
        if name not in _IGNORED and not name.startswith(left_out)
    }
    for tool, packages in values("files.installed").items():
        described |= dict(_packages(tool, packages, environ, folder))
    return dict(sorted(described.items())[:_MOST])


def _packages(
    tool: str, packages: str, environ: Mapping[str, str], folder: str
) -> Iterator[tuple[str, str]]:
    """Give the packages that a tool installed, with their versions where these are told.

    Args:
        tool: the tool.
        packages: the folder in which they lie; a part of it may end with a ``*``.
        environ: with the path on which an interpreter is looked for.
        folder: where the command runs.

    """
    interpreters = values("files.interpreters").get(tool, ())
    if interpreters:
        programs = (shutil.which(name, path=environ.get("PATH")) for name in interpreters)
        interpreter = next(filter(None, programs), "")
        if not interpreter:
            return
        folder = os.path.dirname(os.path.dirname(interpreter))
    ending = values("files.distribution").get(tool, "")
    for place in _places(folder, packages.split("/")):
        for name in _names(place):
            if not ending and not name.startswith("."):
                yield f"{packages}/{name}", ""
            elif ending and name.endswith(ending):
                package, _, number = name.removesuffix(ending).rpartition("-")
                yield package, number


def _places(folder: str, parts: Sequence[str]) -> Iterator[str]:
    """Give the folders of a path below a folder; a part may end with a ``*``."""
    if not parts:
        yield folder
        return
    start, any_rest, _ = parts[0].partition("*")
    names = _names(folder) if any_rest else parts[:1]
    for name in names:
        if name.startswith(start):
            yield from _places(os.path.join(folder, name), parts[1:])


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)
    return []


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Say what differs, in words: ``$PORT was set``, ``tabulate 0.9.0 was installed``."""
    if not before or not after:
        return []
    words = []
    for name in sorted(before.keys() | after.keys(), key=lambda name: (name[0] != "/", name)):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if name.startswith(INSIDE):
            own = f"{name.removeprefix(INSIDE)}, a repository of its own"
            words.append(f"changed in {own}: not compared")
        elif name.startswith("/"):
            what = "made" if old is None else "removed" if new is None else "changed"
            words.append(f"{name[1:]} was {what}")
        elif name.startswith("$"):
            what = "set" if old is None else "unset" if new is None else "changed"
            words.append(f"{name} was {what}")
        elif old is None:
            words.append(f"{name} {new}".strip() + " was installed")
        elif new is None:
            words.append(f"{name} was removed")
        else:
            words.append(f"{name} {old} became {new}")
    return words
