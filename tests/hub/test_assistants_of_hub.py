"""A hub for coding assistants: the official client over HTTP, with tokens of several users."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gitmem.learning.tokens import estimate
from tests.e2e.assistants import said, talk
from tests.hub.organisation import TITLE, Hub, publishing, trace

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


@asynccontextmanager
async def assistant(address: str, token: str) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
    ):
        yield client


@pytest.fixture
def hub(address: str, make_repo: "Callable[..., Checkout]", tmp_path: Path) -> Hub:
    repo, private = make_repo("api"), make_repo("ledger")
    publishing(repo)
    publishing(private, "ledger")
    hub = Hub(tmp_path / "hub", address)
    hub.run("add", "payments/api", str(repo), "--internal")
    hub.run("add", "finance/ledger", str(private))
    hub.run("sync")
    return hub


def test_two_tools_answer_each_with_what_they_may_see(hub: Hub) -> None:
    tokens = {
        "ada": hub.run("token", "ada", "--see", "finance/ledger").strip(),
        "bob": hub.run("token", "bob").strip(),
        "eve": hub.run("token", "eve", "--no-internal").strip(),
    }
    failure = trace("lib/mine.py", "borrow")

    async def conversation(address: str) -> None:
        async with (
            assistant(address, tokens["ada"]) as ada,
            assistant(address, tokens["bob"]) as bob,
            assistant(address, tokens["eve"]) as eve,
        ):
            for _ in range(2):  # in turns, over connections that stay
                known = await said(ada, "gitmem_worked_elsewhere", text=failure)
                assert "`same message`, in `payments/api`" in known
                assert "`same message`, in `finance/ledger`" in known
                assert "Quoted from other repositories" in known
                assert f"`worked` there: `{TITLE}`" in known
                known = await said(bob, "gitmem_worked_elsewhere", text=failure)
                assert "payments/api" in known
                assert "ledger" not in known
                known = await said(eve, "gitmem_worked_elsewhere", text=failure)
                assert known == "No other repository that you may see knows it."
            words = await said(bob, "gitmem_search_elsewhere", query="pool proxy")
            assert "`similar`, in `payments/api`" in words
            assert "ledger" not in words
            nothing = await said(eve, "gitmem_search_elsewhere", query="pool proxy")
            assert nothing == "Nothing found in what you may see."
            plain = await said(ada, "gitmem_worked_elsewhere", text="all is well")
            assert plain == "No failure in this text; nothing was asked."
            wrong = await ada.call_tool("gitmem_search_elsewhere", {"query": " "})
            assert wrong.is_error
            short = await said(ada, "gitmem_worked_elsewhere", text=failure, budget=100)
            assert "left out: over the budget of 100 tokens" in short

    async def after_the_token_went(address: str) -> None:
        async with assistant(address, tokens["bob"]) as bob:
            await bob.list_tools()
            hub.run("token", "bob", "--drop")
            with pytest.raises(Exception, match=r"."):
                await bob.call_tool("gitmem_search_elsewhere", {"query": "pool"})

    with hub.serving() as address:
        talk(conversation, address)
        talk(after_the_token_went, address)


def test_the_tools_only_read_and_take_few_tokens(hub: Hub) -> None:
    token = hub.run("token", "ada").strip()

    async def conversation(address: str) -> None:
        async with assistant(address, token) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [
                "gitmem_worked_elsewhere", "gitmem_search_elsewhere",
            ]  # fmt: skip
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
            texts = [tool.model_dump_json(exclude_none=True) for tool in tools]
            assert estimate("".join(texts)) < 450

    with hub.serving() as address:
        talk(conversation, address)


def test_without_a_token_nobody_is_answered(hub: Hub) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"accept": "application/json, text/event-stream"}
    with hub.serving() as address:
        for token in ("", "gmh_made-up", "a.b.c"):
            headers = {**accepts, "authorization": f"Bearer {token}"} if token else accepts
            answer = httpx2.post(f"{address}/mcp", json=body, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith("Bearer")
