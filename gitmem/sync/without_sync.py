"""Derived state that is not compared with all files at each question.

For hovers, which must not wait, the catalog answers as it is: nothing is compared, locked or made
anew. Somebody else catches up, beside it; what that one commits is seen with the next question, and
a new catalog in the old one's place, too.

Files that never change under one name, as those of packs and archives, are compared once.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from gitmem.catalog.catalog import Catalog, CatalogDamaged
from gitmem.errors import EnvironmentProblem
from gitmem.index.protocol import Index, IndexDamaged
from gitmem.store.files import Store
from gitmem.store.lock import LockUnavailable
from gitmem.sync import Progress, folder, quiet
from gitmem.sync.comparison import Comparison, PendingCheck
from gitmem.sync.derived import MANY, Derived
from gitmem.sync.difference import Difference

if TYPE_CHECKING:
    from gitmem.config import TeamRules

_Answer = TypeVar("_Answer")


def _nobody() -> None:
    """Leave what takes long to whoever does it."""


_IN_STEP: Final = "tree"
"""Where the catalog notes what it holds all of."""


class NothingYet(EnvironmentProblem):
    """There is nothing to answer from at once."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no quick answer: {reason}", "ask again in a moment")


class WithoutSync(Derived):
    """Derived state as it lies. Every question raises NothingYet where there is none.

    It is for one thread.
    """

    patience = 0.05
    _openings = 0

    def catalog(self, progress: Progress = quiet) -> Catalog:  # noqa: ARG002  nothing takes long
        """Give the catalog without a look at the files."""
        if self.directory is None:
            raise NothingYet("there is no folder for an index")
        try:
            if self._replaced():
                self.close()
            if not folder.has_catalog(self.directory):
                raise NothingYet("the index is being made")
            if self._catalog is None:
                self._catalog = self._open_catalog()
                self._openings += 1
        except (CatalogDamaged, LockUnavailable, OSError) as error:
            self.close()
            raise NothingYet("the index is being rebuilt") from error
        return self._catalog

    def index(self, progress: Progress = quiet) -> Index:  # noqa: ARG002  nothing takes long
        """Refuse: the text index is opened by who may wait."""
        raise NothingYet("quick answers don't search text")

    def mended(self, question: Callable[[], _Answer]) -> _Answer:
        """Answer a question; damage is left to who catches up."""
        try:
            return question()
        except (CatalogDamaged, IndexDamaged, OSError) as error:
            self.close()
            raise NothingYet("the index is being rebuilt") from error

    def edition(self) -> tuple[int, int]:
        """Tell editions of the catalog apart; (0, 0): there is none.

        It changes when another thread or process commits a change, or puts a new one in place.
        """
        try:
            # A connection counts from anew.
            return self.mended(lambda: (self.catalog().data_version(), self._openings))
        except NothingYet:
            return 0, 0


class WithoutWaiting(Derived):
    """Derived state for who must not be held up: what takes long is left to another process.

    Where many files are new, or somebody else is writing, the catalog answers as it lies. Where it
    holds nothing yet, and where text is asked for, questions raise NothingYet. No vectors are made.

    Attributes:
        leave: starts the process.

    """

    leave: Callable[[], None] = staticmethod(_nobody)

    def _or_from_files(self, caught_up: Callable[[], Catalog], progress: Progress) -> Catalog:
        if self.directory is not None:
            try:
                return caught_up()
            except (LockUnavailable, OSError):
                self.close()
        if len(self.store.listing().files) >= MANY:
            raise NothingYet("there are many files, and no index")
        return super()._or_from_files(caught_up, progress)

    def _catch_up(
        self, catalog: Catalog, index: Index | None, changes: Difference, progress: Progress
    ) -> None:
        waiting = len(changes.read)
        if index is not None:
            waiting += len(catalog.index_backlog()[0])
        if waiting < MANY:
            with suppress(LockUnavailable):
                super()._catch_up(catalog, index, changes, progress)
                return
        else:
            self.leave()
        if index is not None or not catalog.last():
            raise NothingYet(f"{waiting} files are to be read")


class _Once(Comparison):
    def __init__(self, store: Store, name: Callable[[], str]) -> None:
        super().__init__(store, None, None)
        self._name = name

    def changes(self, catalog: Catalog, doubt: PendingCheck | None) -> Difference:
        name = self._name()
        if catalog.meta(_IN_STEP) == name:
            return Difference({}, {}, {})
        changes = super().changes(catalog, doubt)
        if not changes:
            catalog.note(_IN_STEP, name, catalog.version())
        return changes


class Fixed(Derived):
    """Catalog and index of files that never change under one name.

    Args:
        store: the files.
        directory: where derived state lies; None: in memory only.
        wait_seconds: how long to wait for another process that makes it.
        team_rules: the team's rules for fingerprints.
        name: gives a name of what the files hold; with another one they are compared anew.

    """

    def __init__(
        self,
        store: Store,
        directory: str | None,
        wait_seconds: float,
        team_rules: "TeamRules",
        name: Callable[[], str],
    ) -> None:
        super().__init__(store, directory, wait_seconds, team_rules)
        self.comparison = _Once(store, name)

    def _catch_up(
        self, catalog: Catalog, index: Index | None, changes: Difference, progress: Progress
    ) -> None:
        super()._catch_up(catalog, index, changes, progress)
        self.comparison.changes(catalog, None)  # notes that it is in step: never compared again


class FixedWithoutWaiting(WithoutWaiting, Fixed):
    """The same of files that never change under one name, for who must not be held up."""
