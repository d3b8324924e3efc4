"""What deserves a look: open errors, what fixes came to, new decisions, drafts that wait."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.core.records import read_record
from gitmem.query import Filters
from gitmem.records.convert import to_data
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.learnt import Draft
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

_OPEN: Final = ("open", "regressed")
_STANDING: Final = ("proposed", "accepted")
# At these levels it is the same error, or one of the same place: see ``Recognised.is_known``.
_SAME: Final = ("exact", "site")
_MOST_READ: Final = 100
_MOST: Final = 10


class RecurringError(NamedTuple):
    """An error that is open.

    Attributes:
        row: the newest record of it that is open.
        seen: how many records there are of it.
        first: when the oldest of them was written.

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
        worked: the newest fixes that worked.
        failed: the newest that did not.
        decisions: the newest that are in force or proposed.
        drafts: what was learnt here and waits to be kept or dropped, the newest first.

    """

    errors: list[RecurringError]
    worked: list[FixOverview]
    failed: list[FixOverview]
    decisions: "list[Row]"
    drafts: "list[Draft]"


def attention(workspace: "Workspace", drafts: "Drafts") -> Attention:
    """Look up what deserves a look; reads the files of open errors.

    Args:
        workspace: of the memory.
        drafts: what was learnt here and is in no record yet.

    """
    waiting = drafts.open()[: -_MOST - 1 : -1]
    return workspace.ask(
        lambda now: Attention(
            _recurring(workspace, now.catalog),
            _tried(now.catalog, "worked"),
            _tried(now.catalog, "failed"),
            now.catalog.rows(Filters(kinds=("decision",), statuses=_STANDING), limit=_MOST),
            waiting,
        )
    )


def _recurring(workspace: "Workspace", catalog: "Catalog") -> list[RecurringError]:
    errors: list[RecurringError] = []
    counted: set[str] = set()
    newest = catalog.rows(Filters(kinds=("error",), statuses=_OPEN), limit=_MOST_READ)
    for row in newest:
        if row.id not in counted:
            same = _same(workspace, catalog, row)
            counted.update(record.id for record in same)
            first = min(record.created for record in same)
            errors.append(RecurringError(row, len(same), first))
    errors.sort(key=lambda error: (-error.seen, error.first, error.row.id))
    return errors[:_MOST]


def _same(workspace: "Workspace", catalog: "Catalog", row: "Row") -> "list[Row]":
    """Give the records of the error that a record is about, itself among them."""
    record = read_record(workspace, row)
    if not isinstance(record, Error):
        return [row]  # its file went away
    prints = fingerprints_of(workspace, to_data(record))
    for level in _SAME:
        rows = catalog.errors_with(level, getattr(prints, level))
        if any(other.id == row.id for other in rows):
            return rows
    return [row]


def _tried(catalog: "Catalog", outcome: str) -> list[FixOverview]:
    rows = catalog.rows(Filters(kinds=("fix",), statuses=(outcome,)), limit=_MOST)
    return [FixOverview(row, catalog.linked_from(row.file, "fixes")) for row in rows]
