"""The learner's own code beside ours, number by number; where ours differs, the reason is the
only difference: the document's code gets it, and then gives our numbers.
"""

import random
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat import learning
from gitmem.index.analysis import terms
from gitmem.learning.tasks import assess, jaccard, task_of
from gitmem.memory import Memory
from gitmem.memory.advice.similar_work import MOST
from gitmem.parts.imports.import_other import import_other
from tests.compat.test_original_blocks import needs_texts
from tests.compat.test_seed_oracle import real, saved_by_the_document, tasks

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = needs_texts
Rows = list[tuple[dict[str, Any], dict[str, Any]]]


def saved(rows: Rows) -> tuple[Any, learning.ExecutionPatternLearner]:
    """Save the same executions with the document's learner and with ours."""
    theirs = saved_by_the_document(1)["ExecutionPatternLearner"]("clock")
    ours = learning.ExecutionPatternLearner("clock")
    for task, result in rows:
        theirs.save_execution_pattern(task, result)
        ours.save_execution_pattern(task, result)
    return theirs, ours


def scores(theirs: Any, task: dict[str, Any], rows: Rows) -> list[float]:
    """Score each row by the document's code, but description beside description.

    It compares a description with the name of a category, which share no word. A task without a
    description is measured by what it states.
    """
    patterns = theirs._load_json_file(theirs.patterns_file)
    words, given = terms(task["description"]).keys(), []
    for pattern, (before, _) in zip(patterns, rows, strict=True):
        title = " ".join(before["description"].split())[:200]
        of_its_own = theirs._calculate_text_similarity(task["description"], task["category"])
        score = theirs._calculate_pattern_similarity(task, pattern) - 0.1 * of_its_own
        score += 0.1 * jaccard(words, terms(title).keys())
        given.append(score if words else score / 0.9)
    return given


