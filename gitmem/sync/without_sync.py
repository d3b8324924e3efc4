"""Derived state that is not compared with all files at each question.

For hovers, which must not wait, the catalog answers as it is: nothing is compared, locked or made
anew. Somebody else catches up, beside it; what that one commits is seen with the next question, and
a new catalog in the old one's place, too.

Files that never change under one name, as those of packs and archives, are compared once.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from gitmem.catalog.catalog import Catalog, CatalogDamaged
from gitmem.index.protocol import Index, IndexDamaged
from gitmem.store.files import Store
from gitmem.sync import NothingYet, Progress, folder, quiet
from gitmem.sync.comparison import Comparison, PendingCheck
from gitmem.sync.derived import Derived
from gitmem.sync.difference import Difference
from gitmem.system import LockUnavailable

if TYPE_CHECKING:
    from gitmem.config import TeamRules

_Answer = TypeVar("_Answer")
_IN_STEP: Final = "tree"
"""Where the catalog notes what it holds all of."""


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
