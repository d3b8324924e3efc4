"""What deserves a look: open errors, what fixes came to, new decisions, drafts that wait."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.core.records import read_record
from gitmem.query import Filters
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.capture.learnt import Draft
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory

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


def attention(memory: "Memory") -> Attention:
    """Look up what deserves a look; reads the files of open errors."""
    catalog = memory.derived.catalog(memory.progress)
    return Attention(
        _recurring(memory, catalog)[:_MOST],
        _tried(catalog, "worked"),
        _tried(catalog, "failed"),
        catalog.rows(Filters(kinds=("decision",), statuses=_STANDING), limit=_MOST),
        memory.failures.drafts.open()[: -_MOST - 1 : -1],
    )


def _recurring(memory: "Memory", catalog: "Catalog") -> list[RecurringError]:
    found: list[RecurringError] = []
    told: set[str] = set()
    newest = catalog.rows(Filters(kinds=("error",), statuses=_OPEN), limit=_MOST_READ)
    for row in newest:
        if row.id not in told:
            same = _same(memory, catalog, row)
            told.update(one.id for one in same)
            found.append(RecurringError(row, len(same), min(one.created for one in same)))
    return sorted(found, key=lambda one: (-one.seen, one.first, one.row.id))


def _same(memory: "Memory", catalog: "Catalog", row: "Row") -> "list[Row]":
    """Give the records of the error that a record tells of, itself among them."""
    return next(_looked_up(memory, catalog, row), [row])


def _looked_up(memory: "Memory", catalog: "Catalog", row: "Row") -> "Iterator[list[Row]]":
    record = read_record(memory.workspace, row)
    if not isinstance(record, Error):
        return  # its file went away
    from gitmem.records.convert import to_data

    made = fingerprints_of(memory.workspace, to_data(record))
    for level in _SAME:
        rows = catalog.errors_with(level, getattr(made, level))
        if any(one.id == row.id for one in rows):
            yield rows


def _tried(catalog: "Catalog", outcome: str) -> list[FixOverview]:
    rows = catalog.rows(Filters(kinds=("fix",), statuses=(outcome,)), limit=_MOST)
    return [FixOverview(row, catalog.linked_from(row.file, "fixes")) for row in rows]
