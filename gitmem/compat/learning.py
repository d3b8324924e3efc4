"""Learning from executions: ``ExecutionPatternLearner`` and what is built on it.

An execution pattern is a session record, an error solution a fix. The repository is the project:
its name becomes a tag, and everything in the repository is learnt from.
"""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.compat import task_records
from gitmem.compat.shared import opened, tag, tagged
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.answers.solutions import Solution
    from gitmem.learning.performance import Performance, PerformanceRemark
    from gitmem.learning.recommendation import PastWork
    from gitmem.learning.trends import Trend
    from gitmem.memory import Apply, Confirm, RunningTask

Task = Mapping[str, Any]
_METHODS: Final = {
    "incremental": "_execute_incrementally",
    "parallel": "_execute_in_parallel",
    "api_heavy": "_execute_with_api_focus",
    "standard": "_execute_standard",
}


class ExecutionPatternLearner:
    """Remembers how tasks went, and recommends how to go about the next one.

    Args:
        project_name: becomes a tag of what is written.
        folder: any folder of the repository.

    """

    def __init__(self, project_name: str, folder: str = ".") -> None:
        self.project_name = project_name
        self.folder = folder
        with opened(folder):
            pass  # made where there is none

    def save_execution_pattern(self, task: Task, execution_result: Mapping[str, Any]) -> str:
        """Write down how a task went; gives the id of its record."""
        with opened(self.folder) as memory:
            tags = tagged(f"project-{tag(self.project_name)}")
            return task_records.note_task(memory, task, execution_result, tags)

    def save_error_solution(
        self, error_info: Mapping[str, Any], solution: Mapping[str, Any]
    ) -> str:
        """Write down what solves an error; gives the id of the fix."""
        with opened(self.folder) as memory:
            return task_records.note_solution(memory, error_info, solution)

    def get_similar_patterns(self, task: Task, limit: int = 5) -> list[dict[str, Any]]:
        """Give tasks like this one that succeeded, the most alike first."""
        with opened(self.folder) as memory:
            work = memory.advice.similar_work(task, limit, success_only=True)
            return [_pattern(past_work) for past_work in work]

    def get_error_solutions(
        self, error_type: str, error_message: str | None = None
    ) -> list[dict[str, Any]]:
        """Give the three solutions that fit best: of the same error, then of its type."""
        with opened(self.folder) as memory:
            text = f"{error_type}: {error_message}" if error_message else ""
            solutions = memory.advice.solutions(memory.hint(text)) if text else []
            more = memory.advice.solutions_of_type(error_type)
            by_fix = {solution.fix: solution for solution in (*solutions, *more)}
            return [_solution(solution, error_type) for solution in list(by_fix.values())[:3]]

    def analyze_performance_trends(self) -> dict[str, dict[str, Any]]:
        """Tell by category how tasks went lately and whether that changes."""
        with opened(self.folder) as memory:
            trends = memory.statistics.trends(by="category")
        return {
            trend.label: _trend(trend) for trend in trends if trend.of == "sessions" and trend.label
        }

    def get_execution_recommendations(self, task: Task) -> dict[str, Any]:
        """Recommend how to go about a task."""
        with opened(self.folder) as memory:
            recommendation = memory.advice.recommend(task)
        return {
            "approach": recommendation.approach,
            "confidence": recommendation.experience,
            "recommendations": list(recommendation.lines),
            "similar_patterns_count": len(recommendation.similar),
        }


