"""Derived state of files that never change under one name: compared only once."""

from typing import TYPE_CHECKING, Final

from gitmem.catalog.catalog import Catalog
from gitmem.store.files import Store
from gitmem.sync import Progress
from gitmem.sync.comparison import Comparison, PendingCheck
from gitmem.sync.derived import Derived
from gitmem.sync.difference import Difference

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.config import TeamRules

_IN_STEP: Final = "tree"
"""Where the catalog notes what it holds all of."""


class _Once(Comparison):
    def __init__(self, store: Store, name: "Callable[[], str]") -> None:
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
        name: "Callable[[], str]",
    ) -> None:
        super().__init__(store, directory, wait_seconds, team_rules)
        self.comparison = _Once(store, name)

    def _catch_up(self, catalog: Catalog, changes: Difference, progress: Progress) -> None:
        super()._catch_up(catalog, changes, progress)
        self.comparison.changes(catalog, None)  # notes that it is in step: never compared again
