"""Calls of one server that ask the same at once: asked few times, each answered."""

import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra is not installed")

from gitmem.hosting.memory_pool import MOST_BESIDE
from gitmem.mcp.calls import Calls, Options
from gitmem.mcp.projects import Projects
from gitmem.memory import Memory
from gitmem.render.assistant import Answer

if TYPE_CHECKING:
    from tests.conftest import Checkout

_CALLS = 50
CONTEXT: Any = SimpleNamespace(headers=None, request_context=SimpleNamespace(session=None))


async def _ask_at_once(calls: Calls, texts: list[str]) -> tuple[list[str], list[str]]:
    """Ask; give what was computed, and the answers in the order of the calls."""
    asked: list[str] = []
    told = [""] * len(texts)
    all_are_there = threading.Event()

    async def call(at: int, text: str) -> None:
        def question(_: Memory) -> Answer:
            all_are_there.wait(60)
            asked.append(text)
            return Answer([], f"about {text}")

        result = await calls.ask(CONTEXT, question, same=text)
        told[at] = getattr(result.content[0], "text", "")

    async with anyio.create_task_group() as group:
        for at, text in enumerate(texts):
            group.start_soon(call, at, text)
        await anyio.wait_all_tasks_blocked()
        all_are_there.set()
    return asked, told


def test_the_same_asked_fifty_times_at_once_is_asked_few_times(repo: "Checkout") -> None:
    Memory.init(str(repo))
    calls = Calls(Projects(str(repo), {}), Options())
    asked, told = anyio.run(_ask_at_once, calls, ["a clock"] * _CALLS)
    assert set(told) == {"about a clock"}
    # Whoever comes after one has begun may not take its answer: something may have changed.
    assert len(asked) <= 5


def test_what_differs_is_asked_each_by_itself_and_answered_by_its_own(repo: "Checkout") -> None:
    Memory.init(str(repo))
    calls = Calls(Projects(str(repo), {}), Options())
    texts = [f"clock {number}" for number in range(_CALLS)]
    asked, told = anyio.run(_ask_at_once, calls, texts)
    assert sorted(asked) == sorted(texts)
    assert told == [f"about {text}" for text in texts]


def test_what_waits_for_its_turn_takes_no_thread(repo: "Checkout") -> None:
    Memory.init(str(repo))
    calls = Calls(Projects(str(repo), {}), Options())
    threads: set[int] = set()

    def question(_: Memory) -> Answer:
        threads.add(threading.get_ident())
        return Answer([], "told")

    async def conversation() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(_CALLS):
                group.start_soon(calls.ask, CONTEXT, question)

    anyio.run(conversation)
    assert len(threads) <= MOST_BESIDE


def test_where_the_first_one_goes_the_others_are_answered(repo: "Checkout") -> None:
    Memory.init(str(repo))
    calls = Calls(Projects(str(repo), {}), Options())
    told: list[str] = []
    going = threading.Event()

    def slow(_: Memory) -> Answer:
        going.wait(60)
        return Answer([], "slow")

    async def conversation() -> None:
        async def ask() -> None:
            result = await calls.ask(CONTEXT, lambda _: Answer([], "told"), same="clock")
            told.append(getattr(result.content[0], "text", ""))

        async with anyio.create_task_group() as group:
            for _ in range(MOST_BESIDE):
                group.start_soon(calls.ask, CONTEXT, slow)
            await anyio.wait_all_tasks_blocked()
            with anyio.CancelScope() as first:
                async with anyio.create_task_group() as leaving:
                    leaving.start_soon(ask)
                    await anyio.wait_all_tasks_blocked()
                    group.start_soon(ask)
                    await anyio.wait_all_tasks_blocked()
                    first.cancel()
            going.set()

    anyio.run(conversation)
    assert told == ["told"]
