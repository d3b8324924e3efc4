"""What assistants do with ``gitmem mcp``: the SDK's own client on the real command, over pipes."""

import json
import re
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from gitmem.learning.tokens import estimate
from tests.e2e.assistants import ALL, TRACE, data, files_of, piped, refused, said, talk, text_of
from tests.e2e.running import content, ok, run

if TYPE_CHECKING:
    from mcp import Client

    from tests.conftest import Built, Checkout

READING = {"gitmem_search", "gitmem_show", "gitmem_hint", "gitmem_advise", "gitmem_context",
           "coding_search_errors", "coding_get_project_context", "coding_analyze_patterns",
           "coding_get_current_session_status"}  # fmt: skip
WRITING = {"gitmem_record_fix", "gitmem_record_decision", "gitmem_note", "gitmem_rate",
           "coding_record_error", "coding_record_decision", "coding_start_session",
           "coding_track_file_change", "coding_end_session", "coding_resume_session"}  # fmt: skip
# The tools of the seed, with every parameter.
SEED = {
    "coding_track_file_change": "user_id project_id file_path action diff reason related_files"
                                " line_range",
    "coding_record_error": "user_id project_id error_type message stack_trace file_path"
                           " line_number solution screenshot tags",
    "coding_record_decision": "user_id project_id decision rationale alternatives impact tags"
                              " related_files confidence",
    "coding_start_session": "user_id project_id description tags",
    "coding_end_session": "user_id project_id summary success",
    "coding_search_errors": "user_id project_id query k",
    "coding_get_project_context": "user_id project_id focus",
    "coding_analyze_patterns": "user_id project_id",
}  # fmt: skip
WHO = {"user_id": "dev_john", "project_id": "kagura-ai"}

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("src/when.py", "def newer(a, b):\n    # compares\n    return a > b\n")
    repo.add("README.md", "# Clockwork\n\nTells the time of day to those who ask.\n")
    repo.add("pyproject.toml", '[project]\nname = "clockwork"\ndependencies = ["tzdata"]\n')
    repo.commit("first")


def _schemas(memory: "Checkout", *arguments: str, options: Sequence[str] = ALL) -> dict[str, Any]:
    found: dict[str, Any] = {}

    async def conversation() -> None:
        async with piped(memory, *arguments, options=options) as client:
            for one in (await client.list_tools()).tools:
                found[one.name] = one.model_dump(by_alias=True, exclude_none=True, mode="json")

    talk(conversation)
    return found


def test_s4_23_to_31_the_tools_and_their_parameters_are_there(memory: "Checkout") -> None:
    found = _schemas(memory)
    assert set(found) == READING | WRITING
    for name, parameters in SEED.items():
        missing = set(parameters.split()) - set(found[name]["inputSchema"]["properties"])
        assert not missing, (name, missing)
    actions = found["coding_track_file_change"]["inputSchema"]["properties"]["action"]["enum"]
    assert actions == ["create", "edit", "delete", "rename", "refactor", "test"]
    for name, tool in found.items():
        assert tool["annotations"].get("readOnlyHint", False) == (name in READING), name
        assert tool["annotations"].get("destructiveHint", False) is False, name
        assert tool["annotations"]["openWorldHint"] is False, name
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])


def test_the_tools_together_take_few_tokens(memory: "Checkout") -> None:
    found = _schemas(memory, options=())
    assert set(found) == {name for name in READING | WRITING if name.startswith("gitmem_")}
    read = [{key: tool[key] for key in ("name", "description", "inputSchema")}
            for tool in found.values()]  # fmt: skip
    assert estimate(json.dumps(read, separators=(",", ":"))) <= 2500
    both = _schemas(memory)
    assert "title" not in json.dumps([tool["outputSchema"] for tool in both.values()])


