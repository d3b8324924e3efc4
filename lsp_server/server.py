"""Wiring: which request goes to which feature, which document to which memory."""

import asyncio
import functools
import logging
import os
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gitmem._version import __version__
from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.render.known import Link
from lsp_server import parent
from lsp_server.board import Board, Page
from lsp_server.features import diagnostics, hover, record_files
from lsp_server.features.hover import link_for
from lsp_server.places import Units, path_of
from lsp_server.protocol import Protocol, make_converter
from lsp_server.shelf import Shelf

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")
_FEATURES: Final = (record_files, diagnostics, hover)
_ABSENT_SECONDS: Final = 2.0


class MemoryServer(LanguageServer):
    """A language server that keeps one open memory for each folder it was asked about."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("gitmem", __version__, protocol_cls=Protocol,
                         converter_factory=make_converter)  # fmt: skip
        self.options: dict[str, Any] = {}
        self.board = Board(self._renewed)
        # Called with a document's address when its text is new, and when it was closed.
        self.on_text: list[Callable[[MemoryServer, str], None]] = []
        self.on_close: list[Callable[[MemoryServer, str], None]] = []
        self._shelves: dict[str, Shelf] = {}
        self._folders: dict[str, tuple[str, float]] = {}

    # Documents and their memories

    def shelf_for(self, uri: str) -> Shelf | None:
        """Give the open memory that a document belongs to; None if there is none."""
        path = path_of(uri)
        return self._shelf_at(os.path.dirname(path)) if path else None

    def memory_for(self, uri: str) -> Memory | None:
        """Give the memory that a document belongs to, which answers at once; None: there is none.

        It is for the event loop only, and for questions that take no longer than a look-up.
        """
        shelf = self.shelf_for(uri)
        return shelf.front if shelf else None

    def _shelf_at(self, folder: str) -> Shelf | None:
        known, until = self._folders.get(folder, ("", 0.0))
        shelf = self._shelves.get(known)
        if shelf and not shelf.outdated():
            return shelf
        if shelf:
            self._drop(shelf)
        elif time.monotonic() < until:
            return None
        return self._opened(folder)

    def _opened(self, folder: str) -> Shelf | None:
        while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        try:
            memory = Memory.open(folder)
        except (GitmemError, OSError, ValueError) as error:
            _log.info("no memory for %s: %s", folder, error)
            self._folders[folder] = ("", time.monotonic() + _ABSENT_SECONDS)
            return None
        found = memory.site.folder
        self._folders[folder] = (found, 0.0)
        if found in self._shelves and not self._shelves[found].outdated():
            memory.close()
            return self._shelves[found]
        shelf = Shelf(memory, asyncio.get_running_loop(), self.board.renew, self._progress)
        self._shelves[found] = shelf
        shelf.look()
        shelf.follow()
        return shelf

    def _drop(self, shelf: Shelf) -> None:
        self._shelves.pop(shelf.folder, None)
        shelf.close()

    def shelves(self) -> list[Shelf]:
        """Give the memories that are open."""
        return list(self._shelves.values())

    def close_memories(self) -> None:
        """Close every memory."""
        for shelf in self.shelves():
            self._drop(shelf)

    def page_for(self, uri: str) -> Page | None:
        """Give what is noted about a document; None if it belongs to no memory."""
        shelf = self.shelf_for(uri)
        return self.board.open(uri, path_of(uri), shelf) if shelf else None

    async def ready_page(self, uri: str, seconds: float) -> Page | None:
        """Give what is noted about a document, after matching that is under way, or so long."""
        page = self.page_for(uri)
        if page and not page.ready.is_set():
            try:
                await asyncio.wait_for(page.ready.wait(), seconds)
            except TimeoutError:
                _log.info("matching is still under way")
        return page

    def lines_of(self, uri: str) -> Sequence[str]:
        """Give a document's lines; none for one that can't be read."""
        try:
            return self.workspace.get_text_document(uri).lines
        except (OSError, ValueError):
            return ()

    @property
    def units(self) -> Units:
        """What counts a text in the client's units."""
        return self.workspace.position_codec.client_num_units

    @property
    def link(self) -> Link:
        """What makes links, if the client wants any."""
        return link_for(wanted=self.options.get("commandLinks") is True)

    def _renewed(self, uris: Sequence[str]) -> None:
        """Tell the client that there is more to show."""

    def _progress(self, what: str, done: int, total: int) -> None:
        """Tell the client of long work."""

    # Calm

    def calm(
        self, handler: Callable[..., Coroutine[Any, Any, _Answer]]
    ) -> Callable[..., Coroutine[Any, Any, _Answer | None]]:
        """Make a handler that logs a fault and answers nothing, instead of popping it up."""

        @functools.wraps(handler)
        async def calmly(ls: "MemoryServer", params: Any) -> _Answer | None:  # noqa: ANN401
            try:
                return await handler(ls, params)
            except GitmemError as error:
                _log.info("%s", error.message)
            except Exception:
                _log.exception("fault in %s", handler.__name__)
            return None

        return calmly

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log a fault instead of popping it up in the editor."""
        _log.warning("%s: %s", source, error)


def make_server() -> MemoryServer:
    """Build the server with all its features."""
    server = MemoryServer()

    @server.feature(types.INITIALIZE)
    def initialize(ls: MemoryServer, params: types.InitializeParams) -> None:
        given = params.initialization_options
        ls.options = dict(given) if isinstance(given, dict) else {}
        if params.process_id:
            parent.watch(params.process_id)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: MemoryServer, _params: None) -> None:
        ls.close_memories()

    for feature in _FEATURES:
        feature.register(server)
    return server
