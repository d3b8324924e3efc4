"""Limits of one connection: calls per minute, and characters per call."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from gitmem.errors import UsageError

LONGEST: Final = 256 << 10
"""Characters of all arguments of a call together."""
READS: Final = 600
WRITES: Final = 60
"""Calls a minute; as many can come at once."""


class CallLimits:
    """Counts the calls of one connection, reading and writing ones by themselves.

    A bucket of tokens each: it fills steadily, and every call takes one.

    Args:
        clock: seconds that never go back.

    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[int, tuple[float, float]] = {}

    def pass_on(self, arguments: Mapping[str, Any], *, writes: bool) -> None:
        """Let a call pass.

        Raises:
            UsageError: it is one too many, or too long.

        """
        size = sum(len(str(value)) for value in arguments.values())
        if size > LONGEST:
            limit = f"{LONGEST >> 10} KiB"
            raise UsageError(f"the arguments are longer than {limit}", "send only what matters")
        most = WRITES if writes else READS
        with self._lock:
            now = self._clock()
            left, then = self._left.get(most, (float(most), now))
            left = min(float(most), left + (now - then) * most / 60)
            if left < 1:
                kind = "writes" if writes else "questions"
                raise UsageError(f"more than {most} {kind} a minute", "wait some seconds")
            self._left[most] = (left - 1, now)
