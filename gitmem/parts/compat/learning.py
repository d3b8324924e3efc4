"""Learning from executions: ``ExecutionPatternLearner`` and what is built on it.

An execution pattern is a session record, an error solution a fix. A project's name becomes a tag:
reports under it hold that project's executions, advice rests on all of the repository.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.learning.adaptive import RECOVERED, Left, success_factors, told_by
from gitmem.learning.recommendation import sound
from gitmem.learning.tasks import ALIKE
from gitmem.matching.labels import SAME_ERROR, SAME_MESSAGE, SAME_PLACE
from gitmem.parts.compat import arguments, task_records
from gitmem.parts.compat.learning_report import (
    category_trends,
    improvement_recommendations,
    learning_insights,
    overall_metrics,
)
from gitmem.parts.compat.shared import opened, tag, tagged

if TYPE_CHECKING:
    from gitmem.answers.solutions import Solution
    from gitmem.memory import Apply, Confirm, RunningTask
    from gitmem.parts.compat.learning_report import ExecutionRow

Task = Mapping[str, Any]
_MOST_SIMILAR: Final = 5
_MOST_SOLUTIONS: Final = 3
_SAVED_ONLY: Final = {"packs.off": "all"}
"""An engine may apply a solution's steps: general advice of a pack is none that anybody saved."""
_CHECKED: Final[Mapping[str, Callable[[Any, str], object]]] = {
    "similarity_threshold": partial(arguments.number, most=1),
    "confidence_boost_factor": arguments.number,
    "pattern_retention_limit": arguments.limit,
    "solution_retention_limit": arguments.limit,
}
_SAME: Final = frozenset({SAME_ERROR, SAME_PLACE, SAME_MESSAGE})
"""Of the same failure, and not only of one like it."""
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

    Attributes:
        similarity_threshold: tasks that are no more alike than this are not called similar.
        confidence_boost_factor: what the confidence of a recommendation is multiplied with.
        pattern_retention_limit, solution_retention_limit: how many of the newest executions and
            solutions answers rest on; None: all. No record is deleted.

    """

    def __init__(self, project_name: str, folder: str = ".") -> None:
        self.project_name = project_name
        self.folder = folder
        self.similarity_threshold = ALIKE
        self.confidence_boost_factor = 1.0
        self.pattern_retention_limit: int | None = None
        self.solution_retention_limit: int | None = None
        with opened(folder):
            pass  # made where there is none

    @property
    def project_tag(self) -> str:
        """The tag that this project's records bear."""
        return next(iter(tagged(f"project-{tag(self.project_name)}")))

    def save_execution_pattern(self, task: Task, execution_result: Mapping[str, Any]) -> str:
        """Write down how a task went; gives the id of its record."""
        with opened(self.folder) as memory:
            return task_records.note_task(memory, task, execution_result, [self.project_tag])

    def save_error_solution(
        self, error_info: Mapping[str, Any], solution: Mapping[str, Any]
    ) -> str:
        """Write down what solves an error; gives the id of the fix."""
        with opened(self.folder) as memory:
            return task_records.note_solution(memory, error_info, solution)

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; one that is no such number is refused at once."""
        read = _CHECKED.get(name)
        super().__setattr__(name, read(value, name) if read else value)

    def get_similar_patterns(self, task: Task, limit: int = 5) -> list[dict[str, Any]]:
        """Give tasks like this one that succeeded, the most alike first."""
        most = arguments.whole(limit, "limit")
        with opened(self.folder) as memory:
            newest = task_records.newest(memory, "session", self.pattern_retention_limit)
            work = memory.advice.similar_work(
                task,
                most if newest is None else None,
                success_only=True,
                threshold=self.similarity_threshold,
            )
            similar = [past for past in work if newest is None or past.id in newest][:most]
            return [task_records.pattern(memory, past) for past in similar]

    def get_error_solutions(
        self, error_type: str, error_message: str | None = None
    ) -> list[dict[str, Any]]:
        """Give the three saved solutions that fit best, each once: ``times`` counts its fixes.

        Those of the same failure come first, then those of its type, by the words that their
        message shares with this one, then those of similar failures of other types.
        """
        with opened(self.folder, _SAVED_ONLY) as memory:
            text = f"{error_type}: {error_message}" if error_message else ""
            offered = memory.advice.solutions(memory.hint(text)) if text else []
            newest = task_records.newest(memory, "fix", self.solution_retention_limit)
            of_type = memory.advice.solutions_of_type(error_type, error_message or "", newest)
            ordered = sorted([*of_type, *offered], key=lambda each: each.label not in _SAME)
            ways: dict[str, Solution] = {}
            for solution in ordered:
                if newest is None or solution.layer or solution.fix in newest:
                    first = ways.setdefault(solution.words, solution)
                    ways[solution.words] = first._replace(times=max(first.times, solution.times))
            chosen = list(ways.values())[:_MOST_SOLUTIONS]
            return [task_records.solution(memory, each) for each in chosen]

    def analyze_performance_trends(self) -> dict[str, dict[str, Any]]:
        """Tell by category how this project's tasks went lately and whether that changes.

        The newest 20 of a category count, and for its trend all of them: the older half against
        the newer one.
        """
        return category_trends(self.executions())

    def executions(self) -> "list[ExecutionRow]":
        """Give this project's executions, oldest first."""
        with opened(self.folder) as memory:
            rows = task_records.executions(memory, self.project_tag)
        limit = self.pattern_retention_limit
        return rows if limit is None else rows[-limit:]

    def get_execution_recommendations(self, task: Task) -> dict[str, Any]:
        """Recommend how to go about a task, by the five most similar executions that succeeded.

        One whose approach fails more often than it works in similar tasks is not among them, as
        long as there are others. Confidence is a tenth for each of them, by how alike it is: half
        is reached by five that are the same. It is no probability.
        """
        with opened(self.folder) as memory:
            every = memory.advice.recommend(
                task,
                threshold=self.similarity_threshold,
                newest=task_records.newest(memory, "session", self.pattern_retention_limit),
            )
        advised, similar = sound(every, _MOST_SIMILAR)
        alike = sum(past.likeness.share for past in similar) / 10
        count = {"similar_patterns_count": len(similar)} if similar else {}
        return {
            "approach": advised.approach,
            "confidence": round(min(1.0, alike * self.confidence_boost_factor), 2),
            "recommendations": list(advised.lines),
            **count,
        }


