"""How ``gitmem mcp`` is reached: pipes, HTTP, an independent client, and how it ends."""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.depth import deep, only_deep, sampled
from tests.e2e.assistants import ALL, TOKEN, data, listening, over_http, piped, said, talk
from tests.e2e.running import COMMAND, environment, ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

_TOOLS: Final = Path(__file__).resolve().parents[2] / "build/tools/inspector"
_ENVIRON: Final = dict(os.environ)  # tests have a home of their own, without settings of registries
_INSPECTOR: Final = "@modelcontextprotocol/inspector@2.12.0"
_PATIENCE: Final = 60
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": {"name": "raw", "version": "1"}}}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, one_error)


def one_error(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "add", "error", "--type", "E", "--message", "the clock is slow")


def _call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}  # fmt: skip


def test_standard_output_carries_nothing_but_the_protocol(memory: "Checkout") -> None:
    Path(memory, ".memory/notes/2026/01").mkdir(parents=True)
    Path(memory, ".memory/notes/2026/01/broken.yaml").write_text("{")
    messages = [HELLO, READY, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
                _call(3, "gitmem_search", query="clock"), _call(4, "gitmem_search", query=5),
                _call(5, "coding_analyze_patterns"), _call(6, "no_such_tool")]  # fmt: skip
    process = subprocess.Popen(
        [COMMAND, "mcp", *ALL], cwd=memory, env=environment(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    answers: dict[int, Any] = {}
    for message in messages:
        process.stdin.write(json.dumps(message) + "\n")
    process.stdin.write("this is no message\n")
    process.stdin.flush()
    while len(answers) < 6:
        line = process.stdout.readline()
        assert line
        answer = json.loads(line)
        assert answer["jsonrpc"] == "2.0"
        if isinstance(answer.get("id"), int):
            answers[answer["id"]] = answer
    process.stdin.close()
    rest = process.stdout.read()
    assert process.wait(_PATIENCE) == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "the clock is slow" in json.dumps(answers[3])
    assert process.stderr
    process.stderr.close()
    process.stdout.close()


def test_nothing_is_opened_before_the_first_call(repo: "Checkout") -> None:
    ok(repo, "init")
    shutil.rmtree(repo / ".git/gitmem", ignore_errors=True)

    async def conversation() -> None:
        async with piped(repo) as client:
            await client.list_tools()
            await client.list_prompts()
            assert not (repo / ".git/gitmem").exists()
            await said(client, "gitmem_search", query="x")
            assert (repo / ".git/gitmem").exists()

    talk(conversation)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@sampled(1)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_its_parent_even_if_the_pipe_stays_open(
    memory: "Checkout", how: signal.Signals
) -> None:
    reader, writer = os.pipe()
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([{COMMAND!r}, 'mcp'], stdin={reader},"
        " stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=memory, env=environment(), stdout=subprocess.PIPE,
        pass_fds=[reader], text=True,
    )  # fmt: skip
    os.write(writer, json.dumps(HELLO).encode() + b"\n")
    assert parent.stdout
    pid = int(parent.stdout.readline())
    assert _is_alive(pid)
    parent.send_signal(how)
    parent.wait(_PATIENCE)
    end = time.monotonic() + _PATIENCE
    while _is_alive(pid) and time.monotonic() < end:
        time.sleep(0.1)
    try:
        assert not _is_alive(pid)
    finally:
        parent.stdout.close()
        os.close(reader)
        os.close(writer)
        if _is_alive(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("header", "name", "email"),
    [
        ({}, "tester", ""),
        (
            {"Gitmem-Author": "Grace Hopper <grace@example.org>"},
            "Grace Hopper",
            "grace@example.org",
        ),
        ({"Gitmem-Author": "Grace H."}, "Grace H.", ""),
        ({"Gitmem-Author": "<\x07nobody>"}, "tester", ""),
    ],
    ids=["nothing", "name and e-mail", "only a name", "nonsense"],
)
def test_records_over_http_bear_who_asked_and_not_who_git_names_here(
    memory: "Checkout", header: dict[str, str], name: str, email: str
) -> None:
    with listening(memory) as address:

        async def conversation() -> None:
            async with over_http(address, offers=None, **header) as client:
                await said(client, "gitmem_note", title="The clock is in the tower")

        talk(conversation)
    (row,) = json.loads(ok(memory, "list", "kind:note", "--json"))["records"]
    author = json.loads(ok(memory, "show", row["id"], "--json"))["record"]["author"]
    assert author["name"] == name
    assert author.get("email", "") == email
    assert (author["via"], author["tool"]) == ("agent", "tester")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_over_http_the_tools_are_the_same(memory: "Checkout", mode: str) -> None:
    with listening(memory) as address:

        async def conversation() -> None:
            async with over_http(address, mode=mode) as client:
                over = (await client.list_tools()).tools
                assert "the clock is slow" in await said(client, "gitmem_search", query="clock")
                made = await data(client, "coding_record_error", error_type="E2", message="m2")
                assert "m2" in await said(client, "gitmem_show", id=made["written"][0])
                assert len((await client.list_resources()).resources) == 3
            async with piped(memory, mode=mode) as client:
                pipes = (await client.list_tools()).tools
            assert [one.model_dump() for one in over] == [one.model_dump() for one in pipes]

        talk(conversation)


def test_without_a_token_one_is_made_and_told(memory: "Checkout") -> None:
    process = subprocess.Popen(
        [COMMAND, "mcp", "--http", "0"], cwd=memory, env=environment({"GITMEM_MCP_TOKEN": None}),
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr
    told = process.stderr.readline()
    process.terminate()
    process.communicate(timeout=_PATIENCE)
    assert re.fullmatch(r"note: token for Authorization: Bearer: [\w-]{30,}\n", told), told


# An independent client


@pytest.fixture(scope="module")
def inspector() -> str:
    """Give the inspector's program, installed first where it is missing."""
    program = _TOOLS / "node_modules/.bin/mcp-inspector"
    _TOOLS.mkdir(parents=True, exist_ok=True)
    with (_TOOLS / "lock").open("w") as lock:  # other tests run beside this one
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            if shutil.which("npm") is None:
                pytest.skip("no npm")
            done = subprocess.run(
                ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund",
                 "--prefix", str(_TOOLS), _INSPECTOR],
                env=_ENVIRON, capture_output=True, text=True, check=False, timeout=240,
            )  # fmt: skip
            if done.returncode:
                said_last = (done.stderr or done.stdout).strip().splitlines()[-1:]
                pytest.skip(f"the inspector can't be installed: {' '.join(said_last)}")
    return str(program)


def _inspect(program: str, repo: Path, *arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [program, "--cli", *arguments], cwd=repo, env=environment(), capture_output=True,
        text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@deep
@only_deep
@pytest.mark.slow
@pytest.mark.parametrize("transport", ["pipes", "http"])
def test_the_inspector_understands_the_server(
    memory: "Checkout", inspector: str, transport: str
) -> None:
    with listening(memory) as address:
        start = [COMMAND, "mcp", *ALL]
        if transport == "http":
            start = [f"http://{address}/mcp", "--transport", "http",
                     "--header", f"Authorization: Bearer {TOKEN}"]  # fmt: skip
        tools = _inspect(inspector, memory, *start, "--method", "tools/list")["tools"]
        assert {"gitmem_search", "gitmem_hint", "gitmem_record_fix", "coding_record_error"} <= {
            one["name"] for one in tools
        }
        found = _inspect(inspector, memory, *start, "--method", "tools/call",
                         "--tool-name", "gitmem_search", "--tool-arg", "query=clock")  # fmt: skip
        assert "the clock is slow" in found["content"][0]["text"]
        assert found["structuredContent"]["text"] == found["content"][0]["text"]
        listed = _inspect(inspector, memory, *start, "--method", "resources/list")["resources"]
        read = _inspect(inspector, memory, *start, "--method", "resources/read",
                        "--uri", listed[1]["uri"])  # fmt: skip
        assert "the clock is slow" in read["contents"][0]["text"]
        prompts = _inspect(inspector, memory, *start, "--method", "prompts/list")["prompts"]
        assert len(prompts) == 3
