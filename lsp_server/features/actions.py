"""Code actions: past fixes of the diagnostics in a range, and recording what is not known."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from gitmem.errors import GitmemError
from gitmem.memory import AttemptReader
from lsp_server.edits import EditCapabilities, workspace_edit
from lsp_server.error_log import log_errors
from lsp_server.features.diagnostics import read
from lsp_server.file_paths import path_of
from lsp_server.positions import EditorRange, line_at, span_of
from lsp_server.session import CodeActions

if TYPE_CHECKING:
    from gitmem.capture.telling import AttemptDetails, MatchDetails
    from gitmem.memory import FileChange, Memory, TextOf
    from lsp_server.diagnostics_cache import DocumentState, MatchedDiagnostic
    from lsp_server.session import EditorSession

_PATIENCE: Final = 0.4
_MOST: Final = 3
_LONGEST: Final = 80
_FARTHEST: Final = 2**31


def register(server: "EditorSession") -> None:
    """Answer requests for code actions, with what all providers offer."""
    server.action_providers.append(diagnostic_actions)
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.Empty]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds)
    )
    @log_errors
    async def on_code_action(
        ls: "EditorSession", params: types.CodeActionParams
    ) -> CodeActions | None:
        actions: CodeActions = []
        for provider in ls.action_providers:
            actions += await provider(ls, params)
        wanted = params.context.only
        if wanted:
            actions = [action for action in actions if _is_wanted(action, wanted)]
        return actions or None


def _is_wanted(action: types.CodeAction | types.Command, wanted: Sequence[str]) -> bool:
    kind = _plain_kind(getattr(action, "kind", None) or "")
    names = map(_plain_kind, wanted)
    return any(kind == name or kind.startswith(f"{name}.") or not name for name in names)


def _plain_kind(kind: str) -> str:
    """Give a kind as the protocol writes it; an enumeration's own text would be its Python name."""
    return str(kind.value) if isinstance(kind, types.CodeActionKind) else kind


async def diagnostic_actions(ls: "EditorSession", params: types.CodeActionParams) -> CodeActions:
    """Offer past fixes for the diagnostics in a range, and to record those that are not known."""
    uri, span = params.text_document.uri, span_of(params.range)
    state = ls.document_state(uri)
    if state is None:
        return []
    # Editors without our notification hand diagnostics on here, and only here.
    raw = [_plain(theirs) for theirs in params.context.diagnostics]
    ls.diagnostics.take(state, uri, None, read(ls, uri, raw), whole=False)
    state = await ls.matched_state(uri, _PATIENCE)
    if state is None:
        return []
    actions: CodeActions = []
    for diagnostic in state.looked_up_at(span)[:_MOST]:
        theirs = [
            sent for sent in params.context.diagnostics if span_of(sent.range) == diagnostic.span
        ]
        actions += await _of_diagnostic(ls, uri, diagnostic, theirs)
    # Only on a selection: offered everywhere, it would put a bulb on every line of code. A decision
    # is about lines of a file.
    if span.start != span.end and state.path:
        actions.append(_decision_here(ls, uri, span))
    return actions


def _plain(diagnostic: types.Diagnostic) -> dict[str, Any]:
    span = span_of(diagnostic.range)
    ends = [{"line": line, "character": column} for line, column in span]
    return {
        "range": {"start": ends[0], "end": ends[1]}, "source": diagnostic.source,
        "code": diagnostic.code, "message": diagnostic.message,
        "severity": diagnostic.severity.value if diagnostic.severity else None,
    }  # fmt: skip


async def _of_diagnostic(
    ls: "EditorSession", uri: str, diagnostic: "MatchedDiagnostic", theirs: list[types.Diagnostic]
) -> CodeActions:
    details = diagnostic.details
    if details is None or not details.known.label:
        line, character = diagnostic.span.start
        arguments = [{"uri": uri, "line": line, "character": character}]
        failure = diagnostic.failure
        name = ": ".join(filter(None, (failure.error_type, failure.message)))
        title = f"Record this error: {_short(name)}"
        beside = _beside(details, theirs) if details else []
        return [*beside, _command(title, "gitmem.recordError", arguments, theirs)]
    actions: CodeActions = []
    for attempt in details.worked[:_MOST]:
        name = _short(attempt.fix.approach or attempt.fix.title)
        edit = await edit_of(ls, uri, attempt)
        if edit:  # first: an editor's Enter takes what comes first
            actions.append(
                types.CodeAction(
                    title=f"Apply past fix ({attempt.verdict}): {name}",
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=theirs or None,
                    edit=edit,
                    command=_applied(attempt.row.id, uri),
                )
            )
        title = f"Show past fix ({attempt.verdict}): {name}"
        actions.append(_command(title, "gitmem.show", [attempt.row.id], theirs))
    actions += _beside(details, theirs)
    if details.known.errors:
        about = [details.known.errors[-1].id, {"uri": uri}]
        actions.append(_command("Record what fixed it", "gitmem.recordFix", about, theirs))
    return actions


