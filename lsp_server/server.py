"""The server: which document belongs to which memory, and what the client can be told."""

import asyncio
import logging
import os
import time
from collections.abc import Sequence
from typing import Any, Final

from pygls.uris import from_fs_path

from gitmem._version import __version__
from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.render.known import Link
from lsp_server.board import Board, Page
from lsp_server.client import TalkingServer, Work
from lsp_server.command_links import link_for
from lsp_server.places import Units, path_of, work_tree_of
from lsp_server.protocol import Protocol, make_converter
from lsp_server.reader import Readers
from lsp_server.session import CodeActionProvider, Listeners
from lsp_server.shelf import Shelf

_log = logging.getLogger(__name__)
_ABSENT_SECONDS: Final = 2.0
_MOST_FOLDERS: Final = 10_000


class MemoryServer(TalkingServer):
    """A language server that keeps one open memory for each folder it was asked about."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("gitmem", __version__, protocol_cls=Protocol,
                         converter_factory=make_converter)  # fmt: skip
        self.options: dict[str, Any] = {}
        self.board = Board(self.refresh)
        self.readers = Readers()
        self.listeners = Listeners()
        self.action_providers: list[CodeActionProvider] = []
        self._shelves: dict[str, Shelf] = {}
        self._folders: dict[str, tuple[str, float]] = {}

    # Documents and their memories

    def shelf_for(self, uri: str) -> Shelf | None:
        """Give the open memory that a document belongs to; None if there is none."""
        path = path_of(uri)
        return self._shelf_at(work_tree_of(os.path.dirname(path))) if path else None

    def memory_for(self, uri: str) -> Memory | None:
        """Give the memory that a document belongs to, which answers at once; None: there is none.

        It is for the event loop only, and for questions that take no longer than a look-up.
        """
        shelf = self.shelf_for(uri)
        return shelf.front if shelf else None

    async def fresh_memory(self, uri: str) -> Memory | None:
        """Give ``memory_for`` a document, after catching up that is under way, or a second."""
        shelf = self.shelf_for(uri)
        if shelf:
            await shelf.fresh(1.0)
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

    def _opened(self, asked: str) -> Shelf | None:
        folder = asked
        while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        try:
            memory = Memory.open(folder)
        except (GitmemError, OSError, ValueError) as error:
            _log.info("no memory for %s: %s", folder, error)
            self._remember(asked, "", time.monotonic() + _ABSENT_SECONDS)
            return None
        found = memory.site.folder
        self._remember(asked, found, 0.0)
        if found in self._shelves and not self._shelves[found].outdated():
            memory.close()
            return self._shelves[found]
        work = Work(self, "gitmem: reading the memory")
        shelf = Shelf(memory, asyncio.get_running_loop(), self._changed, work)
        self._shelves[found] = shelf
        for listen in self.listeners.memory_opened:
            listen(shelf)
        shelf.look()
        shelf.follow()
        return shelf

    def _remember(self, folder: str, found: str, until: float) -> None:
        if len(self._folders) >= _MOST_FOLDERS:
            self._folders.clear()
        self._folders[folder] = (found, until)

    def look_again(self) -> None:
        """Forget where there was no memory: one was made."""
        self._folders.clear()

    def _changed(self, shelf: Shelf) -> None:
        self.board.renew(shelf)
        for listen in self.listeners.memory_changed:
            listen(shelf)

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
            self.board.first(uri)
            try:
                await asyncio.wait_for(page.ready.wait(), seconds)
            except TimeoutError:
                _log.info("matching is still under way")
        return self.board.page(uri)

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

    def addresses(self) -> list[str]:
        """Give an address in every folder of the workspace, then in every open memory."""
        folders = [*self.workspace.folders, self.workspace.root_uri or ""]
        inside = [f"{folder.rstrip('/')}/." for folder in folders if folder]
        return inside + [str(from_fs_path(f"{shelf.start}/.")) for shelf in self.shelves()]

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log a fault instead of popping it up in the editor."""
        _log.warning("%s: %s", source, error)
