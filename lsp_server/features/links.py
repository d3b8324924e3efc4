"""Links from ids of records to their files: in code, commit messages and record files."""

import asyncio
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types
from pygls.uris import from_fs_path

from gitmem.errors import GitmemError
from lsp_server.error_log import log_errors
from lsp_server.mentions import mentions
from lsp_server.positions import EditorRange, line_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory import Memory
    from lsp_server.positions import Units
    from lsp_server.session import EditorSession

_MOST: Final = 1_000


def register(server: "EditorSession") -> None:
    """Answer requests for links."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    @log_errors
    async def on_links(
        ls: "EditorSession", params: types.DocumentLinkParams
    ) -> list[types.DocumentLink]:
        uri = params.text_document.uri
        open_memory = ls.open_memory_for(uri)
        if open_memory is None:
            return []
        await open_memory.fresh(1.0)
        lines, units = ls.lines_of(uri), ls.units
        return await asyncio.wrap_future(
            open_memory.ask(lambda memory, _: document_links(memory, lines, units))
        )


class LinkTarget(NamedTuple):
    """A record's file, and what the record is in a few words."""

    uri: str
    about: str


def target_of(memory: "Memory", record_id: str) -> LinkTarget | None:
    """Give the file of the record that bears an id; None if there is none."""
    try:
        row = memory.find(record_id)
    except GitmemError:
        return None
    uri = from_fs_path(os.path.join(memory.workspace.site.folder, row.path)) or ""
    return LinkTarget(uri, f"{row.kind} {row.shown_status}: {row.title}")


def document_links(
    memory: "Memory", lines: "Sequence[str]", units: "Units"
) -> list[types.DocumentLink]:
    """Give a link for every mention of a record that is there, at most a thousand."""
    targets: dict[str, LinkTarget | None] = {}
    links: list[types.DocumentLink] = []
    for number, line in enumerate(lines):
        if "-" not in line:
            continue
        for mention in mentions(line_at(lines, number)):
            if mention.id not in targets:
                targets[mention.id] = target_of(memory, mention.id)
            target = targets[mention.id]
            if target is None:
                continue
            columns = (units(line[: mention.start]), units(line[: mention.end]))
            span = EditorRange((number, columns[0]), (number, columns[1]))
            links.append(
                types.DocumentLink(range=span.range(), target=target.uri, tooltip=target.about)
            )
            if len(links) == _MOST:
                return links
    return links
