"""Reads messages from a stream and hands them to the event loop.

A thread of its own reads, so that slow handlers can't keep messages from being taken in, and
nobody has to wait for a blocked read when the server ends. After anything that is no message,
reading goes on with the next one: a body ends without a line break, so after a wrong length the
next header stands behind what is left of the body, or inside of what was taken for it.
"""

import asyncio
import contextlib
import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

_log = logging.getLogger(__name__)
MOST_BYTES: Final = 256 << 20
_PIECE: Final = 1 << 20
_LONGEST_LINE: Final = 8192
_LONGEST_HEADER: Final = 64
_HEADER: Final = re.compile(rb"content-length *: *(\d{1,19}) *\r?\n", re.IGNORECASE)
"""No JSON holds this: there are no line breaks in its strings, and no such words elsewhere."""


class UnreadableMessage:
    """Stands for a message whose body is not a JSON object."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def framed(body: bytes) -> bytes:
    """Give a body with the header that goes before it."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def bodies(stream: BinaryIO) -> Iterator[bytes | UnreadableMessage]:
    """Read bodies until the stream ends; what is no header line is passed over."""
    source = _Source(stream)
    length = -1
    while line := source.line():
        if header := _HEADER.search(line):
            length = int(header[1])
            if header.start() > 0:
                yield UnreadableMessage(
                    "the length of a message was wrong; went on at the next one"
                )
        elif line.lower().startswith(b"content-length"):
            length = -1
        elif not line.strip() and length > MOST_BYTES:
            yield UnreadableMessage(f"a message of {length} bytes is too long")
            length = -1
        elif not line.strip() and length >= 0:
            if (body := source.body(length)) is None:
                _log.warning("the stream ended within a message of %d bytes", length)
                return
            yield body
            length = -1


class _Source:
    """A stream, of which what was read too much stays unread."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._unread = bytearray()

    def _more(self) -> bool:
        data: bytes = self._stream.read1(_PIECE)  # type: ignore[attr-defined]  # all buffered ones
        self._unread += data
        return bool(data)

    def _take(self, length: int) -> bytes:
        data = bytes(self._unread[:length])
        del self._unread[:length]
        return data

    def line(self) -> bytes:
        """Give the next line, or the beginning of one that is too long; nothing at the end."""
        looked = 0
        while (end := self._unread.find(b"\n", looked) + 1) == 0:
            looked = len(self._unread)
            if looked > _LONGEST_LINE:  # what is left may be the beginning of a header
                return self._take(looked - _LONGEST_HEADER)
            if not self._more():
                return self._take(looked)
        return self._take(end)

    def body(self, length: int) -> bytes | None:
        """Give a body; it is shorter where another header begins in it. None: the stream ended."""
        looked = 0
        while True:
            if header := _HEADER.search(self._unread, looked, length):
                return self._shorter(header.start(), length)
            if len(self._unread) >= length:
                break
            looked = max(0, len(self._unread) - _LONGEST_HEADER)
            if not self._more():
                return None
        # Behind its last brace the next header may have begun.
        end = self._unread.rfind(b"}", 0, length) + 1
        is_shorter = end and self._unread[end:length].strip()
        return self._shorter(end, length) if is_shorter else self._take(length)

    def _shorter(self, end: int, length: int) -> bytes:
        _log.warning("the length of a message was wrong: %d, where it has %d bytes", length, end)
        return self._take(end)


def decoded(body: bytes | UnreadableMessage) -> dict[str, Any] | UnreadableMessage:
    """Read a body, which must hold an object."""
    if isinstance(body, UnreadableMessage):
        return body
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return UnreadableMessage(f"no JSON: {error}")
    return (
        message if isinstance(message, dict) else UnreadableMessage("a message must be an object")
    )


async def dispatch_messages(
    stream: BinaryIO,
    take: Callable[[dict[str, Any] | UnreadableMessage], None],
    concerns: Callable[[bytes], bool] = lambda _body: True,
) -> None:
    """Give every message of a stream to ``take``, on the event loop, until the stream ends.

    Args:
        stream: is read by a thread.
        take: handles a message.
        concerns: is given each body in that thread; false: nobody has to take the message.

    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def read() -> None:
        # The loop is closed where the server ended first.
        with contextlib.suppress(RuntimeError):
            try:
                for body in bodies(stream):
                    if isinstance(body, UnreadableMessage) or concerns(body):
                        loop.call_soon_threadsafe(take, decoded(body))
            except (OSError, ValueError) as error:
                _log.info("the stream ended: %s", error)
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, name="reader", daemon=True).start()
    await ended.wait()
