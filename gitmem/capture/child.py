"""Run a command as if we were not there, and listen to what it says.

Each of the child's streams is what ours is: where our output is a terminal the child gets a
pseudo-terminal, where it is a pipe or a file a pipe, and our own input as it is. What arrives
is passed on unchanged and first, then handed to the listener. Nothing is kept, so memory is
bounded whatever the child writes.

Only where input and output are both terminals the child gets a session of its own, with our
terminal in raw mode: then every key is the child's. Elsewhere it stays in our process group,
where the terminal's signals reach it by themselves, and others in the pipeline keep their keys.
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
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn

from gitmem.errors import EnvironmentProblem

NOT_FOUND: Final = 127
NOT_EXECUTABLE: Final = 126
GRACE: Final = 0.2
"""Seconds to go on reading after the child ended, where a process that it left behind holds on."""

_READ: Final = 262_144
_PIPE_SIZE: Final = 1_048_576
_FORWARDED: Final = (
    signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
_BY_KEY: Final = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP})
_REPORT: Final = struct.Struct("=i")


class Ended(NamedTuple):
    """How a command ended.

    Attributes:
        exit_code: as a shell gives it: 128 + n for signal n, 127 and 126 if it never began.
        signal: the signal that killed it, or None.
        seconds: how long it ran.
        output_bytes: how much it wrote.

    """

    exit_code: int
    signal: int | None
    seconds: float
    output_bytes: int


def run(
    command: Sequence[str],
    *,
    on_output: Callable[[bytes], None],
    cwd: str,
    environ: Mapping[str, str],
) -> Ended:
    """Run a command to its end, passing on what it writes, and its signals.

    Args:
        command: the program, looked up in the PATH of ``environ``, and its arguments.
        on_output: is given every piece of output after it was passed on. If it raises, it is
            not called again, the child runs on undisturbed, and the exception comes at the end.
        cwd: the folder to run in.
        environ: the child's environment.

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
        why = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't start {command[0]}: {why}") from error
    finally:
        child.close()
    if failure is not None:
        missing = failure == errno.ENOENT
        why = "command not found" if missing else os.strerror(failure).lower()
        child.say(f"gitmem: {command[0]}: {why}\n".encode(errors="surrogateescape"))
        status = (NOT_FOUND if missing or failure == errno.ENOTDIR else NOT_EXECUTABLE) << 8
    if child.broken is not None:
        raise child.broken
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    code = 128 + number if number is not None else os.WEXITSTATUS(status)
    return Ended(code, number, time.monotonic() - began, child.written)


