"""``ExecutionMemory``: one execution of tests and fixes after the other.

An execution is a session, a failing case an error, an attempt a fix. Prompts and answers stay in
the journal of this clone.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, Self

from gitmem.compat import executions
from gitmem.compat import kaizen_values as values
from gitmem.compat.kaizen_values import FixAttempt, KaizenTestCase, KaizenTestRun, LLMInteraction
from gitmem.compat.shared import opened, or_default, scalars, tagged
from gitmem.diffs import read_files
from gitmem.errors import UsageError
from gitmem.exchange.reported_runs import run_from
from gitmem.learning import progress
from gitmem.learning.issues import outcome
from gitmem.learning.retry_verdict import GO_ON, RetryVerdict, verdict
from gitmem.sessions.live import plain

if TYPE_CHECKING:
    from gitmem.compat.executions import Execution

_MISSING: Final = object()
_EXECUTION: Final = (
    "execution_id", "start_time", "config", "configuration_context", "test_runs",
    "llm_interactions", "fix_attempts", "original_code_sections", "learning_history",
)  # fmt: skip


class ExecutionMemory:
    """Follows one execution after the other; use it as a context manager, or call ``end``.

    Args:
        folder: any folder of the repository.

    """

    def __init__(self, folder: str = ".") -> None:
        self._folder = folder
        self._session = ""
        self._config: object = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._session:
            self.end()

    # Core

    def start_execution(self, execution_id: str, config: object = None) -> str:
        """Begin an execution, and end the one before; gives the id of its session."""
        if self._session:
            self.end()
        with opened(self._folder) as memory:
            live = memory.sessions.start(execution_id, tags=tagged("kaizen"), beside=True)
        self._session, self._config = live.id, config
        return live.id

    def end(self, *, success: bool | None = None) -> str:
        """End the execution: its session becomes a record; gives that record's id.

        Without ``success`` it is one if the newest test run passed.
        """
        with opened(self._folder) as memory:
            runs = executions.load(memory, self._current).runs
            passed = runs[-1].result == "passed" if runs else None
            result = passed if success is None else success
            record = executions.finish(
                memory, self._session, success=result, config=scalars(_plain(self._config))
            )
        self._session = ""
        return record.id

    def log_test_run(self, file_path: str, test_results: object) -> KaizenTestRun:
        """Note a test run, and failures that are new; see ``told_runs.run_from``."""
        with opened(self._folder) as memory:
            return values.run(executions.note_run(memory, self._current, file_path, test_results))

    def log_llm_interaction(
        self,
        file_path: str,
        interaction_type: str,
        prompt: str,
        response: str,
        reasoning: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> LLMInteraction:
        """Note what was asked of a language model: in this clone's journal, never in a record."""
        with opened(self._folder) as memory:
            noted = memory.models.note_interaction(
                self._current,
                interaction_type,
                path=file_path,
                prompt=prompt,
                response=response,
                reasoning=reasoning,
                metadata=metadata,
            )
        return values.interaction(noted)

    def log_fix_attempt(
        self,
        file_path: str,
        attempt_number: int,
        original_code: str,
        fixed_code: str,
        success: bool | None,  # noqa: FBT001  the older interface
        approach_description: str = "",
        *,
        lessons_learned: str = "",
        why_approach_failed: str = "",
        what_worked_partially: str = "",
        test_results_before: object = None,
        test_results_after: object = None,
    ) -> str:
        """Write down an attempt; gives the id of its fix record.

        What number it is follows from the order; ``attempt_number`` only names it where
        nothing else does.
        """
        approach = or_default(approach_description, "")
        checks = {
            name: _check(result)
            for name, result in (("before", test_results_before), ("after", test_results_after))
            if result is not None
        }
        fields: dict[str, Any] = {
            "approach": approach or f"attempt {attempt_number} on {file_path}",
            "outcome": "partial"
            if what_worked_partially and not success
            else outcome(applied=None, verified=success),
            "lessons": lessons_learned,
            "why_failed": why_approach_failed,
            "worked_partially": what_worked_partially,
            "verification": checks or None,
        }
        with opened(self._folder) as memory:
            return executions.note_fix(
                memory, self._current, file_path, original_code, fixed_code, fields
            )

    # Inspection

    def execution(self) -> "Execution":
        """Give the execution as the memory has it."""
        with opened(self._folder) as memory:
            return executions.load(memory, self._current)

    def inspect_structure(self) -> dict[str, Any]:
        """Print how much there is of what, and give it."""
        structure = self.get_memory_summary()
        print(json.dumps(structure, indent=2))  # noqa: T201  what it is for
        return structure

    def get_memory_summary(self) -> dict[str, Any]:
        """Count the runs, attempts and interactions of the execution."""
        execution = self.execution()
        return {
            "execution_id": execution.name,
            "session": execution.session,
            "start_time": execution.started.isoformat(),
            "total_test_runs": len(execution.runs),
            "total_fix_attempts": len(execution.fixes),
            "successful_fix_attempts": sum(fix.outcome == "worked" for fix in execution.fixes),
            "total_llm_interactions": len(execution.talks),
            "all_tests_passed": bool(execution.runs) and execution.runs[-1].result == "passed",
        }

    @staticmethod
    def get_memory_schema() -> dict[str, Any]:
        """Give the fields of each part of an execution."""
        kinds = (KaizenTestRun, FixAttempt, LLMInteraction, KaizenTestCase)
        parts = {
            kind.__name__.removeprefix("Kaizen"): [field.name for field in fields(kind)]
            for kind in kinds
        }
        return {"execution": list(_EXECUTION), **parts}

    def export_memory_to_json(self, file_path: str | None = None) -> dict[str, Any]:
        """Give the whole execution as plain data, and write it to a file if one is named."""
        execution = self.execution()
        data = {
            "execution_id": execution.name,
            "session": execution.session,
            "start_time": execution.started.isoformat(),
            "config": _plain(self._config),
            "configuration_context": self.get_configuration_summary(),
            "test_runs": [asdict(values.run(run)) for run in execution.runs],
            "llm_interactions": [asdict(values.interaction(talk)) for talk in execution.talks],
            "fix_attempts": [asdict(each) for each in self.fix_attempts()],
            "original_code_sections": self._originals(execution),
            "learning_history": [fix.lessons for fix in execution.fixes if fix.lessons],
        }
        if file_path:
            with open(file_path, "w", encoding="utf-8") as file:
                json.dump(data, file, indent=2, default=str)
        return data

    def fix_attempts(self) -> list[FixAttempt]:
        """Give the attempts, oldest first, with the runs around them."""
        execution = self.execution()
        return [
            values.attempt(each, execution.talks)
            for each in progress.tried(execution.fixes, execution.runs)
        ]

    # Context

    def get_previous_attempts_insights(self, file_path: str = "") -> dict[str, Any]:
        """Give what the next attempt should know; with a file, of attempts that changed it."""
        execution = self.execution()
        own = [
            each
            for each in self.fix_attempts()
            if not file_path or f"b/{file_path}\n" in each.code_changes_made + "\n"
        ]
        return {
            "failed_cases": self.get_failed_cases_latest_run(),
            "previous_attempts": [asdict(each) for each in own],
            "failed_approaches": [
                {"approach": each.approach_description, "why": each.why_approach_failed}
                for each in own
                if not each.success
            ],
            "successful_patterns": [each.approach_description for each in own if each.success]
            + [each.what_worked_partially for each in own if each.what_worked_partially],
            "llm_reasoning": [talk.reasoning for talk in execution.talks if talk.reasoning],
            "original_code": self._originals(execution),
            "configuration": self.get_configuration_summary(),
        }

    def get_failure_analysis_data(self) -> dict[str, Any]:
        """Give where the newest run failed: functions, lines, messages."""
        failed = self.get_failed_cases_latest_run()
        return {
            "failing_functions": _distinct(case.failing_function for case in failed),
            "failing_lines": _distinct(case.failing_line for case in failed),
            "error_messages": _distinct(case.error_message for case in failed),
            "failed_cases": failed,
        }

    def get_failed_cases_latest_run(self) -> list[KaizenTestCase]:
        """Give what failed in the newest run."""
        runs = self.execution().runs
        return [values.case(case) for case in progress.failed_cases(runs[-1] if runs else None)]

    def all_tests_passed_latest_run(self) -> bool:
        """Tell whether the newest run passed; without any run it did not."""
        runs = self.execution().runs
        return bool(runs) and runs[-1].result == "passed"

    # Analysis

    def find_best_attempt(self) -> dict[str, Any] | None:
        """Give the attempt after which the most tests passed, of equals the newest."""
        execution = self.execution()
        best = progress.best(progress.tried(execution.fixes, execution.runs))
        if best is None:
            return None
        shown = asdict(values.attempt(best, execution.talks))
        return {**shown, "success_rate": best.rate.share, "tests": best.rate.tried}

    def detect_regressions_from_last_attempt(self) -> list[str]:
        """Name the tests that passed in the run before and fail in the newest."""
        return list(progress.broken(self.execution().runs))

    def get_comprehensive_test_analysis(self) -> dict[str, Any]:
        """Count each test over all runs, and show the share that passed in each run."""
        execution = self.execution()
        return {
            "total_runs": len(execution.runs),
            "success_rates": [progress.of_run(run).share for run in execution.runs],
            "tests": [tally._asdict() for tally in progress.tallies(execution.runs)],
            "latest": dict(progress.counted(execution.runs[-1].cases)) if execution.runs else {},
            "regressions": list(progress.broken(execution.runs)),
        }

    def should_continue_fixing(self) -> bool:
        """Tell whether another attempt makes sense; ``verdict`` says why not."""
        return not self.all_tests_passed_latest_run() and self.verdict().answer == GO_ON

    def verdict(self) -> RetryVerdict:
        """Say whether to keep trying, with the rules that speak against it."""
        execution = self.execution()
        attempts = progress.tried(execution.fixes, execution.runs)
        first = progress.of_run(execution.runs[0]) if execution.runs else None
        start = first.tried - first.worked if first else None
        return verdict(progress.steps(attempts), start)

    # Configuration

    def get_complete_configuration(self) -> dict[str, Any]:
        """Give the configuration as plain data."""
        return dict(_plain(self._config) or {})

    def get_configuration_summary(self) -> dict[str, Any]:
        """Give the configuration in one level."""
        return scalars(_plain(self._config))

    def get_config_value(self, key: str, default: object = None) -> object:
        """Give one value of the configuration."""
        return self.get_complete_configuration().get(key, default)

    def get_config_property(self, path: str, default: object = None) -> object:
        """Give a value by its path, such as ``model.name``."""
        value = _at(self.get_complete_configuration(), path)
        return default if value is _MISSING else value

    def has_config_value(self, path: str) -> bool:
        """Tell whether the configuration says something there."""
        return _at(self.get_complete_configuration(), path) is not _MISSING

    def create_mock_config(self) -> SimpleNamespace:
        """Make an object with the configuration's values as attributes."""
        namespace: SimpleNamespace = _namespace(self.get_complete_configuration())
        return namespace

    @property
    def _current(self) -> str:
        if not self._session:
            raise UsageError("no execution is going on", "call start_execution first")
        return self._session

    @staticmethod
    def _originals(execution: "Execution") -> dict[str, str]:
        originals: dict[str, str] = {}
        for fix in execution.fixes:
            for file in read_files(fix.patch)[:1]:
                originals.setdefault(file.old, values.sides(fix.patch)[0])
        return {path: text for path, text in originals.items() if path}


