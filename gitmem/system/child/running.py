"""The life of a child: started, followed, and what it leaves read.

From here to the command there are a fork, perhaps a session with its leader, and exec.
"""

import errno
import fcntl
import os
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.errors import EnvironmentProblem
from gitmem.system.child import shared
from gitmem.system.child.passing import PIPE_SIZE, READ, Passing
from gitmem.system.child.signals import FORWARDED, Signals
from gitmem.system.unix import high

_TICK: Final = 20  # milliseconds between looks at a child that nobody reports on
_LOOK: Final = 200  # milliseconds between looks whether the keys are for us again
_FEW: Final = READ // 4  # so little is waited for, where more can gather
REPORT: Final = struct.Struct("=i")
"""What the leader of a session writes: first the command's process id, then wait statuses."""


class Started(NamedTuple):
    """A command that runs: our own child, the command itself, and where its leader reports.

    Without a session the first two are one, and ``report`` is -1.
    """

    pid: int
    command: int
    report: int


def run(
    command: Sequence[str],
    *,
    on_output: shared.Listener,
    cwd: str,
    environ: Mapping[str, str],
    on_start: Callable[[], None] = lambda: None,
) -> shared.Ended:
    """Run a command to its end, passing on what it writes, and signals to it.

    If ``on_output`` raises, it is not called again, the child runs on undisturbed, and the
    exception comes at the end.

    Args:
        command: the program, looked up in the PATH of ``environ``, and its arguments.
        on_output: hears what both streams say, as bytes, in pieces of any size.
        cwd: the folder to run it in.
        environ: its environment.
        on_start: called once when it runs, the time to start threads: no process is forked here
            after that.

    """
    shared.make_ready(cwd)
    began = time.monotonic()
    streams = Passing(on_output)
    signals = Signals(streams)
    missing = False
    try:
        started = _started(streams, signals, list(command), cwd, dict(environ))
        shared.LAST.started, shared.LAST.exit_code = True, None
        if isinstance(started, Started):
            life = _Life(started, streams, signals)
            on_start()
            status = life.follow()
        else:
            status = _not_started(started, command[0], streams)
            missing = os.WEXITSTATUS(status) == shared.NOT_FOUND
    except OSError as error:
        raise EnvironmentProblem(f"can't start {command[0]}: {error.strerror or error}") from error
    finally:
        streams.close_ends()
        streams.close()
        signals.close()
    seconds = time.monotonic() - began
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    code = 128 + number if number is not None else os.WEXITSTATUS(status)
    shared.LAST.exit_code = code
    while streams.behind:
        streams.listen()
    if streams.broken is not None:
        raise streams.broken
    return shared.Ended(code, number, seconds, streams.written, missing)


def _started(
    streams: Passing, signals: Signals, command: list[str], cwd: str, environ: dict[str, str]
) -> Started | int:
    streams.open()
    signals.watch()
    slave = streams.terminal.slave if streams.terminal and streams.in_session else -1
    started = start(lambda: become(command, cwd, environ), streams.ends, slave, signals.before)
    streams.close_ends()
    return started


def _not_started(why: int, program: str, streams: Passing) -> int:
    """Say why a program can't be run, as a shell does; give the wait status for it."""
    code, line, reason = shared.why_not_started(why, program)
    shared.write_all(2, line)
    streams.keep(reason)
    return code << 8


