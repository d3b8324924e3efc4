"""What assistants write keeps the memory clean: nothing twice, and what is over is replaced."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.assistants import TRACE, data, piped, refused, said, talk
from tests.e2e.running import content, ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout


pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, lambda repo: ok(repo, "init"))


def test_a_decision_that_is_there_is_told_and_can_be_superseded(memory: "Checkout") -> None:
    kafka = {"decision": "Use Kafka for all events.", "rationale": "It is there."}

    async def conversation() -> None:
        async with piped(memory) as client:
            (first,) = (await data(client, "gitmem_record_decision", **kafka))["written"]
            before = content(memory)
            again = {**kafka, "decision": "Use Kafka for all the events"}
            told = await refused(client, "gitmem_record_decision", **again)
            assert first in told
            assert "supersedes" in told
            assert content(memory) == before
            other = {**kafka, "decision": "Use Postgres for all bills."}
            await data(client, "gitmem_record_decision", **other)
            (second,) = (await data(client, "gitmem_record_decision", **again, supersedes=first))[
                "written"
            ]
            shown = await said(client, "gitmem_show", id=first)
            assert "**superseded**" in shown
            assert second in shown
            # What is over is in nobody's way.
            told = await refused(client, "gitmem_record_decision", **kafka)
            assert second in told
            assert first not in told

    talk(conversation)


def test_a_fact_is_kept_once(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            fact = {"title": "The tests need a display", "body": "xvfb-run make test",
                    "files": ["Makefile"]}  # fmt: skip
            memory.add("Makefile", "test:\n\ttrue\n")
            (note,) = (await data(client, "gitmem_note", **fact))["written"]
            assert "xvfb-run make test" in await said(client, "gitmem_search", query="display")
            told = await refused(client, "gitmem_note", title="Tests need a display.")
            assert note in told
            assert "gitmem_rate" in told

    talk(conversation)
    assert len(json.loads(ok(memory, "list", "kind:note", "--json"))["records"]) == 1


def test_a_decision_that_is_there_is_named_by_the_tool_of_older_memories_too(
    memory: "Checkout",
) -> None:
    given = {"decision": "All times are kept in UTC", "rationale": "They are compared."}

    async def conversation() -> None:
        async with piped(memory) as client:
            (made,) = (await data(client, "coding_record_decision", **given))["written"]
            before = content(memory)
            again = given | {"decision": "All times are kept in UTC!"}
            told = await refused(client, "coding_record_decision", **again)
            assert f"{made} says nearly the same" in told
            assert content(memory) == before

    talk(conversation)


def test_an_attempt_that_is_repeated_is_one_attempt(memory: "Checkout") -> None:
    attempt: dict[str, Any] = {
        "error": TRACE, "approach": "Take the zone off", "outcome": "failed",
        "why_failed": "both were mixed again",
    }  # fmt: skip

    async def conversation() -> None:
        async with piped(memory) as client:
            written = (await data(client, "gitmem_record_fix", **attempt))["written"]
            before = content(memory)
            told = await said(
                client, "gitmem_record_fix", **attempt | {"approach": "take the zone  off."}
            )
            assert f"Recorded already: {written[-1]}." in told
            assert content(memory) == before
            worked = {**attempt, "outcome": "worked", "why_failed": ""}
            (again,) = (await data(client, "gitmem_record_fix", **worked))["written"]
            shown = json.loads(ok(memory, "show", again, "--json"))["record"]
            assert shown["reuses"] == written[-1]
            lesson = {**attempt, "lessons": "zones are part of a time"}
            assert (await data(client, "gitmem_record_fix", **lesson))["written"]

    talk(conversation)


def test_a_record_can_be_rated(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            fixes = []
            for approach in ("aware() at the border", "drop tzinfo everywhere"):
                made = await data(client, "gitmem_record_fix", error=TRACE, approach=approach,
                                  outcome="worked")  # fmt: skip
                fixes.append(made["written"][-1])
            hint = await said(client, "gitmem_hint", text=TRACE)
            better, worse = sorted(fixes, key=hint.index, reverse=True)
            before = content(memory)
            assert f"{better} helped" in await said(client, "gitmem_rate", id=better)
            told = await said(client, "gitmem_rate", id=worse, helpful=False)
            assert f"{worse} did not help" in told
            assert content(memory) == before
            hint = await said(client, "gitmem_hint", text=TRACE)
            assert hint.index(better) < hint.index(worse)

    talk(conversation)


def test_a_change_that_git_does_not_see_is_in_the_summary(memory: "Checkout") -> None:
    memory.add(".gitignore", "*.env\n")
    memory.commit("ignore")

    async def conversation() -> None:
        async with piped(memory) as client:
            await said(client, "coding_start_session", description="Set up")
            memory.add("local.env", "A=1\n")
            await said(client, "coding_track_file_change", file_path="local.env", action="create",
                       reason="the port differs here")  # fmt: skip
            ended = await data(client, "coding_end_session", success=True)
            assert "local.env (create, not seen by git): the port differs here" in ended["summary"]

    talk(conversation)


def test_who_names_no_error_is_told_what_to_send_and_of_no_pack(
    memory: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")

    async def conversation() -> None:
        async with piped(memory) as client:
            for error in ("", " \n "):
                told = await refused(client, "gitmem_record_fix", error=error, approach="x")
                assert "send what the failed command printed, or its id" in told
            told = await refused(client, "gitmem_record_fix", error="connection", approach="x")
            assert "err-" not in told  # nobody can add to a pack
            assert "Nothing fails here" in await said(client, "gitmem_hint", text=" \n ")

    talk(conversation)
