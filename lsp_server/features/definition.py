"""Go to definition: from a record's id to its file."""

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.error_log import log_errors
from lsp_server.features.links import target_of
from lsp_server.mentions import mention_in
from lsp_server.positions import EditorRange, line_at

if TYPE_CHECKING:
    from lsp_server.session import EditorSession


def register(server: "EditorSession") -> None:
    """Answer where a record is defined."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @log_errors
    async def on_definition(
        ls: "EditorSession", params: types.DefinitionParams
    ) -> list[types.LocationLink] | list[types.Location]:
        uri = params.text_document.uri
        open_memory = ls.open_memory_for(uri)
        line = line_at(ls.lines_of(uri), params.position.line)
        at_cursor = mention_in(line, params.position, ls.units)
        if open_memory is None or at_cursor is None:
            return []
        mention, span = at_cursor
        await open_memory.fresh(1.0)
        target = await asyncio.wrap_future(
            open_memory.ask(lambda memory, _: target_of(memory, mention.id))
        )
        if target is None:
            return []
        start = EditorRange((0, 0), (0, 0)).range()
        client = ls.client_capabilities.text_document
        if not (client and client.definition and client.definition.link_support):
            return [types.Location(uri=target.uri, range=start)]
        return [
            types.LocationLink(
                target_uri=target.uri,
                target_range=start,
                target_selection_range=start,
                origin_selection_range=span.range(),
            )
        ]