class _Life:
    """A child that runs."""

    def __init__(self, started: Started, streams: Passing, signals: Signals) -> None:
        self._pid, command, self._report = started
        self._streams = streams
        self._signals = signals
        signals.begin(command)
        signals.take_keys()

    def follow(self) -> int:
        """Pass on output and keys until the child has ended; give its wait status."""
        streams, terminal = self._streams, self._streams.terminal
        status = None
        while status is None:
            ready = streams.ready(self._patience(), self._report)
            if not ready and streams.behind:
                streams.listen()
            for place in ready:
                if place == self._report:
                    status = self._heard()
                elif place == 0 and terminal:
                    terminal.read_keys()
                elif place in streams.goes and 0 < streams.pass_on(place) < _FEW and not terminal:
                    time.sleep(0.0005)  # to be woken for every line would slow the child down
            if status is None and self._report < 0:
                wait = not streams.goes and not streams.behind
                pid, status_now = os.waitpid(self._pid, 0 if wait else os.WNOHANG)
                status = status_now if pid else None
        self._drain()
        return status

    def _patience(self) -> int:
        """Give how many milliseconds to wait for something to happen; -1 is for ever."""
        if self._streams.behind:
            return 0
        if self._report < 0:
            return _TICK
        if self._streams.terminal and not self._streams.terminal.typing:
            self._signals.take_keys()  # a shell's fg gives them to a job that runs, unsaid
            return _LOOK
        return -1

    def _heard(self) -> int | None:
        """Hear from the leader: the command stopped, or ended."""
        report = os.read(self._report, REPORT.size)
        status: int = REPORT.unpack(report)[0] if report else 9  # somebody killed the leader
        if not os.WIFSTOPPED(status):
            os.waitpid(self._pid, 0)
            os.close(self._report)
            self._report = -1
            return status
        self._signals.sleep(0)
        self._signals.take_keys()
        self._signals.send(signal.SIGCONT, os.killpg)
        return None

    def _drain(self) -> None:
        """Read what the child left; and a moment longer, where its offspring goes on."""
        self._signals.command = 0
        streams = self._streams
        if streams.terminal:
            streams.terminal.typing = False
        left = dict.fromkeys(streams.goes, PIPE_SIZE)  # its own words can't be more
        until = time.monotonic() + shared.GRACE
        while streams.goes:
            remaining = max(0, int((until - time.monotonic()) * 1000))
            ready = [place for place in streams.ready(remaining) if remaining or left[place] > 0]
            if not ready:
                break
            for place in ready:
                left[place] -= streams.pass_on(place)


def start(
    become: Callable[[], NoReturn],
    ends: Mapping[int, int],
    slave: int,
    handlers: Mapping[int, Any],
) -> Started | int:
    """Start a command; if that can't be done, give the error number of why.

    Args:
        become: turns a process into the command.
        ends: a stream of the command, and what it is to be.
        slave: the terminal to make a session for; -1 for no session.
        handlers: what signals did before we took them; those that were ignored stay so.

    """
    failed, fail = map(high, os.pipe())
    reports, report = map(high, os.pipe()) if slave >= 0 else (-1, -1)
    pid = os.fork()
    if not pid:
        try:
            if slave >= 0:
                _lead(slave, report)
            for what, before in handlers.items():
                signal.signal(what, before if before == signal.SIG_IGN else signal.SIG_DFL)
            for stream, end in ends.items():
                os.dup2(end, stream)
            become()
        except OSError as error:
            os.write(fail, REPORT.pack(error.errno or errno.EIO))
        finally:
            os._exit(shared.NOT_FOUND)
    os.close(fail)
    command = pid
    if slave >= 0:
        os.close(report)
        command = REPORT.unpack(os.read(reports, REPORT.size))[0]
    report_bytes = os.read(failed, REPORT.size)
    os.close(failed)
    if not report_bytes:
        return Started(pid, command, reports)
    os.waitpid(pid, 0)
    if reports >= 0:
        os.close(reports)
    return int(REPORT.unpack(report_bytes)[0])


def _lead(slave: int, report: int) -> None:
    """Lead a session for the command; return only in the command's process."""
    # Without a leader no key could stop it, and what it leaves behind would be hung up on.
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in (*FORWARDED, signal.SIGTSTP, signal.SIGTTOU):
        signal.signal(number, signal.SIG_IGN)
    # Whoever started us may be killed. That closes the terminal, for which the kernel hangs up on
    # its leader alone; the leader's end is what hangs up on the group in the foreground.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    command = os.fork()
    if not command:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        return
    try:
        low, top = sorted((slave, report))
        for first, last in ((0, low), (low + 1, top), (top + 1, 65_536)):
            os.closerange(first, last)  # whoever waits for their end must not wait for us
        os.write(report, REPORT.pack(command))
        while os.WIFSTOPPED(status := os.waitpid(command, os.WUNTRACED)[1]):
            os.write(report, REPORT.pack(status))
        os.tcsetpgrp(slave, os.getpid())  # our own group is the one that is hung up on
        os.write(report, REPORT.pack(status))
    finally:
        os._exit(0)


def become(command: list[str], cwd: str, environ: dict[str, str]) -> NoReturn:
    """Turn this process into the command; the program is looked up in the PATH of ``environ``."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, the command should not
    os.chdir(cwd)
    try:
        os.execvpe(command[0], command, environ)  # noqa: S606  that is what we are for
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        os.execve("/bin/sh", ["sh", *command], environ)  # noqa: S606  as the C library does
