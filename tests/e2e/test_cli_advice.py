"""advise and context, as they are typed."""

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.learning.tokens import estimate
from tests.e2e.running import complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

ERROR = (
    "--type",
    "TypeError",
    "--message",
    "can't compare offset-naive and offset-aware datetimes",
)
TEXT = "TypeError: can't compare offset-naive and offset-aware datetimes"


@pytest.fixture
def shop(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    monkeypatch.setenv("GITMEM_PACKS_OFF", "all")
    ok(repo, "init")
    error = ok(repo, "add", "error", *ERROR).split()[0]
    ok(repo, "resolve", error, "make all times aware")
    ok(repo, "resolve", error, "strip the zone", "--outcome", "failed")
    return repo


def test_advise_as_text_and_as_json(shop: "Checkout") -> None:
    said = ok(shop, "advise", TEXT)
    assert said.index("TRY") < said.index("make all times aware") < said.index("AVOID")
    assert said.index("AVOID") < said.index("strip the zone")
    data = json.loads(ok(shop, "advise", TEXT, "--json"))
    assert (data["command"], data["format"]) == ("advise", 1)
    (item,) = data["try"]
    assert item["confidence"] == {
        "word": "too little data", "label": "same error", "count": 1, "of": 1,
        "interval": [0.2065, 1.0],
    }  # fmt: skip
    assert item["records"][0].startswith("fix-")
    assert data["keep_trying"]["rules"] == {"most": 8, "same": 3, "still": 3}
    assert data["task"] is None


def test_advise_reads_standard_input(shop: "Checkout") -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", "advise", "-"],
        cwd=shop, input=TEXT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "make all times aware" in done.stdout


def test_advise_refuses_what_it_cannot_mean(shop: "Checkout") -> None:
    complains(run(shop, "advise", "x", "--file", "y"), 2, "at once")
    complains(run(shop, "advise", "--category", "auth"), 2, "there is no --task")
    complains(run(shop, "advise", "--task", "x", "--effort", "much"), 2, "--effort")


def test_the_cap_is_a_setting(shop: "Checkout") -> None:
    error = ok(shop, "list", "kind:error").split()[0]
    ok(shop, "resolve", error, "another way", "--outcome", "failed")
    assert "STOP" not in ok(shop, "advise", TEXT)
    ok(shop, "config", "advice.attempts", "2", "--team")
    said = ok(shop, "advise", TEXT)
    assert "2 attempts without success: ask a human" in said
    assert "2 attempts did not succeed" in said


def test_s4_64_nothing_similar_says_what_to_do(shop: "Checkout") -> None:
    done = run(shop, "advise", "KeyError: 'colour of the moon'")
    assert done.code == 0
    assert "note: nothing is recorded about it yet" in done.err


def test_context_as_text_and_as_json(shop: "Checkout") -> None:
    said = ok(shop, "context", "--focus", TEXT, "--budget", "500")
    assert said.startswith("# What the memory knows\n")
    assert "make all times aware" in said
    assert estimate(said) <= 500
    data = json.loads(ok(shop, "context", "--focus", TEXT, "--budget", "500", "--json"))
    assert data["markdown"] == said
    assert data["tokens"] <= data["budget"] == 500
    worked = next(one for one in data["sections"] if one["name"] == "worked")
    assert worked["entries"][0]["title"] == "make all times aware"


def test_context_refuses_a_budget_for_nothing(shop: "Checkout") -> None:
    complains(run(shop, "context", "--budget", "10"), 2, "--budget")