class AdaptiveExecutionEngine:
    """Carries tasks out and learns from how they went; see ``memory.advice.task``.

    What a task does is its ``execute``, a function that takes the task; or override
    ``_execute_standard`` and its like. Stored steps are applied only where ``confirm`` says yes.

    Args:
        project_name: becomes a tag of what is written.
        confirm: is asked whether a solution's steps may be applied; None: none are.
        apply: carries out one step.
        folder: any folder of the repository.

    """

    def __init__(
        self,
        project_name: str,
        confirm: "Confirm | None" = None,
        apply: "Apply | None" = None,
        folder: str = ".",
    ) -> None:
        self.project_name = project_name
        self.learner = ExecutionPatternLearner(project_name, folder)
        self.session: str | None = None
        self._confirm = confirm
        self._apply = apply

    def execute_task_adaptively(self, task: Task) -> dict[str, Any]:
        """Carry a task out as it worked best before; what it raises is raised again.

        Raises:
            UsageError: there is nothing to carry out; nothing was recorded.

        """
        self._refuse_nothing(task)
        advice = self.learner.get_execution_recommendations(task)
        _print(f"Execution recommendations for {task.get('id', '')}:")
        _print(f"   Approach: {advice['approach']} (confidence: {advice['confidence']:.2f})")
        for line in advice["recommendations"]:
            _print(f"   {line}")

        def work(doing: "RunningTask") -> dict[str, Any]:
            self.session = doing.session
            name = _METHODS.get(doing.approach, "_execute_standard")
            done = getattr(self, name)(task)
            return dict(done) if isinstance(done, Mapping) else {"output": done}

        with opened(self.learner.folder) as memory:
            return memory.advice.task(
                str(task.get("description") or task.get("id") or task.get("category") or "task"),
                category=str(task.get("category") or ""),
                type=str(task.get("type") or "general"),
                dependencies=[str(dependency) for dependency in task.get("dependencies") or ()],
                effort=task.get("effort"),
                id=str(task.get("id") or ""),
                approach=advice["approach"],
                tags=tagged(f"project-{tag(self.project_name)}"),
                confirm=self._confirm,
                apply=self._apply,
            ).run(work)

    def _refuse_nothing(self, task: Task) -> None:
        own = any(
            getattr(type(self), name) is not getattr(AdaptiveExecutionEngine, name)
            for name in _METHODS.values()
        )
        if not own and not callable(task.get("execute")):
            raise UsageError(
                f"the task {task.get('id', '')} says nothing to carry out",
                "give it 'execute', a function, or override _execute_standard",
            )

    def _execute_standard(self, task: Task) -> Any:  # noqa: ANN401  whatever the task gives
        execute: Callable[[Task], Any] = task["execute"]
        return execute(task)

    def _execute_incrementally(self, task: Task) -> Any:  # noqa: ANN401  likewise
        return self._execute_standard(task)

    def _execute_in_parallel(self, task: Task) -> Any:  # noqa: ANN401  likewise
        return self._execute_standard(task)

    def _execute_with_api_focus(self, task: Task) -> Any:  # noqa: ANN401  likewise
        return self._execute_standard(task)


class PerformanceAnalyzer:
    """Reports how tasks went."""

    def __init__(self, project_name: str, folder: str = ".") -> None:
        self.project_name = project_name
        self.learner = ExecutionPatternLearner(project_name, folder)

    def generate_performance_report(self, report_file: str | None = None) -> dict[str, Any]:
        """Give the report, and write it to a file as JSON if one is named."""
        with opened(self.learner.folder) as memory:
            performance = memory.statistics.performance()
            now = memory.workspace.clock()
        report: dict[str, Any] = {
            "project_name": self.project_name,
            "generated_at": now.isoformat(),
            "overall_metrics": {
                "total_executions": performance.total,
                "successful_executions": performance.rate.worked,
                "success_rate": performance.rate.share,
                "average_execution_time": performance.seconds.mean or 0,
                "category_distribution": dict(performance.categories),
            }
            if performance.total
            else {"status": "no_data"},
            "category_performance": {
                trend.label: _trend(trend) for trend in performance.trends if trend.label
            },
            "recommendations": [_remark(remark) for remark in performance.remarks]
            or ["Performance is stable across all categories"],
            "learning_insights": _insights(performance),
        }
        if report_file:
            with open(report_file, "w", encoding="utf-8") as file:
                json.dump(report, file, indent=2)
        return report


_STATE: Final[dict[str, ExecutionPatternLearner]] = {}


def initialize_learning_system(project_name: str) -> None:
    """Make the functions of this module speak for a project."""
    _STATE["learner"] = ExecutionPatternLearner(project_name)


