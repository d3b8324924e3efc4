"""A model writes how somebody would ask for records who does not know their words."""

from typing import TYPE_CHECKING, Any, Final

import msgspec

from gitmem.errors import NotFoundError
from gitmem.llm.answers import AskedAs
from gitmem.memory.models.model_calls import ModelRequest, ask
from gitmem.records.convert import decode, encode
from gitmem.semantic.protocol import PROSE, EmbeddedText
from gitmem.semantic.record_text import embedded_text
from gitmem.semantic.text import cut

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.memory.writing.writer import Writer
    from gitmem.query import Filters
    from gitmem.records.kinds import Record

_MOST_LINES: Final = 5
_LONGEST: Final = 500


def enrich(
    writer: "Writer",
    wanted: "Filters",
    limit: int,
    approve: "Approve | None",
    client: "ModelClient | None",
) -> "list[Record]":
    """Fill in ``asked_as`` where records have none; see ``Models.enrich``."""
    workspace = writer.workspace
    rows = workspace.ask(lambda now: now.catalog.rows(wanted))
    # What a file holds beside its record, such as a comment, would be lost if it were rewritten.
    chosen: dict[str, tuple[Row, bytes, Record]] = {}
    for row in rows:
        if len(chosen) == limit:
            break
        data = workspace.store.read(row.path)
        record = decode(data, row.path).record
        if record is not None and not record.asked_as and encode(record) == data:
            chosen[record.id] = row, data, record
    if not chosen:
        raise NotFoundError("no record is without asked_as", "gitmem list tells which there are")
    material = {"records": [_told(record) for _, _, record in chosen.values()]}
    request = ModelRequest("asked-as", "Write how people would ask", material, frozenset())
    answer, modelled = ask(workspace, request, AskedAs, approve, client)
    workspace.notices.extend(modelled.notes)
    enriched = []
    for lines_of_record in answer.asked:
        lines = _lines(lines_of_record.asked_as)
        if not lines or lines_of_record.record not in chosen:
            continue
        row, before, record = chosen.pop(lines_of_record.record)
        record, data = writer.encoded(msgspec.structs.replace(record, asked_as=lines))
        if workspace.store.read(row.path) != before:
            workspace.notices.append(f"{record.id} was edited meanwhile: left as it is")
            continue
        workspace.store.replace(row.path, data)
        enriched.append(record)
    return enriched


def _told(record: "Record") -> dict[str, Any]:
    text = cut(EmbeddedText(PROSE, embedded_text(record).text))
    return {"record": record.id, "kind": record.kind, "title": record.title, "text": text}


def _lines(texts: list[str]) -> tuple[str, ...]:
    lines = (" ".join(text.split())[:_LONGEST] for text in texts)
    return tuple(dict.fromkeys(filter(None, lines)))[:_MOST_LINES]
