"""What the child says goes where it would have gone, and then to the listener.

Where that is a terminal, a pseudo-terminal stands in for it, with the keys typed at ours.
"""

import errno
import os
import select
import sys
import termios
import tty
from collections import deque
from contextlib import suppress
from typing import Any, Final

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.system.child.shared import BACKLOG, Listener, kind, write_all
from gitmem.system.unix import high, widen_pipe

READ: Final = 262_144
PIPE_SIZE: Final = 1_048_576
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


class Passing:
    """The child's streams: which of ours each goes to, and what was said.

    The listener may be slower than the child, so it hears while the child is silent, or when
    ``BACKLOG`` bytes wait for it: then the child waits, too.
    """

    def __init__(self, listen: Listener) -> None:
        self._listen = listen
        self._unheard: deque[bytes | bytearray] = deque()
        self._waiting = 0  # bytes that wait there
        self.broken: Exception | None = None
        self.written = 0
        self.goes: dict[int, int] = {}  # where we read, and where that goes
        self.ends: dict[int, int] = {}  # the child's stream, and its end for it
        self.terminal: Terminal | None = None
        self.in_session = False

    def open(self) -> None:
        """Make for each stream of ours that is open one of its kind."""
        kinds = {stream: kind(stream) for stream in (0, 1, 2)}
        self.in_session = kinds[0] == kinds[1] == "terminal" and takes_the_terminal()
        if "terminal" in {kinds[1], kinds[2]}:
            ours = 1 if kinds[1] == "terminal" else 2
            self.terminal = Terminal(ours, keyed=self.in_session)
            self.goes[self.terminal.master] = self.terminal.ours
            same = [stream for stream in (1, 2) if kinds[stream] == "terminal"]
            self.ends |= dict.fromkeys(same, self.terminal.slave)
        for stream in (1, 2):
            if kinds[stream] == "file":
                self._pipe(stream, kinds)
        if self.in_session and self.terminal:
            self.ends[0] = self.terminal.slave

    def _pipe(self, stream: int, kinds: dict[int, str]) -> None:
        if 1 in self.ends and kinds[1] == "file" and os.path.sameopenfile(1, 2):
            self.ends[2] = self.ends[1]  # one pipe keeps what is said in its order
            return
        end, self.ends[stream] = map(high, os.pipe())
        widen_pipe(end, PIPE_SIZE)
        self.goes[end] = stream

    def close_ends(self) -> None:
        """Leave the child's ends to the child."""
        slave = self.terminal.slave if self.terminal else -1
        for end in set(self.ends.values()) - {slave}:
            os.close(end)
        self.ends = {}
        if self.terminal:
            self.terminal.close_slave()

    def ready(self, milliseconds: int, report: int = -1) -> list[int]:
        """Wait until something can be read; give where, the report last.

        What the child said before it ended belongs before its end.
        """
        poll = select.poll()
        terminal = self.terminal
        for place in {*self.goes, report} - {-1}:
            wants = terminal and place == terminal.master and terminal.keys
            poll.register(place, select.POLLIN | (select.POLLOUT if wants else 0))
        if terminal and terminal.typing and not terminal.keys:
            poll.register(0, select.POLLIN)
        return sorted((place for place, _ in poll.poll(milliseconds)), key=report.__eq__)

    def pass_on(self, place: int) -> int:
        """Pass on a piece from one of the child's streams; give its size in bytes."""
        master = self.terminal is not None and place == self.terminal.master
        if master and self.terminal:
            self.terminal.hand_keys_on()
        try:
            data = os.read(place, READ)
        except BlockingIOError:
            return 0
        except OSError:  # a pseudo-terminal that nobody holds any more
            data = b""
        if not data or not write_all(self.goes[place], data):
            # Its end; or nobody reads ours: then the child may notice it as it would without us.
            self.goes.pop(place)
            if not master:
                os.close(place)
        self.written += len(data)
        if self.broken is None:
            self.keep(data)
        return len(data)

    def keep(self, data: bytes) -> None:
        """Keep a piece for the listener, small ones together."""
        last = self._unheard[-1] if self._unheard else b""
        if isinstance(last, bytearray) and len(last) + len(data) <= READ:
            last += data
        elif data:
            self._unheard.append(data if len(data) > READ // 4 else bytearray(data))
        self._waiting += len(data)
        while self._waiting > BACKLOG:
            self.listen()

    @property
    def behind(self) -> bool:
        """Whether the listener has still something to hear."""
        return bool(self._unheard)

    def listen(self) -> None:
        """Let the listener hear the next piece.

        If it raises, the child must not notice: that is kept in ``broken``, and it hears no more.
        """
        piece = self._unheard.popleft()
        self._waiting -= len(piece)
        try:
            self._listen(bytes(piece))
        except Exception as error:  # noqa: BLE001  the listener is a caller's; raised again at the end
            self.broken = error
            self._unheard.clear()
            self._waiting = 0

    def close(self) -> None:
        """Put our terminal back, and close what is open."""
        terminal, self.terminal = self.terminal, None
        if terminal:
            self.goes.pop(terminal.master, None)
            terminal.close()
        for place in self.goes:
            with suppress(OSError):
                os.close(place)
        self.goes = {}
