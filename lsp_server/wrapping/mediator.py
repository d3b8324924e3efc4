"""Stands between an editor, a wrapped language server and ours.

What comes from the editor is passed on before anything else is done with it; what comes from
the wrapped server is passed on in the thread that reads it, unless ours has something to add.
"""

import asyncio
import json
import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from lsprotocol import types

from lsp_server.message_stream import UnreadableMessage, dispatch_messages, framed
from lsp_server.wrapping import capabilities
from lsp_server.wrapping.answers import JOINED, is_ours
from lsp_server.wrapping.envelope import Envelope, envelope_of
from lsp_server.wrapping.foreign_diagnostics import DiagnosticsOfBoth, pulled
from lsp_server.wrapping.pending_answers import PendingAnswers
from lsp_server.wrapping.wrapped_life import WrappedLife

if TYPE_CHECKING:
    from lsp_server.server import MemoryServer

_log = logging.getLogger(__name__)
_RESOLVING: Final = (types.CODE_ACTION_RESOLVE, types.CODE_LENS_RESOLVE)
_PULLS: Final = (types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC)
# Ours hears of these, too; it answers none of them.
_HEARD: Final = frozenset({
    types.INITIALIZED, types.EXIT, types.CANCEL_REQUEST, types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE, types.TEXT_DOCUMENT_DID_SAVE,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION, types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
    types.SHUTDOWN,
})  # fmt: skip
_OURS: Final = "gitmem/"
_FAILED: Final = -32803
_OWN: Final = "gitmem/again"
"""The number of the request with which a process that was started again is initialised."""


