"""Go to definition: from a record's id to its file."""

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.error_log import log_errors
from lsp_server.features.links import target_of
from lsp_server.mentions import Mention, column_of, mention_at
from lsp_server.places import Span, line_at

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
        memory = await ls.fresh_memory(uri)
        named = mentioned(ls, uri, params.position) if memory else None
        target = target_of(memory, named[0].id) if memory and named else None
        if not target or not named:
            return []
        start = Span((0, 0), (0, 0)).range()
        able = ls.client_capabilities.text_document
        if not (able and able.definition and able.definition.link_support):
            return [types.Location(uri=target.uri, range=start)]
        return [
            types.LocationLink(
                target_uri=target.uri,
                target_range=start,
                target_selection_range=start,
                origin_selection_range=named[1].range(),
            )
        ]


def mentioned(ls: "EditorSession", uri: str, at: types.Position) -> tuple[Mention, Span] | None:
    """Give the id at a position, and where it stands in the editor's units."""
    line = line_at(ls.lines_of(uri), at.line)
    column = column_of(line, at.character, ls.units)
    mention = mention_at(line, column)
    if mention is None:
        return None
    start, end = (ls.units(line[:edge]) for edge in (mention.start, mention.end))
    return mention, Span((at.line, start), (at.line, end))
