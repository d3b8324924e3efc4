"""Changes made outside: by git, other editors, assistants. What is shown follows them."""

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.memory.reading.watching import StoreChange, Watch
    from lsp_server.session import EditorSession
    from lsp_server.shelf import Shelf

_log = logging.getLogger(__name__)
OFF: Final = "off"


def register(server: "EditorSession") -> None:
    """Watch every memory that is opened."""
    server.listeners.memory_opened.append(Watching().begin)

    @server.feature(types.INITIALIZED)
    def on_initialized(ls: "EditorSession", _params: types.InitializedParams) -> None:
        _open(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def on_folders(ls: "EditorSession", _params: types.DidChangeWorkspaceFoldersParams) -> None:
        _open(ls)


def _open(ls: "EditorSession") -> None:
    """Open the memories of the workspace's folders, before anybody asks for them."""
    for address in ls.addresses():
        ls.shelf_for(address)


class Watching:
    """Watches the open memories; lives on the event loop."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._lock = threading.Lock()

    def begin(self, shelf: "Shelf") -> None:
        """Watch a memory from now on, unless the settings say not to."""
        if shelf.front.site.config.watch_mode == OFF:
            return
        loop = asyncio.get_running_loop()

        def heard(changed: "StoreChange") -> None:
            if not loop.is_closed():
                told = self._is_told(shelf)
                loop.call_soon_threadsafe(_changed, shelf, changed, told)

        def listen() -> None:
            told = self._listen(shelf, heard)
            # What changed before the watch began is taken in now.
            loop.call_soon_threadsafe(_begun, shelf, told)

        # Beside the answers: to watch thousands of folders takes a while.
        loop.run_in_executor(None, listen).add_done_callback(_log_fault)

    def _listen(self, shelf: "Shelf", heard: "Callable[[StoreChange], None]") -> bool:
        """Begin to watch; tell whether the system tells of each change at once."""
        from gitmem.memory.reading.watching import Watch  # noqa: PLC0415  needed by no first answer

        with self._lock:
            if self._watch is None:
                self._watch = Watch(lambda line: _log.warning("%s", line))
            self._watch.listen(shelf.front.workspace, heard)
        return self._is_told(shelf)

    def _is_told(self, shelf: "Shelf") -> bool:
        return self._watch is not None and not self._watch.why_polled(shelf.folder)


def _begun(shelf: "Shelf", told: bool) -> None:  # noqa: FBT001  of call_soon
    if not shelf.closed:
        shelf.watched = told
        shelf.follow()


def _changed(shelf: "Shelf", changed: "StoreChange", told: bool) -> None:  # noqa: FBT001  likewise
    if shelf.closed:
        return
    shelf.watched = told
    if changed.head:
        shelf.checked_out()
    shelf.follow()


def _log_fault(done: "asyncio.Future[None]") -> None:
    if not done.cancelled() and (error := done.exception()):
        _log.error("can't watch", exc_info=error)
