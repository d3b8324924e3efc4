"""The lines of a client: each is answered, also one that is no message.

The SDK drops a line that it can't read, and its client waits for ever. Here such a line is mended
where that can be done (half a surrogate pair, a batch of messages), and refused by an answer where
it can't.
"""

import io
import json
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from gitmem.mcp.limits import LONGEST
from gitmem.mcp.unanswered import Answers, Unanswered

_MOST_CHARACTERS: Final = 128 * LONGEST
"""Of a line: what is longer is not parsed a second time to find out what is wrong with it."""
_NO_JSON: Final = "this line is not JSON: send one message on each line"
_NO_MESSAGE: Final = "this is not a JSON-RPC 2.0 message"
_log = logging.getLogger(__name__)


class _RefusedLine(Exception):  # noqa: N818  a state: what is answered to a line
    def __init__(self, code: int, message: str, request: str | int | None = None) -> None:
        super().__init__(message)
        error = ErrorData(code=code, message=message)
        self.answer = JSONRPCError(jsonrpc="2.0", id=request, error=error)


class ClientLines:
    """The lines of a client as the SDK reads them: only those that are messages.

    They end when what they asked is answered, not before: with its input the SDK ends what it
    does, and a script that writes its questions and closes the pipe would get no answers.

    Args:
        source: what the client writes.

    """

    def __init__(self, source: anyio.AsyncFile[str]) -> None:
        self._source = source
        self._ready = anyio.Event()
        self._answers: Any = None
        self._unanswered = Unanswered()

    def answer_by(self, answers: Any) -> Any:  # noqa: ANN401  a stream of the SDK
        """Say where refusals go, and get where answers go; reading begins now."""
        self._answers = Answers(answers, self._unanswered)
        self._ready.set()
        return self._answers

    async def __aiter__(self) -> AsyncIterator[str]:
        """Give each message on a line of its own."""
        await self._ready.wait()
        async for line in self._source:
            for text in _messages(line):
                if isinstance(text, _RefusedLine):
                    _log.warning("a line was refused: %s", text)
                    await self._answers.send(SessionMessage(text.answer))
                    continue
                self._unanswered.received(
                    jsonrpc_message_adapter.validate_json(text, by_name=False)
                )
                yield text
        await self._unanswered.over()


def _messages(line: str) -> list[str | _RefusedLine]:
    """Give the messages of a line; a line that is none is refused."""
    if not line.strip():
        return []
    if _is_message(line):
        return [line]
    if len(line) > _MOST_CHARACTERS:
        return [_RefusedLine(PARSE_ERROR, "this line is too long")]
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return [_RefusedLine(PARSE_ERROR, _NO_JSON)]
    if parsed == []:
        return [_RefusedLine(INVALID_REQUEST, "this batch is empty")]
    return [_mended(message) for message in (parsed if isinstance(parsed, list) else [parsed])]


def _mended(message: object) -> str | _RefusedLine:
    # Half of a surrogate pair has no form in UTF-8: the answer could not even repeat it.
    whole = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace").decode()
    if _is_message(whole):
        return whole
    request = message.get("id") if isinstance(message, dict) else None
    is_id = isinstance(request, str | int) and not isinstance(request, bool)
    # An id with half a pair would break the answer, too.
    name = request if is_id and not (isinstance(request, str) and not request.isascii()) else None
    return _RefusedLine(INVALID_REQUEST, _NO_MESSAGE, cast("str | int | None", name))


def _is_message(line: str) -> bool:
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (ValidationError, ValueError):
        return False
    # With an id that is neither text nor a whole number the SDK takes a request for a notification.
    is_notification = isinstance(message, JSONRPCNotification)
    return not (is_notification and '"id"' in line and "id" in json.loads(line))


@asynccontextmanager
async def pipes() -> AsyncIterator[tuple[Any, Any]]:
    """Serve over standard input and output, as the SDK's ``stdio_server``."""
    # What is started meanwhile must not read what the client says.
    wire = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # Never closed: a thread may still wait for a line when the server ends.
    source = io.TextIOWrapper(
        os.fdopen(wire, "rb", closefd=False), encoding="utf-8", errors="replace"
    )
    lines = ClientLines(anyio.wrap_file(source))
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (messages, answers):
        yield messages, lines.answer_by(answers)
