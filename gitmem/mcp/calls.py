"""One call: find the memory, ask it in a thread, answer within the budget."""

import os
import threading
import time
import warnings
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from email.utils import parseaddr
from functools import partial
from typing import Any, Final, NamedTuple, TypedDict, TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError, NoBackChannelError
from mcp_types import CallToolResult, TextContent

from gitmem.errors import UsageError
from gitmem.hosting.memory_pool import MOST_BESIDE
from gitmem.mcp.giving_way import RunningQuestions
from gitmem.mcp.projects import Asker, Projects
from gitmem.mcp.same_calls import SameCalls
from gitmem.memory import Memory
from gitmem.render.assistant import Answer, fitted, quoted
from gitmem.render.tool_words import as_tools
from gitmem.system import relative_path

T = TypeVar("T")
Question = Callable[[Memory], Answer]
BUDGET: Final = 2000
MOST: Final = 20_000
LEAST: Final = 100
DRAFT: Final = "draft"
_AUTHOR: Final = "gitmem-author"
"""A header: ``Ada Lovelace <ada@example.org>``."""
_LONGEST_NAME: Final = 200
_ROOTS_SECONDS: Final = 2.0
_PROGRESS_SECONDS: Final = 0.2
_MOST_THREADS: Final = 200
"""Of all folders; further calls wait for these."""


class Data(TypedDict, total=False):
    """The structured answer of a tool: its text, the things told, and how many had no room."""

    text: str
    items: list[dict[str, Any]]
    left_out: int


class Options(NamedTuple):
    """How a server was started.

    Attributes:
        write: ``on``, ``draft`` (what is written waits for a person) or ``off``.
        budget: tokens of an answer, where the caller names none.
        coding_tools: also offer the ``coding_*`` tools.
        structured: answers also hold data for programs. Some clients hand that to the model
            instead of the text, and it is twice as long.
        if_memory: nothing is offered where no folder that the client has open has a memory.

    """

    write: str = "on"
    budget: int = BUDGET
    coding_tools: bool = False
    structured: bool = False
    if_memory: bool = False

    def bounded(self, budget: int) -> int:
        """Give the budget of an answer; 0 asks for the usual one."""
        return min(max(budget or self.budget, LEAST), MOST)


class _Cancelled(Exception):  # noqa: N818  a state: nobody waits for the answer
    """A question whose asker has gone is given up."""


