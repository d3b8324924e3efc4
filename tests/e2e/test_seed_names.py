"""Commands as the older memories spell them: a script or a registration of theirs goes on."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.assistants import piped, refused, said, talk, text_of
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


def test_s4_25_a_screenshot_that_is_not_there_does_not_lose_the_error(memory: "Checkout") -> None:
    """The document's own call: its path is none of the repository."""
    error = {"error_type": "TypeError", "message": "naive and aware datetimes", "line_number": 42,
             "file_path": "src/auth.py", "stack_trace": "Traceback:\n  File 'auth.py', line 42...",
             "screenshot": "/path/to/error_screenshot.png"}  # fmt: skip
    nothing = {**error, "error_type": "Unknown", "message": "See screenshot", "stack_trace": ""}

    async def conversation() -> None:
        async with piped(memory, "serve", options=()) as client:
            told = await said(client, "coding_record_error", **error)
            assert "kept without its screenshot" in told
            assert "must be in the repository" in told
            told = await refused(client, "coding_record_error", **nothing)
            assert "must be in the repository" in told

    talk(conversation)
    (row,) = json.loads(ok(memory, "list", "type:TypeError", "--json"))["records"]
    assert "file: src/auth.py" in ok(memory, "show", row["id"])
    assert "See screenshot" not in ok(memory, "list")


@pytest.mark.parametrize(
    ("tool", "option", "words"),
    [
        ("coding_end_session", "auto_summarize_on_end", "gitmem session end --summarise"),
        ("coding_analyze_patterns", "enable_pattern_learning", "gitmem code profile"),
        ("coding_search_errors", "enable_rag", "semantic.embedder"),
        ("coding_end_session", "auto_approve", "the setting llm.auto_approve"),
        ("coding_start_session", "max_session_duration_hours", "session.max_hours"),
        ("coding_start_session", "frobnicate", "it takes description, tags"),
    ],
)
def test_s4_41_an_option_that_no_tool_takes_is_refused_with_what_replaces_it(
    memory: "Checkout", tool: str, option: str, words: str
) -> None:
    async def conversation() -> None:
        async with piped(memory, "serve", options=()) as client:
            told = await refused(client, tool, **{option: True})
            assert f"has no argument `{option}`" in told
            assert words in told

    talk(conversation)
