"""Commands as the older memories spell them: a script or a registration of theirs goes on."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.assistants import piped, talk, text_of
from tests.e2e.running import USAGE, complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    error = ok(repo, "add", "error", "--title", "TIMEOUT", "--subject", "qwen2.5:7b").split()[0]
    ok(repo, "resolve", error, "wait longer")
    return repo


def test_s1_68_model_tells_of_one_model(memory: "Checkout") -> None:
    assert ok(memory, "model", "qwen2.5:7b") == ok(memory, "stats", "subject", "qwen2.5:7b")
    assert json.loads(ok(memory, "model", "qwen2.5:7b", "--json"))["name"] == "qwen2.5:7b"


def test_s1_73_cleanup_takes_an_age_and_deletes_nothing_unasked(memory: "Checkout") -> None:
    memory.commit("remembered")
    done = run(memory, "cleanup", "30")
    assert (done.code, done.err) == (0, "note: nothing is due\n")
    complains(run(memory, "cleanup"), USAGE, "--older-than")
    complains(run(memory, "cleanup", "soon"), USAGE, "not a valid integer")


def test_s4_71_a_session_and_the_patterns_by_the_names_of_the_coding_memory(
    memory: "Checkout",
) -> None:
    session = ok(memory, "coding", "start", "Implement JWT").split()[0]
    assert session in ok(memory, "coding", "status")
    assert "source file" in ok(memory, "coding", "analyze-patterns")
    assert "Goal: Implement JWT" in ok(memory, "coding", "end", "--success")
    assert session in ok(memory, "coding", "sessions")
    assert "Implement JWT" in ok(memory, "coding", "session", session)
    assert "TIMEOUT" in ok(memory, "coding", "errors")


def test_what_the_coding_memory_has_besides_is_named(memory: "Checkout") -> None:
    for words in (("coding",), ("coding", "begin")):
        complains(run(memory, *words), USAGE, "coding start", "coding analyze-patterns")


def test_other_names_are_explained_and_not_listed(memory: "Checkout") -> None:
    assert ok(memory, "help", "coding", "start") == ok(memory, "session", "start", "--help")
    assert ok(memory, "help", "cleanup") == ok(memory, "archive", "prune", "--help")
    assert "coding" not in ok(memory, "--help").replace("coding assistants", "")


def test_s4_44_the_registration_of_the_coding_memory_serves_its_tools(memory: "Checkout") -> None:
    who = {"USER_ID": "dev_john", "PROJECT_ID": "my-project"}

    async def conversation() -> None:
        async with piped(memory, "serve", environ=who, options=()) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"coding_record_error", "coding_analyze_patterns"} <= names
            written = await client.call_tool(
                "coding_record_error",
                {"error_type": "TypeError", "message": "naive and aware datetimes"},
            )
            assert not written.is_error

    talk(conversation)
    assert "TypeError" in ok(memory, "list", "kind:error")


def test_s4_29_a_newer_error_of_a_message_does_not_hide_what_solved_it(repo: "Checkout") -> None:
    ok(repo, "init")
    first = ok(repo, "add", "error", "--type", "KeyError", "--message", "'port'",
               "--location", "a.py:3").split()[0]  # fmt: skip
    ok(repo, "resolve", first, "give every service a port")
    trace = "Traceback (most recent call last):\n  File \"b.py\", line 9, in f\nKeyError: 'port'"
    ok(repo, "add", "error", "--excerpt", trace)

    async def conversation() -> None:
        async with piped(repo, "serve", options=()) as client:
            found = await client.call_tool(
                "coding_search_errors", {"query": "KeyError port", "k": 1}
            )
            assert "give every service a port" in text_of(found)
            refused = await client.call_tool(
                "coding_record_error", {"error_type": "E", "message": "m", "line_number": -1}
            )
            assert refused.is_error

    talk(conversation)


def test_s4_44_variables_of_the_registration_that_nobody_reads_are_named(
    memory: "Checkout",
) -> None:
    env = {"USER_ID": "dev_john", "PROJECT_ID": "my-project"}
    served = run(memory, "mcp", "serve", env=env)
    assert served.code == 0
    assert "USER_ID is not read; git says who writes" in served.err
    assert "PROJECT_ID is not read; the repository is the project" in served.err
    assert "USER_ID" not in run(memory, "mcp", env=env).err, "others use that name, too"
