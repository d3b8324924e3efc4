"""The store: a folder of record files, written once and atomically, read with bounds.

A file is written under a temporary name, synced, then linked to its final name, which
fails if the name is taken. So a reader sees a whole record or none, whatever moment the
writer dies at, and two writers never overwrite each other.

A folder of records keeps an empty hidden file, so that git never sees it disappear. Where all
records of a month were forgotten or archived, and similar ones were written in another, git would
take that for a rename of the folder, and call it a conflict that another branch added to it.
"""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.records.layout import is_record_path
from gitmem.store.listing import Listing, Stamp, folder_stamp, problem, reason, stamp_of, walk
from gitmem.system import OPEN, OPEN_NO_LINK, relative_path, replace, sync_folder

if TYPE_CHECKING:
    from gitmem.records.problems import Problem

KEEP = ".gitkeep"
TEMP_SUFFIX = ".tmp"
_OLD_SECONDS = 3600
_ATTEMPTS = 5


class Store:
    """The record files under one memory folder. Paths are relative, with forward slashes."""

    def __init__(self, root: str, max_bytes: int) -> None:
        self.root = root
        self.max_bytes = max_bytes
        self._new_folders: set[str] = set()  # which got the file that keeps them from here

    def listing(self) -> Listing:
        """Stat every record file. Temporary and hidden files are passed over."""
        return walk(self.root)

    def stamp(self, path: str) -> Stamp:
        """Stat one file; raise FileNotFoundError if it is gone."""
        return stamp_of(os.lstat(self._full(path)))

    def stamps(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """Stat some files; those that are gone, no plain files, or behind a link are left out."""
        stamps: dict[str, Stamp] = {}
        plain = {"": True}

        def is_plain(folder: str) -> bool:
            is_plain_folder = plain.get(folder)
            if is_plain_folder is None:
                above = folder.rpartition("/")[0]
                is_plain_folder = is_plain(above) and folder_stamp(self._full(folder)) is not None
                plain[folder] = is_plain_folder
            return is_plain_folder

        for path in paths:
            if not is_plain(path.rpartition("/")[0]):
                continue
            try:
                status = os.lstat(self._full(path))
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                stamps[path] = stamp_of(status)
        return stamps

    def read(self, path: str) -> bytes:
        """Read one record file.

        Raises:
            ProblemError: it is too large or can't be read; carries the Problem.
            FileNotFoundError: it is gone.

        """
        try:
            handle, size = _open(self._full(path))
            try:
                if size <= self.max_bytes:
                    data = os.read(handle, size + 1)
                    # It has grown since, or comes in pieces.
                    while 0 < len(data) != size and (more := os.read(handle, self.max_bytes)):
                        data += more
                        if len(data) > self.max_bytes:
                            break
                    return data
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(path) from None
        except OSError as error:
            linked = error.errno == errno.ELOOP
            why = "a symbolic link is not followed" if linked else reason(error)
            code = "symlink" if linked else "unreadable"
            raise ProblemError(problem(path, code, why)) from None
        limit = f"{self.max_bytes / 2**20:g} MiB"
        message = f"{size / 2**20:.1f} MiB is too large for a record (limit {limit})"
        hint = "put large texts into an attachment, or raise limits.record_kib"
        raise ProblemError(problem(path, "oversized", message, hint))

    def create(self, path: str, data: bytes) -> None:
        """Write a new file, durably, all or nothing; raise ConflictError if the name is taken."""
        full = self._full(path)
        self._refuse_links(os.path.dirname(path))
        try:
            _write_where_git_deletes_folders(full, data)
        except FileExistsError:
            raise ConflictError(f"{path} already exists", "nothing was written") from None
        except OSError as error:
            raise EnvironmentProblem(
                f"can't write {full}: {reason(error)}",
                "nothing was written; fix that and try again",
            ) from None
        if is_record_path(path):
            with contextlib.suppress(OSError):  # the record is there; the next one makes up for it
                if _keep_folder(os.path.dirname(full)):
                    self._new_folders.add(os.path.dirname(full))

    def _refuse_links(self, folder: str) -> None:
        """Write nothing through a link: what lies behind is not read, and may be anywhere."""
        while folder:
            if os.path.islink(self._full(folder)):
                message = (
                    f"{self._full(folder)} is a symbolic link, so nothing is written through it"
                )
                raise ConflictError(message, "put the folder itself in its place")
            folder = os.path.dirname(folder)

    def replace(self, path: str, data: bytes) -> None:
        """Rewrite a file atomically: settings, and a fix that turned out to be none."""
        full = self._full(path)
        temporary = _temporary(full)
        sweep(os.path.dirname(full))
        try:
            _write_synced(temporary, data)
            replace(temporary, full)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise EnvironmentProblem(
                f"can't write {full}: {reason(error)}", "the old content is untouched"
            ) from None
        try:
            sync_folder(os.path.dirname(full))
        except OSError as error:
            raise EnvironmentProblem(
                f"{full} is written, but may not outlive a power cut: {reason(error)}",
                "check the disk, then write it again",
            ) from None

    def delete(self, path: str) -> None:
        """Delete one file. The folder of a record stays, also in git."""
        if is_record_path(path):
            with contextlib.suppress(OSError):  # on a full disk, too, something can be deleted
                _keep_folder(os.path.dirname(self._full(path)))
        try:
            os.unlink(self._full(path))
        except OSError as error:
            raise EnvironmentProblem(f"can't delete {path}: {reason(error)}") from None
        with contextlib.suppress(OSError):  # it is gone; only a power cut could bring it back
            sync_folder(os.path.dirname(self._full(path)))

    def take_back(self, path: str) -> None:
        """Delete a file that was only just created, and with the last one what keeps its folder."""
        self.delete(path)
        folder = os.path.dirname(self._full(path))
        with contextlib.suppress(OSError):
            if folder in self._new_folders and os.listdir(folder) == [KEEP]:
                os.unlink(os.path.join(folder, KEEP))
                self._new_folders.discard(folder)

    def _full(self, path: str) -> str:
        return os.path.join(self.root, path)


class ProblemError(Exception):
    """Carries a Problem out of a read."""

    def __init__(self, problem: "Problem") -> None:
        super().__init__(problem.message)
        self.problem = problem


def _open(full: str) -> tuple[int, int]:
    """Open a plain file; give its size, too."""
    # A pipe or a link that took its place after it was listed is not waited for or followed.
    handle = os.open(full, os.O_RDONLY | OPEN_NO_LINK)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a file")
    return handle, status.st_size


def _write_where_git_deletes_folders(full: str, data: bytes) -> None:
    """Write a new file in a folder that a checkout or a stash may delete while it is empty."""
    for attempt in range(_ATTEMPTS):
        try:
            _make_folders(os.path.dirname(full))
            sweep(os.path.dirname(full))
            _write_new(full, data)
        except FileNotFoundError:
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            return


def _temporary(full: str) -> str:
    folder, name = os.path.split(full)
    # A name of 255 bytes leaves no room for a longer one.
    return os.path.join(folder, f".{name[:40]}{os.urandom(6).hex()}{TEMP_SUFFIX}")


def _write_new(full: str, data: bytes) -> None:
    temporary = _temporary(full)
    try:
        _write_synced(temporary, data)
        try:
            os.link(temporary, full)
        except OSError as error:
            if error.errno not in {errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS}:
                raise
            # No hard links here: creation stays exclusive, but is not atomic against a crash.
            _write_synced(full, data)
    finally:
        with contextlib.suppress(OSError):  # ``leftovers`` names what stays
            os.unlink(temporary)
    try:
        sync_folder(os.path.dirname(full))
    except OSError:
        os.unlink(full)  # the caller says that nothing was written
        raise


def _keep_folder(folder: str) -> bool:
    """Write the empty file that keeps a folder in git, which git never takes for renamed.

    Tells whether there was none.
    """
    keep = os.path.join(folder, KEEP)
    if not os.path.lexists(keep):
        with contextlib.suppress(FileExistsError):
            _write_new(keep, b"")
            return True
    return False


def _write_synced(full: str, data: bytes) -> None:
    handle = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN, 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    except BaseException:
        os.close(handle)
        with contextlib.suppress(OSError):
            os.unlink(full)
        raise
    os.close(handle)


def _make_folders(folder: str) -> None:
    """Make missing folders, and sync the parents of those that were made."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for missing_folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            os.mkdir(missing_folder)
        sync_folder(os.path.dirname(missing_folder))


def leftovers(root: str) -> Iterator[str]:
    """Name temporary files that a killed writer left, relative to ``root``."""
    for folder, _, names in os.walk(root):
        for name in filter(is_leftover, names):
            yield relative_path(os.path.join(folder, name), root)


def is_leftover(name: str) -> bool:
    """Tell whether a file has the name that one has while it is written."""
    return name.startswith(".") and name.endswith(TEMP_SUFFIX)


def sweep(folder: str, is_ours: Callable[[str], bool] = is_leftover) -> None:
    """Delete what writers left in a folder that were killed more than an hour ago.

    Args:
        folder: where to look; not below it.
        is_ours: tells by its name whether a file is such a one.

    """
    before = time.time() - _OLD_SECONDS
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_ours(entry.name) and entry.stat(follow_symlinks=False).st_mtime < before:
                os.unlink(entry.path)
