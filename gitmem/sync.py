"""Catch up before answering: the only place where files, catalog and index meet.

The catalog is compared with the files by their stamps; a file as young as its reading is
compared by content. The index is compared with the catalog by digests, and only when a
text question is asked. Both happen under one lock. Where that can't be done (a read-only
disk, a live writer, no locks) the answer comes from the files alone: slower, never wrong.
"""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from gitmem.catalog.catalog import Catalog, CatalogDamaged, Change, FileState
from gitmem.index.protocol import Index, IndexDamaged
from gitmem.records.layout import id_in
from gitmem.records.problems import Problem
from gitmem.store.files import ProblemError, Stamp, Store
from gitmem.store.lock import LockUnavailable, lock

Progress = Callable[[str, int, int], None]
_RACY_NS: Final = 2_000_000_000  # the coarsest time stamps in use (FAT)
# Characters that make a text read otherwise than it is: bidirectional controls, zero width.
_HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


class Difference(NamedTuple):
    """How the files differ from the catalog."""

    read: dict[str, Stamp]
    gone: list[int]
    recheck: dict[str, Stamp]

    def __bool__(self) -> bool:
        return bool(self.read or self.gone)


def difference(files: dict[str, Stamp], known: dict[str, FileState]) -> Difference:
    """Compare stamps. ``recheck`` are files whose stamp is too young to be trusted."""
    found = Difference({}, [], {})
    for path, stamp in files.items():
        state = known.get(path)
        if state is None or state.stamp != stamp:
            found.read[path] = stamp
        elif stamp.mtime_ns + _RACY_NS > state.read_ns:
            found.recheck[path] = stamp
    found.gone.extend(state.file for path, state in known.items() if path not in files)
    return found


