"""The figures of the public benchmark, on answers whose figures are known."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.recall.data import UNANSWERABLE, Question
from benchmarks.recall.measures import LIMIT, Answered, figures
from tests.depth import amount, deep


def _asked(
    *ids: str,
    family: str = "again",
    right: tuple[str, ...] = ("err-a",),
    never: tuple[str, ...] = (),
    sure: int = 1,
    program: str = "one",
) -> Answered:
    question = Question("q", family, "test", program, "?", frozenset(right), frozenset(never))
    return Answered(question, ids, sure)


def _values(*answers: Answered) -> dict[str, float]:
    return {name: figure.value for name, figure in figures(answers).items()}


def test_the_first_right_record_counts() -> None:
    found = _values(_asked("x", "err-a", "fix-a", right=("err-a", "fix-a")), _asked("err-a"))
    assert found["r1"] == 0.5
    assert found["r5"] == 1
    assert found["mrr10"] == 0.75


def test_what_comes_after_the_limit_does_not_count() -> None:
    found = _values(_asked(*(f"x{n}" for n in range(LIMIT)), "err-a"))
    assert (found["r1"], found["r5"], found["mrr10"]) == (0, 0, 0)


def test_the_sixth_place_counts_for_the_rank_only() -> None:
    found = _values(_asked(*"vwxyz", "err-a"))
    assert found["r5"] == 0
    assert found["mrr10"] == pytest.approx(1 / 6)


def test_a_trap_counts_only_in_the_first_place() -> None:
    fallen = _asked("err-b", "err-a", family="neighbour", never=("err-b",))
    passed = _asked("err-a", "err-b", family="neighbour", never=("err-b",))
    assert _values(fallen, passed)["trap_first"] == 0.5


def test_an_answer_to_what_has_none_is_false_only_if_vouched_for() -> None:
    def silent(*ids: str, sure: int) -> Answered:
        return _asked(*ids, family=UNANSWERABLE, right=(), sure=sure)

    found = _values(silent("x", sure=1), silent("x", sure=0), silent(sure=0), silent(sure=1))
    assert found == {"false_answers": 0.25}


def test_vouching_for_a_wrong_record_earns_nothing() -> None:
    assert _values(_asked("x", "err-a"), _asked("err-a", sure=0))["vouched_right"] == 0


answers = st.lists(
    st.builds(
        _asked,
        st.sampled_from(["err-a", "x"]),
        st.sampled_from(["err-a", "y"]),
        program=st.sampled_from(["one", "two", "three"]),
    ),
    min_size=1,
    max_size=8,
)


@deep
@settings(max_examples=amount(share=30, ci=100, whole=1000))
@given(answers)
def test_intervals_hold_shares_and_come_out_the_same_each_time(given_: list[Answered]) -> None:
    found = figures(given_)
    for figure in found.values():
        assert 0 <= figure.low <= figure.high <= 1
        assert 0 <= figure.value <= 1
    assert figures(given_) == found


def test_one_program_asked_often_is_no_more_certain_than_asked_once() -> None:
    same = [_asked("err-a"), _asked("x"), _asked("err-a"), _asked("x")]
    found = figures(same)["r1"]
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)
