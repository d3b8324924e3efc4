"""Faults at any call to the operating system: a process that dies, a disk that is full.

The functions of ``os`` that change files are wrapped and counted. At the wished call the
process exits without a word (half of a write goes out first), or the call raises.
"""

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

CALLS: Final = (
    "write", "fsync", "link", "open", "unlink", "replace", "mkdir", "rename",
)  # fmt: skip
DIED: Final = 66
_CHANGES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT
"""Files that are opened to be read are as many as there are sessions, and change nothing."""
_SURVIVED: Final = 0
_RAISED: Final = 67
_real_exit = os._exit


@contextmanager
def at_call(wished: int, fault: Callable[[str, tuple[Any, ...]], None]) -> Iterator[list[str]]:
    """Run ``fault`` in place of the ``wished``-th call (from 0); gives the calls made so far."""
    made: list[str] = []
    real = {name: getattr(os, name) for name in CALLS}

    def wrapped(name: str) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if name == "open" and not args[1] & _CHANGES:
                return real[name](*args, **options)
            made.append(name)
            if len(made) - 1 == wished:
                fault(name, args)
            return real[name](*args, **options)

        return call

    for name in CALLS:
        setattr(os, name, wrapped(name))
    try:
        yield made
    finally:
        for name in CALLS:
            setattr(os, name, real[name])


def in_child(work: Callable[[], None]) -> int:
    """Run ``work`` in a forked process; give its exit code. An exception there is a failure."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001  nothing may escape into the forked test runner
            traceback.print_exc()
            _real_exit(_RAISED)
        _real_exit(_SURVIVED)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def start(work: Callable[[], None]) -> int:
    """Begin ``work`` in a forked process; give its id, to ``wait`` for."""
    child = os.fork()
    if child == 0:
        _real_exit(_SURVIVED if in_child(work) == 0 else _RAISED)
    return child


def wait(child: int) -> int:
    """Wait until a process is gone; give its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def dies_at(wished: int, work: Callable[[], None]) -> bool:
    """Let a process that does ``work`` die at the ``wished``-th call; False if it got through."""

    def die(name: str, args: tuple[Any, ...]) -> None:
        if name == "write" and len(args[1]) > 1:
            half = bytes(args[1][: len(args[1]) // 2])
            descriptor = args[0]
            _real_write(descriptor, half)
        _real_exit(DIED)

    def run() -> None:
        with at_call(wished, die):
            work()

    code = in_child(run)
    assert code in {DIED, _SURVIVED}, f"the writer failed by itself: exit {code}"
    return code == DIED


_real_write = os.write


def raises_at(wished: int, number: int, work: Callable[[], None]) -> bool:
    """Do ``work`` with the ``wished``-th call failing; False if there were not so many calls."""
    failed = []

    def fail(name: str, _args: tuple[Any, ...]) -> None:
        failed.append(name)
        raise OSError(number, os.strerror(number))

    with at_call(wished, fail):
        work()
    return bool(failed)
