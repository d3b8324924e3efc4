"""Writing from a text at hand, and making a memory where there is none."""

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from gitmem.errors import UsageError
from gitmem.memory import Memory
from lsp_server.features.browsing import given, path_in
from lsp_server.features.commands import add_bare_command, add_command
from lsp_server.features.telling import LONGEST_TEXT

if TYPE_CHECKING:
    from gitmem.memory.initialise import Initialised
    from lsp_server.session import EditorSession
    from lsp_server.shelf import Shelf

_LONGEST_COMMAND: Final = 2_000


def register(server: "EditorSession") -> None:
    """Answer the commands."""
    add_command(server, "gitmem.recordText", _record_text)
    add_bare_command(server, "gitmem.init", _init)


async def _record_text(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    named = given(arguments)
    text, command = named.get("text"), named.get("command", "")
    if not isinstance(text, str) or not text.strip():
        raise UsageError("there is no text to record", '{"uri": …, "text": "…"}')
    if not isinstance(command, str):
        raise UsageError("command must be a text", '{"command": "npm test"}')
    kept, line = text[-LONGEST_TEXT:], " ".join(command.split())[:_LONGEST_COMMAND]
    taken = await asyncio.wrap_future(
        shelf.work(lambda memory: memory.record_text(kept, command=line))
    )
    shelf.follow()
    if taken.ids:
        ls.tell(f"gitmem: recorded as {', '.join(taken.ids)}", types.MessageType.Info)
    else:
        ls.tell(f"gitmem: known already as {', '.join(taken.known)}", types.MessageType.Info)
    return {"ids": list(taken.ids), "known": list(taken.known)}


async def _init(ls: "EditorSession", arguments: list[Any]) -> Any:  # noqa: ANN401
    folder = path_in(arguments)

    def make() -> "Initialised":
        return Memory.init(folder)

    made = await asyncio.to_thread(make)
    ls.look_again()
    ls.shelf_for(f"{given(arguments)['uri'].rstrip('/')}/.")
    what = "made" if made.created else "there is a memory already:"
    ls.tell(f"gitmem: {what} {made.site.folder}", types.MessageType.Info)
    return {"folder": made.site.folder, "created": made.created, "notices": made.notices}
