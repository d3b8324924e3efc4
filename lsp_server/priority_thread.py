"""One thread that does the most urgent of its tasks first."""

import enum
import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

_Answer = TypeVar("_Answer")


class Urgency(enum.IntEnum):
    """How soon a task has to be done; the lower, the sooner."""

    LOOKUP = 0
    """Somebody waits: a hover on an id, a completion."""
    MATCHING = 1
    """Diagnostics are matched in the background."""
    VIEW = 2
    """Lists and counts, which may take a while."""


class _Task(NamedTuple):
    urgency: Urgency
    number: int
    future: "Future[Any]"
    function: Callable[[], Any]


class PriorityThread:
    """A thread that does tasks by their urgency, and those of one urgency in their order.

    Args:
        name: of the thread.

    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, name)
        self._lock = threading.Lock()
        self._waiting: list[_Task] = []
        self._numbers = itertools.count()

    def submit(self, function: Callable[[], _Answer], urgency: Urgency) -> "Future[_Answer]":
        """Do something as soon as nothing more urgent waits."""
        future: Future[_Answer] = Future()
        with self._lock:
            task = _Task(urgency, next(self._numbers), future, function)
            heapq.heappush(self._waiting, task)
        self._pool.submit(self._run_next)
        return future

    def run_more_urgent(self, than: Urgency) -> None:
        """Do what waits and is more urgent; for long tasks, in between, from this thread only."""
        while task := self._take(than):
            _run(task)

    def _run_next(self) -> None:
        if task := self._take():
            _run(task)

    def _take(self, more_urgent_than: Urgency | None = None) -> _Task | None:
        with self._lock:
            if not self._waiting:
                return None
            if more_urgent_than is not None and self._waiting[0].urgency >= more_urgent_than:
                return None
            return heapq.heappop(self._waiting)

    def close(self, last: Callable[[], None]) -> None:
        """Drop what has not begun, do one last thing, and end the thread; wait for nothing."""
        with self._lock:
            dropped, self._waiting = self._waiting, []
        for task in dropped:
            task.future.cancel()
        self._pool.submit(last)
        self._pool.shutdown(wait=False)


def _run(task: _Task) -> None:
    if not task.future.set_running_or_notify_cancel():
        return
    try:
        answer = task.function()
    except BaseException as error:  # noqa: BLE001  whoever waits for the future gets it
        task.future.set_exception(error)
    else:
        task.future.set_result(answer)
