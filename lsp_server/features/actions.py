"""Code actions: what is known about the diagnostics at hand, and writing down what is not."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from gitmem.errors import GitmemError
from gitmem.memory.codebase.patching import FileChange, applied
from gitmem.memory.failures.knowing import AttemptReader
from lsp_server.edits import Abilities, workspace_edit
from lsp_server.error_log import log_errors
from lsp_server.features.diagnostics import read
from lsp_server.places import Span, line_at, path_of, span_of
from lsp_server.session import CodeActions

if TYPE_CHECKING:
    from gitmem.capture.telling import AttemptDetails
    from gitmem.memory import Memory
    from gitmem.memory.codebase.patching import TextOf
    from lsp_server.board import Note, Page
    from lsp_server.session import EditorSession

_PATIENCE: Final = 0.4
_MOST: Final = 3
_LONGEST: Final = 80


def register(server: "EditorSession") -> None:
    """Answer requests for code actions, with what all providers offer."""
    server.action_providers.append(known_actions)
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.Empty]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds)
    )
    @log_errors
    async def on_code_action(
        ls: "EditorSession", params: types.CodeActionParams
    ) -> CodeActions | None:
        found: CodeActions = []
        for provider in ls.action_providers:
            found += await provider(ls, params)
        wanted = params.context.only
        if wanted:
            found = [one for one in found if _is_wanted(one, wanted)]
        return found or None


def _is_wanted(one: types.CodeAction | types.Command, wanted: Sequence[str]) -> bool:
    kind = str(getattr(one, "kind", "") or "")
    names = [str(getattr(name, "value", name)) for name in wanted]
    return any(kind == name or kind.startswith(f"{name}.") or not name for name in names)


async def known_actions(ls: "EditorSession", params: types.CodeActionParams) -> CodeActions:
    """Offer past fixes for the diagnostics in a range, and to write down what is not known."""
    uri, span = params.text_document.uri, span_of(params.range)
    page = ls.page_for(uri)
    if page is None:
        return []
    # Editors without our notification hand diagnostics on here, and only here.
    raw = [_plain(one) for one in params.context.diagnostics]
    ls.board.note(page, uri, None, read(ls, uri, raw), whole=False)
    page = await ls.ready_page(uri, _PATIENCE)
    if page is None:
        return []
    found: CodeActions = []
    notes = [note for note in page.notes if note.matched and note.span.touches(span)][:_MOST]
    for note in notes:
        theirs = [one for one in params.context.diagnostics if span_of(one.range) == note.span]
        found += await _of_note(ls, uri, note, theirs)
    found.append(_here(ls, uri, span))
    return found


def _plain(one: types.Diagnostic) -> dict[str, Any]:
    span = span_of(one.range)
    ends = [{"line": line, "character": column} for line, column in span]
    return {
        "range": {"start": ends[0], "end": ends[1]}, "source": one.source, "code": one.code,
        "message": one.message, "severity": one.severity.value if one.severity else None,
    }  # fmt: skip


async def _of_note(
    ls: "EditorSession", uri: str, note: "Note", theirs: list[types.Diagnostic]
) -> CodeActions:
    told = note.told
    if told is None or not told.known.label:
        arguments = [{"uri": uri, "line": note.span.start[0], "character": note.span.start[1]}]
        title = f"Record this error: {_short(note.failure.message)}"
        layered = [
            _command(f"Show {hit.layer}: {_short(hit.row.title)}", "gitmem.show",
                     [hit.row.id], theirs)
            for hit in (told.known.similar if told else ())
        ]  # fmt: skip
        return [*layered, _command(title, "gitmem.recordError", arguments, theirs)]
    found: CodeActions = []
    for attempt in told.worked[:_MOST]:
        name = _short(attempt.fix.approach or attempt.fix.title)
        title = f"Show past fix ({attempt.badge}): {name}"
        found.append(_command(title, "gitmem.show", [attempt.row.id], theirs))
        edit = await edit_of(ls, uri, attempt)
        if edit:
            found.append(
                types.CodeAction(
                    title=f"Apply past fix ({attempt.badge}): {name}",
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=theirs or None,
                    edit=edit,
                )
            )
    if told.known.errors:
        about = [told.known.errors[-1].id, {"uri": uri}]
        found.append(_command("Record what fixed it", "gitmem.recordFix", about, theirs))
    return found


def _here(ls: "EditorSession", uri: str, span: Span) -> types.CodeAction:
    lines: dict[str, Any] = {"uri": uri, "first": span.start[0], "last": span.end[0]}
    lines["quote"] = line_at(ls.lines_of(uri), span.start[0]).strip()
    action = _command("Record a decision here", "gitmem.recordDecision", [lines], [])
    action.kind = types.CodeActionKind.Empty
    return action


def _command(
    title: str, command: str, arguments: list[Any], theirs: list[types.Diagnostic]
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=theirs or None,
        command=types.Command(title=title, command=command, arguments=arguments),
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


async def edit_of(
    ls: "EditorSession", uri: str, attempt: "AttemptDetails"
) -> types.WorkspaceEdit | None:
    """Give the edit that a past fix is on the texts as they are; None if it does not apply."""
    if not attempt.fix.patch.strip():
        return None
    changes = await changes_of(ls, uri, attempt.fix.patch)
    title = f"Past fix {attempt.row.id}: {_short(attempt.row.title)}"
    return edit_from(ls, changes, title) if changes else None


async def changes_of(ls: "EditorSession", uri: str, patch: str) -> tuple[FileChange, ...]:
    """Find what a patch does to the texts as they are in the editor; nothing if it refuses."""
    shelf = ls.shelf_for(uri)
    if shelf is None:
        return ()
    text_of = _texts(ls)

    def ask(memory: "Memory", _teller: AttemptReader) -> tuple[FileChange, ...]:
        try:
            return applied(memory, patch, text_of)
        except GitmemError:
            return ()

    return await asyncio.wrap_future(shelf.submit(ask))


def edit_from(
    ls: "EditorSession", changes: Sequence[FileChange], title: str
) -> types.WorkspaceEdit | None:
    """Write changes as an edit that the client can carry out; None if it can't."""
    abilities = Abilities(ls.client_capabilities)
    if not abilities.suffice(changes):
        return None
    versions = {
        path_of(document.uri): document.version
        for document in ls.workspace.text_documents.values()
        if document.version is not None
    }
    return workspace_edit(changes, abilities, versions, ls.units, title)


def _texts(ls: "EditorSession") -> "TextOf":
    """Hold on to the texts that are open now, for another thread."""
    texts = {
        path_of(document.uri): document.source for document in ls.workspace.text_documents.values()
    }
    return texts.get


def note_at(page: "Page", line: int, character: int) -> "Note | None":
    """Give the diagnostic that begins at a position."""
    return next((one for one in page.notes if one.span.start == (line, character)), None)