def test_each_tool_says_of_what_it_tells_and_when_to_call_it(memory: "Checkout") -> None:
    for name, tool in _schemas(memory).items():
        description = tool["description"]
        assert "Call it " in description, name
        if name.startswith("gitmem_"):
            assert "this repository's memory" in description, name
        parameters = tool["inputSchema"]["properties"]
        assert {"project", "project_id"} & set(parameters), name
        if name in READING and "status" not in name:
            assert "budget" in parameters, name
        for parameter, form in parameters.items():
            assert form.get("description") or "enum" in form, (name, parameter)


def test_writing_can_be_switched_off(memory: "Checkout") -> None:
    assert set(_schemas(memory, "--read-only")) == READING

    async def conversation() -> None:
        async with piped(memory, "--read-only") as client:
            told = await client.call_tool("gitmem_record_fix", {"error": "x", "approach": "y"})
            assert told.is_error
            assert "gitmem_record_fix" in text_of(told)

    talk(conversation)


def test_an_answer_is_its_text_and_nothing_else_unless_programs_ask(memory: "Checkout") -> None:
    for number in range(3):
        ok(memory, "add", "note", "--title", f"Clock {number}")

    async def conversation() -> None:
        async with piped(memory, options=()) as client:
            tools = (await client.list_tools()).tools
            assert all(tool.output_schema is None for tool in tools)
            assert not [tool.name for tool in tools if tool.name.startswith("coding_")]
            result = await client.call_tool("gitmem_search", {"query": "clock", "limit": 2})
            assert result.structured_content is None
            assert "There are more: offset 2." in text_of(result)
            wrong = await client.call_tool("coding_start_session", {"description": "x"})
            assert wrong.is_error
            assert "coding_start_session" in text_of(wrong)

    talk(conversation)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_s4_32_the_typical_session(memory: "Checkout", mode: str) -> None:
    async def conversation() -> None:
        async with piped(memory, mode=mode, name="claude-code") as client:
            begun = await data(client, "coding_start_session", **WHO,
                               description="Implement coding memory system",
                               tags='["feature", "memory"]')  # fmt: skip
            memory.add(
                "src/kagura/core/memory/coding_memory.py", "class CodingMemoryManager: ...\n"
            )
            noted = await data(client, "coding_track_file_change", **WHO,
                               file_path="src/kagura/core/memory/coding_memory.py",
                               action="create", diff="New file: CodingMemoryManager class",
                               reason="Create coding-specialized memory manager")  # fmt: skip
            assert noted["session_id"] == begun["session_id"]
            error = await data(client, "coding_record_error", **WHO, error_type="ImportError",
                               message="No module named 'litellm'", stack_trace="...",
                               file_path="src/kagura/llm/coding_analyzer.py", line_number=8,
                               solution="Added litellm to dependencies")  # fmt: skip
            assert [one.partition("-")[0] for one in error["written"]] == ["err", "fix"]
            await data(client, "coding_record_decision", **WHO,
                       decision="Use LiteLLM for model abstraction",
                       rationale="Unified interface for OpenAI, Anthropic, Google models",
                       alternatives='["Direct API calls", "LangChain"]',
                       impact="Easy model switching, better error handling")  # fmt: skip
            status = await said(client, "coding_get_current_session_status", **WHO)
            assert "Implement coding memory system" in status
            assert "coding_memory.py" in status
            result = await data(client, "coding_end_session", **WHO, success=True)
            assert result["duration_minutes"] >= 0
            assert "Implement coding memory system" in result["summary"]
            assert result["written"] == [begun["session_id"]]

    talk(conversation)
    assert run(memory, "check").code == 0
    (row,) = json.loads(ok(memory, "list", "kind:error", "--json"))["records"]
    assert row["status"] == "resolved (claimed)"
    shown = ok(memory, "show", row["id"])
    assert "claude-code" in shown
    assert json.loads(ok(memory, "list", "kind:session tag:feature", "--json"))["records"]
    assert "LangChain" in ok(memory, "list", "kind:decision", "--json") + ok(
        memory,
        "show",
        json.loads(ok(memory, "list", "kind:decision", "--json"))["records"][0]["id"],
    )


