"""Wiring: which request goes to which feature. Speaks LSP over standard streams."""

import logging
import os
from collections.abc import Callable

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from gitmem._version import __version__
from gitmem.errors import GitmemError
from gitmem.memory import Memory
from lsp_server.features.hover import hover
from lsp_server.features.record_files import diagnostics, memory_path

_log = logging.getLogger(__name__)
# Standard input is read in the same pool as handlers run in: too few make the server deaf.
_WORKERS = 8


class MemoryServer(LanguageServer):
    """A language server that keeps one open memory for each folder it was asked about."""

    def __init__(self) -> None:
        super().__init__("gitmem", __version__, max_workers=_WORKERS)
        self._memories: dict[str, Memory] = {}

    def memory_for(self, uri: str) -> Memory | None:
        """Give the memory that a document belongs to; None if there is none."""
        path = to_fs_path(uri)
        if not path:
            return None
        folder = os.path.dirname(path)
        try:
            memory = Memory.open(folder if os.path.isdir(folder) else ".")
        except GitmemError:
            return None
        known = self._memories.setdefault(memory.site.folder, memory)
        if known is not memory:
            memory.close()
        return known

    def close_memories(self) -> None:
        """Close every memory."""
        for memory in self._memories.values():
            memory.close()
        self._memories.clear()

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log a fault instead of popping it up in the editor."""
        _log.error("fault in %s", source, exc_info=error)


def _units(server: MemoryServer) -> Callable[[str], int]:
    return server.workspace.position_codec.client_num_units


def make_server() -> MemoryServer:
    """Build the server with all its features."""
    server = MemoryServer()

    def publish(ls: MemoryServer, uri: str) -> None:
        memory = ls.memory_for(uri)
        path = to_fs_path(uri)
        inside = memory_path(path, memory.site.folder) if memory and path else None
        if inside:
            text = ls.workspace.get_text_document(uri).source
            found = types.PublishDiagnosticsParams(
                uri=uri, diagnostics=diagnostics(text, inside, _units(ls))
            )
            ls.text_document_publish_diagnostics(found)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: MemoryServer, params: types.DidOpenTextDocumentParams) -> None:
        publish(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: MemoryServer, params: types.DidChangeTextDocumentParams) -> None:
        publish(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: MemoryServer, params: types.DidCloseTextDocumentParams) -> None:
        gone = types.PublishDiagnosticsParams(uri=params.text_document.uri, diagnostics=[])
        ls.text_document_publish_diagnostics(gone)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(ls: MemoryServer, params: types.HoverParams) -> types.Hover | None:
        memory = ls.memory_for(params.text_document.uri)
        lines = ls.workspace.get_text_document(params.text_document.uri).lines
        at = params.position
        if memory is None or at.line >= len(lines):
            return None
        return hover(memory, lines[at.line], at, _units(ls))

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: MemoryServer, _params: None) -> None:
        ls.close_memories()

    return server


def serve() -> None:
    """Serve one editor over standard input and output until it goes away."""
    logging.basicConfig(level=logging.WARNING)
    make_server().start_io()
