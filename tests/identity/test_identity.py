"""The groups of ``dev.jsonl``: what is told of failures that are one, and of those that are not.

The floors and ceilings are what was reached; they move in one direction only.
"""

import os

import pytest

from benchmarks import eval_identity
from benchmarks.eval_identity import Evaluation, Tally, evaluate
from benchmarks.identity import VARIANTS, Group, ask_by_fingerprints, read_groups

GROUPS = read_groups(os.path.join(os.path.dirname(__file__), "dev.jsonl"))
HELPS = ("error", "message")


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(GROUPS, ask_by_fingerprints)


@pytest.fixture(scope="module")
def tally(evaluation: Evaluation) -> Tally:
    return evaluation.tally


def test_the_same_failure_is_known(tally: Tally) -> None:
    assert tally.share("same", *HELPS) >= 0.99
    assert tally.share("caused", *HELPS) >= 0.99
    assert tally.share("same", "error") >= 0.79


def test_another_failure_is_not(tally: Tally) -> None:
    assert tally.share("other", "error") <= 0.005
    assert tally.share("other", "message") <= 0.009
    assert tally.share("related", "error") == 0


def test_what_failed_is_read(tally: Tally) -> None:
    floors = {"type": 1.0, "message": 1.0, "file": 0.99, "line": 0.99, "test": 1.0}
    shares = {part: tally.fits[part] / tally.cause[part] for part in floors}
    assert {part: share for part, share in shares.items() if share < floors[part]} == {}
    assert tally.extra <= 8
    assert tally.unread == 0


def test_tools_that_most_projects_meet() -> None:
    groups = [group for group in GROUPS if group["tool"] in eval_identity.MAINSTREAM]
    tally = evaluate(groups, ask_by_fingerprints).tally
    assert tally.share("same", *HELPS) == 1
    assert tally.share("other", "error") <= 0.011
    assert tally.share("other", "message") == 0


@pytest.mark.parametrize("group", GROUPS[::20], ids=lambda group: group["id"])
def test_fingerprints_alone_tell_what_a_repository_tells(group: Group) -> None:
    pure, product = (ask(group) for ask in (ask_by_fingerprints, eval_identity.ask_product))
    for variant in VARIANTS:
        for one, other in zip(pure.texts[variant], product.texts[variant], strict=True):
            labels = [
                {each.label for each in told} - {"similar", "beside"} for told in (one, other)
            ]
            assert labels[0] - {"-"} == labels[1] - {"-"}


def test_every_group_has_what_the_bench_needs() -> None:
    assert len({group["id"] for group in GROUPS}) == len(GROUPS) >= 197
    for group in GROUPS:
        assert group["a"], group["id"]
        assert group["same"], group["id"]
        assert group["other"], group["id"]
