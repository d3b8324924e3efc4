"""Tools and parts that installed packages bring, under the entry point groups ``gitmem.…``.

They are found by the files that installers write, and kept in the user's cache as long as no
package comes or goes, so that a start looks at a few folders' times and no more. Only folders of
installed packages count: what lies beside a script, or in the folder at hand, is no package.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Final, NamedTuple

from gitmem.system import home_of

TOOLS: Final = "gitmem.tools"
PARTS: Final = "gitmem.parts"
_GROUPS: Final = (TOOLS, PARTS)
_FOLDERS: Final = ("site-packages", "dist-packages")
_SETTLED_SECONDS: Final = 10.0
"""So long nothing is kept after a package came: an installer may not have written all of it."""
_MOST_BYTES: Final = 64 * 1024


class EntryPoint(NamedTuple):
    """What a package brings.

    Attributes:
        group: that it stands in.
        name: that it has there.
        target: ``module:attribute``.
        package: that brings it.
        version: of the package.

    """

    group: str
    name: str
    target: str
    package: str
    version: str


def installed(group: str) -> tuple[EntryPoint, ...]:
    """Give the entry points of all packages in a group, in the order of the path."""
    return tuple(entry for entry in _every() if entry.group == group)


@cache
def _every() -> tuple[EntryPoint, ...]:
    folders: dict[str, int] = {}
    for folder in sys.path:
        if os.path.basename(folder.rstrip(os.sep)) in _FOLDERS:
            with suppress(OSError):
                folders[folder] = os.stat(folder).st_mtime_ns
    key = "".join(f"{folder}\t{stamp}\n" for folder, stamp in folders.items()) + "\n"
    file = _cache_file()
    text = _text_of(file)
    if text.startswith(key):
        rows = [line.split("\t") for line in text[len(key) :].splitlines()]
        return tuple(EntryPoint(*row) for row in rows if len(row) == len(EntryPoint._fields))
    entries = tuple(entry for folder in folders for entry in _entries(folder))
    age = time.time() - max(folders.values(), default=0) / 1e9
    if file and age > _SETTLED_SECONDS:
        _keep(file, key + "".join("\t".join(entry) + "\n" for entry in entries))
    return entries


def _cache_file() -> str:
    home = home_of(os.environ)
    base = os.environ.get("XDG_CACHE_HOME") or (os.path.join(home, ".cache") if home else "")
    if not os.path.isabs(base):
        return ""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    name = sys.prefix.replace(os.sep, "-").replace(":", "")[-100:]
    return os.path.join(base, "gitmem", f"entry-points{name}-{version}.txt")


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""


def _keep(path: str, text: str) -> None:
    beside = f"{path}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(beside, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.replace(beside, path)


def _entries(folder: str) -> Iterator[EntryPoint]:
    """Read what the packages of a folder say that they bring."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))
    except OSError:
        return
    for name in names:
        text = _text_of(os.path.join(folder, name, "entry_points.txt"))
        if not any(group in text for group in _GROUPS):
            continue
        package, _, version = name.removesuffix(".dist-info").rpartition("-")
        section = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("["):
                section = line.strip("[] ")
            elif section in _GROUPS and "=" in line and "\t" not in line:
                entry, _, target = line.partition("=")
                yield EntryPoint(section, entry.strip(), target.strip(), package, version)