def test_s4_45_the_dialogue_seen_three_times_and_the_solution(memory: "Checkout") -> None:
    """User: "I'm getting a TypeError when comparing datetimes."""

    async def conversation() -> None:
        async with piped(memory) as client:
            error: dict[str, Any] = {}
            for _ in range(3):
                error = await data(
                    client,
                    "coding_record_error",
                    error_type="TypeError",
                    message="can't compare offset-naive and offset-aware datetimes",
                    stack_trace=TRACE,
                    file_path="src/when.py",
                    line_number=3,
                )
            await data(client, "gitmem_record_fix", error=error["written"][0], outcome="worked",
                       approach="use datetime.now(timezone.utc) everywhere",
                       verified_with="pytest")  # fmt: skip
            found = await client.call_tool(
                "coding_search_errors", {"query": "TypeError when comparing datetimes"}
            )
            told = text_of(found)
            assert told.count("**err-") == 1
            assert "seen 3 times" in told
            assert "- claimed: `use datetime.now(timezone.utc) everywhere`" in told
            assert found.structured_content
            assert found.structured_content["items"][0]["seen"] == 3
            hinted = await said(client, "gitmem_hint", text=TRACE)
            assert "seen 3 times" in hinted
            assert "- claimed: `use datetime.now(timezone.utc) everywhere`" in hinted
            nothing = await said(client, "coding_search_errors", query="segmentation fault")
            assert nothing.startswith("No similar errors.")

    talk(conversation)


