"""Reads messages from a stream and hands them to the event loop.

A thread of its own reads, so that slow handlers can't keep messages from being taken in, and
nobody has to wait for a blocked read when the server ends. After anything that is no message,
reading goes on with the next one.
"""

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

_log = logging.getLogger(__name__)
MOST_BYTES: Final = 256 << 20
_LONGEST_HEADER: Final = 8192
_PIECE: Final = 1 << 20


class UnreadableMessage:
    """Stands for a message whose body is not a JSON object."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def framed(body: bytes) -> bytes:
    """Give a body with the header that goes before it."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def bodies(stream: BinaryIO) -> Iterator[bytes | UnreadableMessage]:
    """Read bodies until the stream ends; what is no header line is passed over."""
    length = -1
    while line := stream.readline(_LONGEST_HEADER):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            length = int(value) if value.strip().isdigit() and len(value) < 20 else -1  # noqa: PLR2004
            continue
        if line.strip() or length < 0:
            continue
        if length > MOST_BYTES:
            _skip(stream, length)
            yield UnreadableMessage(f"a message of {length} bytes is too long")
        else:
            body = stream.read(length)
            if len(body) < length:
                return
            yield body
        length = -1


def _skip(stream: BinaryIO, length: int) -> None:
    while length > 0 and (piece := stream.read(min(length, _PIECE))):
        length -= len(piece)


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
