"""What a command runs in, besides the code: names of variables, versions of packages.

No value of a variable is kept: of each a hash of two bytes, which tells that it changed and
nothing of what it is.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

_MOST: Final = 600
_IGNORED: Final = ("_", "SHLVL", "PWD", "OLDPWD", "COLUMNS", "LINES", "RANDOM", "SECONDS", "PS1")
_OURS: Final = ("GITMEM_", "PYTEST_CURRENT_TEST", "TERM_SESSION", "WINDOWID")
_INFO: Final = ".dist-info"


def surroundings(environ: Mapping[str, str], folder: str) -> dict[str, str]:
    """Describe what a command would run in.

    Args:
        environ: the variables that it gets.
        folder: where it runs.

    Returns:
        By ``$NAME`` a hash of the variable, by name of a package its version.

    """
    described = {
        f"${name}": hashlib.blake2b(value.encode(errors="replace"), digest_size=2).hexdigest()
        for name, value in environ.items()
        if name not in _IGNORED and not name.startswith(_OURS)
    }
    described |= dict(_python_packages(environ))
    described |= dict(_node_packages(folder))
    return dict(sorted(described.items())[:_MOST])


def _python_packages(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    python = shutil.which("python", path=environ.get("PATH")) or shutil.which(
        "python3", path=environ.get("PATH")
    )
    if not python:
        return
    lib = os.path.join(os.path.dirname(os.path.dirname(python)), "lib")
    with suppress(OSError):
        for version in os.listdir(lib):
            if version.startswith("python"):
                with suppress(OSError):
                    for name in os.listdir(os.path.join(lib, version, "site-packages")):
                        if name.endswith(_INFO):
                            package, _, number = name.removesuffix(_INFO).rpartition("-")
                            yield package, number


def _node_packages(folder: str) -> Iterator[tuple[str, str]]:
    with suppress(OSError):
        for name in os.listdir(os.path.join(folder, "node_modules")):
            if not name.startswith("."):
                yield f"node_modules/{name}", ""


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Say what differs, in words: ``$PORT was set``, ``tabulate 0.9.0 was installed``."""
    if not before or not after:
        return []
    words = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if name.startswith("$"):
            what = "set" if old is None else "unset" if new is None else "changed"
            words.append(f"{name} was {what}")
        elif old is None:
            words.append(f"{name} {new}".strip() + " was installed")
        elif new is None:
            words.append(f"{name} was removed")
        else:
            words.append(f"{name} {old} became {new}")
    return words
