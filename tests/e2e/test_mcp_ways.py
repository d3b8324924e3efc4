"""Three ways to ask ``gitmem mcp``: the SDK's client over pipes, over HTTP, and bare lines.

Each walks one day of an assistant in a repository whose failures were real, and is answered alike.
"""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio
import pytest

from gitmem.learning.tokens import estimate
from tests.e2e.assistants import listening, over_http, piped, talk, text_of
from tests.e2e.running import content, environment, ok, run, server
from tests.e2e.test_mcp_bad_input import INITIALIZE

if TYPE_CHECKING:
    from mcp import Client

    from tests.conftest import Checkout

PYTEST: Final = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
PRICE: Final = "def total(net, rate):\n    return net + net * rate\n"
TESTS: Final = """\
from cart import cheapest
from price import total


def test_total():
    assert total(10, "2") == 30


def test_none_is_cheapest():
    assert cheapest([]) is None
"""
TRACE: Final = """\
    def total(net, rate):
>       return net + net * rate
E       TypeError: unsupported operand type(s) for +: 'int' and 'str'

price.py:2: TypeError
FAILED test_shop.py::test_total - TypeError: unsupported operand type(s) for ...
"""
Ask = Callable[..., Awaitable[tuple[str, bool]]]
"""Calls a tool with arguments; gives its text, and whether it refused."""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    repo.add("README.md", "# Shop\n\nSells tea to those who come by.\n")
    repo.add("Makefile", "test:\n\tpytest -q\n")
    repo.add("price.py", PRICE)
    repo.add("cart.py", "def cheapest(prices):\n    return min(prices)\n")
    repo.add("test_shop.py", TESTS)
    repo.commit("a shop")
    assert run(repo, "run", "--", *PYTEST).code == 1
    repo.add("price.py", PRICE.replace("net * rate", "net * int(rate)"))
    assert "learnt" in run(repo, "run", "--", *PYTEST).err
    repo.commit("a total")
    return repo


def _of_client(client: "Client") -> Ask:
    async def ask(tool: str, **arguments: Any) -> tuple[str, bool]:
        result = await client.call_tool(tool, arguments)
        return text_of(result), bool(result.is_error)

    return ask


@asynccontextmanager
async def _lines(folder: "Checkout") -> AsyncIterator[Ask]:
    """Write each call as a line, and read lines until it is answered."""
    process = await anyio.open_process(
        [*server(), "mcp"], cwd=folder, env=environment(None), stderr=subprocess.DEVNULL
    )
    assert process.stdin
    assert process.stdout
    sent, read = process.stdin, process.stdout
    numbers = iter(range(2, 1000))
    unread = b""

    async def exchange(message: dict[str, Any]) -> dict[str, Any]:
        nonlocal unread
        await sent.send(json.dumps(message).encode() + b"\n")
        while b"\n" not in unread:
            unread += await read.receive()
        line, _, unread = unread.partition(b"\n")
        answer = json.loads(line)
        assert answer["id"] == message["id"]
        result: dict[str, Any] = answer["result"]
        return result

    async def ask(tool: str, **arguments: Any) -> tuple[str, bool]:
        params = {"name": tool, "arguments": arguments}
        result = await exchange(
            {"jsonrpc": "2.0", "id": next(numbers), "method": "tools/call", "params": params}
        )
        assert "structuredContent" not in result
        return "\n".join(one["text"] for one in result["content"]), result.get("isError", False)

    try:
        await exchange(INITIALIZE)
        await sent.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        yield ask
        await sent.aclose()
        assert await process.wait() == 0
    finally:
        await process.aclose()


def _walk(way: str, memory: "Checkout", day: Callable[[Ask], Awaitable[None]]) -> None:
    async def over_lines() -> None:
        async with _lines(memory) as ask:
            await day(ask)

    async def over_pipes() -> None:
        async with piped(memory, options=()) as client:
            await day(_of_client(client))

    if way != "http":
        talk(over_lines if way == "lines" else over_pipes)
        return
    with listening(memory) as address:

        async def conversation() -> None:
            author = {"Gitmem-Author": "Grace <grace@example.org>"}
            async with over_http(address, offers=None, **author) as client:
                await day(_of_client(client))

        talk(conversation)


@pytest.mark.parametrize("way", ["pipes", "http", "lines"])
def test_a_day_of_an_assistant(memory: "Checkout", way: str) -> None:
    written: list[str] = []

    async def day(ask: Ask) -> None:
        async def told(tool: str, **arguments: Any) -> str:
            text, is_refused = await ask(tool, **arguments)
            assert not is_refused, text
            assert estimate(text) <= 2000
            return text

        async def refused(tool: str, **arguments: Any) -> str:
            before = content(memory)
            text, is_refused = await ask(tool, **arguments)
            assert is_refused, text
            assert content(memory) == before
            return text

        # Who begins hears first what fails, then of the project.
        decision = {"decision": "Times are UTC", "rationale": "Shops stand in three zones."}
        await told("gitmem_record_decision", **decision)
        begun = await told("gitmem_context")
        places = [begun.index(words) for words in (
            "test_none_is_cheapest", "Sells tea", "make test", "Times are UTC",
        )]  # fmt: skip
        assert places == sorted(places)

        # A hint is enough to act on; what fails now is known by the name of its test.
        hint = await told("gitmem_hint", text=TRACE)
        assert "- worked: " in hint
        assert "+    return net + net * int(rate)" in hint
        for text in ("", "test_none_is_cheapest", "FAILED test_shop.py::test_none_is_cheapest"):
            assert "ValueError: min() " in await told("gitmem_hint", text=text)
        assert "test_shop.py::test_x failed" in await told(
            "gitmem_hint", text="FAILED test_shop.py::test_x"
        )
        assert "its words were searched for" in await told("gitmem_hint", text="times UTC")

        # Advice speaks of tools.
        advice = await told("gitmem_advise", path="cart.py")
        assert "see: gitmem_hint" in advice
        assert "gitmem runs" not in advice
        assert "--" not in await told("gitmem_advise", task="paint the shed green")

        # What names no failure is refused; what fails now is named.
        attempt = {"approach": "min(prices or [0])", "outcome": "failed",
                   "why_failed": "the test wants None"}  # fmt: skip
        for words in ("last", "the cheapest thing"):
            assert "ValueError: min() " in await refused(
                "gitmem_record_fix", error=words, **attempt
            )
        first = await told("gitmem_record_fix", error="test_none_is_cheapest", **attempt)
        assert first.startswith("Written: err-")
        line = (await told("gitmem_hint")).split("`")[1]
        again = await told("gitmem_record_fix", error=line, **attempt)
        assert again.startswith("Recorded already: fix-")
        tried = await told("gitmem_advise", task="use min(prices or [0])")
        assert "**avoid** `min(prices or [0])`" in tried
        assert "the test wants None" in tried

        assert "says nearly the same" in await refused("gitmem_record_decision", **decision)
        note = {"title": "Tests need no network", "body": "`make test`"}
        written.append((await told("gitmem_note", **note)).split()[1].rstrip("."))
        assert "gitmem_rate" in await refused("gitmem_note", **note)
        assert "helped" in await told("gitmem_rate", id=written[0])

    _walk(way, memory, day)
    author = json.loads(ok(memory, "show", written[0], "--json"))["record"]["author"]
    assert author["via"] == "agent"
    assert (author["name"] == "Grace") is (way == "http")
    assert len(json.loads(ok(memory, "list", "kind:note", "--json"))["records"]) == 1
