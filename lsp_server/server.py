"""The server: the open memory of each document, and the state kept for it."""

import asyncio
import logging
import os
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from pygls.uris import from_fs_path

from gitmem._version import __version__
from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.render.match_markdown import Link
from lsp_server.client import ClientAwareServer, WorkProgress
from lsp_server.command_links import link_for
from lsp_server.diagnostics_cache import DiagnosticsCache, DocumentState
from lsp_server.file_paths import is_unsaved, path_of, place_of, work_tree_of
from lsp_server.open_memory import OpenMemory
from lsp_server.positions import EditorRange, Units
from lsp_server.protocol import StrictProtocol, make_converter
from lsp_server.session import CodeActionProvider, Listeners

_log = logging.getLogger(__name__)
_ABSENT_SECONDS: Final = 2.0
_MOST_FOLDERS: Final = 10_000
_LOOKED_AT_SECONDS: Final = 0.5


class _Lookup(NamedTuple):
    """The memory that was found for a folder; empty: none, which holds until a point in time."""

    memory: str
    until: float


class MemoryServer(ClientAwareServer):
    """A language server that keeps one ``OpenMemory`` for each memory it was asked about."""

    protocol: StrictProtocol

    def __init__(self) -> None:
        super().__init__(
            "gitmem", __version__, protocol_cls=StrictProtocol, converter_factory=make_converter
        )
        self.options: dict[str, Any] = {}
        self.diagnostics = DiagnosticsCache(self.refresh)
        self.listeners = Listeners()
        self.action_providers: list[CodeActionProvider] = []
        self._open_memories: dict[str, OpenMemory] = {}
        self._lookups: dict[str, _Lookup] = {}

    # Memories

    def open_memory_for(self, uri: str) -> OpenMemory | None:
        """Give the open memory that a document belongs to; None if there is none.

        A text that is in no file yet belongs to the workspace's memory, where there is only one.
        """
        path = place_of(uri)
        if path:
            return self._memory_above(work_tree_of(os.path.dirname(path)))
        memories = self.workspace_memories() if is_unsaved(uri) else []
        return memories[0] if len(memories) == 1 else None  # of several, none is meant

    def _memory_above(self, folder: str) -> OpenMemory | None:
        lookup = self._lookups.get(folder, _Lookup("", 0.0))
        open_memory = self._open_memories.get(lookup.memory)
        if open_memory and not open_memory.outdated():
            return open_memory
        if open_memory:
            self._drop(open_memory)
        elif time.monotonic() < lookup.until:
            return None
        return self._open(folder)

    def _open(self, folder: str) -> OpenMemory | None:
        existing = folder
        while not os.path.isdir(existing) and os.path.dirname(existing) != existing:
            existing = os.path.dirname(existing)
        try:
            memory = Memory.open(existing)
        except (GitmemError, OSError, ValueError) as error:
            _log.info("no memory for %s: %s", existing, error)
            self._remember(folder, _Lookup("", time.monotonic() + _ABSENT_SECONDS))
            return None
        path = memory.workspace.site.folder
        self._remember(folder, _Lookup(path, 0.0))
        if path in self._open_memories and not self._open_memories[path].outdated():
            memory.close()
            return self._open_memories[path]
        progress = WorkProgress(self, "gitmem: reading the memory")
        open_memory = OpenMemory(memory, asyncio.get_running_loop(), self._changed, progress)
        self._open_memories[path] = open_memory
        for listen in self.listeners.memory_opened:
            listen(open_memory)
        self._changed(open_memory)
        open_memory.follow()
        return open_memory

    def _remember(self, folder: str, lookup: _Lookup) -> None:
        if len(self._lookups) >= _MOST_FOLDERS:
            self._lookups.clear()
        self._lookups[folder] = lookup

    def forget_missing(self) -> None:
        """Forget in which folders there was no memory: one was made."""
        self._lookups.clear()

    def _changed(self, open_memory: OpenMemory) -> None:
        self.diagnostics.renew(open_memory)
        for listen in self.listeners.memory_changed:
            listen(open_memory)

    def _drop(self, open_memory: OpenMemory) -> None:
        self._open_memories.pop(open_memory.folder, None)
        open_memory.close()

    def open_memories(self) -> list[OpenMemory]:
        """Give the memories that are open."""
        return list(self._open_memories.values())

    def close_memories(self) -> None:
        """Close every memory."""
        for open_memory in self.open_memories():
            self._drop(open_memory)

    def workspace_memories(self) -> list[OpenMemory]:
        """Give the memories of the workspace's folders; without a folder, those that are open."""
        if not self._in_folders():
            return self.open_memories()
        memories = map(self.open_memory_for, self._in_folders())
        return list(dict.fromkeys(memory for memory in memories if memory))

    def is_in_workspace(self, path: str) -> bool:
        """Tell whether a file lies in one of the workspace's folders."""
        tops = [os.path.join(os.path.dirname(path_of(uri)), "") for uri in self._in_folders()]
        return any(path.startswith(top) for top in tops)

    def close_unused(self) -> None:
        """Close the memories that no folder of the workspace and no document belongs to."""
        used = [
            *self.workspace_memories(),
            *map(self.open_memory_for, self.workspace.text_documents),
        ]
        for open_memory in self.open_memories():
            if open_memory not in used:
                self._drop(open_memory)

    def addresses(self) -> list[str]:
        """Give an address in every folder of the workspace, then in every open memory."""
        starts = [memory.start for memory in self.open_memories()]
        return self._in_folders() + [str(from_fs_path(f"{start}/.")) for start in starts]

    def _in_folders(self) -> list[str]:
        folders = list(self.workspace.folders) or [self.workspace.root_uri or ""]
        return [f"{folder.rstrip('/')}/." for folder in folders if folder]

    # Documents

    def document_state(self, uri: str) -> DocumentState | None:
        """Give what is known about a document; None if it belongs to no memory."""
        open_memory = self.open_memory_for(uri)
        return self.diagnostics.open(uri, path_of(uri), open_memory) if open_memory else None

    async def matched_state(
        self, uri: str, seconds: float, at: EditorRange | None = None
    ) -> DocumentState | None:
        """Give what is known about a document, once it is matched or so many seconds are over.

        Args:
            uri: the document's address.
            seconds: to wait for all of it.
            at: where somebody looks: that is matched first, and waited for a little longer.

        """
        state = self.document_state(uri)
        end = time.monotonic() + max(seconds, _LOOKED_AT_SECONDS)
        if state and not state.ready.is_set():
            self.diagnostics.match_next(uri, at)
            try:
                await asyncio.wait_for(state.ready.wait(), seconds)
            except TimeoutError:
                _log.info("matching is still under way")
        while state and at and state.is_unsure_at(at) and (left := end - time.monotonic()) > 0:
            await asyncio.wait([asyncio.ensure_future(state.step.wait())], timeout=left)
        return self.diagnostics.state(uri)

    def has_text(self, uri: str) -> bool:
        """Tell whether a document is open, or its file a plain one: a pipe would be waited for."""
        return unquote(uri) in self.workspace.text_documents or os.path.isfile(path_of(uri))

    def lines_of(self, uri: str) -> Sequence[str]:
        """Give a document's lines; none for one that can't be read."""
        if not self.has_text(uri):
            return ()
        try:
            return self.workspace.get_text_document(uri).lines
        except (OSError, ValueError):
            return ()

    @property
    def units(self) -> Units:
        """Counts a text in the client's units."""
        return self.workspace.position_codec.client_num_units

    # The client

    @property
    def link(self) -> Link:
        """Makes links that run commands, if the client asked for them."""
        return link_for(wanted=self.options.get("commandLinks") is True)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log a fault instead of popping it up in the editor."""
        _log.warning("%s: %s", source, error)
