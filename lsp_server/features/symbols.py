"""Symbols: the fields of a record file, and records found by words from anywhere."""

import asyncio
import os
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from lsp_server.error_log import log_errors
from lsp_server.features.record_files import record_file_at
from lsp_server.outline import OutlineEntry, outline, plain
from lsp_server.positions import line_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory import Memory
    from lsp_server.positions import Units
    from lsp_server.session import EditorSession

_MOST: Final = 50
_LONGEST: Final = 80
_SYMBOLS: Final = {
    "error": types.SymbolKind.Event,
    "fix": types.SymbolKind.Method,
    "decision": types.SymbolKind.Constant,
    "session": types.SymbolKind.Namespace,
    "pattern": types.SymbolKind.Struct,
    "note": types.SymbolKind.String,
}


def register(server: "EditorSession") -> None:
    """Answer requests for symbols."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @log_errors
    async def on_symbols(
        ls: "EditorSession", params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol]:
        uri = params.text_document.uri
        return document_symbols(ls.lines_of(uri), ls.units) if record_file_at(ls, uri) else []

    @server.feature(types.WORKSPACE_SYMBOL)
    @log_errors
    async def on_workspace_symbols(
        ls: "EditorSession", params: types.WorkspaceSymbolParams
    ) -> list[types.WorkspaceSymbol]:
        symbols: list[types.WorkspaceSymbol] = []
        for open_memory in ls.workspace_memories():
            answer = open_memory.do_in_step(lambda memory: records(memory, params.query))
            matches: list[types.WorkspaceSymbol] = await asyncio.wrap_future(answer)
            symbols += matches
        return symbols


def document_symbols(lines: "Sequence[str]", units: "Units") -> list[types.DocumentSymbol]:
    """Give the fields of a record, each below the one it belongs to."""
    top: list[types.DocumentSymbol] = []
    by_steps: dict[tuple[str | int, ...], types.DocumentSymbol] = {}
    for entry in outline(lines):
        symbol = _field(entry, lines, units)
        by_steps[entry.steps] = symbol
        above = by_steps.get(entry.steps[:-1])
        if above is None:
            top.append(symbol)
        else:
            above.children = [*(above.children or []), symbol]
    return top


def _field(entry: OutlineEntry, lines: "Sequence[str]", units: "Units") -> types.DocumentSymbol:
    line = line_at(lines, entry.line)
    name = str(entry.steps[-1])
    value = "" if entry.is_block else plain(entry.value)
    if isinstance(entry.steps[-1], int):
        name = value[:_LONGEST] or f"[{name}]"
        value = ""
    # The line's end where it is on one line, else the end of the last one.
    start = types.Position(line=entry.line, character=units(line[: entry.column]))
    end = types.Position(line=entry.last, character=units(line_at(lines, entry.last)))
    key_end = entry.end if entry.end > entry.column else len(line)
    chosen = types.Position(line=entry.line, character=units(line[:key_end]))
    return types.DocumentSymbol(
        name=name,
        kind=_kind(entry),
        range=types.Range(start=start, end=end),
        selection_range=types.Range(start=start, end=chosen),
        detail=value[:_LONGEST] or None,
    )


def _kind(entry: OutlineEntry) -> types.SymbolKind:
    if entry.steps == ("id",):
        return types.SymbolKind.Key
    if isinstance(entry.steps[-1], int):
        return types.SymbolKind.String
    return types.SymbolKind.Field if entry.value else types.SymbolKind.Object


def records(memory: "Memory", query: str) -> list[types.WorkspaceSymbol]:
    """Find records by words and filters, as ``gitmem search`` does; without any, the newest."""
    if query.strip():
        rows = [hit.row for hit in memory.search(query, _MOST).hits]
    else:
        rows = memory.list(limit=_MOST)
    start = types.Position(line=0, character=0)
    return [
        types.WorkspaceSymbol(
            name=row.title,
            kind=_SYMBOLS[row.kind],
            location=types.Location(
                uri=from_fs_path(os.path.join(memory.workspace.site.folder, row.path)) or "",
                range=types.Range(start=start, end=start),
            ),
            container_name=f"{row.kind} {row.id} ({row.shown_status})",
        )
        for row in rows
    ]
