"""Logs that nobody wrote to be read: long lines, strange prefixes, boxes, bytes without a meaning.

What is read of them does not matter; that they are, in bounded time and memory, does.
"""

import random
import time
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from gitmem.matching.collect import MOST
from gitmem.matching.parse import Parser
from tests.depth import amount, deep

LARGE = amount(share=1_000_000, ci=4_000_000, whole=100_000_000)
PIECE = 1 << 16
SECONDS_A_MEGABYTE = 8
"""The machines of tests are slow and busy; a reader that hangs needs hundreds."""
MEMORY = 60_000_000


def one_line(size: int) -> Iterator[bytes]:
    yield from (b"error: " + b"x" * (PIECE - 7) for _ in range(size // PIECE))
    yield b"\nTypeError: the end\n"


def different_prefixes(size: int) -> Iterator[bytes]:
    rng = random.Random(1)
    for _ in range(size // PIECE):
        heads = (
            f"{rng.choice('[(<{')}{rng.getrandbits(40):x}{rng.choice(')]>|:')} "
            for _ in range(PIECE // 40)
        )
        yield "".join(
            f"{head}error: it failed in a.py:{rng.randrange(99)}\n" for head in heads
        ).encode()


def boxes(size: int) -> Iterator[bytes]:
    box = "".join(
        f"│ {'─' * (at % 40)} ╭ error ╮ │ at{at}\n" for at in range(PIECE // 100)
    ).encode()
    yield from (box for _ in range(size // len(box)))


def bytes_of_nothing(size: int) -> Iterator[bytes]:
    rng = random.Random(2)
    yield from (rng.randbytes(PIECE // 2) + b"\nfailed\n\x1b[" * 400 for _ in range(size // PIECE))


def prefixes_of_prefixes(size: int) -> Iterator[bytes]:
    line = b"[a] " * 60 + b"error: it failed\n"
    piece = line * (PIECE // len(line))
    yield from (piece for _ in range(size // len(piece)))


pytestmark = pytest.mark.timeout(1_200)
LOGS = pytest.mark.parametrize(
    "log", [one_line, different_prefixes, boxes, bytes_of_nothing, prefixes_of_prefixes]
)


@deep
@LOGS
def test_a_hostile_log_is_read_in_bounds(log: Callable[[int], Iterator[bytes]]) -> None:
    parser = Parser(None)
    started, size = time.process_time(), 0
    for piece in log(LARGE):
        parser.feed(piece)
        size += len(piece)
    assert len(parser.close()) <= MOST
    assert time.process_time() - started < SECONDS_A_MEGABYTE * size / 1_000_000 + 2


@deep
@LOGS
def test_what_a_hostile_log_needs_does_not_grow(log: Callable[[int], Iterator[bytes]]) -> None:
    tracemalloc.start()
    parser = Parser(None)
    try:
        for piece in log(LARGE // 2):
            parser.feed(piece)
        parser.close()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < MEMORY
