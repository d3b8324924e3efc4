"""Find the memory that a folder belongs to: the nearest one, within the repository."""

import os

from gitmem.records.layout import MARKER


def find_memory(start: str, folder: str, stop: str | None) -> str | None:
    """Return the memory folder's absolute path, or None.

    Args:
        start: where to begin, a folder.
        folder: the memory folder's name, normally ``.memory``.
        stop: root of the work tree; a memory above it is another project's. None outside git.

    """
    here = os.path.abspath(start)
    while True:
        candidate = os.path.join(here, folder)
        if os.path.isfile(os.path.join(candidate, MARKER)) and _stays(candidate, stop):
            return candidate
        parent = os.path.dirname(here)
        if here == parent or (stop is not None and here == stop):
            return None
        here = parent


def _stays(candidate: str, stop: str | None) -> bool:
    """Refuse a memory that is a symbolic link out of its repository: a clone could bring one."""
    if stop is None or not os.path.islink(candidate):
        return True
    root = os.path.realpath(stop)
    return os.path.commonpath([root, os.path.realpath(candidate)]) == root
