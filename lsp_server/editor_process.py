"""Ends the server when its editor has ended, even where the pipes stay open."""

import os
import select
import threading
import time

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
    try:
        handle = os.pidfd_open(process)
    except (AttributeError, OSError):  # not Linux, or gone this moment
        while _lives(process):
            time.sleep(_SECONDS)
    else:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.poll()
    fallback_folder.remove()
    # Whatever the other threads are at: derived state survives any interruption.
    os._exit(1)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
