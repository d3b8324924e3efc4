"""Derived state of a memory at a commit, or over all branches.

Files are read from git's objects. What was made of them is kept, under the name of the tree, and
begins as a copy of the present state: two revisions have most records in common.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from gitmem.catalog.catalog import Catalog, CatalogChange
from gitmem.errors import EnvironmentProblem
from gitmem.git.git_dirs import GitDirs
from gitmem.git.objects import Objects, blobs_of, edited, tree_of
from gitmem.store.files import ProblemError, Store
from gitmem.store.listing import Listing, Stamp, is_record, problem
from gitmem.sync import folder
from gitmem.sync.derived import Derived
from gitmem.sync.without_sync import Fixed
from gitmem.system import LockUnavailable, lock, relative_path

_MOST_KEPT_STATES: Final = 8
_MOST_BYTES: Final = 1 << 30
"""Of derived state of revisions; at 100,000 records each takes about 120 MB of its own."""
_LEAST_SHARED: Final = 0.5


class PastStore(Store):
    """Record files as git has them. Nothing can be written.

    Args:
        root: where the memory's folder is now.
        max_bytes: the largest record.
        git_dirs: the repository.
        load: gives the ids of the files by their paths in the memory's folder; of 100,000 git
            lists them in 0.1 s, which is not done before it is needed.
        tree: the id of the tree that holds just those files; empty if none does.

    """

    def __init__(
        self,
        root: str,
        max_bytes: int,
        git_dirs: GitDirs,
        load: Callable[[], Mapping[str, str]],
        tree: str = "",
    ) -> None:
        super().__init__(root, max_bytes)
        self._load = load
        self._tree = tree
        self._objects = Objects(git_dirs)

    @cached_property
    def blobs(self) -> dict[str, str]:
        """The ids of the record files, by their paths."""
        return {path: name for path, name in self._load().items() if is_record(path)}

    def listing(self) -> Listing:
        """Give every record file; its stamp follows from its content."""
        return Listing(self.stamps(self.blobs), [], {})

    def stamp(self, path: str) -> Stamp:
        """Stamp one file; raise FileNotFoundError if it was not there."""
        try:
            return _stamp(self.blobs[path])
        except KeyError:
            raise FileNotFoundError(path) from None

    def stamps(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """Stamp some files; those that were not there are left out."""
        return {path: _stamp(self.blobs[path]) for path in paths if path in self.blobs}

    def read(self, path: str) -> bytes:
        """Read one record file; errors are those of ``Store.read``."""
        stored = None
        if self._tree and "blobs" not in self.__dict__ and "\n" not in path:
            stored = self._objects.read(f"{self._tree}:{path}", self.max_bytes)
        if stored is None:
            if path not in self.blobs:
                raise FileNotFoundError(path)
            stored = self._objects.read(self.blobs[path], self.max_bytes)
        if stored is None:
            why = "this clone does not have its content"
            hint = "it is a partial clone: git fetch it, or ask in a full one"
            raise ProblemError(problem(path, "unreadable", why, hint))
        data, size = stored
        if size > self.max_bytes:
            message = f"{size / 2**20:.1f} MiB is too large for a record"
            raise ProblemError(problem(path, "oversized", message))
        return data

    def close(self) -> None:
        """End what reads."""
        self._objects.close()


def _stamp(name: str) -> Stamp:
    return 0, 0, 0, int(name[:15], 16)  # SQLite's numbers have 63 bits


class Past(Fixed):
    """Catalog and index of files that git has.

    Args:
        live: the present state, which it begins as a copy of.
        store: the files.
        git_dirs: the repository.
        tree: a name for what the files hold, which tells it from every other.

    """

    def __init__(self, live: Derived, store: PastStore, git_dirs: GitDirs, tree: str) -> None:
        base = os.path.join(live.directory, "at") if live.directory else None
        directory = os.path.join(base, tree[:20]) if base else None
        super().__init__(store, directory, live.wait_seconds, live.team_rules, lambda: tree)
        self.first_come = live.first_come
        self._past = store
        self._live = live
        self._git = git_dirs

    def close(self) -> None:
        """Close files."""
        super().close()
        self._past.close()

    def _open_catalog(self) -> Catalog:
        if self.directory and not folder.has_catalog(self.directory):
            with contextlib.suppress(LockUnavailable, EnvironmentProblem, OSError):
                self._begin_as_copy(self.directory)
            _trim(os.path.dirname(self.directory), os.path.basename(self.directory))
        elif self.directory:
            with contextlib.suppress(OSError):
                os.utime(self.directory)  # looked at now: the last to be dropped
        return super()._open_catalog()

    def _begin_as_copy(self, directory: str) -> None:
        if not self._past.blobs:
            return
        same = self._unchanged()
        if len(same) < _LEAST_SHARED * len(self._past.blobs):
            return
        live = self._live
        live.mended(live.index)
        if live.directory is None:
            return
        beside = self._path(f"{folder.CATALOG}.copy")
        with (
            lock(self._path("lock"), self.wait_seconds),
            lock(os.path.join(live.directory, "lock"), self.wait_seconds),
        ):
            if folder.has_catalog(directory):
                return
            folder.wipe(directory)
            folder.share_index(live.directory, directory)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(beside)
            live.opened.copy_to(beside)
            self._restamp(beside, same)
            os.replace(beside, self._path(folder.CATALOG))

    def _unchanged(self) -> set[str]:
        """Give the files that are in the work tree just as they were."""
        root = relative_path(self._past.root, self._git.root)
        tree = tree_of(self._git, "HEAD", root)
        now = blobs_of(self._git, tree) if tree else {}
        unchanged = {path for path, name in self._past.blobs.items() if now.get(path) == name}
        return unchanged - edited(self._git, root)

    def _restamp(self, path: str, same: set[str]) -> None:
        catalog = self._new_catalog(path)
        try:
            states = catalog.states()
            now = time.time_ns()
            with catalog.writing():
                catalog.restamp(
                    (
                        state.file,
                        CatalogChange(path, self._past.stamp(path), now, state.digest, None, []),
                    )
                    for path, state in states.items()
                    if path in same
                )
        finally:
            catalog.close()


def _trim(base: str, own: str) -> None:
    """Drop the revisions that were not looked at for the longest time."""
    with contextlib.suppress(OSError):
        with os.scandir(base) as entries:
            newest_last = sorted(
                (entry.stat().st_mtime_ns, entry.path) for entry in entries if entry.name != own
            )
        room = _MOST_BYTES
        for number, (_, path) in enumerate(reversed(newest_last), 1):
            room -= folder.bytes_in(path)
            if number >= _MOST_KEPT_STATES or room < 0:
                folder.remove_tree(path)
