"""A temporary folder for catalog and index where their own folder can't be written.

Commands read all files each time there. A server that is asked at every movement of the mouse
keeps catalog and index in a temporary folder instead. It belongs to this process and is removed
when the process ends.
"""

import logging
import os
import shutil
from typing import Final

from gitmem.memory import Memory, Workspace

_log = logging.getLogger(__name__)
_folders: Final[list[str]] = []


def make_if_needed(memory: Memory) -> str | None:
    """Make a folder if the memory's own can't be written.

    The folder can be entered by its owner only: who can write an index can run code here.

    Returns:
        The folder; None where the memory's own can be written, or no folder can be made.

    """
    derived = memory.workspace.site.derived
    try:
        if derived:
            os.makedirs(derived, exist_ok=True)
            if os.access(derived, os.W_OK | os.X_OK):
                return None
    except OSError as error:
        _log.info("%s: %s", derived, error)
    from gitmem.temporary import make_folder  # noqa: PLC0415  start-up: hardly ever needed

    try:
        folder = make_folder()
    except OSError as error:
        _log.warning("no folder for the index, nothing is known at once: %s", error)
        return None
    _folders.append(folder)
    return folder


def with_derived_in(folder: str | None, memory: Memory) -> Memory:
    """Give the memory with its derived state in another folder; None: as it is."""
    if folder is None:
        return memory
    memory.close()
    site = memory.workspace.site._replace(derived=folder)
    return Memory(Workspace(site, memory.workspace.environ, memory.workspace.start))


def remove(folder: str | None = None) -> None:
    """Remove a folder that ``make_if_needed`` made; None: all of them."""
    if not _folders:
        return
    for path in [folder] if folder else list(_folders):
        shutil.rmtree(path, ignore_errors=True)
        if path in _folders:
            _folders.remove(path)
