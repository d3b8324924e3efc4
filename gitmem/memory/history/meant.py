"""Fixes of which somebody said that they may be taken back: it is said once, and not told again."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.memory.core.records import read_record

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader
    from gitmem.memory.writing.writer import Writer

_TAG: Final = "guard-meant"


class Meant(NamedTuple):
    """That a fix may be taken back.

    Attributes:
        fix: the fix.
        note: id of the record that says so; empty: that was said before.

    """

    fix: "Row"
    note: str


def say_meant(reader: "Reader", writer: "Writer", reference: str, why: str = "") -> Meant:
    """Write down that a fix may be taken back.

    Args:
        reader: of the memory.
        writer: of the memory.
        reference: the fix: an id or a unique prefix of one.
        why: a sentence about it; empty: none.

    Raises:
        NotFoundError: there is no such record.
        InvalidError: it is not a fix.

    """
    row = reader.find(reference)
    if row.kind != "fix":
        hint = "name the fix that is taken back, as gitmem guard shows it"
        raise InvalidError(f"{row.id} is not a fix but of kind {row.kind}", hint=hint)
    if is_meant(reader.workspace, row):
        return Meant(row, "")
    fields = {
        "title": f"{row.id} may be taken back",
        "body": why,
        "tags": [_TAG],
        "links": {"relates": [row.id]},
    }
    return Meant(row, writer.add("note", fields).id)


def is_meant(workspace: "Workspace", fix: "Row") -> bool:
    """Tell whether somebody said that a fix may go, or wrote another fix in its place."""
    linking = workspace.ask(lambda now: now.catalog.linking_to(fix.id))
    if any(relation == "supersedes" for relation, _ in linking):
        return True
    notes = [row for relation, row in linking if relation == "relates" and row.kind == "note"]
    records = (read_record(workspace, row) for row in notes)
    return any(record is not None and _TAG in record.tags for record in records)
