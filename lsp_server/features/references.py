"""References: every place in the work tree where a record is named."""

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.uris import from_fs_path

from lsp_server.error_log import log_errors
from lsp_server.features.links import target_of
from lsp_server.mentions import mention_in, mentions
from lsp_server.positions import EditorRange, line_at
from lsp_server.priority_thread import Urgency

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory import Memory, Mention
    from lsp_server.features.links import LinkTarget
    from lsp_server.positions import Units
    from lsp_server.session import EditorSession


def register(server: "EditorSession") -> None:
    """Answer where a record is named."""

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    @log_errors
    async def on_references(
        ls: "EditorSession", params: types.ReferenceParams
    ) -> list[types.Location]:
        uri = params.text_document.uri
        open_memory = ls.open_memory_for(uri)
        line = line_at(ls.lines_of(uri), params.position.line)
        at_cursor = mention_in(line, params.position, ls.units)
        if open_memory is None or at_cursor is None:
            return []
        record_id = at_cursor[0].id
        await open_memory.fresh(1.0)

        def ask(
            memory: "Memory", _attempts: object
        ) -> "tuple[LinkTarget, Sequence[Mention]] | None":
            target = target_of(memory, record_id)
            return (target, memory.editor.mentions(record_id)) if target else None

        answer = await asyncio.wrap_future(open_memory.ask(ask, Urgency.VIEW))
        if answer is None:
            return []
        target, lines = answer
        own = "" if params.context.include_declaration else target.uri
        locations = [
            location for line in lines for location in locations_in(line, record_id, ls.units)
        ]
        return [location for location in locations if location.uri != own]


def locations_in(line: "Mention", record_id: str, units: "Units") -> list[types.Location]:
    """Give the positions of an id in a line of a file."""
    uri = from_fs_path(line.path) or ""
    return [
        types.Location(
            uri=uri,
            range=EditorRange(
                (line.line - 1, units(line.text[: each.start])),
                (line.line - 1, units(line.text[: each.end])),
            ).range(),
        )
        for each in mentions(line.text)
        if each.id == record_id
    ]
