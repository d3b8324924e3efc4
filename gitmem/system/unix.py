"""What Linux, macOS and their like do; ``windows`` gives the same names."""

import errno
import fcntl
import os
import pwd
import resource
import stat
import sys
import time

assert sys.platform != "win32"  # mypy reads no further for other systems

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Final

OPEN: Final = os.O_CLOEXEC | os.O_NONBLOCK
"""For ``os.open``: bytes as they are, not for children, and a pipe is not waited for."""
OPEN_NO_LINK: Final = OPEN | os.O_NOFOLLOW
"""The same, where a link must not be followed."""
HAS_INOTIFY: Final = sys.platform == "linux"
pread, pwrite, append, replace = os.pread, os.pwrite, os.write, os.replace
relative_path = os.path.relpath

_PROCESSES: Final = "/proc"
_WRITES: Final = os.O_WRONLY | os.O_RDWR
_F_SETPIPE_SZ: Final = 1031  # of Linux
_SIGTERM: Final = 15  # for one number the module takes a millisecond
_LOOK_SECONDS: Final = 1.0
_FEW: Final = 64


def is_ours(path: str, status: os.stat_result) -> bool:  # noqa: ARG001  Windows asks by path
    """Tell whether a file belongs to the user of this process."""
    return status.st_uid == os.geteuid()


def is_endless(status: os.stat_result) -> bool:
    """Tell whether a file is a pipe or a device, whose end may never come."""
    return stat.S_ISFIFO(status.st_mode) or (
        stat.S_ISCHR(status.st_mode) and status.st_rdev != os.stat(os.devnull).st_rdev
    )


def sync_folder(path: str) -> None:
    """Make new names in a folder last; not every file system can."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.EBADF}:
            raise
    finally:
        os.close(handle)


def lock_file(handle: int, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file, also against ourselves, until whoever has it open has closed it.

    Raises:
        BlockingIOError: it is locked, and we do not wait.
        OSError: this file system has no locks.

    """
    how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    fcntl.flock(handle, how if wait else how | fcntl.LOCK_NB)


def from_uri(path: str) -> str:
    """Give the path that the one of a ``file:`` URI means."""
    return path


def high(place: int) -> int:
    """Move a descriptor out of the way of the three streams, where one of ours is closed."""
    if place > 2:  # noqa: PLR2004  0, 1 and 2 are the standard streams
        return place
    moved = fcntl.fcntl(place, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(place)
    return moved


def widen_pipe(handle: int, size: int) -> None:
    """Let a pipe hold so many bytes, if it can."""
    if sys.platform == "linux":
        with suppress(OSError):  # a user's share of pipes may be used up
            fcntl.fcntl(handle, _F_SETPIPE_SZ, size)


def is_read(handle: int) -> bool:
    """Tell whether the other end of a pipe is still open; it is found out by writing else."""
    return not _polled(handle, 0, 0)


def _polled(handle: int, events: int, milliseconds: int | None) -> bool:
    select = import_module("select")
    poll = select.poll()
    try:
        poll.register(handle, events)
        return bool(poll.poll(milliseconds))
    except (OSError, ValueError):
        return False


def print_utf8() -> None:
    """Let what we print be UTF-8 where the system would have something else; here it says what."""


def forget_typed(handle: int) -> None:
    """Pass over what was typed at a terminal and not read yet."""
    termios = import_module("termios")
    with suppress(termios.error, OSError):
        termios.tcflush(handle, termios.TCIFLUSH)


def stream_path(stream: int) -> str:
    """Name the file that a stream of ours is; empty where the system does not tell."""
    if sys.platform == "darwin":
        buffer = fcntl.fcntl(stream, fcntl.F_GETPATH, bytes(1024))
        return os.fsdecode(buffer.partition(b"\0")[0])
    else:  # noqa: RET505  the types of each system are checked
        try:
            return os.path.realpath(os.readlink(f"{_PROCESSES}/self/fd/{stream}"))
        except OSError:
            return ""


def files_behind_pipe(stream: int) -> Iterator[str]:
    """Name the files that whoever of our group reads from a pipe of ours has open for writing.

    Nothing where the system does not tell (``/proc``).
    """
    if not os.path.isdir(_PROCESSES):
        return
    with suppress(OSError):
        pipe = os.readlink(f"{_PROCESSES}/self/fd/{stream}")
        others = (name for name in os.listdir(_PROCESSES) if name.isdigit())
        for name in others:
            if int(name) != os.getpid():
                yield from _written_by(name, pipe)


def _written_by(process: str, pipe: str) -> Iterator[str]:
    with suppress(OSError):  # it has ended, or is another user's
        if os.getpgid(int(process)) != os.getpgrp():
            return
        folder = f"{_PROCESSES}/{process}/fd"
        held = {fd: os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder)}
        if held.get("0") == pipe:
            yield from (path for fd, path in held.items() if _is_written(process, fd, path))


