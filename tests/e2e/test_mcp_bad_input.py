"""Bad input, case 18: what assistants get wrong, and what they never bring down."""

import json
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest

from tests.depth import sampled
from tests.e2e.assistants import (
    TOKEN,
    data,
    listening,
    over_http,
    piped,
    refused,
    said,
    talk,
    text_of,
)
from tests.e2e.running import complains, content, ok, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": "raw", "version": "1"}},
}  # fmt: skip

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, one_error)


def one_error(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "add", "error", "--type", "E", "--message", "the clock is slow")


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("gitmem_search", {"query": 5}, "query"),
    ("gitmem_search", {"query": None}, "query"),
    ("gitmem_search", {"query": "x", "limit": "many"}, "limit"),
    ("gitmem_search", {"query": "x", "limit": 0}, "limit"),
    ("gitmem_search", {"query": "x", "limit": 10**9}, "limit"),
    ("gitmem_search", {"query": "x", "offset": -1}, "offset"),
    ("gitmem_search", {"query": "x", "budget": -1}, "budget"),
    ("gitmem_search", {"query": ["x"]}, "query"),
    ("gitmem_record_fix", {"error": "err-1", "approach": "x", "outcome": "great"}, "outcome"),
    ("coding_track_file_change", {"file_path": "a", "action": "paint"}, "action"),
    ("coding_track_file_change",
     {"file_path": "a", "action": "edit", "line_range": "x,y"}, "line_range"),
    ("coding_record_decision",
     {"decision": "d", "rationale": "r", "confidence": 7}, "confidence"),
    ("coding_record_decision", {"decision": "d", "rationale": "r", "tags": 7}, "tags"),
    ("coding_record_error", {"error_type": "E", "message": "m", "tags": {"a": 1}}, "tags"),
    ("coding_end_session", {"success": "perhaps"}, "success"),
]  # fmt: skip


def test_wrong_types_are_named_and_nothing_is_written(
    memory: "Checkout", subtests: pytest.Subtests
) -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            await data(client, "coding_start_session", description="x")
            before = content(memory)
            for tool, arguments, wanted in WRONG:
                with subtests.test(tool, arguments=arguments):
                    assert wanted in await refused(client, tool, **arguments)
                    assert content(memory) == before
                    assert "the clock is slow" in await said(client, "gitmem_search", query="clock")

    talk(conversation)


