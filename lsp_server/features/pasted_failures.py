"""What is known about a pasted failure, and about those of the run observed last."""

import asyncio
import shlex
from typing import TYPE_CHECKING, Any, Final

from gitmem.memory import Memory
from gitmem.render.elsewhere_quoted import markdown
from lsp_server.command_arguments import LONGEST_TEXT, text_in
from lsp_server.features.actions import marker
from lsp_server.features.commands import add_command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.capture.telling import MatchDetails
    from gitmem.render.match_markdown import Link
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_MOST: Final = 20


def register(server: "EditorSession") -> None:
    """Answer the commands."""
    add_command(server, "gitmem.tell", _tell)
    add_command(server, "gitmem.lastRun", _last_run, quiet=True)


async def _tell(ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    text = text_in(arguments, 0, "an error text")[-LONGEST_TEXT:]
    link, mark = ls.link, marker(ls)

    def ask(memory: Memory) -> dict[str, Any]:
        attempts = memory.failures.attempt_reader()
        answer = memory.history.look_up(text)
        matches = answer.matches
        details = [
            mark(memory, attempts.tell(match))._replace(returned=answer.returned(match))
            for match in matches[:_MOST]
        ]
        recognised = sum(bool(match.label) for match in matches)
        foreign = markdown(memory.failures.elsewhere(matches))
        text_of_all = "\n\n---\n\n".join(filter(None, (_markdown(details, link), foreign)))
        return {"markdown": text_of_all, "known": recognised, "failures": len(matches)}

    return await asyncio.wrap_future(open_memory.do_in_step(ask))


async def _last_run(ls: "EditorSession", open_memory: "OpenMemory", _arguments: list[Any]) -> Any:  # noqa: ANN401
    link, mark = ls.link, marker(ls)

    def ask(memory: Memory) -> dict[str, Any] | None:
        runs = memory.failures.runs(1)
        if not runs:
            return None
        run = runs[0]
        details = memory.editor.run_page(run, memory.failures.attempt_reader(), _MOST)
        details = [mark(memory, each) for each in details]
        return {
            "command": _typed(run.command), "at": run.at.isoformat(),
            "exit_code": run.exit_code, "markdown": _markdown(details, link),
        }  # fmt: skip

    return await asyncio.wrap_future(open_memory.do_in_step(ask))


def _typed(command: "Sequence[str]") -> str:
    """Give a command as somebody typed it: a line for a shell is that line."""
    shell, line = list(command[:-1]), "".join(command[-1:])
    return line if shell == ["bash", "-c"] else shlex.join(command)


def _markdown(details: "Sequence[MatchDetails]", link: "Link") -> str:
    from gitmem.render.page import failures

    return failures(details, link)
