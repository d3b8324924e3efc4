"""Quick calls go first: a question that takes long, such as reading all code, lets them by.

Python computes in one thread at a time. Without this, a hint beside a slow question takes twice as
long, and fifty of them do.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_SLOW_SECONDS: Final = 0.1
"""A question that has worked for longer is slow."""
_LEAST_PATIENCE: Final = 1.0
_LOOK_SECONDS: Final = 0.005


class RunningQuestions:
    """The questions that are being answered.

    Args:
        clock: tells the time, in seconds.
        sleep: waits for some seconds.

    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.clock = clock
        self.sleep = sleep
        self._running: set[RunningQuestion] = set()

    def __bool__(self) -> bool:
        """Tell whether one is being answered."""
        return bool(self._running)

    @contextmanager
    def one_more(self) -> "Iterator[RunningQuestion]":
        """Count a question in while it is answered."""
        question = RunningQuestion(self)
        self._running.add(question)
        try:
            yield question
        finally:
            self._running.discard(question)

    def are_quick(self) -> bool:
        """Tell whether one of them has not worked for long."""
        return any(question.worked() < _SLOW_SECONDS for question in tuple(self._running))


class RunningQuestion:
    """One of them, which tells of its steps.

    Args:
        others: all of them.

    """

    def __init__(self, others: RunningQuestions) -> None:
        self._others = others
        self._began = others.clock()
        self._waited = 0.0

    def begin(self) -> None:
        """Count from now on: it has the memory that it asks."""
        self._began = self._others.clock()

    def worked(self) -> float:
        """Give the seconds since it began, without those in which it gave way."""
        return self._others.clock() - self._began - self._waited

    def give_way(self) -> None:
        """Wait for quick questions, if this one is slow.

        It does not wait longer than it has worked, or a second: it comes to an end, however many
        are asked.
        """
        worked = self.worked()
        if worked < _SLOW_SECONDS:
            return
        while self._waited < max(worked, _LEAST_PATIENCE) and self._others.are_quick():
            before = self._others.clock()
            self._others.sleep(_LOOK_SECONDS)
            self._waited += self._others.clock() - before
