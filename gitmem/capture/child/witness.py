"""Tell a signal that was sent to us alone from one that was sent to our process group."""

import os
import select
import signal
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from gitmem.capture.child.descriptors import high

_PATIENCE: Final = 0.1  # seconds until a signal that it does not report was ours alone


class GroupWitness:
    """A process in our group that does nothing: a signal that it gets, the whole group got.

    A key such as Ctrl-C reaches the child without us, ``kill`` with our process id does not, and
    a signal says nothing of who else got it.

    Args:
        numbers: the signals that it reports.

    """

    def __init__(self, numbers: Iterable[int]) -> None:
        self._reports, report = map(high, os.pipe())
        end, self._life = map(high, os.pipe())
        self._pid = os.fork()
        if not self._pid:
            try:
                _watch(numbers, report, end)
            finally:
                os._exit(0)
        os.close(report)
        os.close(end)
        os.set_blocking(self._reports, False)

    def saw(self, number: int) -> bool:
        """Tell whether it got the signal, too; asked once for each signal that we got."""
        signals = b""
        while number not in signals and select.select([self._reports], [], [], _PATIENCE)[0]:
            with suppress(BlockingIOError):
                piece = os.read(self._reports, 64)
                if not piece:  # somebody killed it
                    break
                signals += piece
        return number in signals

    def close(self) -> None:
        """Send it home."""
        os.close(self._life)
        os.close(self._reports)
        os.waitpid(self._pid, 0)


def _watch(numbers: Iterable[int], report: int, end: int) -> None:
    """Report signals, a byte each, until whoever asked is gone."""
    os.set_blocking(report, False)
    signal.set_wakeup_fd(report, warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, lambda *_: None)
    low, top = sorted((report, end))
    for first, last in ((0, low), (low + 1, top), (top + 1, 65_536)):
        os.closerange(first, last)  # above all the other end of ``end``
    os.read(end, 1)
