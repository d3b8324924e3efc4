"""What Windows does; ``unix`` gives the same names, and says what each is for."""

import ctypes
import errno
import io
import msvcrt
import os
import stat
import sys
import time

assert sys.platform == "win32"  # mypy reads no further for other systems

from collections.abc import Callable, Iterator, Mapping
from ctypes import byref, wintypes
from functools import cache
from typing import Any, Final

OPEN: Final = os.O_BINARY | os.O_NOINHERIT
OPEN_NO_LINK: Final = OPEN
"""Its links need a right of their own, and git makes none of what a clone brings."""
HAS_INOTIFY: Final = False


def _nothing(*_: object) -> None:
    """Do nothing: names are written down by the file system, and there are no groups."""


sync_folder = widen_pipe = lead_group = end_group = load_what_ends_threads = _nothing
bound_memory = bound_next = _nothing

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_native = ctypes.WinDLL("ntdll")
_security = ctypes.WinDLL("advapi32", use_last_error=True)
_users = ctypes.WinDLL("secur32", use_last_error=True)
_kernel.OpenProcess.restype = wintypes.HANDLE
_EXCLUSIVE, _AT_ONCE = 2, 1
_LOCKED, _WRITING = 1 << 62, (1 << 62) + 1
"""Bytes that are locked: a lock keeps others from what it covers, so it lies behind all content."""
_WAITS_FOR: Final = 0x100000  # the right to wait for a process
_STILL_THERE, _BELOW_NORMAL, _FULL_NAME, _QUERY = 258, 0x4000, 3, 8
_DENIED, _AT_END, _TAKEN, _PENDING = 5, 38, 33, 997
_PAUSES: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Seconds: who looks at files as they come holds each for a moment."""
_children: dict[int, Any] = {}  # as ``subprocess`` has them


class _Overlapped(ctypes.Structure):
    """Where in a file something is done."""

    _fields_ = (
        ("internal", ctypes.c_size_t), ("internal_high", ctypes.c_size_t),
        ("offset", wintypes.DWORD), ("offset_high", wintypes.DWORD), ("event", wintypes.HANDLE),
    )  # fmt: skip


def _at(offset: int) -> _Overlapped:
    return _Overlapped(0, 0, offset & 0xFFFFFFFF, offset >> 32, None)


def _handle(descriptor: int) -> wintypes.HANDLE:
    return wintypes.HANDLE(msvcrt.get_osfhandle(descriptor))


def replace(source: str, target: str) -> None:
    for pause in _PAUSES:
        try:
            os.replace(source, target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    os.replace(source, target)


def relative_path(path: str, start: str) -> str:
    try:
        return os.path.relpath(path, start).replace(os.sep, "/")
    except ValueError:  # on another drive
        return f"../{path}".replace(os.sep, "/")


def pread(handle: int, length: int, offset: int) -> bytes:
    buffer, done = ctypes.create_string_buffer(length), wintypes.DWORD()
    read = _kernel.ReadFile(_handle(handle), buffer, length, byref(done), byref(_at(offset)))
    if not read and ctypes.get_last_error() != _AT_END:
        raise ctypes.WinError(ctypes.get_last_error())
    return buffer.raw[: done.value]


def pwrite(handle: int, data: bytes, offset: int) -> int:
    done = wintypes.DWORD()
    if not _kernel.WriteFile(_handle(handle), data, len(data), byref(done), byref(_at(offset))):
        raise ctypes.WinError(ctypes.get_last_error())
    return done.value


def append(handle: int, data: bytes) -> int:
    # Here that is to look for the end and to write, with room for others in between.
    _lock(handle, _WRITING, _EXCLUSIVE)
    try:
        return os.write(handle, data)
    finally:
        _kernel.UnlockFileEx(_handle(handle), 0, 1, 0, byref(_at(_WRITING)))


def is_ours(path: str, status: os.stat_result) -> bool:
    owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
    if _security.GetNamedSecurityInfoW(
        path, 1, 1, byref(owner), None, None, None, byref(descriptor)
    ):
        return False
    is_member = wintypes.BOOL()
    _security.CheckTokenMembership(None, owner, byref(is_member))
    ours = is_member.value or _security.EqualSid(owner, ctypes.c_void_p.from_buffer(_user()))
    _kernel.LocalFree(descriptor)
    return bool(ours)


@cache
def _user() -> "ctypes.Array[ctypes.c_char]":
    """Give what the system knows of this process's user, whose name for it comes first."""
    token, buffer = wintypes.HANDLE(), ctypes.create_string_buffer(256)
    _security.OpenProcessToken(wintypes.HANDLE(-1), _QUERY, byref(token))
    _security.GetTokenInformation(token, 1, buffer, len(buffer), byref(wintypes.DWORD()))
    _kernel.CloseHandle(token)
    return buffer


def is_endless(status: os.stat_result) -> bool:
    return stat.S_ISFIFO(status.st_mode)


