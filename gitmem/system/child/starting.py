"""From here to the command: fork, perhaps a session with its leader, and exec."""

import errno
import fcntl
import os
import signal
import struct
import sys
import termios
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

assert sys.platform != "win32"  # mypy reads no further for other systems

from gitmem.system.child.ended import NOT_FOUND
from gitmem.system.unix import high

FORWARDED: Final = (
    signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
REPORT: Final = struct.Struct("=i")
"""What the leader of a session writes: first the command's process id, then wait statuses."""


class Started(NamedTuple):
    """A command that runs: our own child, the command itself, and where its leader reports.

    Without a session the first two are one, and ``report`` is -1.
    """

    pid: int
    command: int
    report: int


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
            os._exit(NOT_FOUND)
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
