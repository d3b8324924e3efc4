"""Tasks: how hard, how alike, and what similar ones recommend."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.learning.confidence import MEDIUM, TOO_LITTLE, Rate
from gitmem.learning.recommendation import STANDARD, PastWork, Recommendation, recommend
from gitmem.learning.tasks import ALIKE, Likeness, PlannedTask, assess, jaccard, likeness, task_of

ALL = Likeness(1.0, (("category", 1.0),))


def work(number: int, approach: str, *, success: bool | None = True, **more: Any) -> PastWork:
    day = f"2026-01-{number:02}T00:00:00.000Z"
    made = PastWork(f"ses-{number}", f"work {number}", day, success, approach, (), (), ALL)
    return made._replace(**more)


def seed_complexity(task: dict[str, Any]) -> str:
    """Score as the document says it, lines 227 to 262."""
    score = 0
    size = len(task.get("description", ""))
    score += 2 if size > 200 else 1 if size > 100 else 0
    score += len(task.get("dependencies", []))
    effort = task.get("effort", 1)
    score += 3 if effort > 5 else 1 if effort > 2 else 0
    score += (
        2
        if task.get("category", "general") in ("backend", "database", "integration", "auth")
        else 0
    )
    return "high" if score >= 7 else "medium" if score >= 4 else "low"


@given(
    st.integers(0, 300), st.integers(0, 9), st.none() | st.integers(0, 9),
    st.sampled_from(["", "frontend", "backend", "database", "integration", "auth"]),
)  # fmt: skip
def test_s3_34_complexity_is_assessed_as_the_document_says(
    size: int, needed: int, effort: int | None, category: str
) -> None:
    stated: dict[str, Any] = {"description": "x" * size, "dependencies": ["y"] * needed}
    stated |= {} if effort is None else {"effort": effort}
    stated |= {"category": category} if category else {}
    assert assess(task_of(stated)) == seed_complexity(stated)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("a b c", "b c d", 0.5), ("a", "a", 1.0), ("a", "b", 0.0), ("", "a", 0.0), ("", "", 0.0)],
)
def test_s3_33_words_in_common(one: str, other: str, share: float) -> None:
    assert jaccard(set(one.split()), set(other.split())) == share


FULL = PlannedTask("add a login", "auth", "feature", 3, ("db",), "")


def alike(task: PlannedTask, other: PlannedTask, words: str = "", others: str = "") -> float:
    return likeness(task, other, set(words.split()), set(others.split())).share


def test_s3_32_the_weights() -> None:
    other = PlannedTask("", "auth", "feature", complexity="medium")
    assert assess(FULL) == "medium"
    assert alike(FULL, other, "a b", "a b") == pytest.approx(1.0)
    assert alike(FULL, other._replace(category="x"), "a b", "a b") == pytest.approx(0.6)
    assert alike(FULL, other._replace(type="x"), "a b", "a b") == pytest.approx(0.7)
    assert alike(FULL, other._replace(complexity="low"), "a b", "a b") == pytest.approx(0.8)
    assert alike(FULL, other, "a b", "c d") == pytest.approx(0.9)


def test_s3_32_what_neither_states_is_no_likeness() -> None:
    # The document compares None with None, and "general" with "general": all was alike.
    assert (
        alike(PlannedTask("x", type="general"), PlannedTask("y", type="general"), "x", "y") == 0.0
    )
    assert alike(PlannedTask(), PlannedTask()) == 0.0


def test_s3_32_a_description_is_compared_with_words_not_with_the_name_of_a_category() -> None:
    told = PlannedTask("backend backend")
    assert alike(told, PlannedTask("", "backend"), "backend", "") == 0.0
    assert alike(told, PlannedTask("backend work"), "backend", "backend work") == 0.5


@given(st.builds(PlannedTask, st.just("t"), st.sampled_from(["", "a", "b"]),
                 st.sampled_from(["", "general", "x"]), st.none() | st.integers(0, 9),
                 st.just(()), st.sampled_from(["", "low", "high"])))  # fmt: skip
def test_a_task_is_wholly_like_itself(task: PlannedTask) -> None:
    same = task._replace(complexity=task.complexity or assess(task))
    assert alike(task, same, "t", "t") == pytest.approx(1.0)


@pytest.mark.parametrize(
    "stated", [{"effort": "much"}, {"dependencies": "db"}, {"dependencies": 3}]
)
def test_a_task_that_cannot_be_read_is_refused(stated: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(stated))):
        task_of(stated)


# Recommendations


def test_s3_48_s3_54_the_default_where_nothing_is_similar() -> None:
    found = recommend([])
    assert (found.approach, found.experience, found.similar) == (STANDARD, 0.0, ())
    assert found.confidence.word == TOO_LITTLE
    assert found.lines == ("No similar patterns found, using standard approach",)


def test_s3_44_to_s3_47_approach_factors_tools_and_how_many() -> None:
    found = recommend([
        work(1, "incremental", factors=("tests", "small steps"), tools=("pytest", "ruff")),
        work(2, "incremental", factors=("tests",), tools=("pytest", "git")),
        work(3, "parallel", factors=("tests",), tools=("pytest", "make")),
    ])  # fmt: skip
    assert found.approach == "incremental"
    assert found.factors == (("tests", 3), ("small steps", 1))
    assert found.tools == (("pytest", 3), ("git", 1), ("make", 1))
    assert (len(found.similar), found.experience) == (3, 0.3)
    assert found.lines == (
        "Use 'incremental' approach (used in 2 similar tasks)",
        "Key success factors:",
        "  - tests (appeared in 3 successful executions)",
        "  - small steps (appeared in 1 successful executions)",
        "Recommended tools:",
        "  - pytest (used in 3 similar tasks)",
        "  - git (used in 1 similar tasks)",
        "  - make (used in 1 similar tasks)",
    )


def test_s3_46_at_most_five_factors_and_three_tools() -> None:
    names = tuple("abcdefgh")
    found = recommend([work(1, "x", factors=names, tools=names)])
    assert (len(found.factors), len(found.tools)) == (5, 3)


@pytest.mark.parametrize(("number", "share"), [(1, 0.1), (9, 0.9), (10, 1.0), (20, 1.0)])
def test_s3_45_experience_is_a_tenth_each(number: int, share: float) -> None:
    assert recommend([work(n + 1, "x") for n in range(number)]).experience == share


def test_s3_43_failures_count_against_an_approach() -> None:
    # The document looks at successes only: three of ten beat two of two.
    tried = [work(n, "risky", success=n < 4) for n in range(1, 11)]
    tried += [work(n, "steady") for n in range(11, 14)]
    found = recommend(tried)
    assert (found.approach, found.confidence.word) == ("steady", "low")
    assert [(one.approach, one.sort) for one in found.weighed] == [
        ("steady", "try"), ("risky", "avoid"),
    ]  # fmt: skip


def test_s3_43_where_each_approach_failed_more_often_than_not_the_best_is_named_as_such() -> None:
    tried = [work(n, "", success=False) for n in range(1, 13)]
    tried += [work(n, "parallel", success=n == 13) for n in range(13, 17)]
    found = recommend(tried)
    assert (found.approach, found.confidence.rate) == ("parallel", Rate(1, 4))
    assert found.lines[0] == (
        "No approach worked in most similar tasks; 'parallel' did best: it worked in 1 of 4"
    )


def test_what_only_ended_says_nothing() -> None:
    found: Recommendation = recommend([work(1, "x", success=None)])
    assert (found.approach, found.weighed) == (STANDARD, ())


def test_a_similar_task_is_never_the_same() -> None:
    found = recommend([work(n, "x") for n in range(1, 29)])
    assert found.confidence.word != MEDIUM
    assert found.confidence.rate.tried == 28
    assert ALIKE == 0.3
