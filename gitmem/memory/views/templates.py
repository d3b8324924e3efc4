"""Templates of records to fill in: the text and its path. Nothing is written."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.memory.anchors.anchor_text import with_text
from gitmem.memory.core.redaction import redact_record
from gitmem.memory.writing.record_builder import build
from gitmem.records.convert import encode
from gitmem.records.layout import path_for

if TYPE_CHECKING:
    from gitmem.memory.writing.writer import Writer


class Template(NamedTuple):
    """A record that is not written yet: its id, its absolute path, its text."""

    id: str
    path: str
    text: str


def template(writer: "Writer", kind: str, fields: Mapping[str, Any]) -> Template:
    """Make a record of a kind, redacted, for an editor to open as a new file.

    Args:
        writer: of the memory.
        kind: the record's kind.
        fields: plain data by field name, with a title.

    Raises:
        InvalidError: a field is wrong.

    """
    workspace = writer.workspace
    live = writer.sessions.current()
    quoted = with_text(workspace, fields)
    record = build(kind, quoted, writer.author, workspace.clock(), live.id if live else None)
    record = redact_record(workspace, record)
    inside = path_for(record.kind, record.id, record.title, record.created)
    path = os.path.join(workspace.site.folder, inside)
    return Template(record.id, path, encode(record).decode())