class Calls:
    """What all calls of one server share.

    Args:
        projects: the memories.
        options: how the server was started.

    """

    def __init__(self, projects: Projects, options: Options) -> None:
        self._projects = projects
        self._unwritten: list[anyio.Event] = []
        self._threads = anyio.CapacityLimiter(_MOST_THREADS)
        self._turns: WeakValueDictionary[Hashable, anyio.CapacityLimiter] = WeakValueDictionary()
        self._same = SameCalls()
        self.running = RunningQuestions()
        self.options = options

    async def ask(
        self,
        ctx: Context,
        question: Question,
        *,
        project: str = "",
        budget: int = 0,
        any_name: bool = False,
        writes: bool = False,
        same: Hashable = None,
    ) -> CallToolResult:
        """Answer a call.

        Args:
            ctx: the request.
            question: asks the memory; runs in a thread.
            project: which of the open folders is meant.
            budget: tokens of the answer's text; 0: as the server was started.
            any_name: where one folder is open, it may have any name.
            writes: it writes; what has begun is brought to its end.
            same: what it asks; calls that ask the same at once are answered together.

        Raises:
            GitmemError: what went wrong and what to do next.

        """
        token_budget = self.options.bounded(budget)

        def answer(memory: Memory) -> tuple[str, dict[str, Any]]:
            answer_found = question(memory)
            text, data = fitted(answer_found, token_budget)
            notes = dict.fromkeys(memory.workspace.derived.notices)
            text += "".join(f"\n\nnote: {quoted(as_tools(note))}" for note in notes)
            return text, {"text": text, **data}

        text, data = await self.in_thread(
            ctx,
            project,
            answer,
            any_name=any_name,
            writes=writes,
            same=None if same is None else (same, token_budget),
        )
        return CallToolResult(
            content=[TextContent(type="text", text=text)],
            structured_content=data if self.options.structured else None,
        )

    async def write(
        self, ctx: Context, question: Question, project: str, *, any_name: bool = False
    ) -> CallToolResult:
        """Answer a call that writes; see ``ask``."""
        return await self.ask(ctx, question, project=project, any_name=any_name, writes=True)

    async def in_thread(
        self,
        ctx: Context,
        project: str,
        question: Callable[[Memory], T],
        *,
        any_name: bool = False,
        writes: bool = False,
        same: Hashable = None,
    ) -> T:
        """Ask the memory that a call is about, without holding up other calls; see ``ask``.

        A call that is cancelled is no longer waited for. What waits for its turn is not begun
        then, and a question is given up at its next step; a write that has begun is ended.
        """
        gone = threading.Event()

        def work(folder: str, asker: Asker, begun: Callable[[], None]) -> T:
            taken = self._projects.memory(folder, asker, writes=writes)
            with self.running.one_more() as running, taken as memory:
                running.begin()
                if gone.is_set():
                    raise _Cancelled
                begun()
                memory.workspace.progress = _progress(
                    ctx, gone, running.give_way, to_its_end=writes
                )
                # Other assistants on this work tree have servers of their own: of two that look
                # whether something is recorded, and then write it, the second has to find it.
                alone = memory.workspace.journal.exclusive("writing") if writes else nullcontext()
                with alone:
                    return question(memory)

        async with self._after_earlier_writes(writes=writes):
            folder = self._projects.folder(project, await roots_of(ctx), any_name=any_name)
            asker = Asker(client_of(ctx), author_of(ctx))

            async def ask(begun: Callable[[], None]) -> T:
                try:
                    async with self._turn((folder, asker), writes=writes):
                        return await anyio.to_thread.run_sync(
                            partial(work, folder, asker, begun),
                            abandon_on_cancel=True,
                            limiter=self._threads,
                        )
                except anyio.get_cancelled_exc_class():
                    gone.set()
                    raise

            # What nobody else can ask is its own question.
            own = gone if same is None else same
            return await self._same.answer((folder, asker, own), ask)

    def _turn(self, memory: Hashable, *, writes: bool) -> AbstractAsyncContextManager[Any]:
        """Wait without a thread until one may be free; what writes has turns of its own."""
        if writes:
            return nullcontext()
        turns = self._turns.get(memory) or anyio.CapacityLimiter(MOST_BESIDE)
        self._turns[memory] = turns
        return turns

    async def any_memory(self, ctx: Context) -> bool:
        """Tell whether a folder that the client has open has a memory."""
        try:
            roots = await roots_of(ctx)
        except UsageError:
            roots = []
        return await anyio.to_thread.run_sync(self._projects.any_memory, roots)

    @asynccontextmanager
    async def _after_earlier_writes(self, *, writes: bool) -> AsyncIterator[None]:
        """Begin when all is written that was sent before; who asks then finds it."""
        earlier = tuple(self._unwritten)
        mine = anyio.Event()
        if writes:
            self._unwritten.append(mine)
        try:
            for event in earlier:
                await event.wait()
            yield
        finally:
            if writes:
                self._unwritten.remove(mine)
                mine.set()

    @property
    def waits(self) -> str:
        """What to say of what was written: that it waits, or nothing."""
        note = " It waits for a person: gitmem drafts."
        return note if self.options.write == DRAFT else ""


def client_of(ctx: Context) -> str:
    """Give the name by which the assistant calls itself, fit for an author's tool."""
    info = getattr(ctx.request_context.session, "client_params", None)
    name = getattr(getattr(info, "client_info", None), "name", "") or "assistant"
    return "".join(char for char in name if char.isprintable()).strip()[:60] or "assistant"


def author_of(ctx: Context) -> tuple[str, str] | None:
    """Give name and e-mail of who asks over HTTP; over pipes None: git says who that is.

    Whom git names on this machine did not write what comes from elsewhere. Who says nothing is
    named as the assistant is.
    """
    if ctx.headers is None:
        return None
    text = ctx.headers.get(_AUTHOR, "").encode("latin-1", "replace").decode(errors="replace")
    name, email = parseaddr(text) if "<" in text else (text, "")
    line = "".join(char for char in name if char.isprintable()).strip()[:_LONGEST_NAME]
    return line or client_of(ctx), email if email.isprintable() and "@" in email else ""


async def roots_of(ctx: Context) -> list[str]:
    """Ask a client of the older protocol which folders it has open; the newer one has no such.

    Raises:
        UsageError: it has some, and does not say which.

    """
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
    raise UsageError("the client does not say which folders it has open", "ask again")


def _progress(
    ctx: Context, gone: threading.Event, give_way: Callable[[], None], *, to_its_end: bool
) -> Callable[[str, int, int], None]:
    last = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        if gone.is_set():
            if to_its_end:
                return
            raise _Cancelled
        if not to_its_end:  # others wait for what writes
            give_way()
        now = time.monotonic()
        if done < total and now - last < _PROGRESS_SECONDS:
            return
        last = now
        anyio.from_thread.run(ctx.report_progress, float(done), float(total), what)

    return tell


def here(memory: Memory, path: str) -> str:
    """Give a path as records have it.

    Raises:
        UsageError: it lies outside the work tree, or leads out of it.

    """
    root = os.path.realpath(memory.workspace.site.root)
    full = os.path.realpath(os.path.join(root, path))
    if "\0" in path or (full != root and not full.startswith(root + os.sep)):
        raise UsageError(f"{path} is not in the repository", "give a path relative to its top")
    return relative_path(os.path.normpath(os.path.join(root, path)), root)
