"""Polls a memory for changes by file stamps, where the system reports none."""

import os
import re
from typing import Final

from gitmem.records.layout import MARKER
from gitmem.store.listing import Stamp, stamp_of, walk
from gitmem.store.store_change import WatchedStore

# File systems whose other users change files without this machine's kernel knowing.
_REMOTE: Final = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "drvfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
     "prl_fs", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs"}
)  # fmt: skip
_MOUNTS: Final = "/proc/self/mounts"
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_HEAD_BYTES: Final = 4096


def file_system(path: str, mounts: str = _MOUNTS) -> str:
    """Name the file system type of a path; empty if it is unknown."""
    real = os.path.realpath(path)
    best, kind = "", ""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields = line.split(" ")
                if len(fields) < 3:  # noqa: PLR2004  device, place, type
                    continue
                mount_point = _OCTAL.sub(lambda match: chr(int(match[1], 8)), fields[1])
                inside = real == mount_point or real.startswith(mount_point.rstrip("/") + "/")
                # The last of several at one place hides the others.
                if inside and len(mount_point) >= len(best):
                    best, kind = mount_point, fields[2]
    except OSError:
        return ""
    return kind


def is_remote(kind: str) -> bool:
    """Tell whether files of such a file system change without a word to this machine."""
    return kind in _REMOTE or kind.startswith("fuse.")


class Poll:
    """What one memory looked like at the last look.

    Args:
        place: where it is.

    """

    def __init__(self, place: WatchedStore) -> None:
        self._folder = place.folder
        self._path_of_head = place.head
        self._stamps = self._look()
        self._head = self._read_head()

    def changed(self) -> tuple[set[str], bool]:
        """Look again: paths that differ from the last look, and whether HEAD moved."""
        before, self._stamps = self._stamps, self._look()
        paths = {path for path, stamp in self._stamps.items() if before.get(path) != stamp}
        paths |= before.keys() - self._stamps.keys()
        head, self._head = self._head, self._read_head()
        return paths, head != self._head

    def _look(self) -> dict[str, Stamp]:
        stamps = dict(walk(self._folder).files)
        try:
            stamps[MARKER] = stamp_of(os.lstat(os.path.join(self._folder, MARKER)))
        except OSError:
            return stamps
        return stamps

    def _read_head(self) -> bytes:
        try:
            with open(self._path_of_head, "rb") as file:
                return file.read(_HEAD_BYTES)
        except OSError:
            return b""
