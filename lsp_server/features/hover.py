"""Hover: on a diagnostic what is known about it, on a line what records say, on an id the record.

Nothing known: no hover.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from gitmem.errors import GitmemError
from gitmem.memory.failures.knowing import follow
from gitmem.records.ids import ALPHABET, KIND_OF, LENGTH
from gitmem.render.known import Link, at_line, told
from gitmem.render.markdown import record_summary
from lsp_server.error_log import log_errors
from lsp_server.places import Span, line_at

if TYPE_CHECKING:
    from gitmem.memory import Memory
    from gitmem.memory.failures.knowing import Mark
    from lsp_server.board import Page
    from lsp_server.places import Units
    from lsp_server.session import EditorSession

_ID: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}}(?!\w)")
_MOST_NOTES: Final = 3
_MOST_MARKS: Final = 3
_PATIENCE: Final = 0.1
"""Seconds that a hover waits for catching up, and for matching that is under way."""


def register(server: "EditorSession") -> None:
    """Answer hovers."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @log_errors
    async def on_hover(ls: "EditorSession", params: types.HoverParams) -> types.Hover | None:
        uri, at = params.text_document.uri, params.position
        shelf = ls.shelf_for(uri)
        if shelf is None:
            return None
        await shelf.fresh(_PATIENCE)
        lines = ls.lines_of(uri)
        on_id = _of_id(shelf.front, line_at(lines, at.line), at, ls.units)
        if on_id:
            return on_id
        page = await ls.ready_page(uri, _PATIENCE)
        point = (at.line, at.character)
        return None if page is None else _of_page(page, Span(point, point), lines, ls.link)


def _of_id(memory: "Memory", line: str, at: types.Position, units: "Units") -> types.Hover | None:
    """Describe the record whose id stands at a position."""
    for match in _ID.finditer(line):
        start, end = (units(line[:i]) for i in match.span())
        if start <= at.character <= end:
            try:
                shown = memory.show(match[0])
            except GitmemError:
                return None
            span = Span((at.line, start), (at.line, end))
            return _hover(record_summary(shown), span)
    return None


def _of_page(page: "Page", at: Span, lines: Sequence[str], link: Link) -> types.Hover | None:
    notes = page.at(at)[:_MOST_NOTES]
    texts = list(dict.fromkeys(told(note.told, link) for note in notes if note.told))
    spoken_of = {error.id for note in notes if note.told for error in note.told.known.errors}
    marks = [
        mark for mark in marks_at(page.marks or (), at.start[0], lines)
        if mark.row.id not in spoken_of
    ][:_MOST_MARKS]  # fmt: skip
    if marks:
        texts.append(at_line([(mark.why, mark.row) for mark in marks], link))
    if not texts:
        return None
    return _hover("\n\n---\n\n".join(texts), notes[0].span if notes else None)


def _hover(text: str, span: Span | None) -> types.Hover:
    contents = types.MarkupContent(kind=types.MarkupKind.Markdown, value=text)
    return types.Hover(contents=contents, range=span.range() if span else None)


def marks_at(marks: "Sequence[Mark]", line: int, lines: Sequence[str]) -> "list[Mark]":
    """Give what records say about a line (from 0). Decisions for a whole file show on its first."""
    found = []
    for mark in marks:
        first, last = place_of(mark, lines)
        if first <= line <= last:
            found.append(mark)
    return found


def place_of(mark: "Mark", lines: Sequence[str]) -> tuple[int, int]:
    """Find the lines (from 0) that a record speaks of in the text as it is; (-1, -1): none.

    An editor's text may be newer than the file: its lines are told by ``memory.knowing.follow``,
    as everywhere.
    """
    return follow(mark, lines)
