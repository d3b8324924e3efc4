"""A folder for derived state where neither the repository nor the user's cache can be written.

Commands read all files each time there. A server that is asked at every movement of the mouse
keeps catalog and index in a temporary folder instead, which is this process's own and goes with it.
"""

import logging
import os
from typing import Final

from gitmem.memory import Memory
from gitmem.memory.core.workspace import Workspace

_log = logging.getLogger(__name__)
_made: Final[list[str]] = []


def needed(memory: Memory) -> str | None:
    """Make a folder if the memory's own can't be written; None: it can, or nothing can.

    The system gives the folder to its maker alone, as an index must not be anybody else's.
    """
    derived = memory.site.derived
    try:
        if derived:
            os.makedirs(derived, exist_ok=True)
            if os.access(derived, os.W_OK | os.X_OK):
                return None
    except OSError as error:
        _log.info("%s: %s", derived, error)
    import tempfile  # noqa: PLC0415  start-up

    try:
        made = tempfile.mkdtemp(prefix="gitmem-")
    except OSError as error:
        _log.warning("no folder for the index, nothing is known at once: %s", error)
        return None
    _made.append(made)
    return made


def placed(memory: Memory, folder: str | None) -> Memory:
    """Give the memory with its derived state in another folder; None: as it is."""
    if folder is None:
        return memory
    memory.close()
    site = memory.site._replace(derived=folder)
    return Memory(Workspace(site, memory.environ, memory.start))


def remove(folder: str | None = None) -> None:
    """Remove a folder that ``needed`` made; None: all of them."""
    if not _made:
        return
    import shutil  # noqa: PLC0415  start-up

    for one in [folder] if folder else list(_made):
        shutil.rmtree(one, ignore_errors=True)
        if one in _made:
            _made.remove(one)
