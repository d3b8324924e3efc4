"""Differences between files and the catalog, by file stamps."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gitmem.catalog.catalog import FileState
from gitmem.store.listing import Stamp

RACY_NS: Final = 2_000_000_000
"""The coarsest time stamps in use (FAT). A file as young as its reading is compared by content."""

DIGEST: Final = "listing"
"""Where the catalog remembers the digest of the listing that it was in step with."""


class Difference(NamedTuple):
    """What must be read, what is gone (with its number), and what no stamp can tell."""

    read: dict[str, Stamp]
    gone: dict[str, int]
    recheck: dict[str, Stamp]

    def __bool__(self) -> bool:
        return bool(self.read or self.gone or self.recheck)


def difference(files: Mapping[str, Stamp], states: Mapping[str, FileState]) -> Difference:
    """Compare stamps. ``recheck`` are files whose stamp is too young to be trusted."""
    result = Difference({}, {}, {})
    for path, stamp in files.items():
        state = states.get(path)
        if state is None or state.stamp != stamp:
            result.read[path] = stamp
        elif not state.digest:
            result.recheck[path] = stamp  # not read: too large then, or forbidden
        elif max(stamp[1], stamp[2]) + RACY_NS > state.read_ns:
            result.recheck[path] = stamp
    result.gone.update((path, state.file) for path, state in states.items() if path not in files)
    return result
