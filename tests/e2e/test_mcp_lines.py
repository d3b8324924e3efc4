"""What a client writes on the server's input, line by line: everything is answered."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.assistants import ALL
from tests.e2e.running import environment, ok, server
from tests.e2e.test_mcp_bad_input import INITIALIZE

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, lambda repo: ok(repo, "init"))


class _Pipes:
    """A server to which lines are written as they are."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.send(INITIALIZE)
        assert self.answer()["id"] == INITIALIZE["id"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, line: Any) -> None:
        """Write a line: bytes as they are, all else as JSON."""
        data = line if isinstance(line, bytes) else json.dumps(line).encode()
        assert self.process.stdin
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Read the next answer."""
        assert self.process.stdout
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer


@contextmanager
def _piped(folder: "Checkout") -> Iterator[_Pipes]:
    process = subprocess.Popen(
        [*server(real=True), "mcp", *ALL], cwd=folder, env=environment(None),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield _Pipes(process)
    finally:
        process.kill()
        process.communicate()


def _call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}  # fmt: skip


PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"no json", -32700, None),
        (b'{"jsonrpc":"2.0","id":3,"method":"tools/ca', -32700, None),
        (b"\xff\xfe{", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"[]", -32600, None),
        (b'{"jsonrpc":"2.0","id":3}', -32600, 3),
        (b'{"id":"x","method":"ping"}', -32600, "x"),
        (b'"ping"', -32600, None),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":[3],"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"x"}}', -32602, 3),
        (b'{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"fix_with_memory"}}',
         -32602, 3),
    ],
)  # fmt: skip
def test_a_line_that_is_no_request_is_answered_and_the_next_one_too(
    memory: "Checkout", line: bytes, code: int, request_id: object
) -> None:
    with _piped(memory) as pipes:
        pipes.send(line)
        answer = pipes.answer()
        assert (answer["error"]["code"], answer["id"]) == (code, request_id), answer
        pipes.send(PING)
        assert pipes.answer() == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_a_batch_is_answered_message_by_message(memory: "Checkout") -> None:
    with _piped(memory) as pipes:
        pipes.send([PING, {**PING, "id": 8}, {"id": 9}])
        answers = {answer["id"]: answer for answer in (pipes.answer() for _ in range(3))}
        assert answers[7]["result"] == answers[8]["result"] == {}
        assert answers[9]["error"]["code"] == -32600


def test_half_a_surrogate_pair_is_answered(memory: "Checkout") -> None:
    with _piped(memory) as pipes:
        arguments = {"decision": "half \ud800 pair", "rationale": "\udfff"}
        pipes.send(_call(3, "coding_record_decision", **arguments))
        assert "Written: dec-" in pipes.answer()["result"]["content"][0]["text"]
    assert "half ? pair" in ok(memory, "list")


def test_who_asks_after_writing_finds_it_without_waiting_for_the_answer(
    memory: "Checkout",
) -> None:
    words = [f"{first}{second}{first}" for first in "bdfgk" for second in "aeiou"]
    with _piped(memory) as pipes:
        for number, word in enumerate(words):
            arguments = {"decision": f"Use {word}", "rationale": "tried"}
            pipes.send(_call(1000 + number, "coding_record_decision", **arguments))
            pipes.send(_call(2000 + number, "gitmem_search", query=word))
        answers = {answer["id"]: answer for answer in (pipes.answer() for _ in 2 * words)}
    for number, word in enumerate(words):
        assert f"`Use {word}`" in answers[2000 + number]["result"]["content"][0]["text"]


def test_an_interrupt_ends_it_though_its_input_is_open(memory: "Checkout") -> None:
    with _piped(memory) as pipes:
        pipes.process.send_signal(signal.SIGINT)
        assert pipes.process.wait(timeout=60) == 130


@pytest.mark.parametrize("has_roots", [False, True])
def test_what_was_asked_before_the_end_of_the_input_is_answered(
    memory: "Checkout", *, has_roots: bool
) -> None:
    """So a script can write its questions, close the pipe and read."""
    lines: list[dict[str, Any]] = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    if has_roots:  # but who is gone names no folders
        offers: dict[str, Any] = {"capabilities": {"roots": {}}}
        lines[0] = {**INITIALIZE, "params": {**INITIALIZE["params"], **offers}}
    lines += [
        _call(2, "gitmem_context"),
        _call(3, "gitmem_hint", text="ValueError: it is late"),
        _call(4, "gitmem_note", title="The clock is in the tower"),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
    ]
    done = subprocess.run(
        [*server(real=True), "mcp"], cwd=memory, env=environment(None), check=False,
        input="".join(f"{json.dumps(line)}\n" for line in lines), capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = {answer.get("id"): answer for answer in map(json.loads, done.stdout.splitlines())}
    assert {INITIALIZE["id"], 2, 4} <= set(told)
    if not has_roots:
        assert "Written: note-" in told[4]["result"]["content"][0]["text"]
        assert "Changed last" in told[2]["result"]["content"][0]["text"]
