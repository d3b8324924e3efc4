"""The life of the wrapped server: started, started again when it dies, told what it missed."""

import asyncio
import json
import logging
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from lsprotocol import types

from lsp_server.wrapping.wrapped_server import WrappedServer

_log = logging.getLogger(__name__)
_MOST_STARTS: Final = 4


class WrappedLife:
    """Keeps one process of the wrapped server running, as long as that makes sense.

    Args:
        command: the program and its arguments.
        take: called with the body of each message, in the thread that reads.
        lost: called on the event loop when a process has died.

    Attributes:
        name: of the program.
        gate: held while messages are passed on, and while a new process is told what it missed.

    """

    def __init__(
        self, command: Sequence[str], take: Callable[[bytes], None], lost: Callable[[], None]
    ) -> None:
        self._command, self._take, self._lost = list(command), take, lost
        self._loop = asyncio.get_running_loop()
        self._process: WrappedServer | None = None
        self._starts = 0
        self._ending = False
        self.name = os.path.basename(self._command[0])
        self.gate = threading.Lock()
        self.running = False

    @property
    def given_up(self) -> bool:
        """It is not started any more."""
        return self._process is None

    def start(self) -> None:
        """Start the first process."""
        self.running = self._begin()

    def _begin(self) -> bool:
        self._starts += 1
        try:
            self._process = WrappedServer(self._command, self._take, self._on_end)
        except OSError as error:
            self._process = None
            _log.error("%s: %s", self.name, (error.strerror or str(error)).lower())
        return self._process is not None

    def write(self, body: bytes) -> None:
        """Send a message."""
        if self._process:
            self._process.write(body)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message that is not encoded yet."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode())

    def _on_end(self, process: WrappedServer, code: int) -> None:
        # In the thread that read.
        if not self._ending and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ended, process, code)

    def _ended(self, process: WrappedServer, code: int) -> None:
        if self._ending or process is not self._process:
            return
        self.running, self._process = False, None
        _log.error("%s ended with code %s", self.name, code)
        if self._starts < _MOST_STARTS:
            self._begin()
        self._lost()

    def catch_up(self, documents: Callable[[], Iterable[Any]]) -> None:
        """Tell a new process, which has been initialised, of the documents that are open.

        Nothing is passed on meanwhile, and what was read before is taken by ours first: the
        texts are those of the editor.
        """
        self.gate.acquire()

        def tell() -> None:
            try:
                self.send({"method": types.INITIALIZED, "params": {}})
                for document in documents():
                    item = {"uri": document.uri, "languageId": document.language_id or "",
                            "version": document.version or 0, "text": document.source}  # fmt: skip
                    params = {"textDocument": item}
                    self.send({"method": types.TEXT_DOCUMENT_DID_OPEN, "params": params})
                self.running = True
            finally:
                self.gate.release()

        self._loop.call_soon(tell)

    def end(self) -> None:
        """End the process, for good."""
        self._ending = True
        if self._process:
            self._process.end()
