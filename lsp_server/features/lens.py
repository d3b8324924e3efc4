"""Lenses and inlay hints: how much the memory knows of a place. Off until asked for."""

from collections import Counter
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from gitmem import plurals
from lsp_server.error_log import log_errors
from lsp_server.features.hover import place_of
from lsp_server.places import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsp_server.board import Page
    from lsp_server.session import EditorSession

_PATIENCE: Final = 0.4


def register(server: "EditorSession") -> None:
    """Answer requests for lenses and inlay hints."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    @log_errors
    async def on_lens(ls: "EditorSession", params: types.CodeLensParams) -> list[types.CodeLens]:
        if not ls.wants("codeLens"):
            return []
        page = await ls.ready_page(params.text_document.uri, _PATIENCE)
        found = []
        for line, (text, ids) in counted(page, ls.lines_of(params.text_document.uri)).items():
            span = Span((line, 0), (line, 0))
            command = types.Command(title=text, command="gitmem.show", arguments=[ids[0]])
            found.append(types.CodeLens(range=span.range(), command=command))
        return found

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    @log_errors
    async def on_inlay(ls: "EditorSession", params: types.InlayHintParams) -> list[types.InlayHint]:
        if not ls.wants("inlayHints"):
            return []
        page = await ls.ready_page(params.text_document.uri, _PATIENCE)
        lines = ls.lines_of(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [
            types.InlayHint(
                position=types.Position(
                    line=line, character=ls.units(lines[line].rstrip("\r\n")) if lines else 0
                ),
                label=text,
                padding_left=True,
            )
            for line, (text, _ids) in counted(page, lines).items()
            if first <= line <= last
        ]


def counted(page: "Page | None", lines: "Sequence[str]") -> dict[int, tuple[str, list[str]]]:
    """Count what is known of each line of which anything is: a text, and the records' ids."""
    if page is None:
        return {}
    found: dict[int, dict[str, str]] = {}
    for mark in page.marks or ():
        line = place_of(mark, lines)[0]
        if line >= 0:
            found.setdefault(line, {})[mark.row.id] = mark.row.kind
    for note in page.notes:
        for error in note.told.known.errors if note.told else ():
            found.setdefault(note.span.start[0], {})[error.id] = "error"
    return {
        line: (_words(Counter(kinds.values())), list(kinds)) for line, kinds in found.items()
        if line < max(len(lines), 1)
    }  # fmt: skip


def _words(counts: Counter[str]) -> str:
    decisions, errors = counts["decision"], counts["error"]
    others = counts.total() - decisions - errors
    parts = [
        plurals.counted(number, word)
        for number, word in ((decisions, "decision"), (errors, "past error"), (others, "record"))
        if number
    ]
    return ", ".join(parts)
