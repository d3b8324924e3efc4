"""Paths touched in a memory's folder since the last look, reported by the kernel (Linux only).

``watch`` tells listeners of changes a moment after they were made. Here nobody is told, and
nobody waits: whoever asks looks into the kernel's own queue, which holds every change that was
made before the question. So a question knows whether it must compare any files, and which.
"""

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Iterator
from typing import Final

from gitmem.records.layout import KIND_OF_FOLDER
from gitmem.store.listing import ENDINGS, MAX_DEPTH, is_record
from gitmem.system import HAS_INOTIFY, OPEN

_OPEN: Final = 0x20
_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED = 0x2000, 0x4000, 0x8000
_ONLYDIR, _DONT_FOLLOW, _IS_DIR = 0x1000000, 0x2000000, 0x40000000
_NAMES: Final = _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
_LOST: Final = _UNMOUNT | _OVERFLOW | _MOVE_SELF
_WANTED: Final = _MODIFY | _ATTRIB | _CLOSE_WRITE | _NAMES | _DELETE_SELF | _MOVE_SELF | _ONLYDIR
_EVENT: Final = struct.Struct("iIII")
_MOST_PATHS: Final = 10_000
_READ_BYTES: Final = 1 << 16


class InotifyQueue:
    """Hears of the record files of one memory until it is closed.

    Args:
        folder: the memory's folder.

    Raises:
        OSError: the system can't tell: it is no Linux, or a limit is reached.

    """

    def __init__(self, folder: str) -> None:
        if not HAS_INOTIFY:
            raise OSError(errno.ENOSYS, "the system reports no changes")
        self._folder = folder
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._queue = self._called("inotify_init1", OPEN)
        self._names: dict[int, str] = {}
        self._root: tuple[int, int] | None = None
        try:
            self._listen_everywhere()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Stop listening."""
        if self._queue >= 0:
            os.close(self._queue)
        self._queue = -1

    def paths(self) -> frozenset[str] | None:
        """Give the record files that were touched since the last call; None: any may have been.

        Paths are relative to the memory's folder. What is touched after this began is told the
        next time.

        Raises:
            OSError: nothing can be heard any more.

        """
        changed: set[str] = set()
        is_everything = lost = False
        for watch, mask, name in self._events():
            folder = self._names.get(watch)
            if mask & _LOST or (mask & _DELETE_SELF and folder == ""):
                lost = True  # it is not known any more which folders there are
            elif mask & _IGNORED:
                self._names.pop(watch, None)
            elif not name:
                is_everything |= bool(mask & _ATTRIB)  # who may look into the folder
            elif folder is not None and not name.startswith("."):  # those are temporary files
                path = f"{folder}/{name}".lstrip("/")
                if mask & _IS_DIR and mask & (_CREATE | _MOVED_TO):
                    is_everything |= not self._listen(path, changed)
                elif is_record(path) and not mask & _IS_DIR:
                    changed.add(path)
                elif mask & _IS_DIR and mask & _DELETE:
                    continue  # it was empty by then
                elif path.partition("/")[0] in KIND_OF_FOLDER:
                    is_everything = True
                    lost |= bool(mask & _IS_DIR and mask & _MOVED_FROM)
                    self._listen(path)  # it may be a folder that can be read by now
        if lost or self._root != _identity(self._folder):
            self._listen_everywhere()
            return None
        return None if is_everything or len(changed) > _MOST_PATHS else frozenset(changed)

    def _events(self) -> Iterator[tuple[int, int, str]]:
        while True:
            try:
                data = os.read(self._queue, _READ_BYTES)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size
                name = data[at : at + length].rstrip(b"\0")
                at += length
                yield watch, mask, os.fsdecode(name)

    def _listen_everywhere(self) -> None:
        """Start again; a missing folder's return is noticed by its identity."""
        for watch in self._names:
            self._libc.inotify_rm_watch(self._queue, watch)
        self._names = {}
        self._root = _identity(self._folder)
        if self._root is not None:
            self._try_out()
            self._add("")
            for folder in KIND_OF_FOLDER:
                self._listen(folder)

    def _try_out(self) -> None:
        """Open the folder and hear of that: not every system tells what it says it will."""
        watch = self._called(
            "inotify_add_watch", self._queue, os.fsencode(self._folder), _OPEN | _ONLYDIR
        )
        os.close(os.open(self._folder, os.O_RDONLY | OPEN))
        if not any(of == watch and mask & _OPEN for of, mask, _ in self._events()):
            raise OSError(errno.ENOSYS, "the system does not tell what it should")

    def _listen(self, folder: str, changed: set[str] | None = None) -> bool:
        """Hear of a folder that records may lie in, and of those below.

        It is heard of before it is listed: what comes meanwhile shows in one or the other.

        Args:
            folder: relative to the memory's folder; one that is gone is none.
            changed: takes the record files that are there.

        Returns:
            Whether there is nothing but folders and names of record files.

        """
        if folder.partition("/")[0] not in KIND_OF_FOLDER:
            return True
        if folder.endswith(ENDINGS) or not self._add(folder):
            return False
        plain, below = True, []
        try:
            with os.scandir(os.path.join(self._folder, folder)) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}"
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        below.append(path)
                    elif changed is not None:
                        changed.add(path)
                        plain = plain and is_record(path)
        except OSError:
            return False
        for path in below if folder.count("/") < MAX_DEPTH else ():
            plain = self._listen(path, changed) and plain
        return plain

    def _add(self, folder: str) -> bool:
        full = os.path.join(self._folder, folder) if folder else self._folder
        mask = _WANTED | (_DONT_FOLLOW if folder else 0)
        try:
            watch = self._called("inotify_add_watch", self._queue, os.fsencode(full), mask)
        except OSError as error:
            # What can't be read is not listed either, and its stamps are told by the one above.
            if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP}:
                return False
            raise
        self._names[watch] = folder
        return True

    def _called(self, name: str, *arguments: object) -> int:
        done = int(getattr(self._libc, name)(*arguments))
        if done < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return done


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None
