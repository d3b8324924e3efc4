"""What assistants write keeps the memory clean: nothing twice, and what is over is replaced."""

import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.assistants import TRACE, data, piped, refused, said, talk
from tests.e2e.running import content, ok, run

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
            better, worse = sorted(fixes, key=hint.rindex, reverse=True)
            before = content(memory)
            assert f"{better} helped" in await said(client, "gitmem_rate", id=better)
            told = await said(client, "gitmem_rate", id=worse, helpful=False)
            assert f"{worse} did not help" in told
            assert content(memory) == before
            hint = await said(client, "gitmem_hint", text=TRACE)
            assert hint.rindex(better) < hint.rindex(worse)

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


def test_a_decision_on_the_same_matter_is_named_and_does_not_hinder(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client:
            told = await data(
                client,
                "gitmem_record_decision",
                decision="Use integers of cents for prices",
                rationale="Floats round.",
            )
            (first,) = told["written"]
            for decision, is_named in (
                ("Prices are stored as integer cents", True),
                ("Use Postgres for prices", False),
            ):
                said_of = await said(
                    client, "gitmem_record_decision", decision=decision, rationale="So it is."
                )
                assert said_of.startswith("Written: dec-")
                assert (first in said_of) is is_named

    talk(conversation)


_PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
_CART = "def average(prices):\n    return sum(prices) / len(prices)\n"
_CART_TEST = "from cart import average\n\n\ndef test_of_none():\n    assert average([]) == 0\n"


def break_cart(memory: "Checkout") -> None:
    """Commit a cart with a bug, and watch its test fail."""
    memory.add("cart.py", _CART)
    memory.add("test_cart.py", _CART_TEST)
    memory.commit("a cart")
    assert run(memory, "run", "--", *_PYTEST).code == 1


def test_a_line_of_what_was_watched_is_recorded_as_the_whole_failure(memory: "Checkout") -> None:
    """Assistants send the message, or the test's name; a record of that alone is a second one."""
    break_cart(memory)

    async def conversation() -> None:
        async with piped(memory) as client:
            for line in (
                "ZeroDivisionError: division by zero",
                "test_cart.py::test_of_none FAILED",
                "FAILED test_cart.py::test_of_none - ZeroDivisionError: division...",
                "test_of_none",
            ):
                fix = {"error": line, "approach": f"try for {line}", "outcome": "failed"}
                await data(client, "gitmem_record_fix", **fix)
            # Most fixes are recorded when the test passes again.
            memory.add("cart.py", _CART.replace("len(prices)", "(len(prices) or 1)"))
            green = run(memory, "run", "--", *_PYTEST)
            assert green.code == 0
            fix = {"error": "test_of_none", "approach": "divide by one", "outcome": "worked"}
            await data(client, "gitmem_record_fix", **fix)
            memory.add("cart.py", _CART)
            run(memory, "run", "--", *_PYTEST)
            # What did not fail is no part of it.
            told = await refused(client, "gitmem_record_fix", error="test_of_all", approach="x")
            assert "no failure" in told
            advice = await said(client, "gitmem_advise", path="cart.py")
            assert "1 error" in advice
            assert "fails now: ZeroDivisionError" in advice

    talk(conversation)
    (error,) = json.loads(ok(memory, "list", "kind:error", "--json"))["records"]
    shown = json.loads(ok(memory, "show", error["id"], "--json"))["record"]
    assert shown["test"]["name"].endswith("test_of_none")
    assert shown["frames"][-1]["function"] == "average"
    assert len(json.loads(ok(memory, "list", "kind:fix", "--json"))["records"]) == 5


def test_words_that_share_one_word_with_a_record_bring_back_nothing(memory: "Checkout") -> None:
    ok(memory, "runs", "capture", "--record", "-", stdin="ZeroDivisionError: division by zero")

    async def conversation() -> None:
        async with piped(memory) as client:
            told = await said(client, "gitmem_hint", text="make: *** [Makefile:3: all] Error 2")
            assert "err-" not in told

    talk(conversation)


@pytest.mark.parametrize("is_recorded", [True, False], ids=["recorded", "a-draft"])
def test_what_is_said_of_a_watched_fix_is_no_second_attempt(
    memory: "Checkout", *, is_recorded: bool
) -> None:
    """It was seen to work, which counts more than a claim of the same."""
    break_cart(memory)
    memory.add("cart.py", _CART.replace("len(prices)", "(len(prices) or 1)"))
    settings = {} if is_recorded else {"GITMEM_CAPTURE_MODE": "draft"}
    green = run(memory, "run", "--", *_PYTEST, env=settings)
    assert ("draft" in green.out + green.err) is not is_recorded

    async def conversation() -> None:
        async with piped(memory) as client:
            told = await data(
                client,
                "gitmem_record_fix",
                error="ZeroDivisionError: division by zero",
                approach="divide by one where there is no price",
                lessons="the mean of nothing is 0",
                outcome="worked",
            )
            assert told["written"][-1].startswith("fix-")

    talk(conversation)
    (fix,) = json.loads(ok(memory, "list", "kind:fix", "--json"))["records"]
    assert re.search(r"fix  worked +divide by one where", ok(memory, "list", "kind:fix"))
    shown = json.loads(ok(memory, "show", fix["id"], "--json"))["record"]
    assert "+    return sum(prices) / (len(prices) or 1)" in shown["patch"]
    assert shown["verification"]["after"]["result"] == "passed"
    assert shown["lessons"] == "the mean of nothing is 0"
    assert len(json.loads(ok(memory, "list", "kind:error", "--json"))["records"]) == 1
    assert "no drafts" in run(memory, "drafts").err


def test_where_it_fails_again_what_is_said_is_another_attempt(memory: "Checkout") -> None:
    """Else words on what nobody has seen to work would stand on the edit that was."""
    break_cart(memory)
    memory.add("cart.py", _CART.replace("len(prices)", "(len(prices) or 1)"))
    assert run(memory, "run", "--", *_PYTEST).code == 0
    memory.add("cart.py", f"{_CART}\n")
    assert run(memory, "run", "--", *_PYTEST).code == 1
    before = ok(memory, "list", "kind:fix")

    async def conversation() -> None:
        async with piped(memory) as client:
            told = await data(
                client,
                "gitmem_record_fix",
                error="test_of_none",
                approach="catch the exception",
                outcome="worked",
            )
            assert told["written"][-1] not in before

    talk(conversation)
    fixes = json.loads(ok(memory, "list", "kind:fix", "--json"))["records"]
    assert re.search(r"fix  claimed +catch the exception", ok(memory, "list", "kind:fix"))
    assert all(fix["title"] in before for fix in fixes[1:])
