"""Writing down from the editor: an error as it stands, a fix or a decision to be filled in.

An error is evidence and is written at once. What a person has to say is opened as a new
record file instead: it is only there once the person saves it.
"""

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.memory.core.fingerprints import fields_of
from lsp_server.edits import Abilities
from lsp_server.features.actions import note_at
from lsp_server.features.commands import add_command, text_in
from lsp_server.places import path_of

if TYPE_CHECKING:
    from gitmem.memory.views.templates import Template
    from lsp_server.session import EditorSession
    from lsp_server.shelf import Shelf

_LONGEST_TITLE: Final = 160


def register(server: "EditorSession") -> None:
    """Answer the commands that write."""
    add_command(server, "gitmem.recordError", _error)
    add_command(server, "gitmem.recordFix", _fix)
    add_command(server, "gitmem.recordDecision", _decision)


def _place(arguments: list[Any]) -> dict[str, Any]:
    place = next((one for one in arguments if isinstance(one, dict)), None)
    if place is None or not isinstance(place.get("uri"), str):
        raise UsageError("an argument must say where", '{"uri": …, "line": …}')
    return place


async def _error(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    place = _place(arguments)
    page = ls.page_for(place["uri"])
    note = note_at(page, place.get("line", -1), place.get("character", -1)) if page else None
    if note is None:
        raise UsageError("there is no diagnostic at this place", "it may have gone since")
    failure = note.failure

    def write(memory: Memory) -> str:
        fields = fields_of(memory.workspace, failure)
        title = failure.message.partition("\n")[0][:_LONGEST_TITLE].strip()
        return memory.add("error", {**fields, "title": title}).id

    written = await asyncio.wrap_future(shelf.work(write))
    shelf.follow()
    ls.tell(f"gitmem: recorded as {written}", types.MessageType.Info)
    return {"id": written}


async def _fix(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    reference = text_in(arguments, 0, "an error's id")

    def make(memory: Memory) -> "Template":
        from gitmem.memory.views.templates import template  # noqa: PLC0415  imports YAML

        row = memory.find(reference, "error")
        fields = {
            "title": f"Fix of {row.title}"[:_LONGEST_TITLE], "approach": "…", "outcome": "worked",
            "links": {"fixes": [row.id]},
        }  # fmt: skip
        return template(memory, "fix", fields)

    return await _open(ls, shelf, make)


async def _decision(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    place = _place(arguments)
    path = path_of(place["uri"])
    first, last, quote = place.get("first"), place.get("last"), place.get("quote")

    def make(memory: Memory) -> "Template":
        from gitmem.memory.views.templates import template  # noqa: PLC0415  imports YAML

        inside = memory.path(path)
        anchor: dict[str, Any] = {"path": inside}
        if isinstance(first, int) and isinstance(last, int) and 0 <= first <= last:
            anchor["lines"] = [first + 1, last + 1]
        if isinstance(quote, str) and quote:
            anchor["quote"] = quote
        fields = {"title": f"Decision for {inside}", "status": "proposed", "decision": "…",
                  "rationale": "…", "anchors": [anchor]}  # fmt: skip
        return template(memory, "decision", fields)

    return await _open(ls, shelf, make)


async def _open(ls: "EditorSession", shelf: "Shelf", make: Any) -> Any:  # noqa: ANN401
    """Open a record that is not there yet in the editor, for a person to fill in and save."""
    if "create" not in Abilities(ls.client_capabilities).operations:
        raise UsageError("this editor can't open new files for us", "use gitmem add or resolve")
    made: Template = await asyncio.wrap_future(shelf.work(make))
    uri = str(from_fs_path(made.path))
    start = types.Position(line=0, character=0)
    text = types.TextEdit(range=types.Range(start=start, end=start), new_text=made.text)
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
    changes: list[
        types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile
    ] = [
        types.CreateFile(uri=uri, options=types.CreateFileOptions(overwrite=False)),
        types.TextDocumentEdit(text_document=document, edits=[text]),
    ]
    ls.apply_edit(types.WorkspaceEdit(document_changes=changes), "New record", show=uri)
    return {"id": made.id, "uri": uri}
