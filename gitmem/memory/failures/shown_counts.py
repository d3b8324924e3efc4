"""How many records there are of each kind and status, by the statuses that lists show."""

from collections import Counter
from typing import TYPE_CHECKING

from gitmem.catalog.rows import shown_status
from gitmem.memory.failures.verdicts import judged
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


def shown_counts(workspace: "Workspace") -> list[tuple[str, str, int]]:
    """Count records: (kind, status as lists show it, how many)."""
    helped = Filters(kinds=("fix",), statuses=("worked", "claimed"))
    counts, fixes = workspace.ask(lambda now: (now.catalog.counts(), now.catalog.rows(helped)))
    numbers: Counter[tuple[str, str]] = Counter()
    for kind, status, verdict, number in counts:
        numbers[kind, shown_status(kind, status, verdict)] += number
    # The catalog does not know which fixes did not hold; see ``Filters.not_held``.
    numbers.subtract(("fix", fix.shown_status) for fix in fixes)
    numbers.update(("fix", fix.shown_status) for fix in judged(workspace, fixes))
    return [(*key, number) for key, number in sorted(numbers.items()) if number]
