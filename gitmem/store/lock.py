"""One lock for whoever updates derived state; the kernel releases it when the process ends."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
"""A copied folder may have a link or a pipe where the lock should be."""


class LockUnavailable(Exception):  # noqa: N818  a state, not a fault
    """Another process holds the lock, or this file system has none."""

    @property
    def reason(self) -> str:
        """Why it could not be had, in a few words."""
        cause = self.__cause__
        if isinstance(cause, OSError) and not isinstance(cause, BlockingIOError):
            return (cause.strerror or str(cause)).lower()
        return "another process is updating it"


@contextmanager
def lock(path: str, wait_seconds: float) -> Iterator[None]:
    """Hold an exclusive lock on ``path``; raise LockUnavailable after ``wait_seconds``."""
    try:
        handle = os.open(path, _FLAGS, 0o666)
    except OSError as error:
        raise LockUnavailable(path) from error
    try:
        _acquire(handle, path, time.monotonic() + wait_seconds)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, path: str, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() >= deadline:
                raise LockUnavailable(path) from error
            time.sleep(0.02)
        except OSError as error:
            raise LockUnavailable(path) from error
        else:
            return
