"""The protocol's rules: which requests are allowed when, and the reply to a bad message."""

import logging
from typing import Any, Final

import cattrs
from lsprotocol import converters, types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
)

from lsp_server.failures import span_in
from lsp_server.message_stream import UnreadableMessage

_log = logging.getLogger(__name__)
_FIRST: Final = (types.INITIALIZE, types.EXIT)


def make_converter() -> cattrs.Converter:
    """Make the converter; parameters of custom messages stay plain dictionaries."""
    converter = converters.get_converter()
    for kind in (JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage):
        converter.register_structure_hook(kind, _as_it_is)
    return converter


def _as_it_is(data: dict[str, Any], kind: type[Any]) -> Any:  # noqa: ANN401  one of three
    last = "result" if kind is JsonRPCResponseMessage else "params"
    fields = {"jsonrpc": data["jsonrpc"], last: data.get(last)}
    if "id" in data:
        fields["id"] = data["id"]
    if last == "params":
        fields["method"] = str(data["method"])
    return kind(**fields)


class StrictProtocol(LanguageServerProtocol):
    """pygls' protocol, made strict: wrong messages get an answer, and faults are logged."""

    def take(self, message: dict[str, Any] | UnreadableMessage) -> None:
        """Handle one message; every request gets an answer, whatever is wrong with it."""
        if isinstance(message, UnreadableMessage):
            _log.warning("%s", message.reason)
            self._refuse(None, JsonRpcParseError(message.reason))
            return
        if self._shutdown and "method" not in message:
            return  # an answer that nobody waits for any more
        number, method = message.get("id"), message.get("method")
        is_request = "method" in message and number is not None
        try:
            refusal = self._not_now(method) if "method" in message else None
            if refusal is None:
                self.handle_message(self._structured(message))
        except JsonRpcException as error:
            refusal = error
        except SystemExit:
            raise
        except Exception as error:  # noqa: BLE001  whatever it is, the request gets an answer
            _log.exception("fault while handling %s", method)
            refusal = JsonRpcInternalError(str(error))
        if refusal is None:
            return
        _log.warning("refused %s: %s", method, refusal.message)
        if is_request:
            self._refuse(number, refusal)

    def _not_now(self, method: object) -> JsonRpcException | None:
        """Tell why a message can't be taken in this state of the connection."""
        if not isinstance(method, str):
            return JsonRpcInvalidRequest("method must be a text")
        if self._workspace is None and method not in _FIRST:
            return JsonRpcServerNotInitialized("initialize comes first")
        if self._workspace is not None and method == types.INITIALIZE:
            return JsonRpcInvalidRequest("initialize was said already")
        if self._shutdown and method != types.EXIT:
            return JsonRpcInvalidRequest("the server is shutting down")
        return None

    def _structured(self, message: dict[str, Any]) -> Any:  # noqa: ANN401  any message type
        if message.get("jsonrpc") != self.VERSION or not isinstance(
            message.get("id", 0), int | str
        ):
            raise JsonRpcInvalidRequest("jsonrpc must be 2.0, id a number or a text")
        kind: type[Any] | None
        if message.get("method") == types.TEXT_DOCUMENT_CODE_ACTION:
            message = _with_valid_diagnostics(message)
        if "method" in message:
            fallback = JsonRPCRequestMessage if "id" in message else JsonRPCNotification
            kind = self.get_message_type(message["method"]) or fallback
        elif "error" in message:
            kind = types.ResponseErrorMessage
        else:
            kind = self._result_types.pop(message["id"], None) or JsonRPCResponseMessage
        try:
            return self._converter.structure(message, kind)
        except Exception as error:  # cattrs raises whatever its hooks raise
            raise JsonRpcInvalidParams(_reason(error)) from error

    def _refuse(self, number: Any, error: JsonRpcException) -> None:  # noqa: ANN401  an id
        answer = {"jsonrpc": self.VERSION, "id": number, "error": {"code": error.code,
                  "message": error.message}}  # fmt: skip
        self._send_data(answer)

    def _handle_notification(self, method_name: str, params: Any) -> None:  # noqa: ANN401  as it came
        # Clients tell of more than this server asked for, such as each renamed file.
        if method_name in (types.CANCEL_REQUEST, *self.fm.features, *self.fm.builtin_features):
            super()._handle_notification(method_name, params)
        else:
            _log.info("nothing is done for %s", method_name)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        future = self._request_futures.pop(msg_id, None)
        # Answered already, or under way in a thread: both are no fault.
        if future:
            future.cancel()


def _with_valid_diagnostics(message: dict[str, Any]) -> dict[str, Any]:
    """Leave out diagnostics that are malformed: other servers made them, so the request stands."""
    params = message.get("params")
    if not isinstance(params, dict):
        return message
    context = params.get("context")
    raw = context.get("diagnostics") if isinstance(context, dict) else None
    if not isinstance(context, dict) or not isinstance(raw, list):
        return message
    whole = [valid for diagnostic in raw if (valid := _valid(diagnostic))]
    return {**message, "params": {**params, "context": {**context, "diagnostics": whole}}}


def _valid(diagnostic: Any) -> dict[str, Any] | None:  # noqa: ANN401  as it came
    span = span_in(diagnostic)
    if span is None or not isinstance(diagnostic.get("message"), str):
        return None
    checked = {name: value for name, value in diagnostic.items() if name in ("message", "data")}
    severity, code, source = (diagnostic.get(name) for name in ("severity", "code", "source"))
    if isinstance(severity, int) and 1 <= severity <= 4:  # noqa: PLR2004  error to hint
        checked["severity"] = int(severity)
    if isinstance(code, int | str) and not isinstance(code, bool):
        checked["code"] = code
    if isinstance(source, str):
        checked["source"] = source
    ends = [{"line": line, "character": column} for line, column in span]
    return {**checked, "range": {"start": ends[0], "end": ends[1]}}


def _reason(error: BaseException) -> str:
    """Give what is wrong in one line, from the innermost of grouped errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
