"""What needs attention: open errors, outcomes of fixes, new decisions, waiting drafts."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.memory.failures.occurrences import occurrences_by_error
from gitmem.memory.failures.verdicts import judged
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.learnt import Draft
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace

_OPEN: Final = ("open", "regressed")
_MOST_READ: Final = 100
_MOST: Final = 10


class RecurringError(NamedTuple):
    """An error that is open.

    Attributes:
        row: the newest record of it that is open.
        seen: how often it was seen.
        first: when it was seen first.

    """

    row: "Row"
    seen: int
    first: str


class FixOverview(NamedTuple):
    """A fix and the errors that it was tried on."""

    row: "Row"
    errors: "list[Row]"


class Attention(NamedTuple):
    """What deserves a look, at most ten of each.

    Attributes:
        errors: open ones, the most often seen first, of equal ones the oldest; of the hundred
            newest records.
        worked: the newest fixes that worked, as far as anybody knows.
        failed: the newest that did not, or did not hold.
        decisions: the newest that are in force.
        proposed: the newest that are not in force yet.
        drafts: what was learnt here and waits to be kept or dropped, the newest first.

    """

    errors: list[RecurringError]
    worked: list[FixOverview]
    failed: list[FixOverview]
    decisions: "list[Row]"
    proposed: "list[Row]"
    drafts: "list[Draft]"


def attention(workspace: "Workspace", drafts: "Drafts") -> Attention:
    """Look up what deserves a look.

    Args:
        workspace: of the memory.
        drafts: what was learnt here and is in no record yet.

    """
    waiting = drafts.open()[: -_MOST - 1 : -1]

    def question(now: "Snapshot") -> Attention:
        helped, failed = _tried(workspace, now.catalog)

        def decisions(status: str) -> "list[Row]":
            wanted = Filters(kinds=("decision",), statuses=(status,))
            return now.catalog.rows(wanted, limit=_MOST)

        return Attention(
            now.catalog.once("recurring errors", lambda: _recurring(now.catalog)),
            helped,
            failed,
            decisions("accepted"),
            decisions("proposed"),
            waiting,
        )

    return workspace.ask(question)


def _recurring(catalog: "Catalog") -> list[RecurringError]:
    newest = catalog.rows(Filters(kinds=("error",), statuses=_OPEN), limit=_MOST_READ)
    occurrences = occurrences_by_error(catalog, newest)
    by_failure: dict[str, RecurringError] = {}
    for row in newest:
        failure, times = occurrences.get(row.id, (row.id, (row.created,)))
        by_failure.setdefault(failure, RecurringError(row, len(times), times[0]))
    errors = sorted(by_failure.values(), key=lambda error: (-error.seen, error.first, error.row.id))
    return errors[:_MOST]


def _tried(
    workspace: "Workspace", catalog: "Catalog"
) -> tuple[list[FixOverview], list[FixOverview]]:
    """Give the newest fixes that helped, and the newest that did not, by their verdicts."""
    rows = [
        row
        for outcome in (("worked", "claimed"), ("failed",))
        for row in catalog.rows(Filters(kinds=("fix",), statuses=outcome), limit=_MOST)
    ]
    fixed_by = catalog.fixed_by(row.file for row in rows)
    fixes = [FixOverview(row, fixed_by.get(row.file, [])) for row in judged(workspace, rows)]
    fixes.sort(key=lambda fix: (fix.row.created, fix.row.id), reverse=True)
    helped = [fix for fix in fixes if fix.row.helped]
    return helped[:_MOST], [fix for fix in fixes if not fix.row.helped][:_MOST]
