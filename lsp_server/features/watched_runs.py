"""Commands in an editor's terminals and tasks: watched runs, told as they begin and end."""

import asyncio
import os
import shlex
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.system import relative_path
from lsp_server.command_arguments import LONGEST_TEXT, named_in, number_of, path_in, text_of
from lsp_server.features.commands import add_command

if TYPE_CHECKING:
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_MOST_CODES: Final = 2**32
_MOST_MS: Final = 2**42
_STOPPED: Final = frozenset({130, 137, 143})


def register(server: "EditorSession") -> None:
    """Answer the commands."""
    # A terminal in a folder without a memory is nothing to speak of.
    add_command(server, "gitmem.runBegan", _began, quiet=True, writes=True)
    add_command(server, "gitmem.runEnded", _ended, quiet=True, writes=True)


async def _began(
    _ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]
) -> dict[str, Any]:
    call = text_of(named_in(arguments), "call", "1")
    await asyncio.wrap_future(
        open_memory.do_in_step(lambda memory: memory.failures.assistant_began(call))
    )
    return {"call": call}


async def _ended(
    _ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]
) -> dict[str, Any]:
    named = named_in(arguments)
    call, line = text_of(named, "call", "1"), _line(open_memory, arguments)
    output = text_of(named, "output", "")[-LONGEST_TEXT:]
    exit_code = number_of(named, "exit_code", 0, _MOST_CODES)
    took = timedelta(milliseconds=number_of(named, "ms", 0, _MOST_MS))
    began = datetime.now(UTC) - took

    def note(memory: Memory) -> dict[str, Any]:
        # ``gitmem run``, the plugin of pytest and the hooks of a shell watch by themselves.
        by_others = any(run.at >= began for run in memory.failures.runs(1))
        if by_others or exit_code in _STOPPED:
            return {"run": None, "drafts": []}
        observed = memory.failures.assistant_ended(call, line, output, exit_code)
        drafts = [draft.id for draft in observed.learnt.drafts] if observed else []
        return {"run": observed.run.id if observed else None, "drafts": drafts}

    answer = await asyncio.wrap_future(open_memory.do_in_step(note))
    open_memory.follow()
    return answer


def _line(open_memory: "OpenMemory", arguments: list[Any]) -> str:
    """Give what a shell in the memory's own folder would be asked to run."""
    named, path = named_in(arguments), path_in(arguments)
    line = text_of(named, "line", "npm test").strip()
    if not line:
        raise UsageError("line must be a command", '{"line": "npm test"}')
    # Where an editor does not know the folder, it names the file in focus.
    folder = relative_path(os.path.realpath(path), os.path.realpath(open_memory.start))
    elsewhere = os.path.isdir(path) and folder != os.curdir
    return f"cd {shlex.quote(folder)} && {line}" if elsewhere else line
