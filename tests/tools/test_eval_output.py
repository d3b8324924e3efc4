"""Floors of what is read of real outputs; they are what was reached, and move up only."""

import pytest

from benchmarks.eval_output import Figures, evaluate, total, without_tool
from gitmem.matching.parse import parse
from tests.depth import DEEPER, deep
from tests.tools.test_corpus import SAMPLES

FLOORS = {
    "read": 1.0,
    "hint = run": 1.0,
    "same elsewhere": 0.99,
    "behind a prefix": 0.95,
    "file without prefix": 0.99,
    "unknown same elsewhere": 0.96,
    "unknown other told apart": 0.96,
    "unknown: message": 0.86,
    "unknown: place": 0.82,
    "unknown: test": 0.75,
}
"""Unknown: with all that is known of the tool taken away."""


@pytest.fixture(scope="module")
def figures() -> Figures:
    tools = sorted({sample.tool for sample in SAMPLES})[::12]  # whole, as pairs are compared
    some = [sample for sample in SAMPLES if sample.tool in tools]
    return total(evaluate(SAMPLES if DEEPER else some))


@deep
@pytest.mark.parametrize("name", FLOORS)
def test_what_is_read(figures: Figures, name: str) -> None:
    spared = 0.0 if DEEPER else 0.15  # a share of the outputs
    assert figures.asked[name]
    exact = name in {"read", "hint = run"}
    assert figures.share(name) >= FLOORS[name] - (0 if exact else spared)


def test_a_tool_that_is_taken_away_reads_nothing_and_comes_back() -> None:
    sample = next(each for each in SAMPLES if each.tool == "rollup")
    known = parse(sample.output)
    assert any(each.tool == "rollup" for each in known)
    with without_tool("rollup"):
        assert not any(each.tool == "rollup" for each in parse(sample.output))
    assert parse(sample.output) == known
