"""What the child says goes where it would have gone, and then to the listener."""

import os
import select
import sys
from collections import deque
from contextlib import suppress
from typing import Final

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.system.child.descriptors import kind, write_all
from gitmem.system.child.ended import Listener
from gitmem.system.child.terminal import Terminal, takes_the_terminal
from gitmem.system.unix import high, widen_pipe

READ: Final = 262_144
PIPE_SIZE: Final = 1_048_576
BACKLOG: Final = 8_388_608  # bytes passed on that the listener may not have heard yet


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
