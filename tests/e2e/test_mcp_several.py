"""Several assistants on one work tree, each with a server of its own."""

import json
from typing import TYPE_CHECKING

import anyio
import pytest

from tests.e2e.assistants import listening, over_http, piped, talk, text_of
from tests.e2e.running import ok

if TYPE_CHECKING:
    from mcp import Client

    from tests.conftest import Built, Checkout

_FACTS = ("The oven needs ten minutes", "Tea is kept in tins", "Cups break in the dishwasher")

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, lambda repo: ok(repo, "init"))


def test_what_several_record_at_once_is_recorded_once(memory: "Checkout") -> None:
    """And each finds at once what the others wrote."""
    attempt = {"error": "KeyError: 'tea'", "approach": "dict.get", "outcome": "failed"}
    names = ("claude", "codex", "web")

    async def works(client: "Client", name: str, answers: list[str]) -> None:
        note = {"title": f"{name} was here and saw the sea"}
        for tool, arguments in (
            *(("gitmem_note", {"title": fact}) for fact in _FACTS),
            ("gitmem_record_decision", {"decision": "Use queues", "rationale": "Mails wait."}),
            ("gitmem_record_fix", attempt),
            ("gitmem_note", note),
        ):
            answers.append(text_of(await client.call_tool(tool, arguments)).splitlines()[0])

    async def conversation(address: str) -> None:
        async with (
            piped(memory, name="claude", options=()) as claude,
            piped(memory, name="codex", options=()) as codex,
            over_http(address) as web,
        ):
            clients = dict(zip(names, (claude, codex, web), strict=True))
            for client in clients.values():
                await client.call_tool("gitmem_search", {"query": "tea"})
            answers: list[str] = []
            async with anyio.create_task_group() as group:
                for name, client in clients.items():
                    group.start_soon(works, client, name, answers)
            refused = [answer for answer in answers if answer.startswith("Not done: ")]
            assert len(refused) == (len(_FACTS) + 1) * (len(names) - 1)
            assert sum(answer.startswith("Recorded already: fix-") for answer in answers) == 2
            for client in clients.values():
                for name in names:
                    told = await client.call_tool("gitmem_search", {"query": f"{name} sea"})
                    assert f"{name} was here" in text_of(told)

    with listening(memory) as address:
        talk(conversation, address)
    for kind, number in (("note", 6), ("decision", 1), ("error", 1), ("fix", 1)):
        rows = json.loads(ok(memory, "list", f"kind:{kind}", "--json"))["records"]
        assert len(rows) == number, (kind, rows)
