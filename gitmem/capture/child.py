"""Run a command as if we were not there, and listen to what it says.

Each stream is what ours is: a pseudo-terminal where our output is a terminal, else a pipe, and
our own input as it is. What arrives is first passed on unchanged, then handed to the listener;
nothing is kept. Only where input and output are both terminals the child gets a session of its
own, and every key. Elsewhere it stays in our process group, where the terminal's signals reach
it by themselves, and others in the pipeline keep their keys.
"""

import errno
import fcntl
import os
import select
import signal
import struct
import sys
import termios
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, NoReturn

from gitmem.errors import EnvironmentProblem

Listener = Callable[[bytes], None]

NOT_FOUND: Final = 127
NOT_EXECUTABLE: Final = 126
GRACE: Final = 0.2  # seconds to read on after the child, where what it left behind holds on
_READ: Final = 262_144
_PIPE_SIZE: Final = 1_048_576
_FORWARDED: Final = (
    signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
_BY_KEY: Final = frozenset({signal.SIGINT, signal.SIGQUIT})
_REPORT: Final = struct.Struct("=i")


class Ended(NamedTuple):
    """How a command ended, with the code that a shell gives: 128 + n where signal n killed it."""

    exit_code: int
    signal: int | None
    seconds: float
    output_bytes: int


def run(
    command: Sequence[str], *, on_output: Listener, cwd: str, environ: Mapping[str, str]
) -> Ended:
    """Run a command to its end, passing on what it writes, and signals to it.

    The program is looked up in the PATH of ``environ``. If ``on_output`` raises, it is not
    called again, the child runs on undisturbed, and the exception comes at the end.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or None
            stream.flush()
    if not os.path.isdir(cwd):
        raise EnvironmentProblem(f"the folder {cwd} is gone", "change to a folder that exists")
    began = time.monotonic()
    child = _Child(on_output)
    try:
        failure = child.start(list(command), cwd, dict(environ))
        status = child.follow() if failure is None else 0
    except OSError as error:
        raise EnvironmentProblem(f"can't start {command[0]}: {error}") from error
    finally:
        child.close()
    if failure is not None:
        missing = failure == errno.ENOENT
        why = "command not found" if missing else os.strerror(failure).lower()
        line = f"gitmem: {command[0]}: {why}\n".encode(errors="surrogateescape")
        _write(2, line)
        on_output(line)
        status = (NOT_FOUND if missing or failure == errno.ENOTDIR else NOT_EXECUTABLE) << 8
    if child.broken is not None:
        raise child.broken
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    code = 128 + number if number is not None else os.WEXITSTATUS(status)
    return Ended(code, number, time.monotonic() - began, child.written)


class _Child:
    """One child, its streams, and what has to be put back at the end."""

    def __init__(self, on_output: Listener) -> None:
        self._listen = on_output
        self.broken: Exception | None = None
        self.written = 0
        self._pid = 0  # our own child: the command, or the leader of its session
        self._command = 0
        self._passes: dict[int, int] = {}  # where we read, and where that goes
        self._master = -1
        self._report = -1  # where the leader says how the command is
        self._keys = b""  # typed, and not yet taken by the child
        self._few = _READ // 4  # so little is waited for, where more can gather
        self._typing = False
        self._terminal: list[Any] | None = None  # of our terminal, to put back
        self._handlers: dict[int, Any] = {}

    def start(self, command: list[str], cwd: str, environ: dict[str, str]) -> int | None:
        """Start the command; give the error number if that could not be done."""
        kinds = {stream: _kind(stream) for stream in (0, 1, 2)}
        in_session = kinds[0] == kinds[1] == "terminal"
        ends: dict[int, int] = {}  # the child's stream, and our end for it
        slave = -1
        if "terminal" in {kinds[1], kinds[2]}:
            self._master, slave = map(_high, os.openpty())
            os.set_blocking(self._master, False)
            self._few = 0
            ours = 1 if kinds[1] == "terminal" else 2
            with suppress(termios.error):
                settings = termios.tcgetattr(ours)
                if not in_session:  # our terminal goes on adding its carriage returns
                    settings[1] &= ~termios.OPOST
                termios.tcsetattr(slave, termios.TCSANOW, settings)
                termios.tcsetwinsize(slave, termios.tcgetwinsize(ours))
            ends.update({n: slave for n in (1, 2) if kinds[n] == "terminal"})
            self._passes[self._master] = ours
        for stream in (1, 2):
            if kinds[stream] != "file":
                continue
            if 1 in ends and kinds[1] == "file" and os.path.sameopenfile(1, 2):
                ends[2] = ends[1]  # one pipe keeps what is said in its order
                continue
            end, ends[stream] = map(_high, os.pipe())
            with suppress(OSError):
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
            self._passes[end] = stream
        if in_session:
            ends[0] = slave
        failure = self._fork(lambda: _become(command, cwd, environ), ends, ends.get(0, -1))
        for end in {*ends.values(), slave} - {-1}:
            os.close(end)
        if failure is None and in_session:
            self._take_keys()
        return failure

    def _fork(self, become: Callable[[], NoReturn], ends: dict[int, int], slave: int) -> int | None:
        failed, fail = map(_high, os.pipe())
        reports, report = map(_high, os.pipe()) if slave >= 0 else (-1, -1)
        self._watch()
        self._pid = os.fork()
        if not self._pid:
            try:
                if slave >= 0:
                    _lead(slave, report)
                for what, before in self._handlers.items():  # what was ignored stays so
                    signal.signal(what, before if before == signal.SIG_IGN else signal.SIG_DFL)
                for stream, end in ends.items():
                    os.dup2(end, stream)
                become()
            except OSError as error:
                os.write(fail, _REPORT.pack(error.errno or errno.EIO))
            finally:
                os._exit(NOT_FOUND)
        os.close(fail)
        self._command = self._pid
        if slave >= 0:
            os.close(report)
            self._report = reports
            self._command = _REPORT.unpack(os.read(reports, _REPORT.size))[0]
        said = os.read(failed, _REPORT.size)
        os.close(failed)
        if said:
            os.waitpid(self._pid, 0)
        return _REPORT.unpack(said)[0] if said else None

    def _watch(self) -> None:
        ways: dict[int, Any] = dict.fromkeys(_FORWARDED, self._forward)
        ways |= {signal.SIGCHLD: signal.SIG_DFL, signal.SIGTSTP: self._stop}
        if self._master >= 0:
            ways |= {signal.SIGWINCH: self._resize, signal.SIGCONT: self._take_keys}
            ways[signal.SIGTTOU] = signal.SIG_IGN
        with suppress(ValueError):  # not the main thread: then signals are not ours
            for number, handler in ways.items():
                self._handlers[number] = signal.signal(number, handler)

    def _forward(self, number: int, _: object) -> None:
        if not (number in _BY_KEY and self._report < 0 and _in_foreground()):
            self._send(number)

    def _send(self, number: int, how: Callable[[int, int], None] = os.kill) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if self._command:
                how(self._command, number)

    def _resize(self, *_: object) -> None:
        with suppress(termios.error, OSError):
            size = termios.tcgetwinsize(self._passes.get(self._master, 1))
            termios.tcsetwinsize(self._master, size)
        self._send(signal.SIGWINCH)  # the kernel tells only those whose terminal it is

    def _stop(self, number: int, _: object) -> None:
        if self._report >= 0 or not _in_foreground():
            self._send(number)
        if self._report < 0:
            self._sleep(os.getpid())
            self._send(signal.SIGCONT)

    def _sleep(self, who: int) -> None:
        """Stop as the child did, until somebody lets us go on."""
        self._leave_keys()
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(who, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
        if self._master >= 0:
            self._resize()

    def _take_keys(self, *_: object) -> None:
        """Put our terminal into raw mode, if we are the ones who are typed at."""
        if not self._typing and self._report >= 0 and _in_foreground():
            with suppress(termios.error):
                self._terminal = termios.tcgetattr(0)
                tty.setraw(0, termios.TCSADRAIN)
                self._typing = True

    def _leave_keys(self) -> None:
        if self._terminal is not None:
            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._terminal)
        self._terminal, self._typing = None, False

    def follow(self) -> int:
        """Pass on output and keys until the child has ended; give its wait status."""
        status = None
        while status is None:
            for place in self._ready(-1 if self._report >= 0 else 20):
                if place == self._report:
                    status = self._heard()
                elif place == 0:
                    self._type(more=True)
                elif place in self._passes and 0 < self._pass_on(place) < self._few:
                    time.sleep(0.0005)  # to be woken for every line would slow the child down
            if status is None and self._report < 0:
                pid, said = os.waitpid(self._pid, os.WNOHANG if self._passes else 0)
                status = said if pid else None
        self._drain()
        return status

    def _ready(self, milliseconds: int) -> list[int]:
        poll = select.poll()
        keys = 0 if self._typing and not self._keys else -1
        for place in {*self._passes, self._report, keys} - {-1}:
            wants = select.POLLOUT if place == self._master and self._keys else 0
            poll.register(place, select.POLLIN | wants)
        # Output first: what the child said before it ended belongs before its end.
        return sorted((place for place, _ in poll.poll(milliseconds)), key=self._report.__eq__)

    def _pass_on(self, place: int) -> int:
        """Pass on a piece from one of the child's streams; give its size."""
        if place == self._master and self._keys:
            self._type(more=False)
        try:
            data = os.read(place, _READ)
        except BlockingIOError:
            return 0
        except OSError:  # a pseudo-terminal that nobody holds any more
            data = b""
        if not data or not _write(self._passes[place], data):
            # Its end; or nobody reads ours: then the child may notice it as it would without us.
            self._passes.pop(place)
            if place != self._master:
                os.close(place)
        self.written += len(data)
        try:
            if data and self.broken is None:
                self._listen(data)
        except Exception as error:  # noqa: BLE001  whatever it is, the child must not notice
            self.broken = error
        return len(data)

    def _type(self, *, more: bool) -> None:
        """Hand on what is typed, as far as the child takes it."""
        try:
            if more:
                self._keys = os.read(0, 4096)
                self._typing = bool(self._keys)  # or the terminal is gone
            self._keys = self._keys[os.write(self._master, self._keys) :]
        except OSError as error:
            if error.errno != errno.EAGAIN:
                self._keys, self._typing = b"", False

    def _heard(self) -> int | None:
        """Hear from the leader: the command stopped, or ended."""
        said = os.read(self._report, _REPORT.size)
        status: int = _REPORT.unpack(said)[0] if said else 9  # somebody killed the leader
        if not os.WIFSTOPPED(status):
            os.waitpid(self._pid, 0)
            os.close(self._report)
            self._report = -1
            return status
        self._sleep(0)
        self._take_keys()
        self._send(signal.SIGCONT, os.killpg)
        return None

    def _drain(self) -> None:
        """Read what the child left; and a moment longer, where its offspring goes on."""
        self._command, self._typing = 0, False
        left = dict.fromkeys(self._passes, _PIPE_SIZE)  # its own words can't be more
        until = time.monotonic() + GRACE
        while self._passes:
            remaining = max(0, int((until - time.monotonic()) * 1000))
            ready = [place for place in self._ready(remaining) if remaining or left[place] > 0]
            if not ready:
                break
            for place in ready:
                left[place] -= self._pass_on(place)

    def close(self) -> None:
        """Put back what was changed, whatever happened."""
        self._leave_keys()
        for number, before in self._handlers.items():
            signal.signal(number, before if before is not None else signal.SIG_DFL)
        for place in {*self._passes, self._master, self._report} - {-1}:
            with suppress(OSError):
                os.close(place)


def _lead(slave: int, report: int) -> None:
    """Lead a session for the command; return only in the command's process."""
    # Without a leader no key could stop it, and what it leaves behind would be hung up on.
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in (*_FORWARDED, signal.SIGTSTP, signal.SIGTTOU):
        signal.signal(number, signal.SIG_IGN)
    command = os.fork()
    if not command:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        return
    try:
        low, high = sorted((slave, report))
        for first, last in ((0, low), (low + 1, high), (high + 1, 65_536)):
            os.closerange(first, last)  # whoever waits for their end must not wait for us
        os.write(report, _REPORT.pack(command))
        while os.WIFSTOPPED(status := os.waitpid(command, os.WUNTRACED)[1]):
            os.write(report, _REPORT.pack(status))
        os.tcsetpgrp(slave, os.getpid())  # our own group is the one that is hung up on
        os.write(report, _REPORT.pack(status))
    finally:
        os._exit(0)


def _become(command: list[str], cwd: str, environ: dict[str, str]) -> NoReturn:
    """Turn this process into the command."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, the command should not
    os.chdir(cwd)
    try:
        os.execvpe(command[0], command, environ)  # noqa: S606  that is what we are for
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        os.execve("/bin/sh", ["sh", *command], environ)  # noqa: S606  as the C library does


def _kind(stream: int) -> str:
    """Tell what one of our streams is: a terminal, something else, or closed."""
    with suppress(OSError):
        os.fstat(stream)
        return "terminal" if os.isatty(stream) else "file"
    return "closed"


def _high(place: int) -> int:
    """Move a descriptor out of the way of the three streams, where one of ours is closed."""
    if place > 2:  # noqa: PLR2004
        return place
    moved = fcntl.fcntl(place, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(place)
    return moved


def _write(place: int, data: bytes) -> bool:
    """Write all of it; tell whether somebody takes it."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(place, rest) :]
        except BlockingIOError:  # somebody who shares it made it so
            select.select([], [place], [], 1)
        except OSError:
            return False
    return True


def _in_foreground() -> bool:
    """Tell whether a key that means a signal reaches us, and with us the child."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            return os.tcgetpgrp(terminal) == os.getpgrp()
        finally:
            os.close(terminal)
    return False
