"""The operating system: all that differs from one to another, and the only place that asks.

``unix`` and ``windows`` have the same names, each with what its system does; ``child`` runs the
user's command.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform == "win32":
    from gitmem.system.windows import *  # noqa: F403  one name a difference
    from gitmem.system.windows import OPEN_NO_LINK, lock_file
else:
    from gitmem.system.unix import *  # noqa: F403
    from gitmem.system.unix import OPEN_NO_LINK, lock_file


class LockUnavailable(Exception):  # noqa: N818  a state, not a fault
    """Another process holds the lock, or this file system has none."""

    @property
    def reason(self) -> str:
        """Why it could not be had, in a few words."""
        cause = self.__cause__
        if isinstance(cause, OSError):
            return (cause.strerror or str(cause)).lower()
        return "another process is updating it"


@contextmanager
def lock(path: str, wait_seconds: float) -> Iterator[None]:
    """Hold an exclusive lock on ``path``; raise LockUnavailable after ``wait_seconds``.

    The system drops it when the process ends.
    """
    try:  # a copied folder may have a link or a pipe where the lock should be
        handle = os.open(path, os.O_RDWR | os.O_CREAT | OPEN_NO_LINK, 0o666)
    except OSError as error:
        raise LockUnavailable(path) from error
    try:
        try:
            locked = locked_within(handle, wait_seconds)
        except OSError as error:
            raise LockUnavailable(path) from error
        if not locked:
            raise LockUnavailable(path)
        yield
    finally:
        os.close(handle)


def locked_within(handle: int, seconds: float, *, shared: bool = False) -> bool:
    """Lock an open file as ``lock_file`` does; false where another has it all that time.

    Raises:
        OSError: this file system has no locks.

    """
    deadline, step = time.monotonic() + seconds, 0.002
    while True:
        try:
            lock_file(handle, shared=shared)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(step)
            step = min(2 * step, 0.02)
        else:
            return True
