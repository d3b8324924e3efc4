"""Ends the server when its editor has ended, even where the pipes stay open."""

import os
import threading

from gitmem.system import is_alive, wait_for_end
from lsp_server import fallback_folder


def exit_with(process: int) -> bool:
    """End this process as soon as another one is gone.

    Args:
        process: id of the editor's process.

    Returns:
        Whether it can be watched: an editor in another container has no process here.

    """
    if not is_alive(process):
        return False
    threading.Thread(target=_wait, args=(process,), name="parent", daemon=True).start()
    return True


def _wait(process: int) -> None:
    wait_for_end(process)
    fallback_folder.remove()
    # Whatever the other threads are at: derived state survives any interruption.
    os._exit(1)
