"""Answers from the catalog as it is, without a sync first: for hovers, which must not wait.

Nothing is compared, locked or made anew here. Somebody else catches up, beside it; what that
one commits is seen with the next question, and a new catalog in the old one's place, too.
"""

from collections.abc import Callable
from typing import TypeVar

from gitmem.catalog.catalog import Catalog, CatalogDamaged
from gitmem.errors import EnvironmentProblem
from gitmem.index.protocol import Index, IndexDamaged
from gitmem.store.lock import LockUnavailable
from gitmem.sync import Progress, folder, quiet
from gitmem.sync.derived import Derived

_Answer = TypeVar("_Answer")


class NothingYet(EnvironmentProblem):
    """There is nothing to answer from at once."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"nothing is known at once: {reason}", "ask again in a moment")


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
        raise NothingYet("text is not searched in a hurry")

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
