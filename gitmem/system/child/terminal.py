"""The pseudo-terminal that stands in for ours at the child, and the keys typed at ours."""

import errno
import os
import sys
import termios
import tty
from contextlib import suppress
from typing import Any, Final

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.system.unix import high

_OUTPUT: Final = 1  # where the flags for output are in what tcgetattr gives


class Terminal:
    """A pseudo-terminal as wide as ours and with its settings.

    Only one of the two may put a carriage return before a newline: the child's while ours is in
    raw mode, else ours.

    Args:
        ours: our stream that it stands in for.
        keyed: ours is about to be in raw mode, for its keys are the child's.

    """

    def __init__(self, ours: int, *, keyed: bool) -> None:
        self.ours = ours
        self.master, self.slave = map(high, os.openpty())
        os.set_blocking(self.master, False)
        self.typing = False
        self.keys = b""  # typed, and not yet taken by the child
        self._before: list[Any] | None = None  # the settings of our terminal, to put back
        with suppress(termios.error):
            settings = termios.tcgetattr(ours)
            self._processing = settings[_OUTPUT] & termios.OPOST
            if not keyed:
                settings[_OUTPUT] &= ~termios.OPOST
            termios.tcsetattr(self.slave, termios.TCSANOW, settings)
            termios.tcsetwinsize(self.slave, termios.tcgetwinsize(ours))

    def resize(self) -> None:
        """Make it as wide and high as ours is now."""
        with suppress(termios.error, OSError):
            termios.tcsetwinsize(self.master, termios.tcgetwinsize(self.ours))

    def take_keys(self) -> None:
        """Put our terminal into raw mode, if we are the ones who are typed at."""
        if not self.typing and in_foreground():
            with suppress(termios.error):
                self._before = termios.tcgetattr(0)
                tty.setraw(0, termios.TCSADRAIN)
                self.typing = True
                self._process(self._processing)

    def leave_keys(self) -> None:
        """Put our terminal back as it was."""
        if self._before is None:
            return
        with suppress(termios.error):
            self._processing = termios.tcgetattr(self.master)[_OUTPUT] & termios.OPOST
            self._process(0)
        with suppress(termios.error):
            termios.tcsetattr(0, termios.TCSADRAIN, self._before)
        self._before, self.typing = None, False

    def _process(self, flag: int) -> None:
        settings = termios.tcgetattr(self.master)
        settings[_OUTPUT] = settings[_OUTPUT] & ~termios.OPOST | flag
        termios.tcsetattr(self.master, termios.TCSANOW, settings)

    def read_keys(self) -> None:
        """Take what is typed, and hand it on."""
        try:
            self.keys = os.read(0, 4096)
        except OSError:
            self.keys = b""
        self.typing = bool(self.keys)  # or our terminal is gone
        self.hand_keys_on()

    def hand_keys_on(self) -> None:
        """Hand on what was typed, as far as the child takes it."""
        if not self.keys:
            return
        try:
            self.keys = self.keys[os.write(self.master, self.keys) :]
        except OSError as error:
            if error.errno != errno.EAGAIN:
                self.keys, self.typing = b"", False

    def close_slave(self) -> None:
        """Leave the child's end to the child."""
        if self.slave >= 0:
            os.close(self.slave)
        self.slave = -1

    def close(self) -> None:
        """Put our terminal back, and give up both ends."""
        self.leave_keys()
        self.close_slave()
        os.close(self.master)


def in_foreground() -> bool:
    """Tell whether our input is the terminal that we belong to, and its keys are for us."""
    with suppress(OSError):  # it is another's terminal, or none
        return os.tcgetpgrp(0) == os.getpgrp()
    return False


def hung_up() -> bool:
    """Tell whether the terminal that was our input was closed."""
    try:
        os.tcgetpgrp(0)
    except OSError:
        return True
    return False


def takes_the_terminal() -> bool:
    """Tell whether the child may have a session, and we the keys: nobody else needs them."""
    with suppress(OSError):
        return os.fstat(0).st_rdev == os.fstat(1).st_rdev and in_foreground()
    return False
