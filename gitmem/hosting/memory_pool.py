"""The memories of one folder that are kept open: questions run beside each other on them.

One memory serves quick calls one after the other, which is as fast as it gets in one process. While
a slow call holds it, another one is opened, so that nobody waits for the slow one.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from gitmem.memory import Memory

MOST_BESIDE: Final = 4
"""Memories of one folder: each has an index in memory."""
_SLOW_SECONDS: Final = 0.1
"""A call that takes longer is no longer waited for."""


class MemoryPool:
    """The open memories of one folder, and how many calls have one or wait for one.

    Args:
        opened: opens a further memory.

    """

    def __init__(self, opened: Callable[[], Memory]) -> None:
        self.calls = 0
        self._opened = opened
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._idle: list[Memory] = []
        self._began: dict[int, float] = {}  # the calls that have a memory, by a number of each
        self._waiting: deque[threading.Event] = deque()
        self._closed = False

    @contextmanager
    def taken(self, *, writes: bool = False) -> Iterator[Memory]:
        """Give a memory to one call: the first idle one, or a further one if all are slow.

        Args:
            writes: no other call that writes runs meanwhile.

        """
        with self._writing if writes else nullcontext():
            call, idle = self._turn()
            memory: Memory | None = None
            try:
                memory = self._fresh(idle)
                with self._lock:
                    self._began[call] = time.monotonic()  # who opens one is not slow for that
                yield memory
            finally:
                self._give_back(call, memory)

    def _turn(self) -> tuple[int, Memory | None]:
        """Wait for a turn, first come first served; give what is idle then, or nothing."""
        mine = threading.Event()
        with self._lock:
            self._waiting.append(mine)
        while True:
            with self._lock:
                is_next = self._waiting[0] is mine
                if is_next and (self._idle or self._may_open()):
                    self._waiting.popleft()
                    if self._waiting:
                        self._waiting[0].set()
                    call = max(self._began, default=0) + 1
                    self._began[call] = time.monotonic()
                    return call, self._idle.pop() if self._idle else None
                mine.clear()
            # Who is next looks again whether all are slow; the others are woken when they are next.
            # Each that woke by itself would take Python's lock from the call that computes.
            mine.wait(_SLOW_SECONDS if is_next else None)

    def _may_open(self) -> bool:
        if len(self._began) >= MOST_BESIDE:
            return False
        now = time.monotonic()
        return all(now - began > _SLOW_SECONDS for began in self._began.values())

    def _fresh(self, memory: Memory | None) -> Memory:
        # One that gave up answers from the files until it is opened anew.
        if memory and (memory.workspace.derived.gave_up or memory.workspace.has_old_settings()):
            memory.close()
            memory = None
        if memory is None:
            memory = self._opened()
            memory.checks.watch_incrementally()
        memory.workspace.derived.notices.clear()
        return memory

    def _give_back(self, call: int, memory: Memory | None) -> None:
        with self._lock:
            del self._began[call]
            if memory and not self._closed:
                self._idle.append(memory)
                memory = None
            if self._waiting:
                self._waiting[0].set()
        if memory:
            memory.close()

    def close(self) -> None:
        """Close what is idle; what is in use is closed when its call is over."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for memory in idle:
            memory.close()

    def wait(self, seconds: float) -> None:
        """Wait until no call has a memory, but not longer than this."""
        end = time.monotonic() + seconds
        while self._began and time.monotonic() < end:
            time.sleep(0.01)
