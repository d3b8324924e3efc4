"""References: everywhere in the work tree where a record is named."""

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.uris import from_fs_path

from lsp_server.error_log import log_errors
from lsp_server.features.definition import mentioned
from lsp_server.features.links import target_of
from lsp_server.mentions import mentions
from lsp_server.places import Span

if TYPE_CHECKING:
    from gitmem.memory.views.mentioning import Mention
    from lsp_server.places import Units
    from lsp_server.session import EditorSession


def register(server: "EditorSession") -> None:
    """Answer where a record is named."""

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    @log_errors
    async def on_references(
        ls: "EditorSession", params: types.ReferenceParams
    ) -> list[types.Location]:
        uri = params.text_document.uri
        shelf = ls.shelf_for(uri)
        await ls.fresh_memory(uri)
        named = mentioned(ls, uri, params.position) if shelf else None
        target = target_of(shelf.front, named[0].id) if shelf and named else None
        if not shelf or not named or not target:
            return []
        record_id = named[0].id
        found = await asyncio.wrap_future(shelf.submit(lambda m, _: m.mentions(record_id)))
        own = "" if params.context.include_declaration else target.uri
        return [
            place
            for line in found
            for place in places_in(line, record_id, ls.units)
            if place.uri != own
        ]


def places_in(line: "Mention", record_id: str, units: "Units") -> list[types.Location]:
    """Give the places in a line where an id stands."""
    uri = from_fs_path(line.path) or ""
    return [
        types.Location(
            uri=uri,
            range=Span(
                (line.line - 1, units(line.text[: one.start])),
                (line.line - 1, units(line.text[: one.end])),
            ).range(),
        )
        for one in mentions(line.text)
        if one.id == record_id
    ]
