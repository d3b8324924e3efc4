"""Messages that the server sends by itself: notices, edits, progress, refresh requests."""

import asyncio
import functools
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

if TYPE_CHECKING:
    from concurrent.futures import Future

_log = logging.getLogger(__name__)
_OFTEN: Final = 0.25
_SOON: Final = 0.1
# Options of what stands in the text by itself.
_LENSES, _HINTS = _SHOWN = ("codeLens", "inlayHints")


class WorkProgress:
    """Long work in a client's status bar. Nothing is shown for what is over at once.

    Args:
        server: the server.
        title: says what is going on.

    """

    def __init__(self, server: "ClientAwareServer", title: str) -> None:
        self._server = server
        self._title = title
        self._loop = asyncio.get_running_loop()
        self._token = ""
        self._is_shown = False
        self._reported = 0.0
        self._began = 0.0

    def report(self, what: str, done: int, total: int) -> None:
        """Tell how far it is; from any thread."""
        now = time.monotonic()
        self._began = self._began or now
        if now - max(self._reported, self._began) < _OFTEN or self._loop.is_closed():
            return
        self._reported = now
        percent = min(100 * done // total, 100) if total > 0 else None
        self._loop.call_soon_threadsafe(self._show, f"{what} {done} of {total}", percent)

    def _show(self, text: str, percent: int | None) -> None:
        if not self._server.can_progress:
            return
        if not self._token:
            # A token is used once: clients keep what they know of it.
            self._token = str(uuid.uuid4())
            request = self._server.window_work_done_progress_create_async(
                types.WorkDoneProgressCreateParams(token=self._token)
            )
            task = asyncio.ensure_future(request)
            task.add_done_callback(functools.partial(self._created, self._token))
        elif self._is_shown:
            self._send(types.WorkDoneProgressReport(message=text, percentage=percent))

    def _created(self, token: str, answer: "asyncio.Future[None]") -> None:
        # It may have ended meanwhile, and begun anew.
        if token != self._token or answer.cancelled() or answer.exception():
            return
        self._is_shown = True
        self._send(types.WorkDoneProgressBegin(title=self._title, percentage=0))

    def end(self) -> None:
        """Say that it is done; on the event loop."""
        if self._is_shown:
            self._send(types.WorkDoneProgressEnd())
        self._is_shown, self._token, self._began = False, "", 0.0

    def _send(self, value: Any) -> None:  # noqa: ANN401  one of three
        self._server.progress(types.ProgressParams(token=self._token, value=value))


class ClientAwareServer(LanguageServer):
    """A server that knows what its client can do, and talks to it by itself."""

    options: dict[str, Any]
    _refreshing: asyncio.TimerHandle | None = None

    def wants(self, option: str) -> bool:
        """Tell whether the client switched something on."""
        return self.options.get(option) is True

    @property
    def can_progress(self) -> bool:
        """The client shows progress."""
        window = self.client_capabilities.window
        return bool(window and window.work_done_progress)

    def show_message(self, text: str, how: types.MessageType) -> None:
        """Show a message: only as the answer to what a user did."""
        self.window_show_message(types.ShowMessageParams(message=text, type=how))

    def open_in_editor(self, uri: str) -> None:
        """Open a file, where the client can."""
        window = self.client_capabilities.window
        if window and window.show_document and window.show_document.support:
            shown = self.window_show_document(types.ShowDocumentParams(uri=uri, take_focus=True))
            shown.add_done_callback(_log_refusal)

    def apply_edit(self, edit: types.WorkspaceEdit, label: str, then: Callable[[], object]) -> None:
        """Ask the client to carry out an edit; where it did, go on with ``then``."""
        request = self.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit=edit, label=label))

        def done(answer: "Future[types.ApplyWorkspaceEditResult]") -> None:
            _log_refusal(answer)
            done_well = not answer.cancelled() and not answer.exception()
            if done_well and getattr(answer.result(), "applied", False):
                then()

        request.add_done_callback(done)

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification of our own."""
        self.protocol.notify(method, params)

    def take_options(self, given: dict[str, Any]) -> None:
        """Take options that were changed: what they switch shows, or goes, at once."""
        before = {name for name in _SHOWN if self.wants(name)}
        self.options.update(given)
        self._ask_again(before ^ {name for name in _SHOWN if self.wants(name)})

    def refresh(self, _uris: Sequence[str]) -> None:
        """Let the client ask again for lenses and hints, once for many changes."""
        if self._refreshing is None and any(map(self.wants, _SHOWN)):
            self._refreshing = asyncio.get_running_loop().call_later(_SOON, self._refresh)

    def _refresh(self) -> None:
        self._refreshing = None
        self._ask_again({name for name in _SHOWN if self.wants(name)})

    def _ask_again(self, options: set[str]) -> None:
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return
        lenses, hints = workspace.code_lens, workspace.inlay_hint
        if _LENSES in options and lenses and lenses.refresh_support:
            self.workspace_code_lens_refresh(None).add_done_callback(_log_refusal)
        if _HINTS in options and hints and hints.refresh_support:
            self.workspace_inlay_hint_refresh(None).add_done_callback(_log_refusal)


def _log_refusal(answer: "Future[Any]") -> None:
    """Log what a client refused."""
    if not answer.cancelled() and (error := answer.exception()):
        _log.info("the client refused: %s", error)
