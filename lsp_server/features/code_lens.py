"""Lenses and inlay hints: what fixed the error of a line, and how much else is known about it.

A lens above the first line warns of what came back in the file, and of attempts that failed.

Off by default.
"""

from collections import Counter
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from gitmem import plurals
from gitmem.render.match_markdown import fixed_before
from gitmem.render.text import one_line
from lsp_server.error_log import log_errors
from lsp_server.features.hover import lines_of_mark
from lsp_server.positions import EditorRange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.capture.telling import MatchDetails
    from lsp_server.diagnostics_cache import DocumentState
    from lsp_server.session import EditorSession

_PATIENCE: Final = 0.4
_LONGEST: Final = 80


def register(server: "EditorSession") -> None:
    """Answer requests for lenses and inlay hints."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    @log_errors
    async def on_lens(ls: "EditorSession", params: types.CodeLensParams) -> list[types.CodeLens]:
        if not ls.wants("codeLens"):
            return []
        state = await ls.matched_state(params.text_document.uri, _PATIENCE)
        lenses = [_lens(0, *state.fragile)] if state and state.fragile.warning else []
        for line, (text, ids) in told_by_line(state, ls.lines_of(params.text_document.uri)).items():
            lenses.append(_lens(line, text, ids))
        return lenses

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    @log_errors
    async def on_inlay(ls: "EditorSession", params: types.InlayHintParams) -> list[types.InlayHint]:
        if not ls.wants("inlayHints"):
            return []
        state = await ls.matched_state(params.text_document.uri, _PATIENCE)
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
            for line, (text, _ids) in told_by_line(state, lines).items()
            if first <= line <= last
        ]


def _lens(line: int, text: str, ids: "Sequence[str]") -> types.CodeLens:
    command = types.Command(title=text, command="gitmem.show", arguments=[ids[0]])
    span = EditorRange((line, 0), (line, 0))
    return types.CodeLens(range=span.range(), command=command)


def told_by_line(
    state: "DocumentState | None", lines: "Sequence[str]"
) -> dict[int, tuple[str, list[str]]]:
    """Tell in a few words what is known about each line.

    Returns:
        By line number from 0: what fixed its error before, how many other records there are; and
        the records' ids, that of the fix first. Lines about which nothing is known are left out.

    """
    if state is None:
        return {}
    kinds_by_line: dict[int, dict[str, str]] = {}
    fixes: dict[int, MatchDetails] = {}
    for mark in state.marks or ():
        line = lines_of_mark(mark, lines)[0]
        if line >= 0:
            kinds_by_line.setdefault(line, {})[mark.row.id] = mark.row.kind
    for diagnostic in state.diagnostics:
        details, line = diagnostic.details, diagnostic.span.start[0]
        errors = details.known.errors if details else ()
        kinds_by_line.setdefault(line, {}).update((error.id, "error") for error in errors)
        if details and fixed_before(details):
            fixes.setdefault(line, details)
    return {
        line: _told(kinds, fixes.get(line))
        for line, kinds in kinds_by_line.items()
        if (kinds or line in fixes) and line < max(len(lines), 1)
    }


def _told(kinds: dict[str, str], solved: "MatchDetails | None") -> tuple[str, list[str]]:
    """Give what is said of a line, and the ids of the records that say it."""
    if solved is None:
        return _words(Counter(kinds.values())), list(kinds)
    attempt = solved.worked[0]
    approach = one_line(attempt.fix.approach or attempt.fix.title)
    if len(approach) > _LONGEST:
        approach = approach[: _LONGEST - 1] + "…"
    errors = {error.id for error in solved.known.errors}
    others = {record: kind for record, kind in kinds.items() if record not in errors}
    parts = [f"{fixed_before(solved)}: {approach}", _words(Counter(others.values()))]
    return " · ".join(filter(None, parts)), [attempt.row.id, *kinds]


def _words(counts: Counter[str]) -> str:
    decisions, errors = counts["decision"], counts["error"]
    others = counts.total() - decisions - errors
    parts = [
        plurals.counted(number, word)
        for number, word in ((decisions, "decision"), (errors, "past error"), (others, "record"))
        if number
    ]
    return ", ".join(parts)