class AdaptiveExecutionEngine:
    """Carries tasks out and learns from how they went; see ``memory.advice.task``.

    What a task does is its ``execute``, a function that takes the task; or override
    ``_execute_standard`` and its like. Stored steps are applied only where ``confirm`` says yes.
    ``_apply_error_solution`` may be overridden, too: it is handed the best solution, and what it
    gives is the task's result; ``confirm`` is asked before, where there is one.

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

        approach = str(advice["approach"]).removesuffix(RECOVERED)
        offered: list[dict[str, Any]] = []
        with opened(self.learner.folder, _SAVED_ONLY) as memory:
            newest = task_records.newest(memory, "fix", self.learner.solution_retention_limit)

            def confirm(solution: "Solution") -> bool:
                if newest is not None and solution.fix not in newest:
                    return False
                if self._confirm and not self._confirm(solution):
                    return False
                offered.append(task_records.solution(memory, solution))
                return True

            def work(doing: "RunningTask") -> dict[str, Any]:
                self.session = doing.session
                if offered and self._recovers:
                    done = self._apply_error_solution(task, offered[-1])
                else:
                    done = getattr(self, _METHODS.get(approach, "_execute_standard"))(task)
                result = dict(done) if isinstance(done, Mapping) else {"output": done}
                doing.helped(*self._identify_success_factors(task, result))
                return result

            return memory.advice.task(
                str(task.get("description") or task.get("id") or task.get("category") or "task"),
                category=str(task.get("category") or ""),
                type=str(task.get("type") or "general"),
                dependencies=[str(dependency) for dependency in task.get("dependencies") or ()],
                effort=task.get("effort"),
                id=str(task.get("id") or ""),
                approach=approach,
                tags=[self.learner.project_tag],
                confirm=confirm if self._recovers or self._confirm else None,
                apply=_leave if self._recovers else self._apply,
            ).run(work)

    @property
    def _recovers(self) -> bool:
        return _overridden(self, "_apply_error_solution")

    def _identify_success_factors(self, task: Task, result: Mapping[str, Any]) -> list[str]:
        """Name what made a task succeed; override it to name more."""
        report = told_by(result)
        category = str(task.get("category") or "")
        left = Left(category, len(report.created), report.calls, report.resolved, report.output)
        return list(success_factors(left))

    def _apply_error_solution(self, task: Task, solution: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Override it to recover by code of your own: see the class."""
        raise NotImplementedError(f"{task.get('id')}: {solution.get('solution_id')}")

    def _refuse_nothing(self, task: Task) -> None:
        own = any(_overridden(self, name) for name in _METHODS.values())
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
        """Give the report on this project, and write it to a file as JSON if one is named."""
        rows = self.learner.executions()
        trends = category_trends(rows)
        with opened(self.learner.folder) as memory:
            now = memory.workspace.clock()
        report: dict[str, Any] = {
            "project_name": self.project_name,
            "generated_at": now.isoformat(),
            "overall_metrics": overall_metrics(rows),
            "category_performance": trends,
            "recommendations": improvement_recommendations(trends),
            "learning_insights": learning_insights(rows),
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


def _overridden(engine: AdaptiveExecutionEngine, name: str) -> bool:
    return getattr(type(engine), name) is not getattr(AdaptiveExecutionEngine, name)


def _leave(_: str) -> None:
    """Leave a step to the engine's own ``_apply_error_solution``."""


def _print(text: str) -> None:
    print(text)  # noqa: T201  the older interface tells what it does
