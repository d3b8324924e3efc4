"""Catalog and index of one memory, brought up to date on request.

The catalog is compared with the files by their stamps, and the index with the catalog by
digests, the latter only when a text question is asked. Both happen under one lock. Where
that can't be done (a read-only disk, a live writer, no locks) the answer comes from the
files alone: slower, never wrong.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from gitmem.catalog.catalog import Catalog, CatalogDamaged
from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.index.protocol import Index, IndexDamaged
from gitmem.matching.version import VERSION as RULES
from gitmem.store.files import Stamp, Store
from gitmem.store.lock import LockUnavailable, lock
from gitmem.sync.difference import difference
from gitmem.sync.progress import Progress, quiet

if TYPE_CHECKING:
    from gitmem.index.document import Impacts
    from gitmem.records.problems import Problem
    from gitmem.sync.reading import Reading

_ATTEMPTS = 3
_Answer = TypeVar("_Answer")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _why_locked(error: LockUnavailable) -> str:
    cause = error.__cause__
    if isinstance(cause, OSError) and not isinstance(cause, BlockingIOError):
        return _reason(cause)
    return "another process is updating it"


class Derived:
    """Derived state of one memory.

    Args:
        store: the files.
        directory: where derived state lies, under the git directory; None: in memory only.
        wait_seconds: how long to wait for another process that updates it.

    """

    def __init__(self, store: Store, directory: str | None, wait_seconds: float) -> None:
        self.store = store
        self.directory = directory
        self.wait_seconds = wait_seconds
        self.notices: list[str] = []
        self.file_problems: list[Problem] = []
        self._catalog: Catalog | None = None
        self._index: Index | None = None
        self._opened_from = 0  # inode of the open catalog

    def close(self) -> None:
        """Close files."""
        for part in (self._catalog, self._index):
            if part is not None:
                part.close()
        self._catalog = self._index = None

    @property
    def opened(self) -> Catalog:
        """The catalog as ``catalog`` or ``index`` left it, without another look at the files."""
        return self.catalog() if self._catalog is None else self._catalog

    def catalog(self, progress: Progress = quiet) -> Catalog:
        """Give the catalog, in step with the files."""
        return self._or_from_files(lambda: self._caught_up(progress, indexed=False)[0], progress)

    def index(self, progress: Progress = quiet) -> Index:
        """Give the text index, in step with the files; ``catalog`` is so, too."""
        self._or_from_files(lambda: self._caught_up(progress, indexed=True)[0], progress)
        if self._index is None:
            self._index = self._scan_index(progress)
        return self._index

    def rebuild(self, progress: Progress = quiet) -> None:
        """Throw derived state away and make it anew from the files.

        Raises:
            ConflictError: another process is updating it.
            EnvironmentProblem: the folder can't be written.

        """
        self.close()
        if self.directory is not None:
            try:
                os.makedirs(self.directory, exist_ok=True)
                with lock(self._path("lock"), self.wait_seconds):
                    self._wipe()
            except LockUnavailable:
                raise ConflictError(
                    "another process is updating the index", "try again when it is done"
                ) from None
            except OSError as error:
                raise EnvironmentProblem(
                    f"can't rebuild {self.directory}: {_reason(error)}",
                    "until then, answers come from the files",
                ) from None
        self.index(progress)

    def mended(self, question: Callable[[], _Answer]) -> _Answer:
        """Answer a question; where derived state proves damaged by it, make that anew first."""
        for _ in range(_ATTEMPTS):
            try:
                return question()
            except (CatalogDamaged, IndexDamaged):
                self._start_over()
        self._give_up("it is damaged again and again")
        return question()

    def _start_over(self) -> None:
        self.close()
        try:
            if self.directory is not None:
                with lock(self._path("lock"), self.wait_seconds):
                    self._wipe()
        except LockUnavailable as error:
            self._give_up(_why_locked(error))
        except OSError as error:
            self._give_up(_reason(error))

    # Without a place for derived state

    def _or_from_files(self, caught_up: Callable[[], Catalog], progress: Progress) -> Catalog:
        if self.directory is not None:
            try:
                return caught_up()
            except LockUnavailable as error:
                self._give_up(_why_locked(error))
            except OSError as error:
                self._give_up(_reason(error))
        if self._catalog is None:
            self._catalog = Catalog(":memory:", RULES)
        if self._differs(self._catalog):
            self._index = None
            self._update(self._catalog, None, progress)
        return self._catalog

    def _give_up(self, reason: str) -> None:
        self.close()
        self.directory = None
        self.notices.append(f"index not usable ({reason}): answered from the files, slower")

    def _scan_index(self, progress: Progress) -> Index:
        from gitmem.index.scan_index import ScanIndex  # noqa: PLC0415  rarely needed

        index: Index = ScanIndex()
        if self._catalog is not None:
            paths = self._catalog.record_paths()
            index.update(self._documents(self._catalog, paths, progress, []), ())
        return index

    # On disk

    def _caught_up(self, progress: Progress, *, indexed: bool) -> tuple[Catalog, Index | None]:
        os.makedirs(self.directory or "", exist_ok=True)
        for _ in range(_ATTEMPTS):
            if self._opened_from != self._on_disk():
                self.close()  # another process made a new one
            try:
                catalog = self._catalog = self._catalog or self._open_catalog()
                if indexed:
                    self._index = self._index or self._open_index()
                if self._differs(catalog) or (self._index and self._lags(catalog, self._index)):
                    self._catch_up(catalog, progress)
            except CatalogDamaged:
                self.close()
                with lock(self._path("lock"), self.wait_seconds):
                    self._wipe()
            except IndexDamaged:
                self._start_index_anew()
            else:
                return catalog, self._index
        raise OSError(0, "it can't be rebuilt")

    def _catch_up(self, catalog: Catalog, progress: Progress) -> None:
        with lock(self._path("lock"), self.wait_seconds):
            if self._index is None:
                self._update(catalog, None, progress)
                return
            # Another process may have been here while this one waited.
            self._index.close()
            self._index = self._open_index()
            if self._index.generation() != catalog.meta("index_generation"):
                raise IndexDamaged("out of step with the catalog")
            self._update(catalog, self._index, progress)
            self._feed(catalog, self._index, progress)

    def _open_catalog(self) -> Catalog:
        path = self._path("catalog.sqlite")
        if os.path.exists(path):
            self._opened_from = self._on_disk()
            return Catalog(path, RULES)
        with lock(self._path("lock"), self.wait_seconds):
            catalog = Catalog(path, RULES)
            self._opened_from = self._on_disk()
            return catalog

    def _on_disk(self) -> int:
        """Give the inode of the catalog; 0 if there is none."""
        try:
            return os.stat(self._path("catalog.sqlite")).st_ino
        except FileNotFoundError:
            return 0

    def _open_index(self) -> Index:
        from gitmem.index.whoosh_index import WhooshIndex  # noqa: PLC0415  start-up

        return WhooshIndex(self._path("index"))

    def _path(self, name: str) -> str:
        return os.path.join(self.directory or "", name)

    def _wipe(self) -> None:
        for name in ("catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm", "index"):
            path = self._path(name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.lexists(path):
                os.unlink(path)

    def _start_index_anew(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None
        with lock(self._path("lock"), self.wait_seconds):
            shutil.rmtree(self._path("index"), ignore_errors=True)
            catalog = self._catalog = self._catalog or Catalog(self._path("catalog.sqlite"), RULES)
            with catalog.writing():
                catalog.clear_indexed()
                catalog.set_meta("index_generation", "")

    # What differs, and taking it in

    def _differs(self, catalog: Catalog) -> bool:
        listing = self.store.listing()
        self.file_problems = listing.problems
        return bool(difference(listing.files, catalog.states()))

    @staticmethod
    def _lags(catalog: Catalog, index: Index) -> bool:
        in_step = index.generation() == catalog.meta("index_generation")
        return not in_step or any(catalog.index_backlog())

    def _update(self, catalog: Catalog, index: Index | None, progress: Progress) -> None:
        """Take changed files into the catalog, and in the same reading into the index."""
        from gitmem.sync.reading import read_files  # noqa: PLC0415  start-up

        listing = self.store.listing()
        self.file_problems = listing.problems
        known = catalog.states()
        changes = difference(listing.files, known)
        wanted = {**changes.read, **changes.recheck}
        if not changes:
            return
        taken: list[int] = []

        def take(readings: "Iterable[Reading]") -> "Iterator[tuple[int, Impacts]]":
            for done, (change, document) in enumerate(readings, 1):
                state = known.get(change.path)
                if state and change.digest and state.digest == change.digest:
                    catalog.restamp(state.file, change.stamp, change.read_ns)
                else:
                    file = catalog.put(change)
                    if document is not None:
                        taken.append(file)
                        yield file, document
                progress("reading", done, len(wanted))

        with catalog.writing():
            for file in changes.gone:
                catalog.remove(file)
            readings = read_files(self.store, wanted)
            if index is None:
                for _ in take(readings):
                    pass
            else:
                # Files that hold no record any more are dropped by the backlog that follows.
                generation = index.update(take(readings), changes.gone)
                catalog.set_indexed(taken, changes.gone, generation)

    def _feed(self, catalog: Catalog, index: Index, progress: Progress) -> None:
        """Take into the index what only the catalog has taken in so far."""
        new, gone = catalog.index_backlog()
        if new or gone:
            taken: list[int] = []
            generation = index.update(self._documents(catalog, new, progress, taken), gone)
            with catalog.writing():
                catalog.set_indexed(taken, gone, generation)

    def _documents(
        self, catalog: Catalog, paths: dict[int, str], progress: Progress, taken: list[int]
    ) -> "Iterator[tuple[int, Impacts]]":
        from gitmem.sync.reading import read_files  # noqa: PLC0415  start-up

        stamp = Stamp(0, 0, 0, 0)  # the catalog has the true ones; only the content is wanted
        files = {path: file for file, path in paths.items()}
        known = catalog.states()
        readings = read_files(self.store, dict.fromkeys(files, stamp))
        for done, (change, document) in enumerate(readings, 1):
            progress("indexing", done, len(files))
            # What changed since, the next catch-up takes: the index must not be ahead either.
            if document is not None and change.digest == known[change.path].digest:
                taken.append(files[change.path])
                yield files[change.path], document
