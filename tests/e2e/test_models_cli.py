"""Commands that may ask a language model, run for real against a server on this machine."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import USAGE, Terminal, complains, ok, run
from tests.model_server import Server, fails, says, serving

if TYPE_CHECKING:
    from tests.conftest import Checkout

SAID = {
    "pattern": "clocks\x1b[31m differ", "root_cause": "no zone", "prevention": ["a linter"],
    "quick_fix": ["set the zone"], "confidence": "low", "records": [],
}  # fmt: skip
OUTCOME = {
    "reasoning": "r", "outcome": "It is done.", "done": [], "problems": [],
    "recommendations": ["test it"], "records": [],
}  # fmt: skip


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        made.will(says({"patterns": [SAID]}))
        yield made


@pytest.fixture
def modelled(memory: "Checkout", server: Server, monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Give a memory, and a model that costs 1 and 2 dollars a million tokens."""
    monkeypatch.setenv("GITMEM_LLM_MODEL", "small-1")
    monkeypatch.setenv("GITMEM_LLM_BASE_URL", server.url)
    monkeypatch.setenv("GITMEM_LLM_PRICE", "1/2")
    return memory


def test_analyse_shows_whose_words_they_are_and_what_they_cost(
    modelled: "Checkout", server: Server
) -> None:
    done = run(modelled, "stats", "analyse", "--model")
    assert done.code == 0
    assert f"By the model small-1 at {server.host} (prompt error-patterns 1)" in done.out
    assert "> clocks\ufffd[31m differ (it says: confidence low)" in done.out
    assert "\x1b" not in done.out
    assert f"note: asked small-1 at {server.host}: $0.0014, 1000 tokens in, 200 out" in done.err
    data = json.loads(ok(modelled, "stats", "analyse", "--model", "--json"))
    assert data["model"]["machine_made"] is True
    assert data["model"]["cost_usd"] == "0.0014"
    assert data["failures"]
    spent = json.loads(ok(modelled, "stats", "cost", "--month", "--json"))
    assert (spent["total_cost"], spent["call_count"], spent["total_tokens"]) == ("0.0028", 2, 2400)
    assert [one["operation"] for one in spent["calls"]] == ["error-patterns"] * 2


def test_s4_47_a_terminal_is_asked_and_elsewhere_it_is_refused(
    modelled: "Checkout", server: Server
) -> None:
    dear = {"GITMEM_LLM_COST_THRESHOLD": "0"}
    complains(
        run(modelled, "stats", "analyse", "--model", env=dear), USAGE, "not approved", "--yes"
    )
    assert server.requests == []
    with_yes = run(modelled, "stats", "analyse", "--model", "--yes", env=dear)
    assert with_yes.code == 0
    assert len(server.requests) == 1
    for answer, requests in (("n\n", 1), ("y\n", 2)):
        terminal = Terminal(
            modelled, "stats", "analyse", "--model", columns=200, env={**dear, "CI": None}
        )
        terminal.until("send it?")
        assert "at most $0.0" in terminal.said
        assert "tokens in, up to 4000 out, small-1 at" in terminal.said
        assert len(server.requests) == 1
        terminal.press(answer)
        assert terminal.process.wait(60) == 0
        assert len(server.requests) == requests


def test_advise_shows_suggestions_below_the_advice(modelled: "Checkout", server: Server) -> None:
    way = {
        "approach": "set the zone", "why": "w", "steps": ["one"], "confidence": "medium",
        "alternatives": ["another"], "if_it_fails": ["print it"], "records": [],
    }  # fmt: skip
    server.will(says({"suggestions": [way]}))
    done = run(modelled, "advise", "no such words anywhere", "--model")
    assert done.code == 0
    assert "> set the zone (it says: confidence medium)" in done.out
    assert "> alternatives, 1: another" in done.out
    assert "> if it fails, 1: print it" in done.out


def test_s4_18_profile_shows_preferences_below_the_counts(
    modelled: "Checkout", server: Server
) -> None:
    modelled.add(
        "src/when.py", "".join(f"def at_{n}() -> int:\n    return {n}\n" for n in range(30))
    )
    modelled.commit("code")
    ok(modelled, "add", "decision", "--title", "UTC", "--decision", "Store UTC.")
    without = run(modelled, "code", "profile")
    assert server.requests == []
    server.will(says({"preferences": []}))
    ok(modelled, "code", "profile", "--model")
    (decided,) = [one for one in server.requests[0].data["facts"] if "Store UTC" in one["text"]]
    server.will(says({"preferences": [
        {"topic": "design", "preference": "Store\x1b[31m UTC", "confidence": "high",
         "evidence": [{"fact": decided["id"], "quote": "store utc"}]},
        {"topic": "tests", "preference": "Use tabs", "confidence": "low", "evidence": []},
    ]}))  # fmt: skip
    done = run(modelled, "code", "profile", "--model")
    assert done.out.startswith(without.out)
    assert f"By the model small-1 at {server.host} (prompt preferences 1)" in done.out
    assert "> design: Store\ufffd[31m UTC (it says: confidence high)" in done.out
    assert f"> shown by: store utc ({decided['id']})" in done.out
    assert "left out, because no fact that was sent supports it: Use tabs" in done.out
    data = json.loads(ok(modelled, "code", "profile", "--model", "--json"))
    assert data["model"]["answer"]["preferences"][0]["evidence"][0]["fact"] == decided["id"]
    server.will(fails(401, "who are you"))
    failed = run(modelled, "code", "profile", "--model")
    assert (failed.code, failed.out) == (0, without.out)


