"""Recording from the editor: an error or a text as it is, or a fix or decision to fill in.

An error is evidence and is written at once, and so is what a person has said already. What is still
to be said is opened as a new record file, which counts for nothing before it is filled in.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.records.kinds import PLACEHOLDER
from lsp_server.command_arguments import (
    LONGEST_TEXT,
    named_in,
    path_in,
    switch_of,
    text_in,
    text_of,
)
from lsp_server.edits import EditCapabilities
from lsp_server.features.actions import diagnostic_at
from lsp_server.features.commands import add_command

if TYPE_CHECKING:
    from gitmem.memory import Template
    from gitmem.records.kinds import Record
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_LONGEST_TITLE: Final = 160
_LONGEST_COMMAND: Final = 2_000


def register(server: "EditorSession") -> None:
    """Answer the commands that write."""
    add_command(server, "gitmem.recordError", _error, writes=True)
    add_command(server, "gitmem.recordText", _text, writes=True)
    add_command(server, "gitmem.recordFix", _fix, writes=True)
    add_command(server, "gitmem.recordDecision", _decision, writes=True)
    add_command(server, "gitmem.recordAskedAs", _asked_as, writes=True)


def _position(arguments: list[Any]) -> dict[str, Any]:
    position = named_in(arguments)
    if not isinstance(position.get("uri"), str):
        raise UsageError("an argument must give a place", '{"uri": …, "line": …}')
    return position


async def _error(ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    position = _position(arguments)
    state = ls.document_state(position["uri"])
    line, character = position.get("line", -1), position.get("character", -1)
    diagnostic = diagnostic_at(state, line, character) if state else None
    if diagnostic is None:
        raise UsageError("there is no diagnostic at this place", "it may be gone by now")
    failure = diagnostic.failure

    def write(memory: Memory) -> str:
        fields = memory.failures.fields_of(failure)
        title = failure.message.partition("\n")[0][:_LONGEST_TITLE].strip()
        return memory.add("error", {**fields, "title": title}).id

    record_id = await asyncio.wrap_future(open_memory.do_in_step(write))
    open_memory.follow()
    _announce(ls, arguments, f"recorded as {record_id}")
    return {"id": record_id}


async def _text(ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    named = named_in(arguments)
    text, command = named.get("text"), named.get("command", "")
    if not isinstance(text, str) or not text.strip():
        raise UsageError("there is no text to record", '{"uri": …, "text": "…"}')
    if not isinstance(command, str):
        raise UsageError("command must be a text", '{"command": "npm test"}')
    tail, line = text[-LONGEST_TEXT:], " ".join(command.split())[:_LONGEST_COMMAND]
    recorded = await asyncio.wrap_future(
        open_memory.do_in_step(lambda memory: memory.failures.record_text(tail, command=line))
    )
    open_memory.follow()
    if recorded.ids:
        _announce(ls, arguments, f"recorded as {', '.join(recorded.ids)}")
    else:
        _announce(ls, arguments, f"known already as {', '.join(recorded.known)}")
    return {"ids": list(recorded.ids), "known": list(recorded.known)}


async def _fix(ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    reference, given = text_in(arguments, 0, "an error's id"), named_in(arguments)
    if "approach" in given:
        return await _written(
            ls, open_memory, arguments, lambda memory: _resolve(memory, reference, given)
        )

    def fields_of_fix(memory: Memory) -> dict[str, Any]:
        row = memory.find(reference, "error")
        return {
            "title": f"Fix of {row.title}"[:_LONGEST_TITLE], "approach": PLACEHOLDER,
            "outcome": "worked", "patch": memory.editor.work_tree_patch() or None,
            "links": {"fixes": [row.id]},
        }  # fmt: skip

    return await _open(ls, open_memory, "fix", fields_of_fix)


def _resolve(memory: Memory, reference: str, given: dict[str, Any]) -> "Record":
    """Write a fix as it was said in one step, with what was edited since the last commit."""
    names = ("approach", "outcome", "why_failed")
    fields: dict[str, Any] = {
        name: text for name in names if (text := text_of(given, name, "").strip())
    }
    if command := text_of(given, "command", "").strip():
        fields["verification"] = {"command": command}
    if switch_of(given, "patch") and (patch := memory.editor.work_tree_patch()):
        fields["patch"] = patch
    return memory.resolve(reference, fields)


async def _written(
    ls: "EditorSession",
    open_memory: "OpenMemory",
    arguments: list[Any],
    write: Callable[[Memory], "Record"],
) -> Any:  # noqa: ANN401  plain data
    """Write a record at once, and say what became of it."""
    record = await asyncio.wrap_future(open_memory.do_in_step(write))
    open_memory.follow()
    _announce(ls, arguments, f"recorded as {record.id}")
    return {"id": record.id, "patch": bool(getattr(record, "patch", ""))}


def _announce(ls: "EditorSession", arguments: list[Any], words: str) -> None:
    """Say what was written, unless the client shows it itself."""
    if not switch_of(named_in(arguments), "quiet"):
        ls.show_message(f"gitmem: {words}", types.MessageType.Info)


async def _decision(ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    position = _position(arguments)
    path = path_in(arguments)
    first, last, quote = position.get("first"), position.get("last"), position.get("quote")
    names = ("decision", "rationale")
    given = {name: text for name in names if (text := text_of(position, name, "").strip())}

    def fields_of_decision(memory: Memory) -> dict[str, Any]:
        inside = memory.workspace.path(path)
        anchor: dict[str, Any] = {"path": inside}
        if isinstance(first, int) and isinstance(last, int) and 0 <= first <= last:
            anchor["lines"] = [first + 1, last + 1]
        if isinstance(quote, str) and quote:
            anchor["quote"] = quote
        if given:
            return {**given, "anchors": [anchor]}
        return {
            "title": f"Decision for {inside}", "status": "proposed", "decision": PLACEHOLDER,
            "rationale": PLACEHOLDER, "anchors": [anchor],
        }  # fmt: skip

    if given:
        return await _written(
            ls,
            open_memory,
            arguments,
            lambda memory: memory.add("decision", fields_of_decision(memory)),
        )
    return await _open(ls, open_memory, "decision", fields_of_decision)


async def _asked_as(_ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    reference = text_in(arguments, 0, "a record's id")
    lines = named_in(arguments).get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise UsageError("an argument must give the lines", '{"lines": ["where do bills live"]}')
    record = await asyncio.wrap_future(
        open_memory.do_in_step(lambda memory: memory.editor.add_asked_as(reference, lines))
    )
    open_memory.follow()
    return {"id": record.id, "asked_as": list(record.asked_as)}


async def _open(
    ls: "EditorSession",
    open_memory: "OpenMemory",
    kind: str,
    fields_of_record: Callable[[Memory], dict[str, Any]],
) -> Any:  # noqa: ANN401  plain data
    """Open a new record in the editor, for a person to fill in and save."""
    if "create" not in EditCapabilities(ls.client_capabilities).operations:
        raise UsageError("this editor can't open new files", "use gitmem add or resolve")

    def make(memory: Memory) -> "Template":
        return memory.editor.template(kind, fields_of_record(memory))

    draft = await asyncio.wrap_future(open_memory.do_in_step(make))
    uri = str(from_fs_path(draft.path))
    start = types.Position(line=0, character=0)
    text = types.TextEdit(range=types.Range(start=start, end=start), new_text=draft.text)
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
    changes: list[
        types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile
    ] = [
        types.CreateFile(uri=uri, options=types.CreateFileOptions(overwrite=False)),
        types.TextDocumentEdit(text_document=document, edits=[text]),
    ]
    edit = types.WorkspaceEdit(document_changes=changes)
    ls.apply_edit(edit, "New record", lambda: ls.open_in_editor(uri))
    return {"id": draft.id, "uri": uri}