def save_execution_pattern(task: Task, execution_result: Mapping[str, Any]) -> str | None:
    """Write down how a task went; None before ``initialize_learning_system``."""
    learner = _STATE.get("learner")
    return learner.save_execution_pattern(task, execution_result) if learner else None


def save_error_solution(error_info: Mapping[str, Any], solution: Mapping[str, Any]) -> str | None:
    """Write down what solves an error; None before ``initialize_learning_system``."""
    learner = _STATE.get("learner")
    return learner.save_error_solution(error_info, solution) if learner else None


def get_execution_recommendations(task: Task) -> dict[str, Any]:
    """Recommend how to go about a task; says so if nothing was initialised."""
    learner = _STATE.get("learner")
    if learner:
        return learner.get_execution_recommendations(task)
    return {
        "approach": "standard",
        "confidence": 0.0,
        "recommendations": ["Learning system not initialized"],
    }


def execute_task_with_learning(task: Task, project_name: str) -> dict[str, Any]:
    """Carry a task out; a failure is answered and not raised, and says whether it was recorded."""
    if "learner" not in _STATE:
        initialize_learning_system(project_name)
    engine = AdaptiveExecutionEngine(project_name)
    try:
        result = engine.execute_task_adaptively(task)
    except Exception as error:  # noqa: BLE001  the older interface answers whatever it was
        _print(f"Task {task.get('id', '')} failed: {error}")
        return {
            "success": False,
            "error": str(error),
            "task_id": task.get("id"),
            "learning_recorded": engine.session is not None,
        }
    return {"success": True, "task_id": task.get("id"), **result}


def generate_learning_report(project_name: str) -> dict[str, Any]:
    """Give the report of a project; see ``PerformanceAnalyzer``."""
    return PerformanceAnalyzer(project_name).generate_performance_report()


def continuous_learning_loop(project_name: str) -> dict[str, Any]:
    """Print what was learnt so far, and give the report."""
    report = generate_learning_report(project_name)
    for title, key in (
        ("Performance Insights:", "learning_insights"),
        ("Improvement Recommendations:", "recommendations"),
    ):
        _print(title)
        for line in report[key]:
            _print(f"   {line}")
    return report


def _pattern(work: "PastWork") -> dict[str, Any]:
    return {
        "pattern_id": work.id,
        "description": work.title,
        "execution_approach": work.approach,
        "success_factors": list(work.factors),
        "tools_used": list(work.tools),
        "timestamp": work.created,
        "success": bool(work.success),
        "similarity": work.likeness.share,
    }


def _solution(solution: "Solution", error_type: str) -> dict[str, Any]:
    return {
        "solution_id": solution.fix,
        "error_type": error_type,
        "solution_approach": solution.approach,
        "solution_steps": list(solution.steps),
        "why": solution.label,
    }


def _trend(trend: "Trend") -> dict[str, Any]:
    return {
        "success_rate": trend.rate.share,
        "average_execution_time": trend.seconds.mean or 0,
        "total_executions": trend.total,
        "recent_executions": trend.rate.tried,
        "best_approaches": [list(pair) for pair in trend.approaches],
        "improvement_trend": trend.direction.replace(" ", "_"),
    }


def _remark(remark: "PerformanceRemark") -> str:
    if remark.what == "slow":
        return (
            f"Optimize execution time for {remark.category} tasks ({remark.value:.0f} s on average)"
        )
    if remark.what == "declining":
        return f"Investigate declining performance in {remark.category} category"
    return f"Focus on improving {remark.category} tasks (current success rate: {remark.value:.1%})"


def _insights(performance: "Performance") -> list[str]:
    if not performance.enough:
        return ["Insufficient data for learning insights"]
    lines = [
        f"Most successful approach: {name} ({rate.worked} successes)"
        for name, rate in performance.approaches[:1]
    ]
    factors = [
        f"  - {name} (appeared in {number} successful executions)"
        for name, number in performance.factors
    ]
    return [*lines, "Key success factors:", *factors] if factors else lines


def _print(text: str) -> None:
    print(text)  # noqa: T201  the older interface tells what it does
