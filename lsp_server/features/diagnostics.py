"""Other servers' diagnostics, as clients forward them, and the edits that shift them.

A server does not see what other servers publish. Clients send all diagnostics of a document
that are not ours in the notification ``gitmem/diagnostics``: ``{uri, version, diagnostics}``.
"""

import logging
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from lsp_server import failures
from lsp_server.file_paths import place_of
from lsp_server.positions import EditorRange, line_at, span_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsp_server.failures import ForeignDiagnostic
    from lsp_server.session import EditorSession

_log = logging.getLogger(__name__)
NOTIFICATION: Final = "gitmem/diagnostics"


def register(server: "EditorSession") -> None:
    """Take notifications of diagnostics, and follow the documents that they are of."""

    @server.feature(NOTIFICATION)
    def on_diagnostics(ls: "EditorSession", params: Any) -> None:  # noqa: ANN401  as it came
        if not isinstance(params, dict) or not isinstance(params.get("uri"), str):
            _log.warning("%s without an address", NOTIFICATION)
            return
        version = params.get("version")
        version = version if isinstance(version, int) else None
        take(ls, params["uri"], version, params.get("diagnostics"), whole=True)

    _follow_documents(server)


def _follow_documents(server: "EditorSession") -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: "EditorSession", params: types.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.document_state(uri)
        for listen in ls.listeners.text_changed:
            listen(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: "EditorSession", params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        for change in params.content_changes:
            edit: EditorRange | None = None
            if isinstance(change, types.TextDocumentContentChangePartial):
                edit = span_of(change.range)
            ls.diagnostics.edited(uri, params.text_document.version, edit, change.text, ls.units)
        for listen in ls.listeners.text_changed:
            listen(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: "EditorSession", params: types.DidCloseTextDocumentParams) -> None:
        ls.diagnostics.close(params.text_document.uri)
        for listen in ls.listeners.document_closed:
            listen(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: "EditorSession", params: types.DidSaveTextDocumentParams) -> None:
        open_memory = ls.open_memory_for(params.text_document.uri)
        if open_memory:
            open_memory.follow()


def take(
    ls: "EditorSession", uri: str, version: int | None, diagnostics: object, *, whole: bool
) -> None:
    """Take a document's diagnostics, unless they were made for an older text than is open."""
    state = ls.document_state(uri)
    if state is None:
        return
    document = ls.workspace.text_documents.get(uri)
    newest = document.version if document else None
    if newest is not None and version is not None and version < newest:
        return
    ls.diagnostics.take(state, uri, version, read(ls, uri, diagnostics), whole=whole)


def read(ls: "EditorSession", uri: str, diagnostics: object) -> "Sequence[ForeignDiagnostic]":
    """Read diagnostics as they came over the wire."""
    document = ls.workspace.text_documents.get(uri)
    lines = document.lines if document else ls.lines_of(uri)
    language = (document.language_id if document else "") or ""
    return failures.read(diagnostics, place_of(uri), language, lambda n: line_at(lines, n))
