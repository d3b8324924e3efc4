"""Approaches weighed, confidence in words, when to stop: by rules that are stated."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.learning.advice import AVOID, TRY, Trial, approach_key, groups
from gitmem.learning.confidence import HIGH, LEAST, LOW, MEDIUM, TOO_LITTLE, Rate, confidence
from gitmem.learning.retry_verdict import DONE, GO_ON, STOP, RetryLimits, TrialStep, verdict

OUTCOMES = ("worked", "claimed", "partial", "did not hold", "failed", "unverified")


def trial(
    number: int, approach: str, outcome: str, label: str = "same error", **more: Any
) -> Trial:
    made = Trial(f"fix-{number}", approach, outcome, f"2026-01-{number:02}T00:00:00.000Z", label)
    return made._replace(**more)


# Confidence


@pytest.mark.parametrize(
    ("worked", "tried", "label", "word"),
    [
        (0, 0, "same error", TOO_LITTLE),
        (2, 2, "same error", TOO_LITTLE),
        (3, 3, "same error", MEDIUM),
        (6, 6, "same error", HIGH),
        (19, 20, "same place", HIGH),
        (1, 3, "same error", LOW),
        (30, 30, "same message", MEDIUM),
        (30, 30, "similar", LOW),
        (30, 30, "matched by text", LOW),
    ],
)
def test_confidence_is_a_word_with_what_it_rests_on(
    worked: int, tried: int, label: str, word: str
) -> None:
    sure = confidence(Rate(worked, tried), label)
    assert sure == (word, Rate(worked, tried), label)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["same error", "similar"]))
def test_nothing_is_claimed_of_few_attempts(worked: int, more: int, label: str) -> None:
    rate = Rate(worked, worked + more)
    assert (confidence(rate, label).word == TOO_LITTLE) == (rate.tried < LEAST)
    assert confidence(rate, label).rank <= confidence(rate, "same error").rank


# Approaches


def test_s2_40_what_worked_is_tried_and_what_failed_is_avoided() -> None:
    found = groups([trial(1, "wait longer", "failed"), trial(2, "use the new host", "worked")])
    assert [(one.sort, one.approach, one.why) for one in found] == [
        (TRY, "use the new host", "worked 1 of 1"),
        (AVOID, "wait longer", "failed 1 of 1"),
    ]


def test_one_success_does_not_beat_nineteen_of_twenty() -> None:
    many = [trial(n, "often", "worked" if n else "failed") for n in range(20)]
    found = groups([*many, trial(25, "once", "worked")])
    assert [one.approach for one in found] == ["often", "once"]


def test_attempts_of_one_approach_are_one_item_with_all_its_records() -> None:
    found = groups([
        trial(1, "Use UTC, everywhere", "worked"),
        trial(2, "use utc everywhere", "worked"),
        trial(3, "the same again", "failed", reuses="fix-1"),
        trial(4, "something else", "failed"),
    ])  # fmt: skip
    assert [(one.sort, [t.id for t in one.trials]) for one in found] == [
        (TRY, ["fix-2", "fix-1", "fix-3"]),
        (AVOID, ["fix-4"]),
    ]
    assert found[0].confidence.rate == Rate(2, 3)
    assert found[0].why == "worked 2 of 3"


def test_what_worked_until_the_error_came_back_is_avoided() -> None:
    (one,) = groups([trial(1, "restart it", "did not hold")])
    assert (one.sort, one.why) == (
        AVOID,
        "did not hold: worked 1 of 1, the error came back anyway",
    )


def test_what_is_only_claimed_counts_neither_for_nor_against() -> None:
    (one,) = groups([trial(1, "restart it", "claimed")])
    assert (one.sort, one.confidence.rate) == (TRY, Rate(0, 0))
    assert one.why == "claimed 1 time to have worked, confirmed by no person and no check"


def test_what_helped_in_part_is_a_start() -> None:
    (one,) = groups([trial(1, "half of it", "partial")])
    assert (one.sort, one.why, one.confidence.word) == (TRY, "helped in part, 1 time", TOO_LITTLE)


def test_what_failed_more_often_than_it_worked_is_avoided() -> None:
    (one,) = groups([trial(n, "luck", "worked" if n == 5 else "failed") for n in range(5, 9)])
    assert (one.sort, one.why) == (AVOID, "failed 3 of 4")
    assert one.confidence.rate == Rate(3, 4)


def test_a_checked_fix_comes_before_an_unchecked_one_and_the_same_error_before_a_like_one() -> None:
    found = groups([
        trial(1, "unchecked", "worked"),
        trial(2, "checked", "worked", checked=True),
        trial(3, "elsewhere", "worked", "similar", checked=True),
    ])  # fmt: skip
    assert [one.approach for one in found] == ["checked", "unchecked", "elsewhere"]
    assert found[0].why == "worked 1 of 1, checked by a command"


_TRIALS = st.lists(
    st.builds(
        trial,
        st.integers(1, 28),
        st.sampled_from(["a b", "A, b", "c", ""]),
        st.sampled_from(OUTCOMES),
        st.sampled_from(["same error", "same message", "similar", "matched by text"]),
        checked=st.booleans(),
        reuses=st.sampled_from(["", "fix-1", "fix-2", "fix-99"]),
    ),
    unique_by=lambda one: one.id,
    max_size=12,
)


@given(_TRIALS, st.randoms(use_true_random=False))
def test_every_trial_is_weighed_once_whatever_the_order(
    trials: list[Trial], random: Random
) -> None:
    found = groups(trials)
    assert sorted(one.id for group in found for one in group.trials) == sorted(
        one.id for one in trials
    )
    mixed = list(trials)
    random.shuffle(mixed)
    again = groups(mixed)
    assert [(g.sort, {t.id for t in g.trials}, g.why, g.confidence.rate) for g in again] == [
        (g.sort, {t.id for t in g.trials}, g.why, g.confidence.rate) for g in found
    ]
    for group in found:
        known = sum(one.verdict not in ("unverified", "claimed") for one in group.trials)
        assert group.confidence.rate.tried == known


def test_an_approach_is_compared_by_its_words() -> None:
    assert approach_key(" Use  `UTC`, everywhere! ") == approach_key("use utc everywhere")


# When to stop


def steps(*failing: int | None, approach: str = "") -> list[TrialStep]:
    return [TrialStep(approach or f"way {at}", "failed", count, record=f"run-{at}")
            for at, count in enumerate(failing)]  # fmt: skip


@pytest.mark.parametrize(
    ("tried", "start", "rules"),
    [
        (steps(), 5, []),
        (steps(5), 5, []),
        (steps(5, 5), 5, []),
        (steps(5, 5, 5), 5, ["still"]),
        (steps(5, 5, 4), 5, []),
        (steps(4, 4, 5, 4), 5, ["still"]),
        (steps(4, 3, 2, 1, 1, 1), 5, []),
        (steps(4, 3, 2, 1, 1, 1, 2), 5, ["still"]),
        (steps(None, None, None), 5, []),
        (steps(None, None, None), None, []),
        (steps(*[None] * 8), None, ["most"]),
        (steps(9, 8, 7, 6, 5, 4, 3, 2), 10, ["most"]),
        (steps(None, None, None, approach="again"), None, ["same"]),
        ([*steps(None, None, None, approach="again"), TrialStep("new", "failed")], None, []),
        ([TrialStep("x", "failed", 4, broke=2, record="r")], 5, ["broke"]),
        ([TrialStep("x", "failed", 4, broke=2), TrialStep("y", "failed", 3)], 5, []),
    ],
)
def test_s0_64_the_rules_that_say_stop(
    tried: list[TrialStep], start: int | None, rules: list[str]
) -> None:
    judged = verdict(tried, start)
    assert [one.rule for one in judged.reasons] == rules
    assert judged.answer == (STOP if rules else GO_ON)


def test_s0_64_what_works_is_done_and_begins_anew() -> None:
    assert verdict([*steps(5, 5, 5), TrialStep("it", "worked", 0)], 5).answer == DONE
    judged = verdict([*steps(5, 5, 5), TrialStep("it", "worked", 0), *steps(1)], 5)
    assert (judged.answer, judged.tried) == (GO_ON, 1)


def test_s0_64_the_cap_says_ask_a_human_and_names_the_attempts() -> None:
    judged = verdict(steps(3, 2), 4, RetryLimits(most=2))
    (reason,) = judged.reasons
    assert reason.text == "2 attempts without success: ask a human"
    assert reason.records == ("run-0", "run-1")
    assert "2 attempts did not succeed" in judged.rules


def test_s0_62_a_step_that_broke_something_is_taken_back_first() -> None:
    judged = verdict([TrialStep("x", "partial", 1, broke=1, record="run-9")], 5)
    assert judged.reasons[0].text == (
        "the last attempt broke 1 case that had passed: take it back first"
    )


def test_a_rule_can_be_switched_off() -> None:
    none = RetryLimits(most=0, same=0, still=0)
    assert verdict(steps(*[5] * 30, approach="again"), 5, none).answer == GO_ON


@given(st.lists(st.integers(0, 9), max_size=20), st.integers(0, 9))
def test_steady_progress_is_never_stopped_before_the_cap(counts: list[int], start: int) -> None:
    falling = sorted({*counts, start}, reverse=True)
    judged = verdict(steps(*falling[1:]), falling[0], RetryLimits(most=99))
    assert all(a > b for a, b in pairwise(falling))
    assert judged.answer == GO_ON
