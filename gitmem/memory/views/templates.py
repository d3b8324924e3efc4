"""Records that somebody is to fill in: their text and where it goes. Nothing is written."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.memory.writing.building import build

if TYPE_CHECKING:
    from gitmem.memory.writable import Writable


class Template(NamedTuple):
    """A record that is not written yet: its id, its absolute path, its text."""

    id: str
    path: str
    text: str


def template(memory: "Writable", kind: str, fields: Mapping[str, Any]) -> Template:
    """Make a record of a kind, redacted, for an editor to open as a new file.

    Args:
        memory: the memory.
        kind: the record's kind.
        fields: plain data by field name, with a title.

    Raises:
        InvalidError: a field is wrong.

    """
    from gitmem.memory.anchors.quoting import with_text  # noqa: PLC0415  start-up
    from gitmem.records.convert import encode
    from gitmem.records.layout import path_for  # noqa: PLC0415  start-up

    live = memory.sessions.current()
    fields = with_text(memory.workspace, fields)
    record = build(kind, fields, memory.author, memory.now(), live.id if live else None)
    record = memory.redacted(record)
    inside = path_for(record.kind, record.id, record.title, record.created)
    return Template(record.id, os.path.join(memory.site.folder, inside), encode(record).decode())
