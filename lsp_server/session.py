"""The interface that features use: the client, its documents and the open memories."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from lsprotocol import types

if TYPE_CHECKING:
    from pygls.workspace import Workspace

    from gitmem.render.match_markdown import Link
    from lsp_server.diagnostics_cache import DiagnosticsCache, DocumentState
    from lsp_server.open_memory import OpenMemory
    from lsp_server.positions import EditorRange, Units

_Handler = TypeVar("_Handler", bound=Callable[..., Any])

CodeActions = list[types.CodeAction | types.Command]
CodeActionProvider = Callable[["EditorSession", types.CodeActionParams], Awaitable[CodeActions]]


@dataclass
class Listeners:
    """Functions that features want to be called, all on the event loop.

    Attributes:
        text_changed: take a document's address when it was opened or edited.
        document_closed: take a document's address.
        memory_opened: take a memory that was just opened.
        memory_changed: take a memory of which there is more to know.

    """

    text_changed: list[Callable[[str], None]] = field(default_factory=list)
    document_closed: list[Callable[[str], None]] = field(default_factory=list)
    memory_opened: "list[Callable[[OpenMemory], None]]" = field(default_factory=list)
    memory_changed: "list[Callable[[OpenMemory], None]]" = field(default_factory=list)


class EditorSession(Protocol):
    """The server as its features see it; ``server.MemoryServer`` is the one that there is.

    Attributes:
        diagnostics: what is known about each document.
        listeners: what features want to be told.
        action_providers: each gives code actions for a request; their answers are joined.

    """

    diagnostics: "DiagnosticsCache"
    listeners: Listeners
    action_providers: list[CodeActionProvider]

    # Registration

    def feature(
        self,
        feature_name: str,
        options: Any | None = None,  # noqa: ANN401  any options type
    ) -> Callable[[_Handler], _Handler]:
        """Register the handler of a request or notification."""

    def command(self, command_name: str) -> Callable[[_Handler], _Handler]:
        """Register the handler of a command."""

    # Documents

    @property
    def workspace(self) -> "Workspace":
        """The documents that are open."""

    @property
    def units(self) -> "Units":
        """Counts a text in the client's units."""

    def has_text(self, uri: str) -> bool:
        """Tell whether a document is open, or its file a plain one: a pipe would be waited for."""

    def lines_of(self, uri: str) -> Sequence[str]:
        """Give a document's lines; none for one that can't be read."""

    def document_state(self, uri: str) -> "DocumentState | None":
        """Give what is known about a document; None if it belongs to no memory."""

    async def matched_state(
        self, uri: str, seconds: float, at: "EditorRange | None" = None
    ) -> "DocumentState | None":
        """Give what is known about a document, once it is matched or so many seconds are over.

        Args:
            uri: the document's address.
            seconds: to wait for all of it.
            at: where somebody looks: that is matched first, and waited for a little longer.

        """

    # Memories

    def open_memory_for(self, uri: str) -> "OpenMemory | None":
        """Give the open memory that a document belongs to; None if there is none."""

    def workspace_memories(self) -> "list[OpenMemory]":
        """Give the memories of the workspace's folders; without a folder, those that are open."""

    def is_in_workspace(self, path: str) -> bool:
        """Tell whether a file lies in one of the workspace's folders."""

    def close_unused(self) -> None:
        """Close the memories that no folder of the workspace and no document belongs to."""

    def open_memories(self) -> "list[OpenMemory]":
        """Give the memories that are open."""

    def addresses(self) -> list[str]:
        """Give an address in every folder of the workspace, then in every open memory."""

    def forget_missing(self) -> None:
        """Forget in which folders there was no memory."""

    # The client

    @property
    def client_capabilities(self) -> types.ClientCapabilities:
        """What the client can do."""

    @property
    def link(self) -> "Link":
        """Makes links that run commands, if the client asked for them."""

    def wants(self, option: str) -> bool:
        """Tell whether the client switched something on."""

    def show_message(self, text: str, how: types.MessageType) -> None:
        """Show a message: only as the answer to what a user did."""

    def open_in_editor(self, uri: str) -> None:
        """Open a file, where the client can."""

    def apply_edit(self, edit: types.WorkspaceEdit, label: str, then: Callable[[], object]) -> None:
        """Ask the client to carry out an edit; where it did, go on with ``then``."""

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification of our own."""

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        """Show our own diagnostics of a document."""
