"""How the files differ from what the catalog knows, told by their stamps."""

from typing import Final, NamedTuple

from gitmem.catalog.catalog import FileState
from gitmem.store.files import Stamp

# The coarsest time stamps in use (FAT). A file as young as its reading is compared by content.
_RACY_NS: Final = 2_000_000_000


class Difference(NamedTuple):
    """What must be read, the numbers of what is gone, and what no stamp can tell."""

    read: dict[str, Stamp]
    gone: list[int]
    recheck: dict[str, Stamp]

    def __bool__(self) -> bool:
        return bool(self.read or self.gone or self.recheck)


def difference(files: dict[str, Stamp], known: dict[str, FileState]) -> Difference:
    """Compare stamps. ``recheck`` are files whose stamp is too young to be trusted."""
    found = Difference({}, [], {})
    for path, stamp in files.items():
        state = known.get(path)
        if state is None or state.stamp != stamp:
            found.read[path] = stamp
        elif not state.digest:
            found.recheck[path] = stamp  # not read: too large then, or forbidden
        elif max(stamp.mtime_ns, stamp.ctime_ns) + _RACY_NS > state.read_ns:
            found.recheck[path] = stamp
    found.gone.extend(state.file for path, state in known.items() if path not in files)
    return found
