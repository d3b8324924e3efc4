"""Reports and answers of the learning patterns, against the document's own formulas."""

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.learning import (
    AdaptiveExecutionEngine,
    ExecutionPatternLearner,
    PerformanceAnalyzer,
    generate_learning_report,
)
from gitmem.memory.advice import similar_work
from tests.depth import amount, deep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Checkout

TASK: dict[str, Any] = {"id": "T", "category": "backend", "type": "feature",
                        "description": "add a login endpoint"}  # fmt: skip


def save(learner: ExecutionPatternLearner, category: str, number: int, **result: Any) -> None:
    for _ in range(number):
        learner.save_execution_pattern({**TASK, "category": category}, result)


def test_s3_35_and_66_and_70_a_report_is_of_its_own_project(here: "Checkout") -> None:
    alpha, beta = ExecutionPatternLearner("alpha"), ExecutionPatternLearner("beta")
    save(alpha, "backend", 4, success=True, execution_time=3)
    save(beta, "backend", 12, success=False, execution_time=900)
    metrics = generate_learning_report("alpha")["overall_metrics"]
    assert (metrics["total_executions"], metrics["success_rate"]) == (4, 1.0)
    assert alpha.analyze_performance_trends()["backend"]["total_executions"] == 4
    assert generate_learning_report("beta")["overall_metrics"]["success_rate"] == 0.0
    assert generate_learning_report("nobody")["overall_metrics"] == {"status": "no_data"}