def test_missing_and_surplus_arguments_are_named(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            assert "query" in await refused(client, "gitmem_search")
            assert "rationale" in await refused(client, "gitmem_record_decision", decision="x")
            assert "did you mean limit" in await refused(client, "gitmem_search", query="x", limt=3)
            told = await refused(client, "gitmem_record_decision", decision="x", title="y")
            assert "it takes decision, " in told
            assert "it takes query" in await refused(client, "gitmem_search", query="x", k=3)
            told = await refused(client, "gitmem_search", query="x", **{"`x`\n\x1b[31m": 1})
            assert "\x1b" not in told
            nothing = await client.call_tool("no_such_tool", {})
            assert nothing.is_error

    talk(conversation)


def test_ten_megabytes_are_refused_and_the_next_call_is_answered(memory: "Checkout") -> None:
    huge = "x" * (10 << 20)

    async def conversation() -> None:
        async with piped(memory) as client:
            before = content(memory)
            for tool, arguments in (
                ("gitmem_hint", {"text": huge}),
                ("coding_record_error", {"error_type": "E", "message": huge}),
                ("coding_record_decision", {"decision": "d", "rationale": "r", "tags": [huge]}),
            ):
                assert "longer than 256 KiB" in await refused(client, tool, **arguments)
            assert content(memory) == before
            assert "the clock is slow" in await said(client, "gitmem_search", query="clock")

    talk(conversation)
    with listening(memory) as address:

        async def over() -> None:
            async with over_http(address) as client:
                with pytest.raises(
                    Exception, match=r"413|too large|error response|[Cc]onnection|[Cc]losed"
                ):
                    await client.call_tool("gitmem_hint", {"text": huge})
            async with over_http(address) as client:
                assert "the clock is slow" in await said(client, "gitmem_search", query="clock")

        talk(over)


def test_in_a_storm_of_calls_each_is_answered_or_refused(memory: "Checkout") -> None:
    answers: list[str] = []

    async def conversation() -> None:
        async with piped(memory) as client:

            async def ask(tool: str, arguments: dict[str, Any]) -> None:
                answers.append(text_of(await client.call_tool(tool, arguments)))

            async with anyio.create_task_group() as group:
                for number in range(700):
                    group.start_soon(ask, "gitmem_show", {"id": f"err-{number}"})
                for number in range(80):
                    asked = {"decision": f"d{number}", "rationale": "r"}
                    group.start_soon(ask, "coding_record_decision", asked)

    talk(conversation)
    assert len(answers) == 780
    late = sum("writes a minute" in one for one in answers)
    known = ("no record err-", "is ambiguous", "Written: ", "a minute", "**error**")
    assert [one for one in answers if not any(words in one for words in known)] == []
    written = json.loads(ok(memory, "list", "kind:decision", "--json"))["records"]
    assert len(written) == 80 - late
    assert run(memory, "check").code == 0


def test_cancelled_calls_leave_whole_records_or_none(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            await said(client, "gitmem_search", query="clock")
            for number in range(30):
                with anyio.move_on_after(0.002 * (number % 10)):
                    await client.call_tool(
                        "coding_record_error",
                        {"error_type": "E", "message": f"m{number}", "solution": "s"},
                    )
            assert "the clock is slow" in await said(client, "gitmem_search", query="clock")
            # One memory serves one call at a time: after this one all before it are over.
            await said(client, "coding_record_decision", decision="d", rationale="r")

    talk(conversation)
    assert run(memory, "check").code == 0
    rows = json.loads(ok(memory, "list", "kind:error", "--json"))["records"]
    fixed = [row for row in rows if row["status"].startswith("resolved")]
    assert len(rows) - len(fixed) == 1  # the one without a solution


# Over HTTP


def _post(address: str, headers: dict[str, str], body: Any = INITIALIZE) -> httpx2.Response:
    sent = {"Accept": "application/json, text/event-stream", **headers}
    return httpx2.post(f"http://{address}/mcp", headers=sent, json=body, timeout=60)


GOOD = {"Authorization": f"Bearer {TOKEN}"}


def test_only_the_token_lets_in(memory: "Checkout") -> None:
    with listening(memory) as address:
        assert _post(address, GOOD).status_code == 200
        for headers in (
            {},
            {"Authorization": ""},
            {"Authorization": "Bearer"},
            {"Authorization": f"Bearer {TOKEN}x"},
            {"Authorization": f"Bearer {TOKEN[:-1]}"},
            {"Authorization": f"bearer  {TOKEN}"},
            {"Authorization": f"Basic {TOKEN}"},
            {"Authorization": TOKEN},
            {"Cookie": f"token={TOKEN}"},
            {"X-Token": TOKEN},
        ):
            answer = _post(address, headers)
            assert answer.status_code == 401, headers
            assert "clock" not in answer.text
        for path in ("", "mcp", "mcp/", "sse", "messages/", "../mcp", "docs"):
            url = f"http://{address}/{path}"
            assert httpx2.get(url, timeout=60).status_code == 401, path
            assert httpx2.delete(url, timeout=60).status_code == 401, path
        assert (
            httpx2.post(f"http://{address}/mcp?token={TOKEN}", json=INITIALIZE).status_code == 401
        )


def test_a_foreign_origin_is_refused_even_with_the_token(memory: "Checkout") -> None:
    with listening(memory) as address:
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://localhost",
                       "file://"):  # fmt: skip
            assert _post(address, {**GOOD, "Origin": origin}).status_code == 403, origin
            assert _post(address, {**GOOD, "Origin": f"http://{address}"}).status_code == 200


def test_a_foreign_host_is_refused_even_with_the_token(memory: "Checkout") -> None:
    with listening(memory, "--allow-host", "box.lan") as address:
        port = address.rpartition(":")[2]
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example",
                     "localhost.evil.example", "x@127.0.0.1", "", "127.0.0.1:abc"):  # fmt: skip
            assert _post(address, {**GOOD, "Host": host}).status_code in {400, 421}, host
        for host in (f"localhost:{port}", "box.lan", f"BOX.lan:{port}", "[::1]:80"):
            assert _post(address, {**GOOD, "Host": host}).status_code == 200, host


def test_what_is_no_request_is_refused_and_the_server_lives(memory: "Checkout") -> None:
    with listening(memory) as address:
        bodies: list[Any] = [
            [], [1], "x", {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": 1, "method": "x"},
            {"id": {}}, [INITIALIZE] * 3,
        ]  # fmt: skip
        for body in bodies:
            assert _post(address, GOOD, body).status_code in {200, 400}, body
        raw = httpx2.post(f"http://{address}/mcp", headers=GOOD, content=b"\xff\xfe{", timeout=60)
        assert raw.status_code == 400
        assert _post(address, GOOD).status_code == 200


@sampled(2)
@pytest.mark.parametrize(
    ("address", "token", "words"),
    [
        ("nowhere", TOKEN, "not an address"),
        ("0.0.0.0:0", "", "GITMEM_MCP_TOKEN"),
        ("70000", TOKEN, "is not an address"),
        ("0", "short", "GITMEM_MCP_TOKEN"),
        ("0", "two words are no token\n", "GITMEM_MCP_TOKEN"),
    ],
)
def test_it_does_not_listen_where_it_should_not(
    memory: "Checkout", address: str, token: str, words: str
) -> None:
    done = run(memory, "mcp", "--http", address, env={"GITMEM_MCP_TOKEN": token})
    complains(done, 2, words)
