"""A model writes how somebody would ask for records who does not know their words."""

from typing import TYPE_CHECKING, Any

from gitmem.errors import ConflictError, NotFoundError
from gitmem.llm.answers import AskedAs
from gitmem.memory.models.model_calls import ModelRequest, ask
from gitmem.memory.writing.asked_as import asked_lines, rewritable, write_asked_as
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
    chosen: dict[str, tuple[Row, bytes, Record]] = {}
    for row in rows:
        if len(chosen) == limit:
            break
        file = rewritable(writer, row)
        if file is not None and not file[1].asked_as:
            chosen[row.id] = row, *file
    if not chosen:
        raise NotFoundError("every record has asked_as already", "to see records: gitmem list")
    material = {"records": [_told(record) for _, _, record in chosen.values()]}
    request = ModelRequest("asked-as", "Write how people would ask", material, frozenset())
    answer, modelled = ask(workspace, request, AskedAs, approve, client)
    workspace.notices.extend(modelled.notes)
    enriched = []
    for lines_of_record in answer.asked:
        lines = asked_lines(lines_of_record.asked_as)
        if not lines or lines_of_record.record not in chosen:
            continue
        row, before, record = chosen.pop(lines_of_record.record)
        try:
            enriched.append(write_asked_as(writer, row, before, record, lines))
        except ConflictError as error:
            workspace.notices.append(error.message)
    return enriched


def _told(record: "Record") -> dict[str, Any]:
    text = cut(EmbeddedText(PROSE, embedded_text(record).text))
    return {"record": record.id, "kind": record.kind, "title": record.title, "text": text}
