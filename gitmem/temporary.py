"""Folders for a moment, which do not pile up where their processes are killed."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from gitmem.system import is_alive, is_ours

_NAME: Final = re.compile(r"gitmem-(\d+)-")
_OLD_SECONDS: Final = 86_400  # processes of a container that shares the folder have other ids


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Give a new folder that goes at the end of the block, and delete those of killed processes.

    Raises:
        OSError: none can be made.

    """
    folder = make_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_folder() -> str:
    """Make a folder that the caller deletes; one of a killed process is deleted here later."""
    _sweep(tempfile.gettempdir())
    return tempfile.mkdtemp(prefix=f"gitmem-{os.getpid()}-")


def _sweep(base: str) -> None:
    before = time.time() - _OLD_SECONDS
    with suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            match = _NAME.match(entry.name)
            if match is None or not entry.is_dir(follow_symlinks=False):
                continue
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                ours = is_ours(entry.path, status) and status.st_mtime < before
                if ours and not is_alive(int(match[1])):
                    shutil.rmtree(entry.path, ignore_errors=True)