def _check(result: object) -> dict[str, Any]:
    """Give the fields of a check from a test run, or from whether it passed."""
    if isinstance(result, bool):
        return {"result": "passed" if result else "failed"}
    run = run_from(result, "")
    return {"result": run.result, "summary": run.summary, "cases": plain(run.cases)}


def _plain(config: object) -> Any:  # noqa: ANN401  plain data
    """Give a configuration as plain data: mappings as they are, objects by their attributes."""
    if isinstance(config, Mapping):
        return {str(name): _plain(value) for name, value in config.items()}
    if isinstance(config, list | tuple | set):
        return [_plain(item) for item in config]
    if config is None or isinstance(config, str | int | float | bool):
        return config
    inside = getattr(config, "__dict__", None)
    return _plain(inside) if inside is not None else str(config)


def _at(config: object, path: str) -> object:
    for name in path.split("."):
        if not isinstance(config, Mapping) or name not in config:
            return _MISSING
        config = config[name]
    return config


def _namespace(value: Any) -> Any:  # noqa: ANN401  plain data
    if isinstance(value, Mapping):
        return SimpleNamespace(**{str(name): _namespace(item) for name, item in value.items()})
    return [_namespace(item) for item in value] if isinstance(value, list) else value


def _distinct(values_given: Any) -> list[Any]:  # noqa: ANN401  values of cases
    return list(dict.fromkeys(value for value in values_given if value))