def test_s4_19_a_context_that_is_too_long_is_shortened_and_marked(
    modelled: "Checkout", server: Server
) -> None:
    ids = []
    for number in range(8):
        said = "It compares naive and aware times and stops at night. " * 8
        told = ok(modelled, "add", "decision", "--title", f"Clock {number}", "--decision", said)
        ids.append(told.split()[0])
    server.will(says({"gists": [{"record": one, "short": "naive meets aware"} for one in ids]}))
    arguments = ("context", "--focus", "clock", "--budget", "700")
    without = run(modelled, *arguments)
    assert "Left out" in without.out
    done = run(modelled, *arguments, "--model")
    assert done.code == 0
    assert "(prompt context-compression 1); not checked by a person" in done.out.replace("\\", "")
    assert all(one in done.out for one in ids)
    assert done.out.count("in short: naive meets aware") > without.out.count("decision: ")
    data = json.loads(ok(modelled, *arguments, "--model", "--json"))
    assert data["tokens"] <= 700
    assert data["model"]["machine_made"] is True
    roomy = run(modelled, "context", "--focus", "clock", "--budget", "9000", "--model")
    assert "the model was not asked" in roomy.err
    assert len(server.requests) == 2
    server.will(fails(401, "who are you"))
    failed = run(modelled, *arguments, "--model")
    assert (failed.code, failed.out) == (0, without.out)
    assert "what follows is from the records" in failed.err


def test_an_answer_that_does_not_come_leaves_what_the_records_say(
    modelled: "Checkout", server: Server
) -> None:
    server.will(fails(401, "who are you"))
    without = run(modelled, "stats", "analyse")
    done = run(modelled, "stats", "analyse", "--model")
    assert (done.code, done.out) == (0, without.out)
    (said,) = [one for one in done.notes if "401" in one]
    assert "what follows is from the records" in said


def test_s4_28_and_s4_33_a_session_ends_with_a_summary_by_the_model(
    modelled: "Checkout", server: Server
) -> None:
    server.will(says(OUTCOME))
    ok(modelled, "session", "start", "Set the clock")
    dear = {"GITMEM_LLM_COST_THRESHOLD": "0"}
    refused = run(modelled, "session", "end", "--summarise", env=dear)
    complains(refused, USAGE, "not approved")
    assert "Set the clock" in ok(modelled, "session", "status")
    done = run(modelled, "session", "end", "--success", "--summarise")
    assert done.code == 0
    assert "By the model small-1" in done.out
    assert "> It is done." in done.out
    shown = ok(modelled, "list", "kind:session", "tag:machine-made")
    assert "Set the clock" in shown


def test_without_a_model_it_says_how_to_set_one(memory: "Checkout") -> None:
    complains(run(memory, "stats", "analyse", "--model"), USAGE, "llm.model", "gitmem config")


def test_s4_42_and_s4_43_settings_are_the_users_and_not_the_teams(memory: "Checkout") -> None:
    for key, value in (("llm.auto_approve", "true"), ("llm.monthly_budget", "500")):
        complains(run(memory, "config", key, value, "--team"), USAGE, key, "--user")
        assert run(memory, "config", key, value, "--user").code == 0
    assert ok(memory, "config", "llm.auto_approve") == "True\n"
    assert ok(memory, "config", "llm.monthly_budget") == "500.0\n"
    complains(run(memory, "config", "llm.auto_approve", "maybe", "--user"), USAGE, "true or false")
    spent = json.loads(ok(memory, "stats", "cost", "--json"))
    assert spent["budget"] == "500.0"


def test_a_month_that_is_none_is_refused(memory: "Checkout") -> None:
    complains(run(memory, "stats", "cost", "--month", "2026-13"), USAGE, "not a month")


def test_without_the_extra_it_says_how_to_install_it(
    modelled: "Checkout", server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    hidden = tmp_path_factory.mktemp("hidden")
    (hidden / "sitecustomize.py").write_text(
        "import sys\nsys.modules['openai'] = None\nsys.modules['genai_prices'] = None\n"
    )
    for env in ({}, {"GITMEM_LLM_PRICE": ""}):
        done = run(
            modelled, "stats", "analyse", "--model", "--yes", env={"PYTHONPATH": str(hidden), **env}
        )
        assert done.code == 0
        assert 'pip install "gitmem-native[llm]"' in done.err
        assert "Traceback" not in done.err
    assert server.requests == []
    assert run(modelled, "stats", "cost", env={"PYTHONPATH": str(hidden)}).code == 0
