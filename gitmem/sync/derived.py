"""Catalog and index of one memory, brought up to date on request.

The catalog is compared with the files by their stamps, and the index with the catalog by
digests, the latter only when a text question is asked. Both happen under one lock. Where
that can't be done (a read-only disk, a live writer, no locks) the answer comes from the
files alone: slower, never wrong.
"""

import math
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from gitmem.catalog.catalog import Catalog, CatalogDamaged
from gitmem.catalog.vector_rows import AT_ONCE, BESIDE
from gitmem.config import NO_RULES, TeamRules
from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.index.protocol import Index, IndexDamaged
from gitmem.matching import VERSION as RULES
from gitmem.query import Query
from gitmem.semantic.choice import Choice
from gitmem.semantic.protocol import VectorsDamaged
from gitmem.store.files import Store
from gitmem.store.listing import reason
from gitmem.sync import Progress, folder, nobody, quiet
from gitmem.sync.comparison import Comparison, PendingCheck
from gitmem.sync.record_vectors import RecordVectors
from gitmem.system import LockUnavailable, lock

if TYPE_CHECKING:
    from gitmem.git.git_dirs import GitDirs
    from gitmem.index.protocol import Near
    from gitmem.index.whoosh_index import WhooshIndex
    from gitmem.records.problems import Problem
    from gitmem.sync.difference import Difference
    from gitmem.sync.ingest import Ingest

_ATTEMPTS = 3
MANY = 64  # files: the text index waits until somebody asks for it
_Answer = TypeVar("_Answer")


