"""Creates a memory where there is none."""

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from gitmem.memory import Memory
from lsp_server.command_arguments import named_in, path_in
from lsp_server.features.commands import add_bare_command

if TYPE_CHECKING:
    from gitmem.memory import Initialised
    from lsp_server.session import EditorSession


def register(server: "EditorSession") -> None:
    """Answer the command."""
    add_bare_command(server, "gitmem.init", _init)


async def _init(ls: "EditorSession", arguments: list[Any]) -> Any:  # noqa: ANN401
    folder = path_in(arguments)

    def make() -> "Initialised":
        return Memory.init(folder)

    initialised = await asyncio.to_thread(make)
    ls.forget_missing()
    ls.open_memory_for(f"{named_in(arguments)['uri'].rstrip('/')}/.")
    what = "made" if initialised.created else "a memory already exists:"
    ls.show_message(f"gitmem: {what} {initialised.site.folder}", types.MessageType.Info)
    return {
        "folder": initialised.site.folder,
        "created": initialised.created,
        "notices": initialised.notices,
    }
