"""Connections of a server: what is not a whole request after some seconds is dropped.

Anybody on the machine can open connections, and a handle each is all that it costs them. So those
without a whole request, of whom nobody knows yet whether they have a token, are bounded in time and
in number; the oldest give way. So do those that had an answer, which may have been a refusal, and
stay open for another request.
"""

from asyncio import BaseTransport, TimerHandle
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from gitmem.system import most_handles

LOG_LEVEL: Final = "error"
"""A warning is a line for each request that is none, and anybody may send thousands."""
HEAD_SECONDS: Final = 5.0
"""For the first line and the headers, from the connection's first moment on."""
BODY_SECONDS: Final = 30.0
_MOST_WAITING: Final = 256
_LEAST_WAITING: Final = 8


def most_waiting() -> int:
    """Give how many connections may wait: a quarter of the handles that this process may have."""
    handles = most_handles()
    if handles is None:
        return _MOST_WAITING
    return max(_LEAST_WAITING, min(_MOST_WAITING, handles // 4))


def at_once() -> int:
    """Give how many connections may be let in before any of them is bounded.

    With no handle left asyncio complains once for each that it would have let in.
    """
    return max(_LEAST_WAITING, most_waiting() // 2)


def _bound(connections: dict["WholeRequests", None]) -> None:
    """Drop the oldest of too many connections."""
    while len(connections) > most_waiting():
        next(iter(connections)).drop()


class WholeRequests(H11Protocol):
    """A connection that is dropped unless a whole request comes in time."""

    waiting: ClassVar[dict["WholeRequests", None]] = {}
    """Those of this process without a whole request, the oldest first."""
    idle: ClassVar[dict["WholeRequests", None]] = {}
    """Those that had their answer, the one that has been idle longest first."""
    _timer: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Let it in; where too many wait, the oldest of them goes."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait(HEAD_SECONDS)
        _bound(self.waiting)

    def data_received(self, data: bytes) -> None:
        """Take a piece; a whole request ends the wait, a whole head makes it longer."""
        self.idle.pop(self, None)
        super().data_received(data)
        state = self.conn.their_state
        if self.transport.is_closing() or state in {h11.DONE, h11.MUST_CLOSE, h11.CLOSED}:
            self._waited()
        elif self._timer is None:
            self._wait(HEAD_SECONDS)
        elif state is h11.SEND_BODY and not self._has_head:
            self._wait(BODY_SECONDS)
            self._has_head = True

    _has_head = False

    def on_response_complete(self) -> None:
        """Keep the connection for another request, as long as there is room for it."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self.idle[self] = None
            _bound(self.idle)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; who began to answer its head has nobody to tell any more."""
        cycle: RequestResponseCycle | None = getattr(self, "cycle", None)
        if cycle and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.drop()
                return
        super().send_400_response(msg)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.idle.pop(self, None)
        self._waited()
        super().connection_lost(exc)

    def drop(self) -> None:
        """End it without an answer, and free its handle."""
        self.idle.pop(self, None)
        self._waited()
        self.transport.abort()

    def _wait(self, seconds: float) -> None:
        self._waited()
        self.waiting[self] = None
        self._timer = self.loop.call_later(seconds, self.drop)

    def _waited(self) -> None:
        self.waiting.pop(self, None)
        self._has_head = False
        if self._timer:
            self._timer.cancel()
            self._timer = None
