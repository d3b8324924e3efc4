"""Hover: what is known about a diagnostic, what records say about a line, the record of an id.

Where nothing is known, there is no hover. What the organisation's hub knows follows below.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from gitmem.errors import GitmemError
from gitmem.matching.labels import SAME_ERROR
from gitmem.render.markdown import record_summary
from gitmem.render.match_markdown import STILL_READING, Link, at_line, match_text
from lsp_server.error_log import log_errors
from lsp_server.features.actions import marker
from lsp_server.mentions import IdMention, mention_in
from lsp_server.positions import EditorRange, line_at

if TYPE_CHECKING:
    from gitmem.capture.telling import MatchDetails
    from gitmem.memory import Mark, Memory
    from lsp_server.diagnostics_cache import DocumentState, MatchedDiagnostic
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_MOST_DIAGNOSTICS: Final = 3
_MOST_MARKS: Final = 3
_PATIENCE: Final = 0.1
"""Seconds that a hover waits for catching up, and for matching that is under way. The first ones
after a start wait longer, and say so where that does not do: what nobody has looked for is not
told to be missing."""


def register(server: "EditorSession") -> None:
    """Answer hovers."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @log_errors
    async def on_hover(ls: "EditorSession", params: types.HoverParams) -> types.Hover | None:
        uri, at = params.text_document.uri, params.position
        open_memory = ls.open_memory_for(uri)
        if open_memory is None:
            return None
        end = time.monotonic() + max(_PATIENCE, open_memory.cold_for)
        await open_memory.fresh(end - time.monotonic())
        lines = ls.lines_of(uri)
        mention = mention_in(line_at(lines, at.line), at, ls.units)
        if mention and (on_id := await _of_id(open_memory, *mention)):
            return on_id
        point = (at.line, at.character)
        at_point = EditorRange(point, point)
        state = await ls.matched_state(uri, max(_PATIENCE, end - time.monotonic()), at_point)
        if state is None:
            return None
        reading = state.is_unsure_at(at_point) or not open_memory.in_step
        diagnostics = state.known_at(at_point)[:_MOST_DIAGNOSTICS]
        details = [
            diagnostic.details._replace(reading=reading)
            for diagnostic in diagnostics
            if diagnostic.details
        ]
        details = await _told(ls, uri, details)
        span = diagnostics[0].span if diagnostics else None
        own = _of_state(state, at_point, lines, ls.link, details, span)
        if (
            own is None
            and reading
            and any(each.span.touches(at_point) for each in state.diagnostics)
        ):
            own = _hover(STILL_READING, None)
        # What the hub knows follows below. Who reads something already waits for none of it.
        known_before = {each for each in state.known_at(at_point) if _is_same_error(each)}
        new = [each for each in state.looked_up_at(at_point) if each not in known_before]
        left = 0.0 if own else end - time.monotonic()
        foreign = await open_memory.hub.about(
            [diagnostic.failure for diagnostic in new[:_MOST_DIAGNOSTICS]], left
        )
        return _with_foreign(own, foreign, new[0].span) if foreign else own


async def _of_id(
    open_memory: "OpenMemory", mention: IdMention, span: EditorRange
) -> types.Hover | None:
    """Describe the record whose id is at a position; None if there is no such record."""
    try:
        shown = await asyncio.wrap_future(
            open_memory.ask(lambda memory, _: memory.show(mention.id))
        )
    except GitmemError:
        return None
    return _hover(record_summary(shown), span)


async def _told(
    ls: "EditorSession", uri: str, details: "Sequence[MatchDetails]"
) -> "list[MatchDetails]":
    """Add what is asked for a hover alone: which patches apply, and what came back."""
    open_memory = ls.open_memory_for(uri)
    if open_memory is None or not any(each.known.errors for each in details):
        return list(details)
    mark, matches = marker(ls), [each.known for each in details]

    def ask(memory: "Memory", _: object) -> "list[MatchDetails]":
        answer = memory.history.look_up(matches)
        return [
            mark(memory, each)._replace(returned=answer.returned(each.known)) for each in details
        ]

    return await asyncio.wrap_future(open_memory.ask(ask))


def _of_state(
    state: "DocumentState",
    at: EditorRange,
    lines: Sequence[str],
    link: Link,
    details: "Sequence[MatchDetails]",
    span: EditorRange | None,
) -> types.Hover | None:
    texts = list(dict.fromkeys(match_text(each, link, at_place=True) for each in details))
    shown = {error.id for each in details for error in each.known.errors}
    marks = [
        mark for mark in marks_at(state.marks or (), at.start[0], lines) if mark.row.id not in shown
    ][:_MOST_MARKS]
    if marks:
        texts.append(at_line([(mark.why, mark.row) for mark in marks], link))
    if not texts:
        return None
    return _hover("\n\n---\n\n".join(texts), span)


def _is_same_error(diagnostic: "MatchedDiagnostic") -> bool:
    return diagnostic.details is not None and diagnostic.details.known.label == SAME_ERROR


def _with_foreign(
    own: types.Hover | None, foreign: Sequence[str], span: EditorRange
) -> types.Hover:
    text = "\n\n".join(dict.fromkeys(foreign))
    if own is None or not isinstance(own.contents, types.MarkupContent):
        return _hover(text, span)
    own.contents.value += f"\n\n---\n\n{text}"
    return own


def _hover(text: str, span: EditorRange | None) -> types.Hover:
    contents = types.MarkupContent(kind=types.MarkupKind.Markdown, value=text)
    return types.Hover(contents=contents, range=span.range() if span else None)


def marks_at(marks: "Sequence[Mark]", line: int, lines: Sequence[str]) -> "list[Mark]":
    """Give what records say about a line (from 0). Decisions for a whole file show on its first."""
    on_line = []
    for mark in marks:
        first, last = lines_of_mark(mark, lines)
        if first <= line <= last:
            on_line.append(mark)
    return on_line


def lines_of_mark(mark: "Mark", lines: Sequence[str]) -> tuple[int, int]:
    """Find the lines (from 0) that a record speaks of in the text as it is; (-1, -1): none.

    An editor's text may be newer than the file, so the lines are looked for in it.
    """
    return mark.lines_in(lines)
