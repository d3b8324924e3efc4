"""Other servers' diagnostics, as clients hand them on, and the edits that move them.

A server does not see what other servers publish. Clients send all diagnostics of a document
that are not ours in the notification ``gitmem/diagnostics``: ``{uri, version, diagnostics}``.
"""

import logging
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from lsp_server import failures
from lsp_server.places import Span, line_at, path_of, span_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsp_server.failures import Theirs
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
        ls.page_for(uri)
        for listen in ls.listeners.text_changed:
            listen(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: "EditorSession", params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        for change in params.content_changes:
            edit: Span | None = None
            if isinstance(change, types.TextDocumentContentChangePartial):
                edit = span_of(change.range)
            ls.board.edited(uri, params.text_document.version, edit, change.text, ls.units)
        for listen in ls.listeners.text_changed:
            listen(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: "EditorSession", params: types.DidCloseTextDocumentParams) -> None:
        ls.board.close(params.text_document.uri)
        for listen in ls.listeners.document_closed:
            listen(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: "EditorSession", params: types.DidSaveTextDocumentParams) -> None:
        shelf = ls.shelf_for(params.text_document.uri)
        if shelf:
            shelf.follow()


def take(
    ls: "EditorSession", uri: str, version: int | None, diagnostics: object, *, whole: bool
) -> None:
    """Note a document's diagnostics, unless they are of an older text than the one at hand."""
    page = ls.page_for(uri)
    if page is None:
        return
    document = ls.workspace.text_documents.get(uri)
    at_hand = document.version if document else None
    if at_hand is not None and version is not None and version < at_hand:
        return
    ls.board.note(page, uri, version, read(ls, uri, diagnostics), whole=whole)


def read(ls: "EditorSession", uri: str, diagnostics: object) -> "Sequence[Theirs]":
    """Read diagnostics as they came over the wire."""
    document = ls.workspace.text_documents.get(uri)
    lines = document.lines if document else ls.lines_of(uri)
    language = (document.language_id if document else "") or ""
    return failures.read(diagnostics, path_of(uri), language, lambda n: line_at(lines, n))
