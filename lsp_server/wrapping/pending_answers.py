"""Requests that both servers answer, until both did or the wait for ours is over."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

from lsp_server.wrapping.answers import JOINED, joined

Send = Callable[[bytes], None]
_SHORT: Final = 300


class _Pending:
    """One request: its method, and what was answered so far; None: nothing yet."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.theirs: bytes | None = None
        self.ours: dict[str, Any] | None = None
        self.timer: asyncio.TimerHandle | None = None


def _is_empty(body: bytes) -> bool:
    return not body or (len(body) < _SHORT and not json.loads(body).get("result"))


class PendingAnswers:
    """Joins answers, on the event loop.

    Args:
        send: sends a message to the editor.

    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._pending: dict[int | str, _Pending] = {}
        # Answered without ours, which comes too late.
        self._late: set[int | str] = set()

    def __contains__(self, number: object) -> bool:
        return number in self._pending or number in self._late

    def expect(self, number: int | str, method: str) -> None:
        """Wait for two answers to a request; from any thread, before it is passed on."""
        self._pending[number] = _Pending(method)

    def theirs(self, number: int | str, body: bytes) -> None:
        """Take the wrapped server's answer; it waits a moment for ours."""
        pending = self._pending.get(number)
        if pending is None:
            return
        pending.theirs = body
        if pending.ours is not None:
            self._finish(number)
        elif not _is_empty(body):
            # Where theirs says nothing, nobody is held up by the wait for ours.
            seconds = JOINED[pending.method].seconds
            loop = asyncio.get_running_loop()
            pending.timer = loop.call_later(seconds, self._finish, number)

    def ours(self, number: int | str, message: dict[str, Any]) -> None:
        """Take our own answer."""
        self._late.discard(number)
        pending = self._pending.get(number)
        if pending is None:
            return
        pending.ours = message
        if pending.theirs is not None:
            self._finish(number)

    def without_theirs(self, number: int | str) -> None:
        """Expect nothing of the wrapped server any more: it is gone, or can't answer this."""
        self.theirs(number, b"")

    def _finish(self, number: int | str) -> None:
        pending = self._pending.pop(number)
        if pending.timer:
            pending.timer.cancel()
        if pending.ours is None:
            self._late.add(number)
        # Where ours failed, or was cancelled, nothing is known.
        ours = (pending.ours or {}).get("result")
        if pending.theirs and not ours:
            self._send(pending.theirs)
            return
        theirs = json.loads(pending.theirs).get("result") if pending.theirs else None
        result = joined(pending.method, theirs, ours)
        answer = {"jsonrpc": "2.0", "id": number, "result": result}
        self._send(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())
