"""The files into which builds write how each test ended, whatever they print of it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from stat import S_ISREG
from typing import Final, NamedTuple

from gitmem.capture.commands import folder_entered, program_of
from gitmem.tools.choice import by_program

_DEPTH: Final = 4
"""So many folders down a module is looked for."""
_NO_MODULES: Final = frozenset({"src", "build", "target", "out", "node_modules"})


class ResultFiles(NamedTuple):
    """The results of tests that lie below a folder.

    Attributes:
        versions: time of the last change and size, by path.

    """

    versions: Mapping[str, tuple[int, int]]

    def written_since(self, earlier: "ResultFiles") -> list[str]:
        """Name those that were not there earlier, or not so."""
        return [
            path
            for path in sorted(self.versions)
            if self.versions[path] != earlier.versions.get(path)
        ]


def result_files(command: Sequence[str], folder: str) -> ResultFiles:
    """Look for the results that a command writes; none for one that writes none.

    Args:
        command: as an argument list.
        folder: where it is run.

    """
    parts = by_program("reports.folder").get(program_of(command))
    if parts is None:
        return ResultFiles({})
    return ResultFiles(dict(_below(folder_entered(command, folder), parts, _DEPTH)))


def _below(
    folder: str, parts: tuple[str, ...], depth: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    yield from _results(os.path.join(folder, *parts))
    for entry in _entries(folder) if depth else ():
        if entry.name in _NO_MODULES or entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, parts, depth - 1)


def _results(folder: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Find the reports in a folder, and in one of each task as Gradle makes them.

    A link may lead anywhere and a pipe has no end: only regular files are reports.
    """
    for entry in _entries(folder):
        if entry.name.startswith("TEST-") and entry.name.endswith(".xml"):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if not S_ISREG(status.st_mode):
                    continue
                yield entry.path, (status.st_mtime_ns, status.st_size)
        elif entry.is_dir(follow_symlinks=False) and not entry.name.startswith("binary"):
            yield from _results(entry.path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