class _Child:
    """One child, its streams, and what has to be put back at the end."""

    def __init__(self, on_output: Callable[[bytes], None]) -> None:
        self._listen = on_output
        self.broken: Exception | None = None
        self.written = 0
        self._pid = 0  # our own child: the command, or the leader of its session
        self._command = 0
        self._passes: dict[int, int] = {}  # where we read, and where that goes
        self._master = -1
        self._report = -1  # where the leader says how the command is
        self._keys = b""  # typed, and not yet taken by the child
        self._typing = False
        self._terminal: list[Any] | None = None  # of our terminal, to put back
        self._handlers: dict[int, Any] = {}

    # --- beginning ---------------------------------------------------------------------------

    def start(self, command: list[str], cwd: str, environ: dict[str, str]) -> int | None:
        """Start the command; give the error number if that could not be done."""
        kinds = {stream: _kind(stream) for stream in (0, 1, 2)}
        in_session = kinds[0] == kinds[1] == "terminal"
        ends: dict[int, int] = {}  # the child's stream, and our end for it
        slave = -1
        if "terminal" in {kinds[1], kinds[2]}:
            self._master, slave = map(_high, os.openpty())
            ours = 1 if kinds[1] == "terminal" else 2
            _make_alike(ours, slave, raw=not in_session)
            ends.update({n: slave for n in (1, 2) if kinds[n] == "terminal"})
            self._passes[self._master] = ours
        for stream in (1, 2):
            if kinds[stream] != "file":
                continue
            if stream == 2 and kinds[1] == "file" and os.path.sameopenfile(1, 2):  # noqa: PLR2004
                ends[2] = ends[1]  # one pipe keeps what is said in its order
                continue
            end, ends[stream] = map(_high, os.pipe())
            with suppress(OSError):
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
            self._passes[end] = stream
        if in_session:
            ends[0] = slave
        failure = self._fork(command, cwd, environ, ends, slave if in_session else -1)
        for end in {*ends.values(), slave} - {-1}:
            os.close(end)
        if failure is None and in_session:
            self._take_keys()
        return failure

    def _fork(
        self,
        command: list[str],
        cwd: str,
        environ: dict[str, str],
        ends: dict[int, int],
        slave: int,
    ) -> int | None:
        failed, fail = map(_high, os.pipe())
        reports, report = map(_high, os.pipe()) if slave >= 0 else (-1, -1)
        self._watch()
        self._pid = os.fork()
        if not self._pid:
            try:
                if slave >= 0:
                    _lead(slave, report)
                for number, before in self._handlers.items():  # what was ignored stays so
                    ignored = before == signal.SIG_IGN
                    signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
                for stream, end in ends.items():
                    os.dup2(end, stream)
                _become(command, cwd, environ)
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
        if not said:
            return None
        os.waitpid(self._pid, 0)
        number: int = _REPORT.unpack(said)[0]
        return number

    # --- signals and keys --------------------------------------------------------------------

    def _watch(self) -> None:
        with suppress(ValueError):  # not the main thread: then signals are not ours
            self._handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number in _FORWARDED:
                self._handlers[number] = signal.signal(number, self._forward)
            self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._stop)
            if self._master >= 0:
                self._handlers[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, self._resize)
                self._handlers[signal.SIGCONT] = signal.signal(signal.SIGCONT, self._take_keys)
                self._handlers[signal.SIGTTOU] = signal.signal(signal.SIGTTOU, signal.SIG_IGN)

    def _forward(self, number: int, _frame: FrameType | None) -> None:
        if not (number in _BY_KEY and self._report < 0 and _in_foreground()):
            self._send(number)

    def _send(self, number: int) -> None:
        if self._command:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._command, number)

    def _resize(self, _number: int, _frame: FrameType | None) -> None:
        _copy_size(self._passes.get(self._master, 1), self._master)
        if self._report < 0:
            self._send(signal.SIGWINCH)  # in a session of its own the kernel does it

    def _stop(self, number: int, _frame: FrameType | None) -> None:
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
            self._resize(0, None)

    def _take_keys(self, *_signal: object) -> None:
        """Put our terminal into raw mode, if we are the ones who are typed at."""
        if self._typing or self._report < 0 or not _in_foreground():
            return
        with suppress(termios.error):
            self._terminal = termios.tcgetattr(0)
            tty.setraw(0, termios.TCSADRAIN)
            self._typing = True

    def _leave_keys(self) -> None:
        if self._terminal is not None:
            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._terminal)
        self._terminal, self._typing = None, False

    # --- what is said ------------------------------------------------------------------------

    def follow(self) -> int:
        """Pass on output and keys until the child has ended; give its wait status."""
        try:
            ended = _high(os.pidfd_open(self._pid)) if self._report < 0 else self._report
        except OSError:  # an old kernel, or a sandbox without it
            ended = -1
        status = None
        while status is None:
            for place, _ in self._ready(ended, -1 if ended >= 0 else 20):
                if place == ended and self._report >= 0:
                    status = self._heard()
                elif place == ended:
                    status = os.waitpid(self._pid, 0)[1]
                elif place == 0:
                    self._read_keys()
                elif place in self._passes:
                    self._pass_on(place)
            if ended < 0:
                pid, said = os.waitpid(self._pid, os.WNOHANG)
                status = said if pid else None
        if ended >= 0 and ended != self._report:
            os.close(ended)
        self._drain()
        return status

    def _ready(self, ended: int, milliseconds: int) -> list[tuple[int, int]]:
        poll = select.poll()
        for place in self._passes:
            wants = select.POLLOUT if place == self._master and self._keys else 0
            poll.register(place, select.POLLIN | wants)
        if self._typing and not self._keys:
            poll.register(0, select.POLLIN)
        if ended >= 0:
            poll.register(ended, select.POLLIN)
        ready = poll.poll(milliseconds)
        # Output first: what the child said before it ended belongs before its end.
        return sorted(ready, key=lambda one: one[0] == ended)

    def _pass_on(self, place: int) -> int:
        """Pass on a piece from one of the child's streams; give its size."""
        if place == self._master and self._keys:
            self._write_keys()
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
        if data:
            self._hear(data)
        return len(data)

    def _hear(self, data: bytes) -> None:
        self.written += len(data)
        if self.broken is None:
            try:
                self._listen(data)
            except Exception as error:  # noqa: BLE001  whatever it is, the child must not notice
                self.broken = error

    def say(self, line: bytes) -> None:
        """Say something in the place of a child that could not be started."""
        _write(2, line)
        self._hear(line)
        self.written = 0

    def _read_keys(self) -> None:
        try:
            self._keys += os.read(0, 4096)
        except OSError:
            self._keys = b""
        if self._keys:
            self._write_keys()
        else:
            self._typing = False  # the terminal is gone

    def _write_keys(self) -> None:
        os.set_blocking(self._master, False)
        try:
            self._keys = self._keys[os.write(self._master, self._keys) :]
        except BlockingIOError:
            return
        except OSError:
            self._keys, self._typing = b"", False

    def _heard(self) -> int | None:
        """Hear from the leader: the command stopped, or ended."""
        said = os.read(self._report, _REPORT.size)
        if len(said) < _REPORT.size:
            return int(signal.SIGKILL)  # the leader was killed, and so is its session
        status: int = _REPORT.unpack(said)[0]
        if not os.WIFSTOPPED(status):
            os.waitpid(self._pid, 0)
            return status
        self._sleep(0)
        self._take_keys()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._command, signal.SIGCONT)
        return None

    def _drain(self) -> None:
        """Read what the child left; and a moment longer, where its offspring goes on."""
        self._typing = False
        left = {place: _waiting(place) for place in self._passes}
        until = time.monotonic() + GRACE
        while self._passes:
            remaining = until - time.monotonic()
            if remaining <= 0 and not any(left.get(place, 0) > 0 for place in self._passes):
                break
            ready = self._ready(-1, max(0, int(remaining * 1000)))
            if not ready and remaining <= 0:
                break
            for place, _ in ready:
                if place in self._passes:
                    left[place] -= self._pass_on(place)

    def close(self) -> None:
        """Put back what was changed, whatever happened."""
        self._leave_keys()
        for number, before in self._handlers.items():
            signal.signal(number, before if before is not None else signal.SIG_DFL)
        for place in {*self._passes, self._master, self._report} - {-1}:
            with suppress(OSError):
                os.close(place)
        self._passes, self._master, self._report = {}, -1, -1