def test_s3_33_and_34_texts_and_complexities_are_those_of_the_documents_code(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    rows = list(tasks())
    theirs = saved_by_the_document(1)["ExecutionPatternLearner"]("clock")
    for (task, _), (other, _) in pairwise(rows):
        assert assess(task_of(task)) == theirs._assess_complexity(task)
        texts = task["description"], other["description"]
        words = [frozenset(text.split()) for text in texts]
        assert jaccard(*words) == theirs._calculate_text_similarity(*texts)
    capsys.readouterr()


def test_s3_30_and_32_likeness_and_threshold_are_those_of_the_documents_code(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    rows = list(tasks())
    theirs, ours = saved(rows)
    for task, _ in rows[::20]:
        # Rounded: one adds the weights in another order.
        expected = Counter(
            round(score, 9)
            for score, (_, result) in zip(scores(theirs, task, rows), rows, strict=True)
            if result["success"] and round(score, 9) > ours.similarity_threshold
        )
        found = ours.get_similar_patterns(task, limit=1000)
        shares = [round(pattern["similarity"], 9) for pattern in found]
        assert Counter(shares) == expected
        assert shares == sorted(shares, reverse=True)
    capsys.readouterr()


def test_s3_43_to_47_the_documents_code_recommends_the_same_by_our_similar_patterns(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours leaves out what fails more often than it works; the document sees successes only."""
    rows = list(tasks())
    theirs, ours = saved(rows)
    left_out = 0
    for task, _ in rows[::20]:
        likest = sorted(
            (-round(score, 9), -number)
            for number, score in enumerate(scores(theirs, task, rows))
            if round(score, 9) > ours.similarity_threshold
        )
        outcomes: dict[str, list[bool]] = {}
        for _, number in likest[:MOST]:
            _, result = rows[-number]
            outcomes.setdefault(result["approach"], []).append(result["success"])
        poor = {name for name, all_of in outcomes.items() if sum(all_of) < len(all_of) / 2}
        similar = ours.get_similar_patterns(task, limit=1000)
        five = [each for each in similar if each["execution_approach"] not in poor][:5]
        left_out += five != similar[:5]
        theirs.get_similar_patterns = lambda _, chosen=five: chosen
        expected, given = (
            theirs.get_execution_recommendations(task), ours.get_execution_recommendations(task),
        )  # fmt: skip
        assert given["similar_patterns_count"] == expected["similar_patterns_count"] == 5
        assert Counter(given["recommendations"][1:]) == Counter(expected["recommendations"][1:])
        counts = Counter(each["execution_approach"] for each in five)
        assert counts[given["approach"]] == max(counts.values())
        line = f"Use '{given['approach']}' approach (used in {max(counts.values())} similar tasks)"
        assert given["recommendations"][0] == line
        # The document counts each as a whole.
        assert given["confidence"] == round(sum(each["similarity"] for each in five) / 10, 2)
        assert given["confidence"] <= expected["confidence"]
    assert 0 < left_out < len(rows[::20])
    capsys.readouterr()


def test_s3_45_of_equal_tasks_the_whole_answer_is_the_same(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    task = {"id": "T", "category": "auth", "type": "feature", "effort": 3,
            "description": "auth", "dependencies": ["cache"]}  # fmt: skip
    result = {"success": True, "approach": "parallel", "success_factors": ["small steps"],
              "tools_used": ["pytest"]}  # fmt: skip
    rows: Rows = []
    for _ in range(7):
        rows.append((task, result))
        theirs, ours = saved(rows[-1:])
        recommended = ours.get_execution_recommendations(task)
        assert recommended == theirs.get_execution_recommendations(task)
        assert recommended["confidence"] == min(len(rows), 5) / 10
    capsys.readouterr()


def test_s3_72_insights_are_those_of_the_documents_code(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    names = saved_by_the_document(3)
    few = {"success": True, "approach": "by hand", "success_factors": ["patience"]}
    rows = [*tasks(), *([({"category": "auth"}, few)] * 12)]
    ours = learning.PerformanceAnalyzer("clock")
    with pytest.MonkeyPatch.context() as patch:
        for number, (task, result) in enumerate(rows):
            if number in {9, 10}:
                compare_insights(names, ours)
            names["ExecutionPatternLearner"]("clock").save_execution_pattern(task, result)
            ours.learner.save_execution_pattern(task, result)
        compare_insights(names, ours)
        # Of the newest ones only, what always worked has not succeeded most often.
        ours.learner.pattern_retention_limit = 60
        load = names["ExecutionPatternLearner"]._load_json_file
        patch.setattr(
            names["ExecutionPatternLearner"], "_load_json_file",
            lambda self, *path: load(self, *path)[-60:],
        )  # fmt: skip
        compare_insights(names, ours)
    capsys.readouterr()


def compare_insights(names: dict[str, Any], ours: learning.PerformanceAnalyzer) -> None:
    expected = names["PerformanceAnalyzer"]("clock")._extract_learning_insights()
    given = ours.generate_performance_report()["learning_insights"]
    assert given[0] == expected[0]
    assert Counter(given) == Counter(expected)


def test_s3_31_solutions_of_a_type_come_by_the_documents_relevance(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    """The same failure first, then by words; of equal ones the newest, where it has the oldest."""
    chance = random.Random(5)
    words = [each.split() for each in ("queue cache host", "auth shop mail", "full closed gone")]
    messages = ["the {} of {} is {}".format(*map(chance.choice, words)) for _ in range(40)]
    errors = [(chance.choice(("ConnectionError", "KeyError")), message) for message in messages]
    errors += [("AssertionError", title) for title in real()[:30] if title]
    theirs = saved_by_the_document(1)["ExecutionPatternLearner"]("clock")
    ours = learning.ExecutionPatternLearner("clock")
    for number, (kind, message) in enumerate(errors):
        error = {"error_type": kind, "error_message": message}
        for learner in (theirs, ours):
            learner.save_error_solution(error, {"approach": f"way {number}", "success_rate": 0.5})
    for kind, message in errors[::5]:

        def relevance(solution: dict[str, Any], message: str = message) -> float:
            return float(
                theirs._calculate_text_similarity(
                    message.lower(), solution["error_message"].lower()
                )
            )  # fmt: skip

        expected = theirs.get_error_solutions(kind, message)
        found = ours.get_error_solutions(kind, message)
        assert [each["error_type"] for each in found] == [kind] * 3
        assert found[0]["error_message"] == expected[0]["error_message"] == message
        assert list(map(relevance, found)) == list(map(relevance, expected))
        assert {each["success_rate"] for each in found} == {0.5}
    capsys.readouterr()


def test_the_documents_own_files_are_taken_over_with_their_numbers(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    """Of ``memories/PROJECT/`` the project's reports go on where the document's ended."""
    names = saved_by_the_document(3)
    theirs = names["ExecutionPatternLearner"]("clock")
    for task, result in tasks():
        theirs.save_execution_pattern(task, result)
    for number in range(9):
        error = {"error_type": "KeyError", "error_message": f"'port {number}'",
                 "context": {"task_category": "auth"}}  # fmt: skip
        theirs.save_error_solution(error, {"approach": f"way {number}", "success_rate": 0.5})
    with Memory.open(".") as memory:
        for path in (theirs.patterns_file, theirs.solutions_file):
            assert import_other(memory, path).records >= 9
            assert import_other(memory, path).records == 0
    report = learning.generate_learning_report("clock")
    expected = theirs.analyze_performance_trends()
    for category, trend in report["category_performance"].items():
        for name in ("success_rate", "total_executions", "recent_executions", "improvement_trend"):
            assert trend[name] == expected[category][name]
    analyzer = names["PerformanceAnalyzer"]("clock")
    metrics = analyzer._calculate_overall_metrics()
    given = report["overall_metrics"]
    assert given.pop("category_distribution") == metrics.pop("category_distribution")
    assert given == pytest.approx(metrics, abs=0.001)  # times are kept in milliseconds
    assert Counter(report["learning_insights"]) == Counter(analyzer._extract_learning_insights())
    ours = learning.ExecutionPatternLearner("clock")
    (expected_first, *_) = theirs.get_error_solutions("KeyError", "'port 3'")
    (first, *_) = ours.get_error_solutions("KeyError", "'port 3'")
    del expected_first["solution_id"]
    del expected_first["timestamp"]
    assert {name: first[name] for name in expected_first} == expected_first
    capsys.readouterr()