def _applied(fix: str, uri: str) -> types.Command:
    """Note that a fix was applied, once the editor has done it."""
    return types.Command(
        title="Record that it was applied", command="gitmem.applied", arguments=[fix, {"uri": uri}]
    )


def _beside(details: "MatchDetails", theirs: list[types.Diagnostic]) -> CodeActions:
    """Offer to show what is like a failure; of another failure no patch is offered."""
    return [
        _command(
            f"Show {hit.layer or hit.label}: {_short(hit.row.title)}",
            "gitmem.show",
            [hit.row.id],
            theirs,
        )
        for hit in details.known.similar
    ]


def _decision_here(ls: "EditorSession", uri: str, span: EditorRange) -> types.CodeAction:
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
    """Give the first line of a text, cut between words."""
    line = " ".join(text.strip().partition("\n")[0].split())
    if len(line) <= _LONGEST:
        return line
    whole = line[:_LONGEST].rpartition(" ")[0]
    return f"{whole or line[: _LONGEST - 1]} …"


async def edit_of(
    ls: "EditorSession", uri: str, attempt: "AttemptDetails"
) -> types.WorkspaceEdit | None:
    """Give the edit that a past fix is on the texts as they are; None if it does not apply."""
    if not attempt.fix.patch.strip():
        return None
    changes = await changes_of(ls, uri, attempt.fix.patch)
    title = f"Past fix {attempt.row.id}: {_short(attempt.row.title)}"
    return edit_from(ls, changes, title) if changes else None


async def changes_of(ls: "EditorSession", uri: str, patch: str) -> "tuple[FileChange, ...]":
    """Find what a patch does to the texts as they are in the editor; nothing if it refuses."""
    open_memory = ls.open_memory_for(uri)
    if open_memory is None:
        return ()
    text_of = _texts(ls)

    def ask(memory: "Memory", _attempts: AttemptReader) -> "tuple[FileChange, ...]":
        try:
            return memory.code.changes_of(patch, text_of)
        except GitmemError:
            return ()

    return await asyncio.wrap_future(open_memory.ask(ask))


def marker(ls: "EditorSession") -> "Callable[[Memory, MatchDetails], MatchDetails]":
    """Give what marks applicable patches; on the texts that are open now, for another thread."""
    text_of, capabilities = _texts(ls), EditCapabilities(ls.client_capabilities)

    def applies(memory: "Memory", patch: str) -> bool:
        try:
            changes = memory.code.changes_of(patch, text_of)
        except GitmemError:
            return False
        return bool(changes) and capabilities.suffice(changes)

    def mark(memory: "Memory", details: "MatchDetails") -> "MatchDetails":
        return details._replace(
            attempts=tuple(
                attempt._replace(applies=applies(memory, attempt.fix.patch))
                if attempt.fix.patch.strip()
                else attempt
                for attempt in details.attempts
            )
        )

    return mark


def edit_from(
    ls: "EditorSession", changes: "Sequence[FileChange]", title: str
) -> types.WorkspaceEdit | None:
    """Write changes as an edit that the client can carry out; None if it can't."""
    capabilities = EditCapabilities(ls.client_capabilities)
    if not capabilities.suffice(changes):
        return None
    versions = {
        path_of(document.uri): document.version
        for document in ls.workspace.text_documents.values()
        if document.version is not None
    }
    return workspace_edit(changes, capabilities, versions, ls.units, title)


def _texts(ls: "EditorSession") -> "TextOf":
    """Hold on to the texts that are open now, for another thread."""
    texts = {
        path_of(document.uri): document.source for document in ls.workspace.text_documents.values()
    }
    return texts.get


def diagnostic_at(state: "DocumentState", line: int, character: int) -> "MatchedDiagnostic | None":
    """Give the diagnostic that is meant at a position: that begins there, or holds it.

    On a line where none does, the nearest one on it is meant.
    """
    point = (line, character)
    at_point, at_line = EditorRange(point, point), EditorRange((line, 0), (line, _FARTHEST))
    beginning = [each for each in state.diagnostics if each.span.start == point]
    holding = [each for each in state.diagnostics if each.span.touches(at_point)]
    beside = [each for each in state.diagnostics if each.span.touches(at_line)]
    beside.sort(key=lambda each: abs(each.span.start[1] - character))
    return next(iter(beginning + holding + beside), None)
