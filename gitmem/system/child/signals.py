"""Signals that reach us, and how they reach the child."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.system.child.passing import Passing, hung_up
from gitmem.system.unix import high

FORWARDED: Final = (
    signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
_PATIENCE: Final = 0.1  # seconds until a signal that the witness does not report was ours alone


class Signals:
    """While a child runs, a signal to us is one to the child; stopping stops both.

    Args:
        streams: those of the child, and whether it has a session of its own.

    """

    def __init__(self, streams: Passing) -> None:
        self._streams = streams
        self._witness: GroupWitness | None = None
        self.before: dict[int, Any] = {}  # what each did until now
        self.command = 0  # the child's process id; 0: there is none, now
        self._early: list[int] = []  # what came before there was one

    def watch(self) -> None:
        """Take the signals over."""
        forwarded = [*FORWARDED]
        if not self._streams.terminal:
            forwarded.append(signal.SIGWINCH)
        ways: dict[int, Any] = dict.fromkeys(forwarded, self._forward)
        ways |= {signal.SIGCHLD: signal.SIG_DFL, signal.SIGTSTP: self._stop}
        ways[signal.SIGCONT] = self._go_on
        if self._streams.terminal:
            ways |= {signal.SIGWINCH: self._resize, signal.SIGTTOU: signal.SIG_IGN}
        with suppress(ValueError):  # not the main thread: then signals are not ours
            for number, handler in ways.items():
                self.before[number] = signal.signal(number, handler)
            if not self._streams.in_session:
                self._witness = GroupWitness([*forwarded, signal.SIGTSTP])

    def _reached(self, number: int) -> bool:
        """Tell whether the child got a signal of ours without us."""
        with suppress(ProcessLookupError):
            return (
                self._witness is not None
                and os.getpgid(self.command) == os.getpgrp()
                and self._witness.saw(number)
            )
        return True

    def _forward(self, number: int, _: object) -> None:
        if not self.command:
            self._early.append(number)
        elif not self._reached(number):
            # A terminal that closes hangs up on a whole job; any other signal was for us alone.
            whole = number == signal.SIGHUP and self._streams.in_session and hung_up()
            self.send(number, os.killpg if whole else os.kill)

    def begin(self, command: int) -> None:
        """Know the child by its process id; it gets what was meant for it until now."""
        self.command = command
        while self._early:
            self.send(self._early.pop(0))

    def send(self, number: int, how: Callable[[int, int], None] = os.kill) -> None:
        """Send the child a signal, if it is there."""
        with suppress(ProcessLookupError, PermissionError):
            if self.command:
                how(self.command, number)

    def _resize(self, *_: object) -> None:
        if self._streams.terminal:
            self._streams.terminal.resize()
        self.send(signal.SIGWINCH)  # the kernel tells only those whose terminal it is

    def _go_on(self, *_: object) -> None:
        self.take_keys()
        self.send(signal.SIGCONT)

    def _stop(self, number: int, _: object) -> None:
        if not self.command or not self._reached(number):
            self.send(number)
        if not self._streams.in_session:  # else its leader tells us when it stopped
            self.sleep(os.getpid())
            self.send(signal.SIGCONT)

    def sleep(self, who: int) -> None:
        """Stop as the child did, until somebody lets us go on."""
        terminal = self._streams.terminal
        if terminal:
            terminal.leave_keys()
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(who, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
        if terminal:
            self._resize()

    def take_keys(self) -> None:
        """Take what is typed, where it is for the child."""
        if self._streams.in_session and self._streams.terminal:
            self._streams.terminal.take_keys()

    def close(self) -> None:
        """Put everything back."""
        self.command = 0
        for number, before in self.before.items():
            signal.signal(number, before if before is not None else signal.SIG_DFL)
        if self._witness:
            self._witness.close()


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