class Derived:
    """Derived state of one memory.

    Args:
        store: the files.
        directory: where derived state lies, under the git directory; None: in memory only.
        wait_seconds: how long to wait for another process that updates it.
        team_rules: what it follows from, too: with other ones it is made anew.
        git_dirs: the repository around the files, which is asked what changed.
        choice: which embedder makes vectors; they are no more than an addition to the index.

    Attributes:
        embed_beside: called where vectors are missing that take too long for a question.

    """

    patience = 10.0
    """Seconds to wait for another process that is writing into the catalog."""

    def __init__(
        self,
        store: Store,
        directory: str | None,
        wait_seconds: float,
        team_rules: TeamRules = NO_RULES,
        git_dirs: "GitDirs | None" = None,
        choice: Choice = Choice(),  # noqa: B008  a value that never changes
    ) -> None:
        self.store = store
        self.directory = directory
        self.wait_seconds = wait_seconds
        self.team_rules = team_rules
        self.notices: list[str] = []
        self.gave_up = ""  # why it answers from the files: who lives long should open it anew
        self.comparison = Comparison(store, git_dirs, directory)
        self.first_come = self.comparison
        self.meaning = RecordVectors(choice, directory, self.notices)
        self.sentences = RecordVectors(choice, directory, self.notices, BESIDE)
        self.embed_beside: Callable[[], None] = nobody
        self._catalog: Catalog | None = None
        self._index: Index | None = None
        self._opened_from = 0  # inode of the open catalog
        self._hasty = False  # a question may be answered before the comparison has ended
        self._followed = False  # the files were compared since the question was asked
        self._doubt: PendingCheck | None = None
        self._changes: Difference | None = None  # that the last comparison found

    @property
    def file_problems(self) -> "list[Problem]":
        """What was in the way of reading files."""
        return self.comparison.problems

    def close(self) -> None:
        """Close files."""
        self._drop_doubt()
        self.comparison.close()
        for part in (self._catalog, self._index):
            if part is not None:
                part.close()
        self._catalog = self._index = None
        self.meaning.close()
        self.sentences.close()

    @property
    def opened(self) -> Catalog:
        """The catalog as it was left, without another look at the files."""
        return self.catalog() if self._catalog is None else self._catalog

    def catalog(self, progress: Progress = quiet) -> Catalog:
        """Give the catalog, in step with the files."""
        return self._or_from_files(lambda: self._caught_up(progress, indexed=False)[0], progress)

    def index(self, progress: Progress = quiet) -> Index:
        """Give the text index, in step with the files; ``catalog`` is so, too."""
        self._or_from_files(lambda: self._caught_up(progress, indexed=True)[0], progress)
        self._index = self._index or self._scan_index(progress)
        return self._index

    def edition(self) -> tuple[int, int]:
        """Tell editions of the catalog apart; here (0, 0), as each question catches up first."""
        return 0, 0

    def rebuild(self, progress: Progress = quiet) -> None:
        """Rebuild derived state from the files beside the old one, then replace it.

        Meanwhile others are answered out of the old one. What an interrupted rebuild had
        committed is not read again.

        Raises:
            ConflictError: another process is updating or rebuilding it.
            EnvironmentProblem: the folder can't be written.

        """
        self.close()
        if self.directory is not None:
            try:
                os.makedirs(self._path(folder.BESIDE), exist_ok=True)
                with lock(self._path("rebuild.lock"), self.wait_seconds):
                    with lock(self._path("lock"), self.wait_seconds):
                        pass  # who is in the middle of an update is not waited for later
                    self._build_beside(progress)
            except LockUnavailable as error:
                message = f"can't rebuild the index: {error.reason}"
                raise ConflictError(message, "try again when that has ended") from None
            except OSError as error:
                raise EnvironmentProblem(
                    f"can't rebuild {self.directory}: {reason(error)}",
                    "until then, answers come from the files",
                ) from None
        self.index(progress)

    def _build_beside(self, progress: Progress) -> None:
        beside = Derived(
            self.store, self._path(folder.BESIDE), 0, self.team_rules, choice=self.meaning.choice
        )
        beside.first_come = self.first_come
        beside.index(progress)
        beside.close()
        if beside.directory is None:
            raise OSError(0, beside.gave_up)
        with lock(self._path("lock"), self.wait_seconds):
            folder.replace(self.directory or "")

    def mended(self, question: Callable[[], _Answer]) -> _Answer:
        """Answer a question; if derived state proves damaged, rebuild it first.

        The question may be asked twice: the first time while git still compares the files. One
        that is part of another is answered with it, so that the files are compared once.
        """
        if self._hasty:
            return question()
        for _ in range(_ATTEMPTS):
            try:
                return self._answered(question)
            except (CatalogDamaged, IndexDamaged):
                self._start_over()
            except VectorsDamaged:
                self._mend_vectors()
        self._give_up(OSError(0, "it keeps being damaged"))
        return question()

    def _answered(self, question: Callable[[], _Answer]) -> _Answer:
        self._hasty = True
        self._followed = False
        try:
            answer = question()
        except (CatalogDamaged, IndexDamaged, VectorsDamaged):
            raise
        except Exception:
            if self._still_right():
                raise
        else:
            if self._still_right():
                return answer
            del answer  # it may hold the catalog as it was, where it is to be changed now
        finally:
            self._hasty = False
        try:
            return question()
        finally:
            self._changes = None

    def _still_right(self) -> bool:
        """Wait for the comparison that is under way and tell whether the early answer is valid."""
        if self._doubt is None or self._catalog is None:
            return True
        changes = self._compared(self._catalog)
        self._changes = changes or None
        return not (changes or self._catalog.twins_moved())

    def _compared(self, catalog: Catalog) -> "Difference":
        doubt, self._doubt = self._doubt, None
        return self.comparison.changes(catalog, doubt)

    def _drop_doubt(self) -> None:
        if self._doubt:
            self._doubt.edits.close()
        self._doubt = self._changes = None
        self._followed = False

    def _start_over(self) -> None:
        self.close()
        try:
            if self.directory is not None:
                with lock(self._path("lock"), self.wait_seconds):
                    folder.wipe(self.directory or "")
        except (LockUnavailable, OSError) as error:
            self._give_up(error)

    def _mend_vectors(self) -> None:
        try:
            with self._held(self.wait_seconds):
                self.meaning.mend(self.opened)
                self.sentences.mend(self.opened)
        except (LockUnavailable, OSError):
            if not self._replaced():
                # Who writes mends them.
                self.meaning.passed_over = self.sentences.passed_over = True

    # Without a place for derived state

    def _or_from_files(self, caught_up: Callable[[], Catalog], progress: Progress) -> Catalog:
        if self.directory is not None:
            try:
                return caught_up()
            except (LockUnavailable, OSError) as error:
                self._give_up(error)
        self._catalog = self._catalog or self._new_catalog(":memory:")
        changes = self._compared(self._catalog)
        if changes:
            self._index = None
            self._ingest(self._catalog, None, progress).take(changes)
            self.comparison.in_step()
        self._catalog.keep_twins_in_order()
        return self._catalog

    def _give_up(self, error: LockUnavailable | OSError) -> None:
        self.close()
        self.directory = None
        self.gave_up = why = reason(error) if isinstance(error, OSError) else error.reason
        self.meaning.choice = self.sentences.choice = Choice()
        self.notices.append(f"index not usable ({why}): answered from the files, slower")

    def _scan_index(self, progress: Progress) -> Index:
        from gitmem.index.scan_index import ScanIndex

        index: Index = ScanIndex()
        if self._catalog is not None:
            ingest = self._ingest(self._catalog, None, progress)
            index.update(ingest.documents(self._catalog.record_paths()), ())
        return index

    # On disk

    def _caught_up(self, progress: Progress, *, indexed: bool) -> tuple[Catalog, Index | None]:
        for _ in range(_ATTEMPTS):
            if self._replaced():
                self.close()
            try:
                catalog = self._in_step(progress, indexed=indexed)
            except (LockUnavailable, OSError):
                if not self._replaced():  # else somebody made it anew in the middle of this
                    raise
            else:
                if catalog and not self._replaced():
                    return catalog, self._index
        raise OSError(0, "it can't be rebuilt")

    def _in_step(self, progress: Progress, *, indexed: bool) -> Catalog | None:
        """Bring catalog and index in step; clear what is damaged and give None."""
        folder.enter(self.directory or "")
        try:
            catalog = self._catalog = self._catalog or self._open_catalog()
            # Before the index is opened: git runs beside that.
            if self._changes is None and not (self._hasty and self._followed):
                self._doubt = self._doubt or self.comparison.begin(catalog)
            if indexed:
                self._index = self._index or self._open_index()
            self._follow(catalog, progress, indexed=indexed)
            if indexed and not self.sentences.in_step(catalog):
                self.embed_beside()
            if indexed and not self.meaning.in_step(catalog):
                from gitmem.sync.embedding_backlog import embed_backlog

                ingest = self._ingest(catalog, None, progress)
                embed_backlog(self.meaning, catalog, ingest, partial(self._held, 0))
        except CatalogDamaged:
            self.close()
            with lock(self._path("lock"), self.wait_seconds):
                folder.wipe(self.directory or "")
        except IndexDamaged:
            self._start_index_anew()
        else:
            return catalog
        return None

    def make_vectors(self, progress: Progress = quiet, seconds: float = math.inf) -> bool:
        """Make the vectors of sentences that are missing; tell whether all are there.

        Args:
            progress: told how it goes.
            seconds: after which no more are begun.

        Raises:
            ConflictError: another process makes them, or writes all the time.

        """
        from gitmem.sync.embedding_backlog import make_alone

        self.embed_beside = nobody
        held = partial(self._held, self.wait_seconds)
        for _ in range(_ATTEMPTS):
            self.index(progress)
            catalog = self.opened
            if self.directory is None or self.sentences.in_step(catalog):
                return True
            alone = lock(self._path(folder.EMBEDDING), 0)
            try:
                return make_alone(
                    self.sentences, catalog, self.store, held, alone, seconds, progress
                )
            except ConflictError:
                if not self._replaced():
                    raise
        return False

    @contextmanager
    def _held(self, wait_seconds: float) -> Iterator[None]:
        """Exclude other writers; LockUnavailable also says that the catalog was replaced."""
        with lock(self._path("lock"), wait_seconds):
            if self._replaced():
                raise LockUnavailable(self._path(folder.CATALOG))
            yield

    def _replaced(self) -> bool:
        """Tell whether another process put a new catalog in the place of the open one."""
        return self._opened_from != self._on_disk()

    def _follow(self, catalog: Catalog, progress: Progress, *, indexed: bool) -> None:
        """Make catalog and index follow the files, or begin to find out whether they do."""
        index = self._index
        in_step = index is not None and catalog.index_in_step(index.generation())
        behind = indexed and index is not None and not in_step
        changes, self._changes = self._changes, None
        if changes is None:
            if self._hasty and not behind and (self._doubt or self._followed):
                return
            changes = self._compared(catalog)
        if changes or behind:
            fed = indexed or (in_step and len(changes.read) < MANY)
            self._catch_up(catalog, index if fed else None, changes, progress)
        catalog.keep_twins_in_order()
        self._followed = True

    def _catch_up(
        self, catalog: Catalog, index: Index | None, changes: "Difference", progress: Progress
    ) -> None:
        files = changes.read or (catalog.index_backlog()[0] if index else ())
        with self._held(self.wait_seconds + len(files) * folder.SECONDS_A_FILE):
            if index is not None:
                # Another process may have been here while this one waited.
                cast("WhooshIndex", index).refresh()
                if index.generation() != catalog.meta("index_generation"):
                    raise IndexDamaged("out of step with the catalog")
            ingest = self._ingest(catalog, index, progress)
            if index and not self.meaning.remote and self.meaning.prepare(catalog):
                ingest.meaning = self.meaning
            ingest.take(self.comparison.again(catalog, changes))
            if index and not catalog.index_in_step(index.generation()):
                ingest.feed()
        self.comparison.in_step()
        folder.remove_unused(self.directory or "")

    def _ingest(self, catalog: Catalog, index: Index | None, progress: Progress) -> "Ingest":
        from gitmem.sync.ingest import Ingest

        on_disk = cast("WhooshIndex | None", index)  # there is no other index on disk
        return Ingest(self.store, self.team_rules, catalog, on_disk, self.directory or "", progress)

    def _open_catalog(self) -> Catalog:
        path = self._path(folder.CATALOG)
        if folder.has_catalog(self.directory or ""):
            self._opened_from = self._on_disk()
            return self._new_catalog(path)
        with lock(self._path("lock"), self.wait_seconds):
            if not folder.has_catalog(self.directory or ""):
                # Cut off by somebody, it would keep others waiting who still have it open.
                folder.wipe(self.directory or "")
            catalog = self._new_catalog(path)
            self._opened_from = self._on_disk()
            return catalog

    def _new_catalog(self, path: str) -> Catalog:
        catalog = Catalog(path, RULES, self.team_rules.key, self.patience)
        catalog.first_come = self.first_come
        return catalog

    def _on_disk(self) -> int:
        return folder.catalog_inode(self.directory or "")

    def _open_index(self) -> Index:
        from gitmem.index.whoosh_index import WhooshIndex

        return WhooshIndex(self._path(folder.INDEX), self._near)

    def _near(self, query: Query, hits: int) -> "Near | None":
        near = None if query.pasted else self.sentences.near(self._having(BESIDE), query, hits)
        return near or self.meaning.near(self._having(AT_ONCE), query, hits)

    def _having(self, of: str) -> Callable[[Collection[int]], dict[int, bytes]]:
        return partial(self.opened.with_vectors, of=of)

    def _path(self, name: str) -> str:
        return os.path.join(self.directory or "", name)

    def _start_index_anew(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None
        with self._held(self.wait_seconds):
            folder.remove_tree(self._path(folder.INDEX))
            catalog = self._catalog = self._catalog or self._new_catalog(self._path(folder.CATALOG))
            with catalog.writing():
                catalog.clear_indexed()