class Derived:
    """Catalog and index of one memory, brought up to date on request.

    Args:
        store: the files.
        directory: where derived state lives, under the git directory; None: in memory only.
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

    def close(self) -> None:
        """Close files."""
        for part in (self._catalog, self._index):
            if part is not None:
                part.close()
        self._catalog = self._index = None

    def catalog(self, progress: Progress = quiet) -> Catalog:
        """Give the catalog, in step with the files."""
        if self.directory is not None:
            try:
                return self._catch_up(self.directory, progress)
            except LockUnavailable:
                self._in_memory("another process is updating it")
            except OSError as error:
                self._in_memory((error.strerror or str(error)).lower())
        return self._read_all(progress)

    def index(self, progress: Progress = quiet) -> Index:
        """Give the text index, in step with the catalog."""
        catalog = self.catalog(progress)
        if self.directory is not None:
            try:
                return self._index_on_disk(catalog, self.directory, progress)
            except LockUnavailable:
                self._in_memory("another process is updating it")
            except OSError as error:
                self._in_memory((error.strerror or str(error)).lower())
            catalog = self._read_all(progress)
        if self._index is None:
            from gitmem.index.scan_index import ScanIndex  # noqa: PLC0415  rarely needed

            self._index = ScanIndex()
        self._feed(self._index, catalog, progress)
        return self._index

    def rebuild(self, progress: Progress = quiet) -> None:
        """Throw derived state away and make it anew from the files."""
        self.close()
        if self.directory is not None:
            os.makedirs(self.directory, exist_ok=True)
            with lock(self._path("lock"), self.wait_seconds):
                self._wipe()
        self.index(progress)

    # The catalog

    def _in_memory(self, reason: str) -> None:
        self.close()
        self.directory = None
        self.notices.append(f"index not usable ({reason}): answered from the files, slower")

    def _read_all(self, progress: Progress) -> Catalog:
        if self._catalog is None:
            self._catalog = Catalog(":memory:")
        self._update(self._catalog, progress)
        return self._catalog

    def _catch_up(self, directory: str, progress: Progress) -> Catalog:
        os.makedirs(directory, exist_ok=True)
        for _ in range(3):
            try:
                if self._catalog is None:
                    self._catalog = self._open()
                if self._pending(self._catalog):
                    with lock(self._path("lock"), self.wait_seconds):
                        self._update(self._catalog, progress)
            except CatalogDamaged:
                self.close()
                with lock(self._path("lock"), self.wait_seconds):
                    self._wipe()
            else:
                return self._catalog
        raise OSError(0, "the catalog can't be rebuilt")

    def _open(self) -> Catalog:
        path = self._path("catalog.sqlite")
        if os.path.exists(path):
            return Catalog(path)
        with lock(self._path("lock"), self.wait_seconds):
            return Catalog(path)

    def _path(self, name: str) -> str:
        return os.path.join(self.directory or "", name)

    def _wipe(self) -> None:
        for name in ("catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"):
            if os.path.lexists(self._path(name)):
                os.unlink(self._path(name))
        shutil.rmtree(self._path("index"), ignore_errors=True)

    def _pending(self, catalog: Catalog) -> bool:
        listing = self.store.listing()
        self.file_problems = listing.problems
        changes = difference(listing.files, catalog.states())
        return bool(changes or changes.recheck)

    def _update(self, catalog: Catalog, progress: Progress) -> None:
        listing = self.store.listing()
        self.file_problems = listing.problems
        known = catalog.states()
        changes = difference(listing.files, known)
        total = len(changes.read) + len(changes.recheck)
        with catalog.writing():
            for file in changes.gone:
                catalog.remove(file)
            for done, change in enumerate(self._readings({**changes.read, **changes.recheck})):
                state = known.get(change.path)
                if state and state.digest == change.digest:
                    catalog.restamp(state.file, change.stamp, change.read_ns)
                else:
                    catalog.put(change)
                progress("reading", done + 1, total)

    def _readings(self, files: dict[str, Stamp]) -> Iterator[Change]:
        for path, stamp in files.items():
            change = read_file(self.store, path, stamp)
            if change:
                yield change

    # The index

    def _index_on_disk(self, catalog: Catalog, directory: str, progress: Progress) -> Index:
        for _ in range(3):
            try:
                if self._index is None:
                    self._index = self._open_index(directory)
                if self._index.generation() != catalog.meta("index_generation") or any(
                    catalog.index_backlog()
                ):
                    with lock(self._path("lock"), self.wait_seconds):
                        self._index.close()
                        self._index = self._open_index(directory)
                        if self._index.generation() != catalog.meta("index_generation"):
                            raise IndexDamaged("out of step with the catalog")  # noqa: TRY301
                        self._feed(self._index, catalog, progress)
            except IndexDamaged:
                self._start_index_anew(catalog, directory)
            else:
                return self._index
        raise OSError(0, "the index can't be rebuilt")

    @staticmethod
    def _open_index(directory: str) -> Index:
        from gitmem.index.whoosh_index import WhooshIndex  # noqa: PLC0415  start-up

        return WhooshIndex(os.path.join(directory, "index"))

    def _start_index_anew(self, catalog: Catalog, directory: str) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None
        with lock(self._path("lock"), self.wait_seconds):
            shutil.rmtree(os.path.join(directory, "index"), ignore_errors=True)
            with catalog.writing():
                catalog.clear_indexed()
                catalog.set_meta("index_generation", "")

    def _feed(self, index: Index, catalog: Catalog, progress: Progress) -> None:
        from gitmem.index.document import document  # noqa: PLC0415  start-up
        from gitmem.records.convert import decode  # noqa: PLC0415  start-up

        new, gone = catalog.index_backlog()
        if not new and not gone:
            return

        def documents() -> Iterator[tuple[int, object]]:
            for file, path in new.items():
                try:
                    record = decode(self.store.read(path), path).record
                except (FileNotFoundError, ProblemError):
                    continue  # changed since; the next catch-up takes it
                if record:
                    yield file, document(record)

        total = len(new)
        generation = index.update(documents(), gone, lambda done: progress("indexing", done, total))
        with catalog.writing():
            catalog.set_indexed(new, gone, generation)


def read_file(store: Store, path: str, stamp: Stamp) -> Change | None:
    """Read one file into what the catalog keeps; None if it is gone meanwhile."""
    from gitmem.catalog.rows import entry  # noqa: PLC0415  start-up
    from gitmem.records.convert import decode  # noqa: PLC0415  start-up

    read_ns = time.time_ns()
    try:
        data = store.read(path)
    except FileNotFoundError:
        return None
    except ProblemError as error:
        return Change(path, stamp, read_ns, b"", None, [error.problem])
    digest = hashlib.blake2b(data, digest_size=16).digest()
    record, problems = decode(data, path)
    problems = [*problems, *_hidden(path, data)]
    if record:
        problems.extend(_name_problems(path, record.id))
    return Change(path, stamp, read_ns, digest, entry(record) if record else None, problems)


def _name_problems(path: str, record_id: str) -> Iterable[Problem]:
    named = id_in(path)
    if named is None:
        message = f"the file's name does not end with its id, {record_id}"
        yield Problem(path, "file-name", message, f"rename it to end with -{record_id}.yaml", severity="warning")
    elif named != record_id:
        message = f"the file's name says {named}, the record inside says {record_id}"
        hint = "a merge may have mixed two records up: compare with git log for this file"
        yield Problem(path, "id-mismatch", message, hint, field="id")


def _hidden(path: str, data: bytes) -> Iterable[Problem]:
    if data.isascii():
        return
    text = data.decode(errors="replace")
    match = _HIDDEN.search(text)
    if match:
        line = text.count("\n", 0, match.start()) + 1
        message = f"hidden character U+{ord(match[0]):04X}: the text may read otherwise than it is"
        yield Problem(
            path, "hidden-character", message, "remove it if it was not meant", line, severity="warning"
        )
