"""Index work in a process of its own: missing vectors, a while at a time, and many new files.

A question starts one for vectors where a sentence model is installed and some are missing, as git
starts its upkeep. One runs at a time, gives way to other work, and leaves what it made if it ends.
A server waits for one that takes many files into the index, while its other threads answer.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Final

from gitmem.sync.folder import EMBEDDING
from gitmem.system import LockUnavailable, lock

SECONDS: Final = 600.0
"""After which it ends; the next question starts another one if vectors are still missing."""
_APART: Final = 30.0
_started: dict[str, tuple[float, "subprocess.Popen[bytes] | None"]] = {}
_updating: dict[str, "subprocess.Popen[bytes] | None"] = {}


def start_embedding(directory: str | None, root: str, environ: Mapping[str, str]) -> None:
    """Start the process, unless one runs or was started a moment ago.

    Args:
        directory: where derived state lies; None: nothing can be kept.
        root: the folder of the memory's work tree.
        environ: environment variables for it.

    """
    if directory is None:
        return
    at, child = _started.get(directory, (-_APART, None))
    if time.monotonic() - at < _APART or (child is not None and child.poll() is None):
        return
    busy = _is_held(directory, EMBEDDING)
    child = None if busy else _start(root, environ, "semantic", "read")
    _started[directory] = time.monotonic(), child


def start_updating(directory: str | None, root: str, environ: Mapping[str, str]) -> None:
    """Start the process that takes everything into the index, unless somebody writes there.

    Args:
        directory: where derived state lies; None: nothing can be kept.
        root: the folder of the memory's work tree.
        environ: environment variables for it.

    """
    if directory is None or ((child := _updating.get(directory)) and child.poll() is None):
        return
    if not _is_held(directory, "lock"):
        _updating[directory] = _start(root, environ, "update")


def update_index(root: str, environ: Mapping[str, str]) -> None:
    """Wait for a process that takes everything into the index; where there is none, do nothing.

    Args:
        root: the folder of the memory's work tree.
        environ: environment variables for it.

    """
    if child := _start(root, environ, "update"):
        child.wait()


def _is_held(directory: str, name: str) -> bool:
    """Tell whether another process holds a lock in the folder of derived state, if it is there."""
    if not os.path.isdir(directory):
        return False
    try:
        with lock(os.path.join(directory, name), 0):
            return False
    except LockUnavailable:
        return True


def _start(root: str, environ: Mapping[str, str], *what: str) -> "subprocess.Popen[bytes] | None":
    command = [sys.executable, "-P", "-m", "gitmem", "-C", root, "index", *what, "--beside"]
    try:
        return subprocess.Popen(  # noqa: S603  ourselves
            command,
            cwd=root,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None  # no room for it now: the next question tries again
