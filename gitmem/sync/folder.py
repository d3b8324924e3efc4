"""The folder of derived state: which files lie there, how they are cleared and replaced.

Callers exclude other writers.
"""

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from typing import Final

from gitmem.catalog.database import CatalogDamaged
from gitmem.git.edits import COPY, LEFT
from gitmem.sync import VERSION
from gitmem.sync.record_vectors import FILES as VECTORS
from gitmem.sync.record_vectors import VOCABULARY
from gitmem.system import LockUnavailable, lock

CATALOG: Final = "catalog.sqlite"
INDEX: Final = "index"
_SEGMENT: Final = "MAIN_"
BESIDE: Final = "next"
"""Where a rebuild makes the state that takes the place of the present one."""
SECONDS_A_FILE: Final = 0.001
"""To read a file and to index its text, about. So long whoever holds the lock is waited for: to
read the same files here, too, would take no less."""
_UNUSED_SECONDS: Final = 14 * 24 * 3600
"""After so long the state of another version is removed; that one would only have to rebuild it."""
EMBEDDING: Final = "embedding.lock"
"""Held by the one process that makes vectors which take long."""
_OF_CATALOG: Final = (CATALOG, f"{CATALOG}-wal", f"{CATALOG}-shm")


def enter(directory: str) -> None:
    """Make the folder, or note that it is in use: some day, other versions remove an unused one."""
    try:
        os.utime(directory)
    except OSError:
        os.makedirs(directory, exist_ok=True)


def remove_unused(directory: str) -> None:
    """Remove the state of other versions that none of them has entered for long.

    Folders that do not end with this version, as those of revisions, have none beside them.
    """
    parent, own = os.path.split(directory)
    stem = own.removesuffix(f".{VERSION}")
    if stem == own:
        return
    with contextlib.suppress(OSError):
        for name in os.listdir(parent):
            if name != own and f"{name}.".startswith(f"{stem}."):
                _remove_if_unused(os.path.join(parent, name))


def _remove_if_unused(directory: str) -> None:
    status = os.lstat(directory)
    if stat.S_ISDIR(status.st_mode) and time.time() - status.st_mtime > _UNUSED_SECONDS:
        with contextlib.suppress(LockUnavailable), lock(os.path.join(directory, "lock"), 0):
            remove_tree(directory)


def catalog_inode(directory: str) -> int:
    """Give the inode of the catalog, another one if it was replaced; 0 if there is none."""
    try:
        return os.stat(os.path.join(directory, CATALOG)).st_ino
    except FileNotFoundError:
        return 0


def has_catalog(directory: str) -> bool:
    """Tell whether there is a catalog with something in it.

    Raises:
        CatalogDamaged: there is what is no plain file or folder.

    """
    for path in _strangers(directory):
        raise CatalogDamaged(f"{path} is no plain file")
    try:
        return os.stat(os.path.join(directory, CATALOG)).st_size > 0
    except FileNotFoundError:
        return False


def remove_tree(path: str) -> None:
    """Remove a folder with everything in it, as far as that can be done."""
    import shutil  # noqa: PLC0415  start-up

    shutil.rmtree(path, ignore_errors=True)


def share_index(directory: str, other: str) -> None:
    """Give another folder of derived state the same index; raise OSError if that can't be done.

    Segments are written once, under names that are never used again, and take no room twice.
    """
    import shutil  # noqa: PLC0415  start-up

    source, target = os.path.join(directory, INDEX), os.path.join(other, INDEX)
    if not os.path.isdir(source):
        return  # an empty memory has none
    os.mkdir(target)
    with os.scandir(source) as entries:
        for entry in entries:
            copy = os.path.join(target, entry.name)
            if entry.name.startswith(_SEGMENT):
                try:
                    os.link(entry.path, copy)
                except OSError:
                    shutil.copyfile(entry.path, copy)
            elif entry.is_file():
                shutil.copyfile(entry.path, copy)


def bytes_in(directory: str) -> int:
    """Say how many bytes a folder takes that no other one shares."""
    taken = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            status = os.stat(os.path.join(folder, name))
            taken += status.st_size // status.st_nlink
    return taken


def _strangers(directory: str) -> Iterator[str]:
    """Give what is neither a file nor a folder: it leads elsewhere, or who opens it waits.

    And a folder in place of the word table's vocabulary, which nothing else would mend.
    """
    for folder in (directory, os.path.join(directory, INDEX)):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as here:
            for entry in here:
                is_folder = entry.is_dir(follow_symlinks=False) and entry.name != VOCABULARY
                if not is_folder and not entry.is_file(follow_symlinks=False):
                    yield entry.path


def wipe(directory: str) -> None:
    """Remove catalog, index and vectors; raise OSError if a file can't be removed."""
    ours = (*_OF_CATALOG, INDEX, *VECTORS.values(), COPY, LEFT)
    for path in (*_strangers(directory), *(os.path.join(directory, name) for name in ours)):
        if os.path.isdir(path) and not os.path.islink(path):
            remove_tree(path)
        elif os.path.lexists(path):
            os.unlink(path)


def replace(directory: str) -> None:
    """Put what a rebuild made in the place of what is there; the catalog comes last."""
    beside = os.path.join(directory, BESIDE)
    wipe(directory)
    for name in (INDEX, *VECTORS.values(), CATALOG):
        if os.path.lexists(os.path.join(beside, name)):  # an empty memory has no index
            os.replace(os.path.join(beside, name), os.path.join(directory, name))
    remove_tree(beside)
