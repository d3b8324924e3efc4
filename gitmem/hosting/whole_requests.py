"""Connections of a server: what is not a whole request after some seconds is dropped.

Anybody on the machine can open connections, and a handle each is all that it costs them. So those
without a whole request, of whom nobody knows yet whether they have a token, are bounded in time and
in number; the oldest give way.
"""

from asyncio import BaseTransport, TimerHandle
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gitmem.system import most_handles

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


class WholeRequests(H11Protocol):
    """A connection that is dropped unless a whole request comes in time."""

    waiting: ClassVar[dict["WholeRequests", None]] = {}
    """Those of this process without a whole request, the oldest first."""
    _timer: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Let it in; where too many wait, the oldest of them goes."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait(HEAD_SECONDS)
        while len(self.waiting) > most_waiting():
            next(iter(self.waiting)).drop()

    def data_received(self, data: bytes) -> None:
        """Take a piece; a whole request ends the wait, a whole head makes it longer."""
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

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._waited()
        super().connection_lost(exc)

    def drop(self) -> None:
        """End it without an answer, and free its handle."""
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
