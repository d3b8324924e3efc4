"""The life of a child: started, followed, and what it leaves read."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.errors import EnvironmentProblem
from gitmem.system.child.descriptors import write_all
from gitmem.system.child.ended import LAST, NOT_FOUND, Ended, Listener, why_not_started
from gitmem.system.child.passing import PIPE_SIZE, READ, Passing
from gitmem.system.child.signals import Signals
from gitmem.system.child.starting import REPORT, Started, become, start

GRACE: Final = 0.2  # seconds to read on after the child, where what it left behind holds on
_TICK: Final = 20  # milliseconds between looks at a child that nobody reports on
_LOOK: Final = 200  # milliseconds between looks whether the keys are for us again
_FEW: Final = READ // 4  # so little is waited for, where more can gather


def run(
    command: Sequence[str],
    *,
    on_output: Listener,
    cwd: str,
    environ: Mapping[str, str],
    on_start: Callable[[], None] = lambda: None,
) -> Ended:
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
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or None
            stream.flush()
    if not os.path.isdir(cwd):
        raise EnvironmentProblem(f"the folder {cwd} is gone", "change to a folder that exists")
    began = time.monotonic()
    streams = Passing(on_output)
    signals = Signals(streams)
    missing = False
    try:
        started = _started(streams, signals, list(command), cwd, dict(environ))
        LAST.started, LAST.exit_code = True, None
        if isinstance(started, Started):
            life = _Life(started, streams, signals)
            on_start()
            status = life.follow()
        else:
            status = _not_started(started, command[0], streams)
            missing = os.WEXITSTATUS(status) == NOT_FOUND
    except OSError as error:
        raise EnvironmentProblem(f"can't start {command[0]}: {error.strerror or error}") from error
    finally:
        streams.close_ends()
        streams.close()
        signals.close()
    seconds = time.monotonic() - began
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    code = 128 + number if number is not None else os.WEXITSTATUS(status)
    LAST.exit_code = code
    while streams.behind:
        streams.listen()
    if streams.broken is not None:
        raise streams.broken
    return Ended(code, number, seconds, streams.written, missing)


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
    code, line, told = why_not_started(why, program)
    write_all(2, line)
    streams.keep(told)
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
        until = time.monotonic() + GRACE
        while streams.goes:
            remaining = max(0, int((until - time.monotonic()) * 1000))
            ready = [place for place in streams.ready(remaining) if remaining or left[place] > 0]
            if not ready:
                break
            for place in ready:
                left[place] -= streams.pass_on(place)
