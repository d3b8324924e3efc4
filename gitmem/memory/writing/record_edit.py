"""Replaces a record's file by what somebody made of it in an editor, with the same checks."""

from typing import TYPE_CHECKING

from gitmem.errors import InvalidError
from gitmem.memory.writing.record_builder import reject_unknown
from gitmem.records import codec
from gitmem.records.convert import decode, encode, from_data

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Record


def edit_record(writer: "Writer", row: "Row", text: bytes) -> "Record":
    """Check an edited file and write it in the place of the old one; see ``memory.editor.edit``.

    A text that holds no secret is written as it is, with its comments.
    """
    store = writer.workspace.store
    try:
        record = from_data(codec.load(text))
    except codec.YamlError as error:
        line, column = error.position
        raise InvalidError(f"line {line}, column {column}: {error.message}", error.hint) from None
    before = decode(store.read(row.path), row.path).record
    if before is not None:
        for name in ("id", "kind", "created"):
            if getattr(record, name) != getattr(before, name):
                hint = "restore it; for a new record: gitmem add"
                raise InvalidError(f"{name} differs from the record's", hint, name)
        if not before.extra:
            reject_unknown(record, "this record")
    redacted, data = writer.encoded(record)
    as_typed = data == encode(record) and len(text) <= store.max_bytes
    store.replace(row.path, text if as_typed else data)
    return redacted
