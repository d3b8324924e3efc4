"""Learning from executions: patterns, solutions, recommendations, the engine, the report."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.learning import (
    AdaptiveExecutionEngine,
    ExecutionPatternLearner,
    PerformanceAnalyzer,
    continuous_learning_loop,
    execute_task_with_learning,
    generate_learning_report,
    get_execution_recommendations,
    initialize_learning_system,
    save_error_solution,
    save_execution_pattern,
)
from gitmem.errors import UsageError
from gitmem.parts.compat import learning
from gitmem.records.kinds import Fix, Session
from tests.depth import sampled

if TYPE_CHECKING:
    from tests.conftest import Checkout

TASK: dict[str, Any] = {
    "id": "T-1",
    "category": "backend",
    "type": "feature",
    "description": "add a login endpoint",
    "dependencies": ["database", "cache"],
    "effort": 3,
    "status": "pending",
}
RESULT: dict[str, Any] = {
    "success": True,
    "approach": "incremental",
    "execution_time": 12.5,
    "success_factors": ["small steps"],
    "tools_used": ["pytest"],
    "api_calls_made": 4,
}


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    learning._STATE.clear()
    yield
    learning._STATE.clear()


@pytest.fixture
def learner(here: "Checkout") -> ExecutionPatternLearner:
    return ExecutionPatternLearner("shop")


def sessions() -> list[Session]:
    with Memory.open(".") as memory:
        rows = memory.list("kind:session", sort="oldest")
        found = [memory.show(row.id).record for row in rows]
    return [one for one in found if isinstance(one, Session)]


def test_s3_1_to_4_a_memory_is_made_on_demand(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo)
    learner = ExecutionPatternLearner("shop")
    assert (repo / ".memory/gitmem.yaml").exists()
    learner.save_execution_pattern(TASK, RESULT)
    learner.save_error_solution({"error_type": "KeyError"}, {"approach": "use get"})
    kinds = {
        path.parts[-4] for path in (repo / ".memory").rglob("*.yaml") if "20" in path.parts[-3]
    }
    assert kinds == {"sessions", "errors", "fixes"}
    assert learner.analyze_performance_trends()["backend"]["total_executions"] == 1


def test_s3_5_to_17_a_pattern_keeps_every_field(learner: ExecutionPatternLearner) -> None:
    name = learner.save_execution_pattern(TASK, RESULT)
    (session,) = sessions()
    assert session.id == name
    assert session.task
    assert (session.task.category, session.task.type) == ("backend", "feature")
    assert session.task.complexity == "medium"
    assert (session.approach, session.success) == ("incremental", True)
    assert session.success_factors == ("small steps",)
    assert (session.ended - session.started).total_seconds() == 12.5
    assert session.task.dependencies == ("database", "cache")
    assert session.tools_used == ("pytest",)
    assert session.metrics["api_calls_made"] == 4
    assert session.created >= session.ended
    assert session.tags == ("project-shop",)


def test_s3_7_and_9_what_nobody_says_is_general_and_standard(
    learner: ExecutionPatternLearner,
) -> None:
    learner.save_execution_pattern({"category": "docs"}, {})
    (session,) = sessions()
    assert session.task
    assert (session.task.type, session.approach, session.success) == ("general", "standard", None)


def test_s3_5_and_18_ids_never_collide_and_nothing_is_dropped(
    learner: ExecutionPatternLearner,
) -> None:
    names = {learner.save_execution_pattern(TASK, RESULT) for _ in range(12)}
    assert len(names) == len(sessions()) == 12


def test_s3_19_to_28_a_solution_keeps_every_field(learner: ExecutionPatternLearner) -> None:
    name = learner.save_error_solution(
        {
            "error_type": "ConnectionError",
            "error_message": "connection to the cache refused",
            "context": {"task_category": "backend"},
        },
        {
            "approach": "start the cache first",
            "steps": ["docker compose up -d cache", "retry"],
            "success_rate": 0.9,
            "applicable_categories": ["backend", "database"],
        },
    )
    with Memory.open(".") as memory:
        shown = memory.show(name)
        (error,) = memory.list("kind:error")
    fix = shown.record
    assert isinstance(fix, Fix)
    assert (error.error_type, error.status) == ("ConnectionError", "open")
    assert "connection to the cache refused" in error.title
    assert fix.notes == "task_category: backend"
    assert fix.approach == "start the cache first"
    assert fix.steps == ("docker compose up -d cache", "retry")
    assert (fix.stated_confidence, fix.outcome) == (0.9, "unverified"), "it is a claim"
    assert fix.applies_to == ("backend", "database")
    assert fix.created.tzinfo


def test_s3_25_a_solution_that_nobody_saw_work_is_unverified(
    learner: ExecutionPatternLearner,
) -> None:
    learner.save_error_solution({"error_type": "KeyError"}, {"approach": "use get"})
    with Memory.open(".") as memory:
        (fix,) = memory.list("kind:fix")
    assert fix.stated == "unverified"


def test_s3_30_similar_patterns_are_successes_best_first(learner: ExecutionPatternLearner) -> None:
    won = learner.save_execution_pattern(TASK, RESULT)
    learner.save_execution_pattern(TASK, {**RESULT, "success": False})
    far = {"category": "docs", "type": "typo", "description": "write the manual"}
    learner.save_execution_pattern(far, RESULT)
    found = learner.get_similar_patterns(TASK, limit=5)
    assert [one["pattern_id"] for one in found] == [won]
    assert found[0]["execution_approach"] == "incremental"
    assert found[0]["similarity"] > 0.3


def test_s3_31_solutions_cross_types_and_the_same_error_comes_first(
    learner: ExecutionPatternLearner,
) -> None:
    other = learner.save_error_solution(
        {"error_type": "ModuleNotFoundError", "error_message": "No module named 'numpy'"},
        {"approach": "install numpy", "success_rate": 1.0},
    )
    same = learner.save_error_solution(
        {"error_type": "ModuleNotFoundError", "error_message": "No module named 'pandas'"},
        {"approach": "install pandas", "success_rate": 1.0},
    )
    find = learner.get_error_solutions
    found = find("ModuleNotFoundError", "No module named 'pandas'")
    assert found[0]["solution_id"] == same
    assert len(found) <= 3
    assert {one["solution_id"] for one in find("ModuleNotFoundError")} == {other, same}
    crossed = find("ImportError", "No module named 'pandas'")
    assert same in [one["solution_id"] for one in crossed]


def test_s3_35_to_41_trends_by_category(learner: ExecutionPatternLearner) -> None:
    for number in range(12):
        learner.save_execution_pattern(TASK, {**RESULT, "success": number >= 6})
    learner.save_execution_pattern({**TASK, "category": "docs"}, RESULT)
    trends = learner.analyze_performance_trends()
    backend = trends["backend"]
    assert backend["success_rate"] == 0.5
    assert backend["average_execution_time"] == 12.5
    assert (backend["total_executions"], backend["recent_executions"]) == (12, 12)
    assert backend["best_approaches"] == [["incremental", 6]]
    assert backend["improvement_trend"] == "improving"
    assert trends["docs"]["improvement_trend"] == "insufficient_data"


def test_s3_43_to_47_recommendations_rest_on_similar_tasks(
    learner: ExecutionPatternLearner,
) -> None:
    for _ in range(3):
        learner.save_execution_pattern(TASK, RESULT)
    found = learner.get_execution_recommendations(TASK)
    assert found["approach"] == "incremental"
    assert found["confidence"] == 0.3
    assert found["recommendations"][0] == "Use 'incremental' approach (used in 3 similar tasks)"
    assert "  - small steps (appeared in 3 successful executions)" in found["recommendations"]
    assert "  - pytest (used in 3 similar tasks)" in found["recommendations"]
    assert found["similar_patterns_count"] == 3


def test_s3_48_without_anything_similar_the_answer_is_standard(
    learner: ExecutionPatternLearner,
) -> None:
    found = learner.get_execution_recommendations(TASK)
    assert (found["approach"], found["confidence"]) == ("standard", 0.0)
    assert found["recommendations"] == ["No similar patterns found, using standard approach"]


def test_s3_49_and_50_a_broken_file_is_told_and_never_overwritten(
    learner: ExecutionPatternLearner, here: "Checkout"
) -> None:
    learner.save_execution_pattern(TASK, RESULT)
    (file,) = (here / ".memory/sessions").rglob("*.yaml")
    file.write_text("goal: [broken")
    assert learner.get_similar_patterns(TASK) == []
    learner.save_execution_pattern(TASK, RESULT)
    assert file.read_text() == "goal: [broken"
    with Memory.open(".") as memory:
        assert [problem.path for problem in memory.checks.files()] == [
            str(file.relative_to(here / ".memory"))
        ]


def test_s3_51_to_54_the_functions_of_the_module(here: "Checkout") -> None:
    assert get_execution_recommendations(TASK)["recommendations"] == [
        "Learning system not initialized"
    ]
    assert save_execution_pattern(TASK, RESULT) is None
    assert save_error_solution({"error_type": "E"}, {"approach": "a"}) is None
    initialize_learning_system("shop")
    assert save_execution_pattern(TASK, RESULT)
    assert save_error_solution({"error_type": "E"}, {"approach": "a"})
    assert get_execution_recommendations(TASK)["approach"] == "incremental"


def test_s3_55_and_57_the_engine_carries_out_and_records(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    engine = AdaptiveExecutionEngine("shop")
    done = engine.execute_task_adaptively(
        {**TASK, "execute": lambda _: {"tools_used": ["make"], "api_calls_made": 2}}
    )
    assert done == {"tools_used": ["make"], "api_calls_made": 2}
    (session,) = sessions()
    assert (session.success, session.approach) == (True, "standard")
    assert session.tools_used == ("make",)
    assert session.success_factors == ("api_integration",)
    assert session.metrics["api_calls_made"] == 2
    assert "Approach: standard (confidence: 0.00)" in capsys.readouterr().out


@sampled(1)
@pytest.mark.parametrize(
    ("approach", "method"),
    [
        ("incremental", "_execute_incrementally"),
        ("parallel", "_execute_in_parallel"),
        ("api_heavy", "_execute_with_api_focus"),
        ("standard", "_execute_standard"),
    ],
)
def test_s3_56_each_approach_has_its_own_way(here: "Checkout", approach: str, method: str) -> None:
    learner = ExecutionPatternLearner("shop")
    for _ in range(3):
        learner.save_execution_pattern(TASK, {**RESULT, "approach": approach})
    own = type("Own", (AdaptiveExecutionEngine,), {method: lambda _, task: {"output": task["id"]}})
    assert own("shop").execute_task_adaptively(TASK) == {"output": "T-1"}
    assert sessions()[-1].approach == approach


def test_s3_58_to_60_and_65_a_confirmed_solution_is_applied_and_recorded(
    here: "Checkout",
) -> None:
    applied: list[str] = []

    def work(_: object) -> dict[str, Any]:
        if not applied:
            raise ConnectionError("connection to the cache refused")
        return {"output": "ok"}

    ExecutionPatternLearner("shop").save_error_solution(
        {"error_type": "ConnectionError", "error_message": "connection to the cache refused"},
        {"approach": "start the cache", "steps": ["start cache"], "success_rate": 1.0},
    )
    engine = AdaptiveExecutionEngine("shop", confirm=lambda _: True, apply=applied.append)
    assert engine.execute_task_adaptively({**TASK, "execute": work}) == {"output": "ok"}
    assert applied == ["start cache"]
    (session,) = sessions()
    assert session.approach == "standard_recovered"
    assert session.success_factors[0] == "error_recovery"
    assert session.metrics["recovery_used"] is True


def test_s3_59_without_a_confirmation_no_step_is_applied(here: "Checkout") -> None:
    ExecutionPatternLearner("shop").save_error_solution(
        {"error_type": "ConnectionError", "error_message": "connection to the cache refused"},
        {"approach": "start the cache", "steps": ["touch applied"], "success_rate": 1.0},
    )

    def work(_: object) -> None:
        raise ConnectionError("connection to the cache refused")

    with pytest.raises(ConnectionError) as caught:
        AdaptiveExecutionEngine("shop").execute_task_adaptively({**TASK, "execute": work})
    assert "start the cache" in "".join(caught.value.__notes__)
    assert not (here / "applied").exists()


def test_s3_62_and_63_a_failure_is_recorded_and_raised_again(here: "Checkout") -> None:
    def work(_: object) -> None:
        raise ZeroDivisionError("division by zero")

    with pytest.raises(ZeroDivisionError):
        AdaptiveExecutionEngine("shop").execute_task_adaptively({**TASK, "execute": work})
    (session,) = sessions()
    assert session.success is False
    assert session.metrics["error_type"] == "ZeroDivisionError"
    assert session.metrics["error_message"] == "division by zero"


def test_a_task_that_says_nothing_to_do_is_refused_and_not_recorded(here: "Checkout") -> None:
    with pytest.raises(UsageError, match="nothing to carry out"):
        AdaptiveExecutionEngine("shop").execute_task_adaptively(TASK)
    assert sessions() == []


def test_s3_66_to_71_the_report_sums_up_tasks(here: "Checkout") -> None:
    empty = PerformanceAnalyzer("shop").generate_performance_report()
    assert empty["overall_metrics"] == {"status": "no_data"}
    assert empty["recommendations"] == [
        "Too little data to tell: a trend needs 10 executions of a category"
    ]
    learner = ExecutionPatternLearner("shop")
    for number in range(10):
        learner.save_execution_pattern(
            TASK, {**RESULT, "success": number < 5, "execution_time": 400}
        )
    report = generate_learning_report("shop")
    assert report["project_name"] == "shop"
    assert report["generated_at"]
    metrics = report["overall_metrics"]
    assert (metrics["total_executions"], metrics["successful_executions"]) == (10, 5)
    assert (metrics["success_rate"], metrics["average_execution_time"]) == (0.5, 400)
    assert metrics["category_distribution"] == {"backend": 10}
    assert report["category_performance"]["backend"]["improvement_trend"] == "declining"
    said = " ".join(report["recommendations"])
    assert "Focus on improving backend tasks" in said
    assert "Investigate declining performance in backend category" in said
    assert "Optimize execution time for backend tasks" in said


def test_s3_72_insights_need_ten_tasks(here: "Checkout") -> None:
    learner = ExecutionPatternLearner("shop")
    learner.save_execution_pattern(TASK, RESULT)
    insights = generate_learning_report("shop")["learning_insights"]
    assert insights == ["Insufficient data for learning insights"]
    for _ in range(9):
        learner.save_execution_pattern(TASK, RESULT)
    insights = generate_learning_report("shop")["learning_insights"]
    assert insights[0] == "Most successful approach: incremental (10 successes)"
    assert "  - small steps (appeared in 10 successful executions)" in insights


def test_s3_73_and_74_the_report_is_saved_where_somebody_asks_for_it(
    here: "Checkout", tmp_path: Path
) -> None:
    report = PerformanceAnalyzer("shop").generate_performance_report(str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text()) == report
    assert not (here / "memories").exists()


def test_s3_75_and_76_and_78_a_list_of_tasks_is_worked_through(here: "Checkout") -> None:
    def fails(_: object) -> None:
        raise ValueError("no such table")

    tasks = [
        {**TASK, "execute": lambda _: {"output": "done"}},
        {**TASK, "id": "T-2", "execute": fails},
        {**TASK, "id": "T-3"},
    ]
    answers = [execute_task_with_learning(task, "shop") for task in tasks]
    assert answers[0] == {"success": True, "task_id": "T-1", "output": "done"}
    assert answers[1] == {
        "success": False, "error": "no such table", "task_id": "T-2", "learning_recorded": True,
    }  # fmt: skip
    assert (answers[2]["success"], answers[2]["learning_recorded"]) == (False, False)
    assert [one.success for one in sessions()] == [True, False]
    ids = [one.task.id for one in sessions() if one.task]
    assert ids == ["T-1", "T-2"]


def test_s3_77_the_loop_prints_what_was_learnt(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    report = continuous_learning_loop("shop")
    out = capsys.readouterr().out
    assert "Performance Insights:" in out
    assert f"   {report['learning_insights'][0]}" in out
    assert f"   {report['recommendations'][0]}" in out