def lock_file(handle: int, *, shared: bool = False, wait: bool = False) -> None:
    _lock(handle, _LOCKED, (0 if shared else _EXCLUSIVE) | (0 if wait else _AT_ONCE))


def _lock(handle: int, at: int, how: int) -> None:
    if not _kernel.LockFileEx(_handle(handle), how, 0, 1, 0, byref(_at(at))):
        why = ctypes.get_last_error()
        if why in {_TAKEN, _PENDING}:
            raise BlockingIOError(errno.EAGAIN, "it is locked")
        raise ctypes.WinError(why)


def from_uri(path: str) -> str:
    return path[1:] if path[2:3] == ":" else path


def is_read(handle: int) -> bool:
    return True


def print_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):  # as git does; consoles take everything anyhow
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def forget_typed(handle: int) -> None:
    _kernel.FlushConsoleInputBuffer(_handle(handle))


def stream_path(stream: int) -> str:
    buffer = ctypes.create_unicode_buffer(1 << 15)
    _kernel.GetFinalPathNameByHandleW(_handle(stream), buffer, len(buffer), 0)
    return buffer.value.removeprefix("\\\\?\\")


def files_behind_pipe(stream: int) -> Iterator[str]:
    return iter(())


def program(name: str) -> str:
    """Give the place of a program in PATH: the system would look into the folder at hand first."""
    nowhere = os.path.join(sys.prefix, "not-found", name)
    return found_program(name, os.environ.get("PATH", "")) or nowhere


@cache
def found_program(name: str, path: str) -> str | None:
    """Find a program by its name, with one of the endings that programs have here."""
    endings = os.environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").lower().split(os.pathsep)
    if os.path.splitext(name)[1].lower() in endings:
        endings = [""]
    for folder in path.split(os.pathsep) if name == os.path.basename(name) else ("",):
        for ending in endings:
            place = os.path.join(folder, name) + ending
            if os.path.isabs(place or "") and os.path.isfile(place):
                return place
    return None


def shell(line: str) -> list[str]:
    # Git brings one along: what is run so was written for a shell.
    git = os.path.dirname(os.path.dirname(program("git")))
    places = (os.path.join(git, folder, "sh.exe") for folder in ("bin", r"usr\bin", r"..\bin"))
    return [next(filter(os.path.isfile, places), program("sh")), "-c", line]


def spawn(words: list[str], environ: Mapping[str, str], out: int) -> int:
    import subprocess

    nothing = subprocess.DEVNULL
    child = subprocess.Popen(words, env=environ, stdin=nothing, stdout=out, stderr=nothing)  # noqa: S603
    _children[child.pid] = child
    return child.pid


def spawn_apart(words: list[str], environ: Mapping[str, str], out: int, end: str) -> None:
    raise OSError(errno.ENOSYS, "no file stays locked for a program that was only started")


def wait_for(process: int) -> int:
    return int(_children.pop(process).wait())


def terminate(process: int) -> None:
    _children[process].terminate()


def become(words: list[str]) -> int:
    import subprocess

    return subprocess.call(words)  # noqa: S603  the user's own command, as typed


def is_alive(process: int) -> bool:
    handle = _kernel.OpenProcess(_WAITS_FOR, False, process & 0xFFFFFFFF)
    if not handle:
        return ctypes.get_last_error() == _DENIED
    alive = _lives(handle)
    _kernel.CloseHandle(wintypes.HANDLE(handle))
    return alive


def _lives(handle: int, milliseconds: int = 0) -> bool:
    waited: int = _kernel.WaitForSingleObject(wintypes.HANDLE(handle), milliseconds)
    return waited == _STILL_THERE


def wait_for_end(process: int) -> None:
    while is_alive(process):
        time.sleep(1)


def parent_watch() -> Callable[[], bool]:
    parts = (ctypes.c_size_t * 6)()  # not os.getppid, which may end a process under wine
    _native.NtQueryInformationProcess(
        wintypes.HANDLE(-1), 0, byref(parts), ctypes.sizeof(parts), None
    )
    # Its number may be another's by the time it has ended, what is held is it.
    handle = _kernel.OpenProcess(_WAITS_FOR, False, parts[5])
    return lambda: not handle or _lives(handle)


def nice(by: int) -> None:
    _kernel.SetPriorityClass(wintypes.HANDLE(-1), _BELOW_NORMAL)


def home_of(environ: Mapping[str, str]) -> str:
    return environ.get("HOME") or environ.get("USERPROFILE", "")


def account_names() -> list[str]:
    size = wintypes.ULONG(256)
    buffer = ctypes.create_unicode_buffer(size.value)
    has_name = _users.GetUserNameExW(_FULL_NAME, buffer, byref(size))
    return [buffer.value if has_name else "", os.environ.get("USERNAME", "")]


def most_handles() -> int | None:
    return None
