"""Which requests have no answer yet, so that the end of the input does not cut answers off."""

from typing import Any, Final, Self, cast

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

_PATIENCE_SECONDS: Final = 60.0
"""For what was asked before the end of the input; a client that ends us meanwhile does so."""


class Unanswered:
    """The requests without an answer, of the client and ours to it."""

    def __init__(self) -> None:
        self._requests: set[str | int] = set()
        self._ours: set[str | int] = set()
        self._changed = anyio.Event()

    def received(self, message: JSONRPCMessage) -> None:
        """Take note of a message of the client."""
        if isinstance(message, JSONRPCRequest):
            self._requests.add(message.id)
        elif isinstance(message, JSONRPCNotification):
            if message.method == "notifications/cancelled":  # it may get no answer
                self._requests.discard((message.params or {}).get("requestId", ""))
        elif message.id is not None:
            self._ours.discard(message.id)

    def sent(self, message: JSONRPCMessage) -> None:
        """Take note of a message of ours."""
        if isinstance(message, JSONRPCRequest):
            self._ours.add(message.id)
        elif isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
            self._requests.discard(message.id)
        self._changed.set()

    async def over(self) -> None:
        """Wait until all is answered that can be: who is gone answers nothing that we asked."""
        with anyio.move_on_after(_PATIENCE_SECONDS):
            while self._requests and not self._ours:
                self._changed = anyio.Event()
                await self._changed.wait()


class Answers:
    """A stream of the SDK to which answers are sent, one that takes note of them.

    Args:
        stream: the SDK's.
        unanswered: hears of each message that was taken.

    """

    def __init__(self, stream: Any, unanswered: Unanswered) -> None:  # noqa: ANN401  the SDK names no type
        self._stream = stream
        self._unanswered = unanswered

    async def send(self, item: SessionMessage) -> None:
        """Send a message."""
        await self._stream.send(item)
        self._unanswered.sent(item.message)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> bool | None:
        return cast("bool | None", await self._stream.__aexit__(*error))
