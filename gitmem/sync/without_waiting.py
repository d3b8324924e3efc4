"""Derived state for the hooks of assistants, which hold a session up while they run."""

from collections.abc import Callable
from contextlib import suppress

from gitmem.catalog.catalog import Catalog
from gitmem.index.protocol import Index
from gitmem.sync import NothingYet, Progress, nobody
from gitmem.sync.derived import MANY, Derived
from gitmem.sync.difference import Difference
from gitmem.sync.without_sync import Fixed
from gitmem.system import LockUnavailable


class WithoutWaiting(Derived):
    """Derived state for who must not be held up: what takes long is left to another process.

    Where many files are new, or somebody else is writing, the catalog answers as it lies. Where it
    holds nothing yet, and where text is asked for, questions raise NothingYet. No vectors are made.

    Attributes:
        leave: starts the process.

    """

    leave: Callable[[], None] = staticmethod(nobody)

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


class FixedWithoutWaiting(WithoutWaiting, Fixed):
    """The same of files that never change under one name, for who must not be held up."""
