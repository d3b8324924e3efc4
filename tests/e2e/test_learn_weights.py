"""What users say of answers moves the weights where it should."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.retrieval_features import cases
from benchmarks.retrieval_feedback import recorded
from gitmem.index.weights import WEIGHTS
from tests.depth import sampled
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

SCRIPT = Path(__file__).parents[2] / "scripts" / "learn_weights.py"
QUESTION = """Traceback (most recent call last):
  File "shop/basket.py", line 40, in test_total
    total = sum(prices)
TypeError: unsupported operand types: int and 'Decimal'
"""
RECORDS = {
    "place": ("KeyError: currency", 'File "shop/basket.py", line 41, in load\n    rate = rates[c]'),
    "words": ("TypeError: unsupported operand types: int and str", "in another shop altogether"),
    "other": ("OSError: disk is full", "no space left on the device"),
}


@pytest.fixture
def said(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    return repo


def add(repo: "Checkout") -> dict[str, str]:
    """Write the records; give their ids."""
    return {
        name: ok(repo, "add", "error", "--title", title, "--excerpt", text).split()[0]
        for name, (title, text) in RECORDS.items()
    }


def learnt(repo: "Checkout") -> dict[str, Any]:
    """Run the script on what was said here alone."""
    nothing = str(repo / "nothing")
    told = [sys.executable, str(SCRIPT), "--data", nothing, "--feedback", str(repo)]
    done = subprocess.run(told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    weights: dict[str, Any] = json.loads(done.stdout[: done.stdout.rindex("}") + 1])
    return weights


def margin(repo: "Checkout", weights: dict[str, Any], ids: dict[str, str]) -> float:
    """Say by how much ``place`` is ahead of ``words``, with other weights."""
    task = recorded(str(repo))
    numbers = {record.id: at for at, record in enumerate(task.records)}
    (case,) = cases(task)
    assert case.kind == "output"
    scores = {
        one.place: sum(weights["output"].get(n, 0.0) * value for n, value in one.features.items())
        for one in case.candidates
    }
    return float(scores.get(numbers[ids["place"]], 0.0) - scores[numbers[ids["words"]]])


@sampled(2)
@pytest.mark.parametrize("name", ["place", "words"])
@pytest.mark.parametrize("verdict", ["helpful", "helpful --not"])
def test_a_vote_moves_the_weights(said: "Checkout", verdict: str, name: str) -> None:
    ids = add(said)
    ok(said, *verdict.split(), ids[name], "--for", QUESTION)
    weights = learnt(said)
    moved = margin(said, weights, ids) - margin(said, WEIGHTS, ids)
    assert (moved > 0.01) == ((verdict == "helpful") == (name == "place"))
    assert abs(moved) > 0.01
    assert weights["facts"] == WEIGHTS["facts"]


def test_the_last_word_on_a_record_counts(said: "Checkout") -> None:
    ids = add(said)
    for verdict in ("helpful", "helpful --not"):
        ok(said, *verdict.split(), ids["place"], "--for", QUESTION)
    (question,) = recorded(str(said)).questions
    assert len(question.right) == len(RECORDS) - 1


def test_without_data_and_votes_there_is_nothing_to_learn(said: "Checkout") -> None:
    add(said)
    told = [sys.executable, str(SCRIPT), "--data", str(said / "no"), "--feedback", str(said)]
    done = subprocess.run(told, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "nothing to learn from" in done.stderr
    assert "Traceback" not in done.stderr
