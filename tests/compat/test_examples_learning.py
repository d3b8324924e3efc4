"""The examples of the learning patterns' document, one test a block; docs/seeds.md lists them."""

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat.learning import (
    AdaptiveExecutionEngine,
    ExecutionPatternLearner,
    PerformanceAnalyzer,
    continuous_learning_loop,
    execute_task_with_learning,
    initialize_learning_system,
)
from gitmem.parts.compat import learning

if TYPE_CHECKING:
    from tests.conftest import Checkout


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_pattern_recognition_system_has_its_interface() -> None:
    wanted = {
        "save_execution_pattern": ["task", "execution_result"],
        "save_error_solution": ["error_info", "solution"],
        "get_similar_patterns": ["task", "limit"],
        "get_error_solutions": ["error_type", "error_message"],
        "analyze_performance_trends": [],
        "get_execution_recommendations": ["task"],
    }
    for name, names in wanted.items():
        assert parameters(getattr(ExecutionPatternLearner, name)) == names
    assert parameters(ExecutionPatternLearner)[0] == "project_name"
    for name in ("save_execution_pattern", "save_error_solution"):
        assert parameters(getattr(learning, name)) == wanted[name]
    assert parameters(initialize_learning_system) == ["project_name"]


def test_adaptive_execution_strategy_has_its_interface() -> None:
    assert parameters(AdaptiveExecutionEngine)[0] == "project_name"
    assert parameters(AdaptiveExecutionEngine.execute_task_adaptively) == ["task"]
    for name in ("_execute_incrementally", "_execute_in_parallel", "_execute_with_api_focus",
                 "_execute_standard"):  # fmt: skip
        assert parameters(getattr(AdaptiveExecutionEngine, name)) == ["task"]


def test_performance_analytics_has_its_interface(here: "Checkout") -> None:
    report = PerformanceAnalyzer("shop").generate_performance_report()
    assert list(report) == [
        "project_name", "generated_at", "overall_metrics", "category_performance",
        "recommendations", "learning_insights",
    ]  # fmt: skip


def test_learning_enhanced_task_execution_has_its_interface() -> None:
    assert parameters(execute_task_with_learning) == ["task", "project_name"]
    assert parameters(continuous_learning_loop) == ["project_name"]


def test_basic_learning_integration(here: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "_STATE", {})
    tasks: list[dict[str, Any]] = [
        {"id": "T1", "status": "pending", "category": "backend", "execute": lambda _: {}},
        {"id": "T2", "status": "pending", "category": "backend", "execute": lambda _: 1 / 0},
        {"id": "T3", "status": "completed"},
    ]
    statuses: dict[str, str] = {}
    initialize_learning_system("ecommerce-platform")
    for task in tasks:
        if task["status"] == "pending":
            result = execute_task_with_learning(task, "ecommerce-platform")
            statuses[task["id"]] = "completed" if result["success"] else "failed"
    learning_report = continuous_learning_loop("ecommerce-platform")
    assert statuses == {"T1": "completed", "T2": "failed"}
    assert learning_report["overall_metrics"]["total_executions"] == 2


def test_advanced_learning_configuration(here: "Checkout") -> None:
    class CustomLearningConfig:
        def __init__(self) -> None:
            self.pattern_retention_limit = 2000
            self.similarity_threshold = 0.2

        def apply_to_learner(self, learner: ExecutionPatternLearner) -> None:
            """What it says is settings of the repository now; see docs/seeds.md."""

    config = CustomLearningConfig()
    learner = ExecutionPatternLearner("advanced-project")
    config.apply_to_learner(learner)
    assert learner.project_name == "advanced-project"
