"""What is known about a pasted failure, and about those of the run observed last."""

import asyncio
import shlex
from typing import TYPE_CHECKING, Any, Final

from gitmem.memory import Memory
from gitmem.memory.failures.knowing import AttemptReader
from gitmem.memory.views.telling import of_run
from lsp_server.features.commands import add_command, text_in

if TYPE_CHECKING:
    from lsp_server.session import EditorSession
    from lsp_server.shelf import Shelf

LONGEST_TEXT: Final = 200_000
"""Characters; of a longer text the end is read, where most tools say what went wrong."""
_MOST: Final = 20


def register(server: "EditorSession") -> None:
    """Answer the commands."""
    add_command(server, "gitmem.tell", _tell)
    add_command(server, "gitmem.lastRun", _last_run, quiet=True)


async def _tell(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    text = text_in(arguments, 0, "an error text")[-LONGEST_TEXT:]
    link = ls.link

    def ask(memory: Memory) -> dict[str, Any]:
        from gitmem.render.page import failures  # noqa: PLC0415  start-up: imports YAML

        teller = AttemptReader(memory)
        found = memory.hint(text)
        told = [teller.tell(one) for one in found[:_MOST]]
        known = sum(bool(one.label) for one in found)
        return {"markdown": failures(told, link), "known": known, "failures": len(found)}

    return await asyncio.wrap_future(shelf.work(ask))


async def _last_run(ls: "EditorSession", shelf: "Shelf", _arguments: list[Any]) -> Any:  # noqa: ANN401
    link = ls.link

    def ask(memory: Memory) -> dict[str, Any] | None:
        from gitmem.render.page import failures  # noqa: PLC0415  start-up: imports YAML

        runs = memory.runs(1)
        if not runs:
            return None
        run = runs[0]
        told = of_run(memory, AttemptReader(memory), run, _MOST)
        return {
            "command": shlex.join(run.command), "at": run.at.isoformat(),
            "exit_code": run.exit_code, "markdown": failures(told, link),
        }  # fmt: skip

    return await asyncio.wrap_future(shelf.work(ask))