def _is_written(process: str, descriptor: str, path: str) -> bool:
    """Tell whether a descriptor of a process is a file that it has open for writing."""
    if not path.startswith("/") or not os.path.isfile(path):
        return False
    with open(f"{_PROCESSES}/{process}/fdinfo/{descriptor}", encoding="ascii") as info:
        flags = next((line for line in info if line.startswith("flags:")), "flags: 0")
    return bool(int(flags.split()[1], 8) & _WRITES)


def program(name: str) -> str:
    """Give what a program is started by."""
    return name


def shell(line: str) -> list[str]:
    """Give the words that run a line of shell."""
    return ["sh", "-c", line]


def spawn(words: list[str], environ: Mapping[str, str], out: int) -> int:
    """Start a program that reads nothing and prints to ``out``; give its process id.

    ``terminate`` and ``wait_for`` take that. Nothing waits for the import of ``subprocess``.
    """
    return os.posix_spawnp(words[0], words, environ, file_actions=_streams(out))


def spawn_apart(words: list[str], environ: Mapping[str, str], out: int, end: str) -> None:
    """Start a program that goes on when this process has ended; ``out`` stays locked until then.

    If it ended well, ``end`` is what stands last in ``out``. Raises OSError if it can't be started.
    """
    line = ["sh", "-c", '"$@" && printf %s "$0"', end, *words]
    os.posix_spawn("/bin/sh", line, environ, file_actions=_streams(out), setpgroup=0)


def _streams(out: int) -> list[tuple[int, ...] | tuple[int, int, str, int, int]]:
    return [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]


def wait_for(process: int) -> int:
    """Wait for what ``spawn`` started; give its exit code, -1 where nobody can tell."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    except ChildProcessError:
        return -1  # a program that ignores SIGCHLD never learns of its children


def terminate(process: int) -> None:
    """Tell what ``spawn`` started to end."""
    os.kill(process, _SIGTERM)


def become(words: list[str]) -> int:
    """Turn this process into a program; only Windows returns, with its exit code.

    Raises:
        OSError: it can't be started.

    """
    signals = import_module("signal")
    signals.signal(signals.SIGPIPE, signals.SIG_DFL)
    os.execvp(words[0], words)  # noqa: S606  the user's own command, as typed


def is_alive(process: int) -> bool:
    """Tell whether there is a process of this id."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def wait_for_end(process: int) -> None:
    """Wait until there is no process of this id any more; it need not be a child."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # a Python built without it, or gone this moment
            _polled(os.pidfd_open(process), 1, None)
            return
    while is_alive(process):
        time.sleep(_LOOK_SECONDS)


def parent_watch() -> Callable[[], bool]:
    """Give what tells whether the process that started this one is still there."""
    parent = os.getppid()
    return lambda: os.getppid() == parent


def lead_group() -> None:
    """Make a group of this process and what it starts, so that ``end_group`` ends all of them."""
    signals = import_module("signal")
    with suppress(OSError, ValueError):
        os.setpgid(0, 0)
        signals.signal(signals.SIGTERM, lambda *_: None)


def end_group() -> None:
    """End what this process started, if it leads a group."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, _SIGTERM)  # this process passes it over


def nice(by: int) -> None:
    """Give way to other processes."""
    os.nice(by)


def home_of(environ: Mapping[str, str]) -> str:
    """Give the user's home folder; empty if there is none."""
    return environ.get("HOME", "")


def account_names() -> list[str]:
    """Give what the user of this process is called here, the best name first."""
    try:
        entry = pwd.getpwuid(os.geteuid())
    except (KeyError, OSError):  # a container with a user that has no account
        entry = None
    names = [entry.pw_gecos.partition(",")[0], entry.pw_name] if entry else []
    return [*names, os.environ.get("LOGNAME", ""), os.environ.get("USER", "")]


def most_handles() -> int | None:
    """Give how many handles this process may have; None: as many as there are."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if most == resource.RLIM_INFINITY else most


def bound_memory(size: int) -> None:
    """Let this process have no more memory than so many bytes."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))


def bound_next(seconds: float) -> None:
    """End this process when it has worked for so long from now on, wherever it is by then."""
    signals = import_module("signal")
    signals.signal(signals.SIGPROF, signals.SIG_DFL)
    signals.setitimer(signals.ITIMER_PROF, seconds)


def load_what_ends_threads() -> None:
    """Open what the end of a thread needs while there still are handles and memory for it.

    A thread that is left at the end of the process is ended by a library that is opened then; where
    it can't be, the whole process aborts.
    """
    bounded = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    if bounded or (most_handles() or _FEW) < _FEW:
        with suppress(ImportError, OSError, MemoryError):
            import_module("ctypes").CDLL("libgcc_s.so.1")