class Mediator:
    """Passes messages between three parties.

    Args:
        server: ours.
        target: leads to the editor.
        command: of the wrapped server.

    """

    def __init__(self, server: "MemoryServer", target: BinaryIO, command: Sequence[str]) -> None:
        self._server, self._target = server, target
        self._writing = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._wrapped = WrappedLife(command, self._from_wrapped, self._lost)
        self._pending = PendingAnswers(self._to_editor)
        self._diagnostics = DiagnosticsOfBoth(self._to_editor, self._to_ours)
        # Requests that the wrapped server has not answered: number and method.
        self._unanswered: dict[int | str, str] = {}
        # The documents whose diagnostics the editor asked for, by the request's number.
        self._pulls: dict[int | str, str] = {}
        # Requests to the editor: those of the wrapped server, and ours.
        self._theirs_asked: set[int | str] = set()
        self._ours_asked: set[int | str] = set()
        self._registered: set[str] = set()
        self._first: dict[str, Any] = {}
        self._announced: dict[str, Any] = {}
        self._last: int | str | None = None
        server.protocol.set_writer(self, include_headers=False)

    async def serve(self, source: BinaryIO) -> None:
        """Serve until the editor is gone."""
        self._wrapped.start()
        try:
            await dispatch_messages(source, self._from_editor, self._pass_on)
        finally:
            self._wrapped.end()

    # From the editor, in the thread that reads

    def _pass_on(self, body: bytes) -> bool:
        """Pass a message on; tell whether ours has to see it, too."""
        envelope = envelope_of(body)
        if envelope is None:
            return True  # ours answers what is no message
        with self._wrapped.gate:
            if not envelope.method:
                return self._pass_answer(envelope, body)
            if envelope.id is not None:
                return self._pass_request(envelope.id, envelope.method, body)
            if envelope.method.startswith(_OURS):
                return True
            if self._wrapped.running:
                self._wrapped.write(body)
            return envelope.method in _HEARD

    def _pass_answer(self, envelope: Envelope, body: bytes) -> bool:
        if envelope.id in self._ours_asked:
            self._ours_asked.discard(envelope.id)
            return True
        if envelope.id in self._theirs_asked:  # by the process that runs now
            self._theirs_asked.discard(envelope.id)
            self._wrapped.write(body)
        return False

    def _pass_request(self, number: int | str, method: str, body: bytes) -> bool:
        if method.startswith(_OURS):
            return True
        if method == types.INITIALIZE:
            self._first = self._first or json.loads(body)
        elif method == types.SHUTDOWN:
            self._last = number
        elif method in (*_RESOLVING, types.WORKSPACE_EXECUTE_COMMAND, *_PULLS):
            params = json.loads(body).get("params")
            if method in _PULLS:
                document = params.get("textDocument") if isinstance(params, dict) else None
                self._pulls[number] = str((document or {}).get("uri", ""))
            elif is_ours(params) or _runs_ours(params):
                return True
        elif method in JOINED:
            self._pending.expect(number, method)
            if not self._is_answered(method):
                self._soon(self._pending.without_theirs, number)
                return True
        self._unanswered[number] = method
        if self._wrapped.running:
            self._wrapped.write(body)
        else:
            self._soon(self._without, number)
        return method in JOINED or method in _HEARD

    def _is_answered(self, method: str) -> bool:
        return method in self._registered or capabilities.supports(self._announced, method)

    def _soon(self, task: Any, *given: Any) -> None:  # noqa: ANN401  a method and what it takes
        self._loop.call_soon_threadsafe(task, *given)

    # From the editor, on the event loop

    def _from_editor(self, message: dict[str, Any] | UnreadableMessage) -> None:
        if isinstance(message, dict) and message.get("method") in _RESOLVING:
            self._send({"id": message["id"], "result": message["params"]})
        else:
            self._server.protocol.take(message)

    def _to_ours(self, message: dict[str, Any]) -> None:
        self._server.protocol.take(message)

    def _without(self, number: int | str) -> None:
        """Answer a request that the wrapped server will not answer."""
        method = self._unanswered.pop(number, "")
        if number in self._pending:
            self._pending.without_theirs(number)
        elif method == types.INITIALIZE:
            self._initialise({})
        elif method == types.SHUTDOWN:
            self._send({"id": number, "result": None})
        elif method:
            error = {"code": _FAILED, "message": f"{self._wrapped.name} is not running"}
            self._send({"id": number, "error": error})

    def _lost(self) -> None:
        """Go on without a process that has died; another one may have been started."""
        self._theirs_asked.clear()
        initialising = types.INITIALIZE in self._unanswered.values()
        if initialising and not self._wrapped.given_up:
            self._wrapped.send(self._first)
            self._wrapped.running = True
            return
        for number in list(self._unanswered):
            self._without(number)
        if initialising:
            return  # said once ours is ready
        if self._wrapped.given_up:
            self._tell_alone("keeps stopping")
        elif self._first:
            self._wrapped.send({**self._first, "id": _OWN})

    def _tell_alone(self, why: str) -> None:
        words = f"gitmem: {self._wrapped.name} {why}; gitmem goes on without it"
        self._server.show_message(words, types.MessageType.Error)

    def _initialise(self, announced: dict[str, Any]) -> None:
        """Initialise ours, once it is known in which units the other one counts."""
        self._announced = announced
        params = self._first.get("params")
        params = dict(params) if isinstance(params, dict) else {}
        options = params.get("initializationOptions")
        params["initializationOptions"] = (
            options.get("gitmem") if isinstance(options, dict) else None
        )
        can = dict(params.get("capabilities") or {})
        units = {"positionEncodings": [capabilities.encoding_of(announced)]}
        params["capabilities"] = {**can, "general": {**(can.get("general") or {}), **units}}
        self._to_ours({**self._first, "params": params})

    # From the wrapped server, in the thread that reads

    def _from_wrapped(self, body: bytes) -> None:
        envelope = envelope_of(body)
        if envelope is None:
            _log.warning("%s sent what is no message", self._wrapped.name)
        elif not envelope.method:
            self._take_answer(envelope.id, body)
        elif envelope.method == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
            params = json.loads(body).get("params")
            if not self._diagnostics.shares(params):
                self._to_editor(body)
            self._soon(self._diagnostics.theirs, params)
        else:
            if envelope.id is not None:
                self._theirs_asked.add(envelope.id)
            if envelope.method == types.CLIENT_REGISTER_CAPABILITY:
                params = json.loads(body).get("params") or {}
                self._registered |= {
                    registration.get("method") for registration in params.get("registrations", ())
                }
            self._to_editor(body)

    def _take_answer(self, number: int | str | None, body: bytes) -> None:
        method = self._unanswered.pop(number, "") if number is not None else ""
        if number is None:
            self._to_editor(body)  # a fault of what had no number
        elif number == _OWN:
            documents = self._server.workspace.text_documents
            self._soon(self._wrapped.catch_up, lambda: list(documents.values()))
        elif number in self._pending:
            self._soon(self._pending.theirs, number, body)
        elif method == types.INITIALIZE:
            self._soon(self._initialise, json.loads(body).get("result") or {})
        else:
            self._to_editor(body)
            if number in self._pulls:
                result = json.loads(body).get("result")
                for params in pulled(self._pulls.pop(number), result):
                    self._soon(self._diagnostics.look_up, params)

    # From ours

    def write(self, body: bytes) -> None:
        """Take a message of ours: it joins one of the wrapped server, or goes to the editor."""
        message = json.loads(body)
        number, method = message.get("id"), message.get("method")
        if method == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
            self._diagnostics.ours(message["params"])
        elif method is None and number in self._pending:
            self._pending.ours(number, message)
        elif method is None and self._first and number == self._first["id"] and "result" in message:
            result = capabilities.together(self._announced, message["result"])
            self._send({"id": number, "result": result})
            if self._wrapped.given_up:
                self._tell_alone("could not be started")
        elif method is None and number is not None and number == self._last:
            _log.debug("the wrapped server answers the end itself")
        else:
            if method is not None and number is not None:
                self._ours_asked.add(number)
            self._to_editor(body)

    def close(self) -> None:
        """Nothing has to be closed: the editor's stream belongs to who serves."""

    # To the editor

    def _send(self, message: dict[str, Any]) -> None:
        self._to_editor(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode())

    def _to_editor(self, body: bytes) -> None:
        try:
            with self._writing:
                self._target.write(framed(body))
                self._target.flush()
        except (OSError, ValueError) as error:
            _log.info("the editor is gone: %s", error)


def _runs_ours(params: Any) -> bool:  # noqa: ANN401  as it came
    command = params.get("command") if isinstance(params, dict) else None
    return isinstance(command, str) and command.startswith("gitmem.")
