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
from gitmem.compat.opening import given, opened, scalars, tagged
from gitmem.diffs import read_files
from gitmem.errors import UsageError
from gitmem.exchange.told_runs import run_from
from gitmem.learning import progress
from gitmem.learning.issues import outcome
from gitmem.learning.trying import GO_ON, RetryVerdict, verdict
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
            told = passed if success is None else success
            record = executions.finish(
                memory, self._session, success=told, config=scalars(_plain(self._config))
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
                self._current, interaction_type, path=file_path, prompt=prompt,
                response=response, reasoning=reasoning, metadata=metadata,
            )  # fmt: skip
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
        approach = given(approach_description, "")
        checks = {
            name: _check(told)
            for name, told in (("before", test_results_before), ("after", test_results_after))
            if told is not None
        }
        made: dict[str, Any] = {
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
                memory, self._current, file_path, original_code, fixed_code, made
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
        one = self.execution()
        return {
            "execution_id": one.name,
            "session": one.session,
            "start_time": one.started.isoformat(),
            "total_test_runs": len(one.runs),
            "total_fix_attempts": len(one.fixes),
            "successful_fix_attempts": sum(fix.outcome == "worked" for fix in one.fixes),
            "total_llm_interactions": len(one.talks),
            "all_tests_passed": bool(one.runs) and one.runs[-1].result == "passed",
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
        one = self.execution()
        data = {
            "execution_id": one.name,
            "session": one.session,
            "start_time": one.started.isoformat(),
            "config": _plain(self._config),
            "configuration_context": self.get_configuration_summary(),
            "test_runs": [asdict(values.run(run)) for run in one.runs],
            "llm_interactions": [asdict(values.interaction(talk)) for talk in one.talks],
            "fix_attempts": [asdict(each) for each in self.fix_attempts()],
            "original_code_sections": self._originals(one),
            "learning_history": [fix.lessons for fix in one.fixes if fix.lessons],
        }
        if file_path:
            with open(file_path, "w", encoding="utf-8") as file:
                json.dump(data, file, indent=2, default=str)
        return data

    def fix_attempts(self) -> list[FixAttempt]:
        """Give the attempts, oldest first, with the runs around them."""
        one = self.execution()
        return [values.attempt(each, one.talks) for each in progress.tried(one.fixes, one.runs)]

    # Context

    def get_previous_attempts_insights(self, file_path: str = "") -> dict[str, Any]:
        """Give what the next attempt should know; with a file, of attempts that changed it."""
        one = self.execution()
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
            "llm_reasoning": [talk.reasoning for talk in one.talks if talk.reasoning],
            "original_code": self._originals(one),
            "configuration": self.get_configuration_summary(),
        }

    def get_failure_analysis_data(self) -> dict[str, Any]:
        """Give where the newest run failed: functions, lines, messages."""
        failed = self.get_failed_cases_latest_run()
        return {
            "failing_functions": _distinct(one.failing_function for one in failed),
            "failing_lines": _distinct(one.failing_line for one in failed),
            "error_messages": _distinct(one.error_message for one in failed),
            "failed_cases": failed,
        }

    def get_failed_cases_latest_run(self) -> list[KaizenTestCase]:
        """Give what failed in the newest run."""
        runs = self.execution().runs
        return [values.case(one) for one in progress.failed_cases(runs[-1] if runs else None)]

    def all_tests_passed_latest_run(self) -> bool:
        """Tell whether the newest run passed; without any run it did not."""
        runs = self.execution().runs
        return bool(runs) and runs[-1].result == "passed"

    # Analysis

    def find_best_attempt(self) -> dict[str, Any] | None:
        """Give the attempt after which the most tests passed, of equals the newest."""
        one = self.execution()
        found = progress.best(progress.tried(one.fixes, one.runs))
        if found is None:
            return None
        shown = asdict(values.attempt(found, one.talks))
        return {**shown, "success_rate": found.rate.share, "tests": found.rate.tried}

    def detect_regressions_from_last_attempt(self) -> list[str]:
        """Name the tests that passed in the run before and fail in the newest."""
        return list(progress.broken(self.execution().runs))

    def get_comprehensive_test_analysis(self) -> dict[str, Any]:
        """Count each test over all runs, and show the share that passed in each run."""
        one = self.execution()
        return {
            "total_runs": len(one.runs),
            "success_rates": [progress.of_run(run).share for run in one.runs],
            "tests": [tally._asdict() for tally in progress.tallies(one.runs)],
            "latest": dict(progress.counted(one.runs[-1].cases)) if one.runs else {},
            "regressions": list(progress.broken(one.runs)),
        }

    def should_continue_fixing(self) -> bool:
        """Tell whether another attempt makes sense; ``verdict`` says why not."""
        return not self.all_tests_passed_latest_run() and self.verdict().answer == GO_ON

    def verdict(self) -> RetryVerdict:
        """Say whether to keep trying, with the rules that speak against it."""
        one = self.execution()
        attempts = progress.tried(one.fixes, one.runs)
        first = progress.of_run(one.runs[0]) if one.runs else None
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
        found = _at(self.get_complete_configuration(), path)
        return default if found is _MISSING else found

    def has_config_value(self, path: str) -> bool:
        """Tell whether the configuration says something there."""
        return _at(self.get_complete_configuration(), path) is not _MISSING

    def create_mock_config(self) -> SimpleNamespace:
        """Make an object with the configuration's values as attributes."""
        made: SimpleNamespace = _namespace(self.get_complete_configuration())
        return made

    @property
    def _current(self) -> str:
        if not self._session:
            raise UsageError("no execution is going on", "call start_execution first")
        return self._session

    @staticmethod
    def _originals(one: "Execution") -> dict[str, str]:
        found: dict[str, str] = {}
        for fix in one.fixes:
            for file in read_files(fix.patch)[:1]:
                found.setdefault(file.old, values.sides(fix.patch)[0])
        return {path: text for path, text in found.items() if path}


def _check(told: object) -> dict[str, Any]:
    """Give the fields of a check from a test run, or from whether it passed."""
    if isinstance(told, bool):
        return {"result": "passed" if told else "failed"}
    made = run_from(told, "")
    return {"result": made.result, "summary": made.summary, "cases": plain(made.cases)}


def _plain(config: object) -> Any:  # noqa: ANN401  plain data
    """Give a configuration as plain data: mappings as they are, objects by their attributes."""
    if isinstance(config, Mapping):
        return {str(name): _plain(value) for name, value in config.items()}
    if isinstance(config, list | tuple | set):
        return [_plain(one) for one in config]
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
        return SimpleNamespace(**{str(name): _namespace(one) for name, one in value.items()})
    return [_namespace(one) for one in value] if isinstance(value, list) else value


def _distinct(found: Any) -> list[Any]:  # noqa: ANN401  values of cases
    return list(dict.fromkeys(one for one in found if one))
