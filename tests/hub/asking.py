"""Two threads that ask a hub again and again while its servers fall."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise


class Asking:
    """What was answered, and when.

    Attributes:
        answers: the moment of each answer, and what it was, as a number.
        failures: what ended a thread.

    """

    def __init__(self, ask: Callable[[], int]) -> None:
        self.answers: list[tuple[float, int]] = []
        self.failures: list[BaseException] = []
        self._ask = ask
        self._ended = threading.Event()

    def _asks(self) -> None:
        while not self._ended.is_set():
            try:
                self.answers.append((time.monotonic(), self._ask()))
            except BaseException as error:  # noqa: BLE001  told by who asked for it
                self.failures.append(error)
                return

    @contextmanager
    def under_way(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._asks) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in threads:
                thread.join()

    def wait_for(self, answers: int, since: float = 0.0) -> None:
        """Wait until there were so many answers after a moment."""
        end = time.monotonic() + 60
        while not self.failures and sum(when > since for when, _ in self.answers) < answers:
            assert time.monotonic() < end
            time.sleep(0.02)

    def longest_wait(self) -> float:
        """Give the longest time between two answers, in milliseconds."""
        times = sorted(when for when, _ in self.answers)
        return max(after - before for before, after in pairwise(times)) * 1000
