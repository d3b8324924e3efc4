"""What is the same on every system: streams of ours, how a command ended, and words for it."""

import errno
import os
import select
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem

BACKLOG: Final = 8_388_608  # bytes passed on that the listener may not have heard yet
GRACE: Final = 0.2  # seconds to read on after the child, where what it left behind holds on
NOT_FOUND: Final = 127
NOT_EXECUTABLE: Final = 126
Listener = Callable[[bytes], None]


class Ended(NamedTuple):
    """How a command ended, with the code that a shell gives: 128 + n where signal n killed it.

    ``missing``: there is no such program, so nothing ran.
    """

    exit_code: int
    signal: int | None
    seconds: float
    output_bytes: int
    missing: bool = False


class LastRun:
    """What became of the command that this process ran last, whatever happens to us behind it."""

    started = False
    exit_code: int | None = None


LAST: Final = LastRun()


def make_ready(cwd: str) -> None:
    """Write out what our streams hold back, before a child writes beside them.

    Raises:
        EnvironmentProblem: the folder that it is to run in is gone.

    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or None
            stream.flush()
    if not os.path.isdir(cwd):
        raise EnvironmentProblem(f"the folder {cwd} is gone", "change to a folder that exists")


def why_not_started(why: int, program: str) -> tuple[int, bytes, bytes]:
    """Give the exit code of a shell that can't run a program, what it says, and what we keep."""
    missing = why == errno.ENOENT
    reason = "command not found" if missing else os.strerror(why)
    line = f"gitmem: {program}: {reason.lower()}\n"
    if missing and any(map(str.isspace, program)):
        line += "  for a shell command line: gitmem run -- sh -c '…'\n"
    code = NOT_FOUND if missing or why == errno.ENOTDIR else NOT_EXECUTABLE
    short = f"{program}: {reason}\n"
    return code, line.encode(errors="surrogateescape"), short.encode(errors="surrogateescape")


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
