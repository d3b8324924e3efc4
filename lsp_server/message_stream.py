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


def messages(stream: BinaryIO) -> Iterator[dict[str, Any] | UnreadableMessage]:
    """Read messages until the stream ends; what is no header line is passed over."""
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
            yield _decoded(body)
        length = -1


def _skip(stream: BinaryIO, length: int) -> None:
    while length > 0 and (piece := stream.read(min(length, _PIECE))):
        length -= len(piece)


def _decoded(body: bytes) -> dict[str, Any] | UnreadableMessage:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return UnreadableMessage(f"no JSON: {error}")
    return (
        message if isinstance(message, dict) else UnreadableMessage("a message must be an object")
    )


async def dispatch_messages(
    stream: BinaryIO, take: Callable[[dict[str, Any] | UnreadableMessage], None]
) -> None:
    """Give every message of a stream to ``take``, on the event loop, until the stream ends."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def read() -> None:
        # The loop is closed where the server ended first.
        with contextlib.suppress(RuntimeError):
            try:
                for message in messages(stream):
                    loop.call_soon_threadsafe(take, message)
            except (OSError, ValueError) as error:
                _log.info("the stream ended: %s", error)
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, name="reader", daemon=True).start()
    await ended.wait()