def _lead(slave: int, report: int) -> None:
    """Lead a session for the command; return only in the command's process.

    A command that led its session itself could not be stopped by a key, for lack of somebody
    in the session who would let it go on; and what it leaves behind would be hung up on.
    """
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
        os.execvpe(command[0], command, environ)
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        os.execve("/bin/sh", ["sh", *command], environ)  # a script that does not say for whom


def _kind(stream: int) -> str:
    """Tell what one of our streams is: a terminal, something else, or closed."""
    try:
        os.fstat(stream)
    except OSError:
        return "closed"
    return "terminal" if os.isatty(stream) else "file"


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


def _make_alike(ours: int, theirs: int, *, raw: bool) -> None:
    """Give a pseudo-terminal the settings and the size of our own."""
    with suppress(termios.error):
        settings = termios.tcgetattr(ours)
        if raw:  # our terminal goes on adding its carriage returns
            settings[1] &= ~termios.OPOST
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
    _copy_size(ours, theirs)


def _copy_size(ours: int, theirs: int) -> None:
    with suppress(OSError):
        size = fcntl.ioctl(ours, termios.TIOCGWINSZ, b"\0" * 8)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)


def _waiting(place: int) -> int:
    try:
        count: int = struct.unpack("i", fcntl.ioctl(place, termios.FIONREAD, b"\0" * 4))[0]
    except OSError:
        return 0
    return count


def _in_foreground() -> bool:
    """Tell whether a key that means a signal reaches us, and with us the child."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
