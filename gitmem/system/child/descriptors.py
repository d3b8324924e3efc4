"""File descriptors: what ours are, and writing all of something."""

import os
import select
from contextlib import suppress


def kind(stream: int) -> str:
    """Tell what one of our streams is: a terminal, something else, or closed."""
    with suppress(OSError):
        os.fstat(stream)
        return "terminal" if os.isatty(stream) else "file"
    return "closed"


def write_all(place: int, data: bytes) -> bool:
    """Write all of it; tell whether somebody takes it."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(place, rest) :]
        except BlockingIOError:  # somebody who shares it made it so
            select.select([], [place], [], 1)
        except OSError:
            return False
    return True