def test_a_trace_of_a_known_error_is_an_occurrence_of_it(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            await data(client, "gitmem_record_fix", error=TRACE, approach="add a zone")
            again = await data(
                client,
                "coding_record_error",
                error_type="TypeError",
                message="can't compare offset-naive and offset-aware datetimes",
                stack_trace=f"Traceback in the log:\n{TRACE}",
                file_path="src/when.py",
            )
            found = await data(client, "gitmem_search", query="kind:error")
            assert again["written"][0] in {item["id"] for item in found["items"]}
            hinted = await said(client, "gitmem_hint", text=TRACE)
            assert "same error" in hinted
            assert "seen 2 times" in hinted

    talk(conversation)


def test_s4_60_an_error_first_its_solution_later(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            error = await data(client, "coding_record_error", error_type="OSError", message="gone")
            (name,) = error["written"]
            assert "(error · open)" in await said(client, "gitmem_search", query="kind:error")
            tried = await data(client, "gitmem_record_fix", error=name, approach="wait longer",
                               outcome="failed", why_failed="it never came")  # fmt: skip
            fixed = await data(client, "gitmem_record_fix", error=name, approach="make the folder",
                               outcome="worked")  # fmt: skip
            told = await said(client, "gitmem_show", id=name)
            assert "**error** · **resolved (claimed)**" in told
            assert told.index(fixed["written"][0]) < told.index(tried["written"][0])
            whole = await said(client, "gitmem_show", id=tried["written"][0])
            assert "it never came" in whole

    talk(conversation)


def test_a_fix_of_an_output_that_nobody_recorded_records_the_error_too(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            made = await data(client, "gitmem_record_fix", error=TRACE, approach="add a zone")
            assert [one.partition("-")[0] for one in made["written"]] == ["err", "fix"]
            again = await data(client, "gitmem_record_fix", error=TRACE, approach="compare in UTC",
                               outcome="worked")  # fmt: skip
            assert [one.partition("-")[0] for one in again["written"]] == ["fix"]

    talk(conversation)


@pytest.mark.parametrize("approach", ["", "wait"])
def test_words_that_are_no_failure_are_refused_and_near_errors_named(
    memory: "Checkout", approach: str
) -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            made = await data(client, "gitmem_record_fix", error=TRACE)
            before = content(memory)
            for words in ("last", "the error", "comparing offset-naive datetimes", "a\nb"):
                told = await refused(client, "gitmem_record_fix", error=words, approach=approach)
                assert "no failure in this text" in told
                if "datetimes" in words:
                    assert made["written"][0] in told
            assert content(memory) == before
            again = await said(client, "gitmem_record_fix", error=TRACE)
            assert f"Recorded already: {made['written'][0]}" in again
            unknown = "zork 3 started\nzork: fatal error: no lamp\nzork gave up"
            assert "Written: err-" in await said(client, "gitmem_record_fix", error=unknown)

    talk(conversation)


def test_assistants_give_the_words_of_who_asks(memory: "Checkout") -> None:
    asked = "where do our bills live\n\nwhich store has the money\n"

    async def conversation() -> None:
        async with piped(memory) as client:
            for tool, fields in (
                ("coding_record_decision", {"decision": "Postgres", "rationale": "x"}),
                ("coding_record_error", {"error_type": "E", "message": "no store"}),
                ("gitmem_record_fix", {"error": "ValueError: no room", "approach": "made some"}),
            ):
                written = await data(client, tool, **fields, asked_as=asked)
                shown = await said(client, "gitmem_show", id=written["written"][-1])
                assert "where do our bills live" in shown
                assert "which store has the money" in shown

    talk(conversation)


def test_s4_30_and_31_context_advice_and_patterns(memory: "Checkout") -> None:
    ok(memory, "add", "decision", "--title", "UTC everywhere", "--decision", "Store UTC.",
       "--governs", "src/when.py")  # fmt: skip

    async def conversation() -> None:
        async with piped(memory) as client:
            told = await said(client, "coding_get_project_context", **WHO, budget=4000)
            assert "Tells the time of day" in told
            assert "clockwork" in told
            assert "UTC everywhere" in told
            focused = await said(client, "gitmem_context", focus="src/when.py", budget=4000)
            assert "return a > b" in focused
            assert "UTC everywhere" in focused
            patterns = await data(client, "coding_analyze_patterns", **WHO)
            assert patterns["languages"] == {"python": 1}
            assert "python" in patterns["text"]
            advice = await said(client, "gitmem_advise", path="src/when.py")
            assert "UTC everywhere" in advice
            review = await said(client, "gitmem_context", focus="HEAD~1..")
            assert review

    talk(conversation)


def test_no_answer_is_longer_than_its_budget(memory: "Checkout") -> None:
    notes = [{"title": f"Note {number} about clocks", "body": "tick " * 60} for number in range(30)]
    Path(memory, "notes.json").write_text(json.dumps(notes))
    first = ok(memory, "add", "note", "--from", "notes.json").split()[0]

    async def conversation() -> None:
        async with piped(memory) as client:
            for budget in (300, 600, 2000):
                for tool, arguments in (
                    ("gitmem_search", {"query": "clocks", "limit": 50}),
                    ("gitmem_context", {"focus": "clocks"}),
                    ("coding_get_project_context", {}),
                    ("coding_analyze_patterns", {}),
                    ("gitmem_show", {"id": first}),
                ):
                    told = await data(client, tool, budget=budget, **arguments)
                    assert estimate(told["text"]) <= budget, tool
                found = await data(client, "gitmem_search", query="clocks", limit=50, budget=budget)
                assert found["left_out"] > 0
                assert len(found["items"]) + found["left_out"] == 30

    talk(conversation)


def test_long_lists_come_in_pages(memory: "Checkout") -> None:
    entries = [{"title": f"Note {number} about clocks"} for number in range(60)]
    Path(memory, "notes.json").write_text(json.dumps(entries))
    ok(memory, "add", "note", "--from", "notes.json")

    async def conversation() -> None:
        async with piped(memory) as client:
            first = await data(client, "gitmem_search", query="kind:note", limit=40, budget=20_000)
            then = await data(client, "gitmem_search", query="kind:note", limit=40, budget=20_000,
                              offset=first["next_offset"])  # fmt: skip
            assert "next_offset" not in then
            ids = [one["id"] for one in (*first["items"], *then["items"])]
            assert len(set(ids)) == len(ids) == 60
            page = await client.list_resources()
            names = [one.name for one in page.resources]
            assert names[0] == "context"
            assert page.next_cursor
            rest = await client.list_resources(cursor=page.next_cursor)
            assert rest.next_cursor is None
            names += [one.name for one in rest.resources]
            assert sorted(names[1:]) == sorted(ids)
            with pytest.raises(Exception, match="cursor"):
                await client.list_resources(cursor="-1")

    talk(conversation)


def test_resources_and_prompts(memory: "Checkout") -> None:
    ok(memory, "add", "decision", "--title", "UTC everywhere", "--decision", "Store UTC.",
       "--governs", "src/when.py")  # fmt: skip
    (row,) = json.loads(ok(memory, "list", "--json"))["records"]

    async def conversation() -> None:
        async with piped(memory) as client:
            templates = (await client.list_resource_templates()).resource_templates
            assert {one.uri_template for one in templates} == {
                "memory://record/{id}", "memory://file/{+path}", "memory://context/{+focus}",
            }  # fmt: skip
            for place, wanted in (
                (f"memory://record/{row['id']}", "Store UTC"),
                ("memory://file/src/when.py", "UTC everywhere"),
                ("memory://file/README.md", "Nothing is recorded"),
                ("memory://context/project", "Tells the time of day"),
                ("memory://context/src/when.py", "return a > b"),
            ):
                (read,) = (await client.read_resource(place)).contents
                assert wanted in getattr(read, "text", ""), place
            prompts = {one.name for one in (await client.list_prompts()).prompts}
            assert prompts == {"fix_with_memory", "write_decision", "end_session"}
            made = await client.get_prompt("fix_with_memory", {"error": "a\nb"})
            assert "> a\n> b" in getattr(made.messages[0].content, "text", "")

    talk(conversation)


def test_a_question_that_takes_long_tells_how_far_it_is(memory: "Checkout") -> None:
    entries = [{"title": f"Note {number} about clocks"} for number in range(400)]
    Path(memory, "notes.json").write_text(json.dumps(entries))
    ok(memory, "add", "note", "--from", "notes.json")
    steps: list[tuple[float, float | None]] = []

    async def step(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total))

    async def conversation() -> None:
        async with piped(memory) as client:
            asked = {"query": "clocks"}
            result = await client.call_tool("gitmem_search", asked, progress_callback=step)
            assert not result.is_error

    talk(conversation)
    assert steps
    assert all(total and done <= total for done, total in steps)


def test_a_session_is_taken_up_again(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory, name="one") as client:
            begun = await data(client, "coding_start_session", description="Half done")
            told = await refused(client, "coding_start_session", description="Another")
            assert begun["session_id"] in told
        async with piped(memory, name="two") as client:
            assert "no session is live" in await refused(client, "coding_end_session")
            assert begun["session_id"] in await said(client, "coding_resume_session")
            await said(client, "coding_resume_session", session_id=begun["session_id"])
            ended = await data(client, "coding_end_session", summary="Done.", success=True)
            assert ended["written"] == [begun["session_id"]]
            assert "Done." in ended["summary"]

    talk(conversation)


def test_assistants_are_told_of_tools_and_not_of_a_shell(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            told = await refused(client, "gitmem_show", id="err-0000000000")
            assert "gitmem_search" in told
            assert "gitmem list" not in told
            begun = await data(client, "coding_start_session", description="Half done")
            told = await refused(client, "coding_start_session", description="Another")
            assert begun["session_id"] in told
            assert "coding_end_session" in told
            changed = {"file_path": "a.py", "action": "edit"}
            told = await said(client, "coding_track_file_change", **changed)
            assert "add reason" in told
            assert "--" not in told

    talk(conversation)


# Drafts


async def _write_everything(client: "Client") -> dict[str, list[str]]:
    error = await data(client, "coding_record_error", error_type="OSError", message="disk gone")
    fix = await data(client, "gitmem_record_fix", error=error["written"][0], approach="mount it",
                     outcome="worked")  # fmt: skip
    decision = await data(client, "coding_record_decision", decision="Two disks", rationale="safe")
    await data(client, "coding_start_session", description="Disks")
    session = await data(client, "coding_end_session", success=True)
    return {"error": error["written"], "fix": fix["written"], "decision": decision["written"],
            "session": session["written"]}  # fmt: skip


def test_what_is_written_in_draft_mode_waits_for_a_person(memory: "Checkout") -> None:
    before = content(memory)
    ids: dict[str, list[str]] = {}

    async def conversation() -> None:
        async with piped(memory, "--write", "draft") as client:
            ids.update(await _write_everything(client))
            told = await said(client, "gitmem_record_fix", error=TRACE, approach="add a zone")
            assert "waits for a person" in told

    talk(conversation)
    assert content(memory) == before
    assert json.loads(ok(memory, "list", "--json"))["records"] == []
    listed = ok(memory, "drafts")
    for words in ("disk gone", "mount it", "Two disks", "Disks", "add a zone", "by Ada"):
        assert words in listed, words
    kept = ok(memory, "drafts", "keep", ids["error"][0]).split()
    assert kept == [*ids["error"], *ids["fix"]]
    (row,) = json.loads(ok(memory, "list", "kind:error", "--json"))["records"]
    assert (row["id"], row["status"]) == (ids["error"][0], "resolved (claimed)")
    edited = "others:\n- kind: decision\n  title: Three disks\n  decision: Three.\n"
    ok(memory, "drafts", "edit", ids["decision"][0], "--from", "-", stdin=edited)
    ok(memory, "drafts", "keep", ids["decision"][0])
    assert "Three disks" in ok(memory, "list", "kind:decision")
    run(memory, "drafts", "drop", ids["session"][0])
    assert "Disks" not in ok(memory, "drafts")
    assert json.loads(ok(memory, "list", "kind:session", "--json"))["records"] == []
    assert run(memory, "check").code == 0


def test_a_draft_of_records_is_checked_when_it_is_edited(memory: "Checkout") -> None:
    ids: list[str] = []

    async def conversation() -> None:
        async with piped(memory, "--write", "draft") as client:
            made = await data(client, "coding_record_decision", decision="x", rationale="y")
            ids.extend(made["written"])

    talk(conversation)
    before = ok(memory, "drafts")
    for text, complaint in (
        ("error: {}\n", "unknown part"),
        ("others: []\n", "must be a list"),
        ("others:\n- title: x\n", "there is no kind"),
        ("others:\n- kind: decision\n  titel: x\n  decision: y\n", "titel"),
    ):
        done = run(memory, "drafts", "edit", ids[0], "--from", "-", stdin=text)
        assert done.code != 0
        assert complaint in done.err, done.err
    assert ok(memory, "drafts") == before


def _picture(width: int = 300, height: int = 80) -> bytes:
    """Make a PNG of white lines and a black bar."""
    rows = [b"\0" + (b"\0" if 30 < row < 50 else b"\xff") * width for row in range(height)]

    def chunk(kind: bytes, body: bytes) -> bytes:
        sum_ = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + sum_

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))  # fmt: skip


def test_a_screenshot_of_the_repository_is_kept_with_its_error(memory: "Checkout") -> None:
    memory.add("shots/one.png", _picture())

    async def conversation() -> None:
        async with piped(memory) as client:
            made = await data(client, "coding_record_error", error_type="E", message="m",
                              screenshot="shots/one.png")  # fmt: skip
            assert "Attachments" in await said(client, "gitmem_show", id=made["written"][0])
        async with piped(memory, "--write", "draft") as client:
            told = await said(client, "coding_record_error", error_type="E", message="m",
                              screenshot="shots/one.png")  # fmt: skip
            assert "a draft can't hold attachments" in told

    talk(conversation)
    assert len(list(Path(memory, ".memory/attachments").iterdir())) == 1


# Secrets


@pytest.mark.parametrize("write", ["on", "draft"])
def test_no_secret_in_any_argument_reaches_a_file(memory: "Checkout", write: str) -> None:
    secrets: list[str] = []

    def leak(words: str) -> str:
        secrets.append(f"ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3h{len(secrets):02d}")
        return f"{words} token {secrets[-1]} end"

    texts = {
        "gitmem_record_fix": ("approach", "why_failed", "lessons", "patch", "verified_with",
                              "symptom", "cause"),
        "gitmem_record_decision": ("decision", "rationale", "alternatives", "consequences",
                                   "files", "asked_as"),
        "gitmem_note": ("title", "body", "files", "asked_as"),
        "coding_record_error": ("error_type", "message", "stack_trace", "file_path", "solution",
                                "tags", "symptom", "cause", "user_id"),
        "coding_record_decision": ("decision", "rationale", "alternatives", "impact", "tags",
                                   "related_files", "user_id"),
        "coding_track_file_change": ("file_path", "diff", "reason", "related_files"),
        "coding_end_session": ("summary",),
    }  # fmt: skip
    needed = {
        "gitmem_record_fix": {"approach": "x"},
        "gitmem_record_decision": {"decision": "d", "rationale": "r"},
        "gitmem_note": {"title": "t"},
        "coding_record_error": {"error_type": "E", "message": "m"},
        "coding_record_decision": {"decision": "d", "rationale": "r"},
        "coding_track_file_change": {"file_path": "src/when.py", "action": "edit"},
        "coding_end_session": {},
    }

    async def conversation() -> None:
        async with piped(memory, "--write", write) as client:
            await client.call_tool("coding_start_session", {"description": leak("Go")})
            error = await data(client, "coding_record_error", error_type="E", message="m")
            needed["gitmem_record_fix"]["error"] = error["written"][0]
            for tool, names in texts.items():
                for name in names:
                    asked = {**needed[tool], name: leak("some words")}
                    result = await client.call_tool(tool, asked)
                    assert "Traceback" not in text_of(result)
            await client.call_tool("gitmem_record_fix", {"error": leak(TRACE), "approach": "a"})
            await client.call_tool("coding_start_session", {"description": "x", "tags": leak("a")})

    talk(conversation)
    kept = b"".join(files_of(memory).values()) + "".join(files_of(memory)).encode()
    assert len(secrets) > 25
    assert b"some words" in kept
    assert [one for one in secrets if one.encode() in kept] == []


def test_texts_that_no_record_can_hold_leave_nothing_behind(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            before = content(memory)
            for tool, asked in (
                ("coding_record_error", {"error_type": "E", "message": "x" * 250_000,
                                         "cause": "a\nb"}),
                ("coding_record_decision", {"decision": "", "rationale": "r"}),
                ("coding_record_decision", {"decision": "d", "rationale": "r",
                                            "related_files": ["../elsewhere"]}),
                ("coding_record_error", {"error_type": "Unknown", "message": "See screenshot",
                                         "screenshot": "../x.png"}),
                ("coding_record_error", {"error_type": "Unknown", "message": "See screenshot",
                                         "screenshot": "no.png"}),
                ("gitmem_record_fix", {"error": "err-0000000000", "approach": "x"}),
                ("gitmem_record_fix", {"error": " ", "approach": ""}),
            ):  # fmt: skip
                told = await refused(client, tool, **asked)
                assert re.match(r"Not done: ", told), told
            assert content(memory) == before

    talk(conversation)


def test_budget_and_project_are_taken_by_name_and_by_path(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            for tool in ("gitmem_search", "coding_search_errors"):
                name = "project_id" if tool.startswith("coding") else "project"
                asked = {"query": "clock", name: str(memory), "budget": 100}
                await said(client, tool, **asked)
            assert "budget" in await refused(client, "gitmem_search", query="x", budget=-1)

    talk(conversation)
