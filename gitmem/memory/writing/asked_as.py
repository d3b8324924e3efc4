"""Writes ``asked_as`` into the file of a record: how somebody asks who does not know the answer."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

from gitmem.errors import ConflictError, InvalidError

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Record

_MOST_LINES: Final = 5
_LONGEST: Final = 500


def asked_lines(texts: Iterable[str]) -> tuple[str, ...]:
    """Give the lines that a record may have of some texts, each once."""
    lines = (" ".join(text.split())[:_LONGEST] for text in texts)
    return tuple(dict.fromkeys(filter(None, lines)))[:_MOST_LINES]


def rewritable(writer: "Writer", row: "Row") -> "tuple[bytes, Record] | None":
    """Give a record and its file, if nothing else stands in that; None otherwise.

    What a file holds beside its record, such as a comment, would be lost if it were rewritten.
    """
    from gitmem.records.convert import decode, encode

    data = writer.workspace.store.read(row.path)
    record = decode(data, row.path).record
    return (data, record) if record is not None and encode(record) == data else None


def write_asked_as(
    writer: "Writer", row: "Row", before: bytes, record: "Record", lines: tuple[str, ...]
) -> "Record":
    """Rewrite a record's file with other lines.

    Args:
        writer: of the memory.
        row: the record.
        before: its file, as ``rewritable`` gave it.
        record: the record in it.
        lines: what is written.

    Raises:
        ConflictError: the file was edited meanwhile.

    """
    record, data = writer.encoded(msgspec.structs.replace(record, asked_as=lines))
    if writer.workspace.store.read(row.path) != before:
        raise ConflictError(f"{record.id} was edited meanwhile and is unchanged", "try again")
    writer.workspace.store.replace(row.path, data)
    return record


def add_asked_as(writer: "Writer", row: "Row", texts: Iterable[str]) -> "Record":
    """Add lines to those that a record has.

    Raises:
        InvalidError: there is no line to add, or no room for it.
        ConflictError: its file says more than the record, or was edited meanwhile.

    """
    file = rewritable(writer, row)
    if file is None:
        raise ConflictError(
            f"{row.path} holds more than the record, such as comments", "add the lines by hand"
        )
    before, record = file
    lines = asked_lines([*record.asked_as, *texts])
    if lines == record.asked_as:
        raise InvalidError(
            f"no line was added to {row.id}", f"{_MOST_LINES} lines at most, all different"
        )
    return write_asked_as(writer, row, before, record, lines)
