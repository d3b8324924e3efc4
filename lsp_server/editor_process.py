"""Ends the server when its editor has ended, even where the pipes stay open."""

import os
import select
import sys
import threading
import time
from contextlib import suppress

from lsp_server import fallback_folder

_SECONDS = 1.0


def exit_with(process: int) -> bool:
    """End this process as soon as another one is gone.

    Args:
        process: id of the editor's process.

    Returns:
        Whether it can be watched: an editor in another container has no process here.

    """
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    threading.Thread(target=_wait, args=(process,), name="parent", daemon=True).start()
    return True


def _wait(process: int) -> None:
    if not _heard_of_its_end(process):
        while _lives(process):
            time.sleep(_SECONDS)
    fallback_folder.remove()
    # Whatever the other threads are at: derived state survives any interruption.
    os._exit(1)


def _heard_of_its_end(process: int) -> bool:
    """Wait for the end as Linux tells of it; false where it can't be heard of so."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # a Python built without it, or gone this moment
            poll = select.poll()
            poll.register(os.pidfd_open(process), select.POLLIN)
            poll.poll()
            return True
    return False


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
