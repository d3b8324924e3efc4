"""Changes made outside the editor, by git or other programs: what is shown follows them."""

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.memory import StoreChange, Watch
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_log = logging.getLogger(__name__)
OFF: Final = "off"


def register(server: "EditorSession") -> None:
    """Watch every memory that is opened."""
    server.listeners.memory_opened.append(OpenMemoryWatcher().begin)

    @server.feature(types.INITIALIZED)
    def on_initialized(ls: "EditorSession", _params: types.InitializedParams) -> None:
        _open(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def on_folders(ls: "EditorSession", _params: types.DidChangeWorkspaceFoldersParams) -> None:
        _open(ls)
        ls.close_unused()


def _open(ls: "EditorSession") -> None:
    """Open the memories of the workspace's folders, before anybody asks for them."""
    for address in ls.addresses():
        ls.open_memory_for(address)


class OpenMemoryWatcher:
    """Watches the open memories; lives on the event loop."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._lock = threading.Lock()

    def begin(self, open_memory: "OpenMemory") -> None:
        """Watch a memory from now on, unless the settings say not to."""
        if open_memory.site.config.watch_mode == OFF:
            return
        loop = asyncio.get_running_loop()

        def on_change(changed: "StoreChange") -> None:
            if not loop.is_closed():
                reported = self._is_reported(open_memory)
                loop.call_soon_threadsafe(_changed, open_memory, changed, reported)

        def listen() -> None:
            reported = self._listen(open_memory, on_change)
            # What changed before the watch began is taken in now.
            loop.call_soon_threadsafe(_begun, open_memory, reported)

        # Beside the answers: to watch thousands of folders takes a while.
        loop.run_in_executor(None, listen).add_done_callback(_log_fault)

    def _listen(
        self, open_memory: "OpenMemory", on_change: "Callable[[StoreChange], None]"
    ) -> bool:
        """Begin to watch; return whether the system reports each change by itself."""
        from gitmem.memory import Watch  # noqa: PLC0415  needed by no first answer

        with self._lock:
            if self._watch is None:
                self._watch = Watch(lambda line: _log.warning("%s", line))
            self._watch.listen(open_memory.memory.workspace, on_change)
        return self._is_reported(open_memory)

    def _is_reported(self, open_memory: "OpenMemory") -> bool:
        return self._watch is not None and not self._watch.why_polled(open_memory.folder)


def _begun(open_memory: "OpenMemory", reported: bool) -> None:  # noqa: FBT001  of call_soon
    if not open_memory.closed:
        open_memory.watched = reported
        open_memory.follow()


def _changed(open_memory: "OpenMemory", changed: "StoreChange", reported: bool) -> None:  # noqa: FBT001  likewise
    if open_memory.closed:
        return
    open_memory.watched = reported
    if changed.head:
        open_memory.checked_out()
    open_memory.follow()


def _log_fault(done: "asyncio.Future[None]") -> None:
    if not done.cancelled() and (error := done.exception()):
        _log.error("can't watch", exc_info=error)
