"""One call of a tool: find the memory, ask it in a thread, answer within the budget."""

import functools
import os
import time
import warnings
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypedDict, TypeVar

import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError, NoBackChannelError
from mcp_types import CallToolResult, TextContent

from gitmem.errors import GitmemError
from gitmem.mcp.limits import Limits
from gitmem.mcp.projects import Projects
from gitmem.memory import Memory
from gitmem.render.assistant import Answer, fitted

T = TypeVar("T")
BUDGET: Final = 2000
_MOST: Final = 20_000
_LEAST: Final = 100
_ROOTS_SECONDS: Final = 2.0
_PROGRESS_SECONDS: Final = 0.2


class Data(TypedDict, total=False):
    """The structured answer of every tool: the things told, and how many had no room."""

    items: list[dict[str, Any]]
    left_out: int
    written: list[str]
    notes: list[str]
    next_offset: int


class Options(NamedTuple):
    """How a server was started.

    Attributes:
        write: ``on``, ``draft`` (what is written waits for a person) or ``off``.
        budget: tokens of an answer, where the caller names none.

    """

    write: str = "on"
    budget: int = BUDGET


class Calls:
    """What all tools of one server share.

    Args:
        projects: the memories.
        options: how the server was started.

    """

    def __init__(self, projects: Projects, options: Options) -> None:
        self._projects = projects
        self.options = options
        self._limits = Limits()

    async def ask(
        self,
        ctx: Context,
        question: Callable[[Memory], Answer],
        arguments: dict[str, Any],
        *,
        project: str = "",
        budget: int = 0,
        writes: bool = False,
        any_name: bool = False,
    ) -> CallToolResult:
        """Answer a call.

        Args:
            ctx: the request.
            question: asks the memory; runs in a thread.
            arguments: what the caller sent, to be bounded.
            project: which of the open folders is meant.
            budget: tokens of the answer's text; 0: as the server was started.
            writes: it may write.
            any_name: where one folder is open, it may have any name.

        Raises:
            ToolError: what went wrong and what to do next, in a line.

        """
        asked = min(max(budget or self.options.budget, _LEAST), _MOST)
        try:
            self._limits.pass_on(arguments, writes=writes)
            told = functools.partial(_answer, question, asked)
            text, data = await self.in_thread(ctx, project, told, any_name=any_name)
        except GitmemError as error:
            hint = f" ({error.hint})" if error.hint else ""
            raise ToolError(error.message + hint) from None
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=dict(data)
        )

    async def in_thread(
        self,
        ctx: Context,
        project: str,
        question: Callable[[Memory], T],
        *,
        any_name: bool = False,
    ) -> T:
        """Ask the memory that a call is about, without holding up other calls; see ``ask``."""
        folder = self._projects.folder(project, await roots_of(ctx), any_name=any_name)
        client = client_of(ctx)

        def work() -> T:
            with self._projects.memory(folder, client) as memory:
                memory.progress = _progress(ctx)
                return question(memory)

        # A call that is cancelled is no longer waited for; what it began is whole when it ends.
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)


def _answer(question: Callable[[Memory], Answer], budget: int, memory: Memory) -> tuple[str, Data]:
    answer = question(memory)
    text, data = fitted(answer, budget)
    if notes := list(dict.fromkeys(memory.derived.notices)):
        data["notes"] = notes
        text += "".join(f"\n\nnote: {one}" for one in notes)
    return text, Data(**data)  # type: ignore[typeddict-item]


def client_of(ctx: Context) -> str:
    """Give the name by which the assistant calls itself, fit for an author's tool."""
    info = getattr(ctx.request_context.session, "client_params", None)
    name = getattr(getattr(info, "client_info", None), "name", "") or "assistant"
    return "".join(one for one in name if one.isprintable()).strip()[:60] or "assistant"


async def roots_of(ctx: Context) -> list[str]:
    """Ask a client of the older protocol which folders it has open; the newer one has no such."""
    session = ctx.request_context.session
    params = getattr(session, "client_params", None)
    if getattr(getattr(params, "capabilities", None), "roots", None) is None:
        return []
    with warnings.catch_warnings(), anyio.move_on_after(_ROOTS_SECONDS):
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        try:
            return [str(root.uri) for root in (await session.list_roots()).roots]
        except (MCPError, NoBackChannelError):
            return []
    return []


def _progress(ctx: Context) -> Callable[[str, int, int], None]:
    told = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if done < total and now - told < _PROGRESS_SECONDS:
            return
        told = now
        anyio.from_thread.run(ctx.report_progress, float(done), float(total), what)

    return tell


def here(memory: Memory, path: str) -> str:
    """Give a path as records have it; one that is absolute may lie in the work tree only."""
    return memory.path(os.path.join(memory.site.root, path))
