"""What the features know of the server: its client, its documents and its open memories."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from lsprotocol import types

if TYPE_CHECKING:
    from pygls.workspace import Workspace

    from gitmem.memory import Memory
    from gitmem.render.known import Link
    from lsp_server.board import Board, Page
    from lsp_server.places import Units
    from lsp_server.reader import Readers
    from lsp_server.shelf import Shelf

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
    memory_opened: "list[Callable[[Shelf], None]]" = field(default_factory=list)
    memory_changed: "list[Callable[[Shelf], None]]" = field(default_factory=list)


class EditorSession(Protocol):
    """The server as its features see it; ``server.MemoryServer`` is the one that there is.

    Attributes:
        board: what is known about the diagnostics of each document.
        readers: answer the views' questions.
        listeners: what features want to be told.
        action_providers: each gives code actions for a request; their answers are joined.

    """

    board: "Board"
    readers: "Readers"
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

    def lines_of(self, uri: str) -> Sequence[str]:
        """Give a document's lines; none for one that can't be read."""

    def page_for(self, uri: str) -> "Page | None":
        """Give what is noted about a document; None if it belongs to no memory."""

    async def ready_page(self, uri: str, seconds: float) -> "Page | None":
        """Give what is noted about a document, once it is matched or so many seconds are over."""

    # Memories

    def shelf_for(self, uri: str) -> "Shelf | None":
        """Give the open memory that a document belongs to; None if there is none."""

    async def fresh_memory(self, uri: str) -> "Memory | None":
        """Give the memory that a document belongs to, after catching up for a second at most."""

    def shelves(self) -> "list[Shelf]":
        """Give the memories that are open."""

    def addresses(self) -> list[str]:
        """Give an address in every folder of the workspace, then in every open memory."""

    def look_again(self) -> None:
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

    def tell(self, text: str, how: types.MessageType) -> None:
        """Show a message: only as the answer to what a user did."""

    def open_in_editor(self, uri: str) -> None:
        """Open a file, where the client can."""

    def apply_edit(self, edit: types.WorkspaceEdit, label: str, *, show: str = "") -> None:
        """Ask the client to carry out an edit; then open ``show``."""

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification of our own."""

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        """Show our own diagnostics of a document."""