def test_s3_71_three_slow_failures_are_told_and_little_is_not_stable(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    save(learner, "auth", 3, success=False, execution_time=900)
    assert generate_learning_report("shop")["recommendations"] == [
        "Focus on improving auth tasks (current success rate: 0.0%)",
        "Optimize execution time for auth tasks",
    ]
    save(ExecutionPatternLearner("other"), "docs", 3, success=True, execution_time=1)
    (said,) = generate_learning_report("other")["recommendations"]
    assert said.startswith("Too little data")


def test_s3_41_failures_and_then_successes_are_improving(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    save(learner, "auth", 22, success=False)
    save(learner, "auth", 22, success=True)
    assert learner.analyze_performance_trends()["auth"]["improvement_trend"] == "improving"


def test_s3_6_to_14_a_similar_pattern_has_all_that_was_saved(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    task = {**TASK, "dependencies": ["cache"], "effort": 3}
    learner.save_execution_pattern(
        task, {"success": True, "approach": "parallel", "execution_time": 7.5, "api_calls_made": 4}
    )
    (pattern,) = learner.get_similar_patterns(task)
    assert (pattern["task_category"], pattern["task_type"]) == ("backend", "feature")
    assert pattern["task_complexity"] == "medium"
    assert (pattern["execution_time"], pattern["api_calls_made"]) == (7.5, 4)
    assert pattern["dependencies_resolved"] == ["cache"]


def test_s3_20_to_27_a_solution_has_all_that_was_saved(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    learner.save_error_solution(
        {
            "error_type": "ModuleNotFoundError",
            "error_message": "No module named 'pandas'",
            "context": {"task_category": "data"},
        },
        {
            "approach": "install pandas",
            "steps": ["pip install pandas"],
            "success_rate": 0.9,
            "applicable_categories": ["data"],
        },
    )
    (found,) = learner.get_error_solutions("ImportError", "No module named 'pandas'")
    assert found["error_type"] == "ModuleNotFoundError"
    assert found["error_message"] == "No module named 'pandas'"
    assert found["error_context"] == {"task_category": "data"}
    assert (found["success_rate"], found["outcome"]) == (0.9, "unverified")
    assert found["applicable_categories"] == ["data"]
    assert found["timestamp"]
    (same,) = learner.get_error_solutions("ModuleNotFoundError", "No module named 'pandas'")
    assert same["why"] == "same error"


def test_s3_31_and_60_only_what_was_saved_is_a_solution(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")
    message = "[Errno 2] No such file or directory: 'out/january.txt'"
    handed: list[str] = []

    class Engine(AdaptiveExecutionEngine):
        def _execute_standard(self, task: "Mapping[str, Any]") -> Any:
            raise FileNotFoundError(2, "No such file or directory", "out/january.txt")

        def _apply_error_solution(
            self, task: "Mapping[str, Any]", solution: "Mapping[str, Any]"
        ) -> Any:
            handed.extend(solution["solution_steps"])
            return {}

    learner = ExecutionPatternLearner("shop")
    assert learner.get_error_solutions("FileNotFoundError", message) == []
    with pytest.raises(FileNotFoundError):
        Engine("shop").execute_task_adaptively(TASK)
    assert handed == []
    saved = {"approach": "make the folder first", "steps": ["mkdir out"]}
    error = {"error_type": "FileNotFoundError", "error_message": message}
    learner.save_error_solution(error, saved)
    (found,) = learner.get_error_solutions("FileNotFoundError", message)
    assert found["solution_approach"] == "make the folder first"
    Engine("shop").execute_task_adaptively(TASK)
    assert handed == ["mkdir out"]


def test_s3_45_a_category_never_seen_gives_little_confidence(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    save(learner, "backend", 12, success=True, approach="incremental")
    known = learner.get_execution_recommendations(TASK)["confidence"]
    other = learner.get_execution_recommendations({**TASK, "category": "mobile"})["confidence"]
    assert known == 0.5
    assert other < known


def test_s3_56_a_recovered_approach_is_done_its_own_way(here: "Checkout") -> None:
    class Engine(AdaptiveExecutionEngine):
        def _execute_incrementally(self, task: "Mapping[str, Any]") -> Any:
            return {"output": f"step by step {task['id']}"}

    save(ExecutionPatternLearner("shop"), "backend", 3, success=True,
         approach="incremental_recovered")  # fmt: skip
    done = Engine("shop").execute_task_adaptively({**TASK, "execute": lambda _: {}})
    assert done == {"output": "step by step T"}


def test_s3_60_and_64_and_65_own_recovery_and_own_factors_are_used(here: "Checkout") -> None:
    handed: list[str] = []

    class Engine(AdaptiveExecutionEngine):
        def _execute_standard(self, task: "Mapping[str, Any]") -> Any:
            raise ConnectionError("connection to the cache refused")

        def _apply_error_solution(
            self, task: "Mapping[str, Any]", solution: "Mapping[str, Any]"
        ) -> Any:
            handed.extend(solution["solution_steps"])
            return {"output": "recovered"}

        def _identify_success_factors(
            self, task: "Mapping[str, Any]", result: "Mapping[str, Any]"
        ) -> list[str]:
            return ["patience"]

    learner = ExecutionPatternLearner("shop")
    learner.save_error_solution(
        {"error_type": "ConnectionError", "error_message": "connection to the cache refused"},
        {"approach": "start it", "steps": ["start cache"]},
    )
    assert Engine("shop").execute_task_adaptively(TASK) == {"output": "recovered"}
    assert handed == ["start cache"]
    (pattern,) = learner.get_similar_patterns(TASK)
    assert pattern["execution_approach"] == "standard_recovered"
    assert set(pattern["success_factors"]) == {"error_recovery", "patience"}


def test_s3_28_a_solution_is_saved_for_the_failure_that_an_engine_recorded(
    here: "Checkout",
) -> None:
    """Which the document knows by type and message alone, and the record by its trace, too."""

    def work(_: object) -> dict[str, str]:
        Path("out/january.txt").write_text("done")
        return {}

    engine = AdaptiveExecutionEngine(
        "shop", confirm=lambda _: True, apply=lambda step: (here / step).mkdir()
    )

    with pytest.raises(FileNotFoundError) as caught:
        engine.execute_task_adaptively({**TASK, "execute": work})
    error = {"error_type": "FileNotFoundError", "error_message": str(caught.value)}
    other = {**error, "error_message": error["error_message"].replace("january", "february")}
    for failure in (error, error, other):
        engine.learner.save_error_solution(failure, {"approach": "make it", "steps": ["out"]})
    with Memory.open(".") as memory:
        rows = memory.list("kind:error")
    assert [row.title.count("february") for row in rows] == [1, 0]
    engine.execute_task_adaptively({**TASK, "execute": work})
    with Memory.open(".") as memory:
        assert [row.status for row in memory.list("kind:error")] == ["open", "resolved"]


def test_s3_79_to_83_the_configuration_of_a_learner_counts(here: "Checkout") -> None:
    class CustomLearningConfig:
        def apply_to_learner(self, learner: ExecutionPatternLearner) -> None:
            learner.similarity_threshold = 0.99
            learner.confidence_boost_factor = 1.5
            learner.pattern_retention_limit = 2
            learner.solution_retention_limit = 1

    learner = ExecutionPatternLearner("shop")
    save(learner, "backend", 4, success=True)
    for name in ("one", "two"):
        learner.save_error_solution({"error_type": "KeyError"}, {"approach": name})
    assert learner.get_execution_recommendations(TASK)["confidence"] == 0.4
    CustomLearningConfig().apply_to_learner(learner)
    assert learner.get_execution_recommendations(TASK)["confidence"] == 0.3
    assert learner.get_similar_patterns({**TASK, "type": "bugfix"}) == []
    assert learner.analyze_performance_trends()["backend"]["total_executions"] == 2
    assert [each["solution_approach"] for each in learner.get_error_solutions("KeyError")] == [
        "two"
    ]


def by_the_document(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Compute trends as the document says, in words of our own."""
    answer = {}
    for category in {row["category"] for row in rows}:
        own = [row for row in rows if row["category"] == category]
        recent = own[-20:]
        times = [row["seconds"] for row in recent if row["seconds"] > 0]
        won = Counter(row["approach"] for row in recent if row["success"])
        trend = "insufficient_data"
        if len(own) >= 10:
            half = len(own) // 2
            shares = [sum(row["success"] for row in part) / len(part)
                      for part in (own[:half], own[half:])]  # fmt: skip
            step = round(shares[1] - shares[0], 9)
            trend = "improving" if step > 0.1 else "declining" if step < -0.1 else "stable"
        answer[category] = {
            "success_rate": sum(row["success"] for row in recent) / len(recent),
            "average_execution_time": sum(times) / len(times) if times else 0,
            "total_executions": len(own),
            "recent_executions": len(recent),
            "best_approaches": sorted(won.values(), reverse=True)[:3],
            "improvement_trend": trend,
        }
    return answer


@deep
def test_s3_36_to_41_generated_executions_give_the_documents_numbers(here: "Checkout") -> None:
    chance = random.Random(1)
    learner = ExecutionPatternLearner("shop")
    rows = []
    for _ in range(amount(share=60, ci=200, whole=200)):
        row = {
            "category": chance.choice(["backend", "auth", "docs", "database"]),
            "approach": chance.choice(["incremental", "parallel", "standard"]),
            "success": chance.random() < 0.6,
            "seconds": chance.choice([0, 5, 60, 700]),
        }
        rows.append(row)
        learner.save_execution_pattern(
            {**TASK, "category": row["category"]},
            {
                "success": row["success"],
                "approach": row["approach"],
                "execution_time": row["seconds"],
            },
        )
    trends = PerformanceAnalyzer("shop").generate_performance_report()["category_performance"]
    for trend in trends.values():
        trend["best_approaches"] = [number for _, number in trend["best_approaches"]]
    assert trends == by_the_document(rows)


def test_s3_81_a_limit_that_is_not_reached_hides_nothing(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    learner.pattern_retention_limit = 2000
    name = learner.save_execution_pattern(TASK, {"success": True})
    assert [pattern["pattern_id"] for pattern in learner.get_similar_patterns(TASK)] == [name]
    assert learner.get_execution_recommendations(TASK)["similar_patterns_count"] == 1


def test_s3_30_newer_failures_do_not_hide_a_success(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_work, "_MOST_OF_A_SORT", 3)
    learner = ExecutionPatternLearner("shop")
    task = {"category": "backend"}
    won = learner.save_execution_pattern(task, {"success": True})
    for _ in range(3):
        learner.save_execution_pattern(task, {"success": False})
    assert [pattern["pattern_id"] for pattern in learner.get_similar_patterns(task)] == [won]


def test_s3_30_as_many_are_given_as_are_wanted(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_work, "_MOST_OF_A_SORT", 3)
    learner = ExecutionPatternLearner("shop")
    task = {"category": "backend"}
    names = {learner.save_execution_pattern(task, {"success": True}) for _ in range(5)}
    given = learner.get_similar_patterns(task, limit=10)
    assert {pattern["pattern_id"] for pattern in given} == names


def test_s3_25_what_was_seen_to_work_has_a_rate_without_a_claim(here: "Checkout") -> None:
    with Memory.open(".") as memory:
        error = memory.add("error", {"error_type": "KeyError", "message": "'port'"})
        memory.resolve(error.id, {"approach": "use get", "outcome": "worked"})
        memory.resolve(error.id, {"approach": "sort the keys", "outcome": "failed"})
    solutions = ExecutionPatternLearner("shop").get_error_solutions("KeyError", "'port'")
    rates = {each["solution_approach"]: each["success_rate"] for each in solutions}
    assert rates["use get"] == 1.0
    assert rates.get("sort the keys", 0.0) == 0.0
