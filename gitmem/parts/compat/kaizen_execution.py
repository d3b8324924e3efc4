"""``ExecutionMemory``: one execution of tests and fixes after the other.

An execution is a session, a failing case an error, an attempt a fix. Prompts and answers stay in
the journal of this clone.
"""

import atexit
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, fields, is_dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self, get_args

from gitmem.errors import GitmemError, UsageError
from gitmem.exchange.reported_runs import run_from
from gitmem.learning import progress
from gitmem.learning.issues import outcome
from gitmem.learning.retry_verdict import RetryVerdict
from gitmem.parts.compat import executions
from gitmem.parts.compat import kaizen_history as history
from gitmem.parts.compat import kaizen_values as values
from gitmem.parts.compat.arguments import truth
from gitmem.parts.compat.kaizen_config import MISSING, as_object, at_path, plain
from gitmem.parts.compat.kaizen_values import (
    FixAttempt,
    KaizenTestCase,
    KaizenTestRun,
    LLMInteraction,
)
from gitmem.parts.compat.shared import opened, or_default, scalars, tagged
from gitmem.sessions.live import plain as plain_part

if TYPE_CHECKING:
    from gitmem.parts.compat.executions import Execution

_EXECUTION: dict[str, str] = {
    "execution_id": "str", "session": "str", "start_time": "str", "config": "dict[str, Any]",
    "configuration_context": "dict[str, Any]", "test_runs": "list[TestRun]",
    "llm_interactions": "list[LLMInteraction]", "fix_attempts": "list[FixAttempt]",
    "original_code_sections": "dict[str, str]", "learning_history": "list[str]",
}  # fmt: skip
_MODULES = re.compile(r"\b(?:[a-z_]+\.)+(?:Kaizen)?")


class ExecutionMemory:
    """Follows one execution after the other.

    Use it as a context manager, or call ``end``; else it ends when the program does.

    Args:
        folder: any folder of the repository.

    """

    def __init__(self, folder: str = ".") -> None:
        self._folder = os.path.abspath(folder)
        self._session = ""
        self._ended = ""
        self._process = os.getpid()
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
            live = memory.sessions.start(execution_id, tags=tagged(executions.TAG), beside=True)
        self._session, self._config = live.id, config
        atexit.register(self.end_if_there)
        return live.id

    def end(self, *, success: bool | None = None) -> str:
        """End the execution: its session becomes a record; gives that record's id.

        Without ``success`` it is one if the newest run of each file passed. What it holds can
        still be read afterwards.
        """
        stated = truth(success, "success")
        with opened(self._folder) as memory:
            execution = executions.load(memory, self._current)
            passed = execution.all_passed() if execution.runs else None
            result = passed if stated is None else stated
            record = executions.finish(
                memory, self._session, success=result, config=scalars(plain(self._config))
            )
        self._session, self._ended = "", record.id
        atexit.unregister(self.end_if_there)
        return record.id

    def end_if_there(self) -> None:
        """End the execution if one is going on and its memory is still there."""
        if self._session and self._process == os.getpid() and os.path.isdir(self._folder):
            with suppress(GitmemError, OSError):
                self.end()

    def log_test_run(self, file_path: str, test_results: object) -> KaizenTestRun:
        """Note a test run, and failures that are new; see ``reported_runs.run_from``."""
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
        code_changes_made: object = "",
        llm_interaction: object = None,
    ) -> str:
        """Write down an attempt; gives the id of its fix record.

        What number it is follows from the order; ``attempt_number`` only names it where
        nothing else does. ``code_changes_made`` says in words what the two texts show;
        ``llm_interaction`` is a mapping or an ``LLMInteraction``, noted as by
        ``log_llm_interaction``.
        """
        approach, worked = or_default(approach_description, ""), truth(success, "success")
        checks = {
            name: _check(result)
            for name, result in (("before", test_results_before), ("after", test_results_after))
            if result is not None
        }
        fields: dict[str, Any] = {
            "approach": approach or f"attempt {attempt_number} on {file_path}",
            "outcome": "partial"
            if what_worked_partially and not worked
            else outcome(applied=None, verified=worked),
            "lessons": lessons_learned,
            "why_failed": why_approach_failed,
            "worked_partially": what_worked_partially,
            "verification": checks or None,
            "notes": _in_words(code_changes_made),
        }
        if llm_interaction is not None:
            self._note_talk(file_path, llm_interaction)
        with opened(self._folder) as memory:
            return executions.note_fix(
                memory, self._current, file_path, original_code, fixed_code, fields
            )

    def _note_talk(self, file_path: str, talk: object) -> None:
        """Note an interaction that comes with an attempt, unless it was noted already."""
        says = asdict(talk) if is_dataclass(talk) and not isinstance(talk, type) else plain(talk)
        if not isinstance(says, Mapping):
            says = {"response": str(says)}
        prompt, response, reasoning = (
            str(says.get(name) or "") for name in ("prompt", "response", "reasoning")
        )
        noted = self.execution().talks
        same = (prompt, response, reasoning)
        if not any((each.prompt, each.response, each.reasoning) == same for each in noted):
            kind = str(says.get("interaction_type") or "code_fixing")
            metadata = says.get("metadata") or {}
            self.log_llm_interaction(file_path, kind, prompt, response, reasoning, metadata)

    # Inspection

    def execution(self) -> "Execution":
        """Give the execution as the memory has it; after ``end`` the one that ended last."""
        with opened(self._folder) as memory:
            return executions.load(memory, self._readable)

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
            "all_tests_passed": execution.all_passed(),
        }

    @staticmethod
    def get_memory_schema() -> dict[str, dict[str, str]]:
        """Give the fields of each part of an execution, with their types."""
        kinds = (KaizenTestRun, FixAttempt, LLMInteraction, KaizenTestCase)
        parts = {
            kind.__name__.removeprefix("Kaizen"): {
                field.name: _type_name(field.type) for field in fields(kind)
            }
            for kind in kinds
        }
        return {"execution": dict(_EXECUTION), **parts}

    def export_memory_to_json(self, file_path: str | None = None) -> dict[str, Any]:
        """Give the whole execution as plain data, and write it to a file if one is named.

        Secrets are taken out: exports are handed on.
        """
        with opened(self._folder) as memory:
            execution = executions.load(memory, self._readable)
            before = executions.earlier(memory, execution.session)
            data: dict[str, Any] = memory.workspace.redacted_data(
                {
                    "execution_id": execution.name,
                    "session": execution.session,
                    "start_time": execution.started.isoformat(),
                    "config": plain(self._config),
                    "configuration_context": self.get_configuration_summary(),
                    "test_runs": [asdict(values.run(run)) for run in execution.runs],
                    "llm_interactions": [
                        asdict(values.interaction(talk)) for talk in execution.talks
                    ],
                    "fix_attempts": [asdict(each) for each in history.attempts(execution)],
                    "original_code_sections": history.originals(execution.fixes),
                    "learning_history": history.lessons([*before, execution]),
                }
            )
        if file_path:
            with open(file_path, "w", encoding="utf-8") as file:
                json.dump(data, file, indent=2, default=str)
        return data

    def fix_attempts(self) -> list[FixAttempt]:
        """Give the attempts, oldest first, with the runs around them."""
        return history.attempts(self.execution())

    # Context

    def get_previous_attempts_insights(self, file_path: str = "") -> dict[str, Any]:
        """Give what the next attempt should know, of this execution and of those before it.

        With a file, what was tried on it and failed in it; secrets are taken out.
        """
        with opened(self._folder) as memory:
            execution = executions.load(memory, self._readable)
            all_executions = [*executions.earlier(memory, execution.session), execution]
            tried = [attempt for run in all_executions for attempt in history.attempts(run)]
            if file_path:
                tried = [each for each in tried if file_path in each.files]
                sessions = [run.session for run in all_executions]
                others = executions.others_attempts(memory, file_path, sessions)
                tried = [*map(history.alone, progress.tried(others, ())), *tried]
            talks = [talk for run in all_executions for talk in run.talks if talk.reasoning]
            originals = history.originals([fix for run in all_executions for fix in run.fixes])
            insights = {
                "failed_cases": [
                    asdict(values.case(each)) for each in execution.failed_cases(file_path)
                ],
                "previous_attempts": [asdict(each) for each in tried],
                "failed_approaches": [
                    {"approach": each.approach_description, "why": each.why_approach_failed}
                    for each in tried
                    if not each.success
                ],
                "successful_patterns": [each.approach_description for each in tried if each.success]
                + [each.what_worked_partially for each in tried if each.what_worked_partially],
                "llm_reasoning": [
                    talk.reasoning
                    for talk in talks
                    if talk.path in {"", file_path} or not file_path
                ],
                "original_code": {
                    path: text
                    for path, text in originals.items()
                    if path == file_path or not file_path
                },
                "learning_history": history.lessons(all_executions),
                "configuration": self.get_configuration_summary(),
            }
            clean: dict[str, Any] = memory.workspace.redacted_data(insights)
        clean["failed_cases"] = [KaizenTestCase(**each) for each in clean["failed_cases"]]
        return clean

    def get_failure_analysis_data(self, file_path: str = "") -> dict[str, Any]:
        """Give where the newest run of each file, or of one, failed: functions, lines, messages."""
        failed = self.get_failed_cases_latest_run(file_path)
        return {
            "failing_functions": _distinct(case.failing_function for case in failed),
            "failing_lines": _distinct(case.failing_line for case in failed),
            "error_messages": _distinct(case.error_message for case in failed),
            "failed_cases": failed,
        }

    def get_failed_cases_latest_run(self, file_path: str = "") -> list[KaizenTestCase]:
        """Give what failed in the newest run of each file, or of one."""
        return [values.case(case) for case in self.execution().failed_cases(file_path)]

    def all_tests_passed_latest_run(self, file_path: str = "") -> bool:
        """Tell whether the newest run of each file, or of one, passed.

        Without any run it did not, nor with a run of no test.
        """
        return self.execution().all_passed(file_path)

    # Analysis

    def find_best_attempt(self) -> dict[str, Any] | None:
        """Give the attempt after which the largest share of tests passed.

        Of equal shares that of more tests, then the newest: less has to be taken back for it.
        ``equally_good`` numbers the others that are as good as it.
        """
        execution = self.execution()
        measured = history.measured(execution)
        best = progress.best(measured)
        if best is None:
            return None
        equal = [each.number for each in measured if each.rate == best.rate and each is not best]
        rate = {"success_rate": best.rate.share, "tests": best.rate.tried, "equally_good": equal}
        return {**asdict(values.attempt(best, execution.talks)), **rate}

    def detect_regressions_from_last_attempt(self) -> list[str]:
        """Name what fails in the newest run of its file and passed in that file's run before."""
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
        """Tell whether another attempt on a file makes sense; ``verdict`` says why not."""
        return bool(self.files_left())

    def files_left(self) -> list[str]:
        """Name the files that fail and that nothing speaks against; ``""`` is all together."""
        return history.left(self.execution())

    def verdict(self) -> RetryVerdict:
        """Say whether to keep trying, with what speaks against it for each file that fails."""
        return history.joined(history.verdicts(self.execution()))

    # Configuration

    def get_complete_configuration(self) -> dict[str, Any]:
        """Give the configuration as plain data."""
        return dict(plain(self._config) or {})

    def get_configuration_summary(self) -> dict[str, Any]:
        """Give the configuration in one level."""
        return scalars(plain(self._config))

    def get_config_value(self, key: str, default: object = None) -> object:
        """Give one value of the configuration."""
        return self.get_complete_configuration().get(key, default)

    def get_config_property(self, path: str, default: object = None) -> object:
        """Give a value by its path, such as ``model.name``."""
        value = at_path(self.get_complete_configuration(), path)
        return default if value is MISSING else value

    def has_config_value(self, path: str) -> bool:
        """Tell whether the configuration says something there."""
        return at_path(self.get_complete_configuration(), path) is not MISSING

    def create_mock_config(self) -> SimpleNamespace:
        """Make an object with the configuration's values as attributes."""
        namespace: SimpleNamespace = as_object(self.get_complete_configuration())
        return namespace

    @property
    def _current(self) -> str:
        if not self._session:
            raise UsageError("no execution is going on", "call start_execution first")
        return self._session

    @property
    def _readable(self) -> str:
        return self._ended if self._ended and not self._session else self._current


def _in_words(changes: object) -> str:
    if isinstance(changes, str):
        return changes
    if isinstance(changes, list | tuple):
        return "\n".join(map(str, changes))
    return "" if changes in (None, ...) else json.dumps(plain(changes), ensure_ascii=False)


def _type_name(annotation: object) -> str:
    """Name a type as the document does: without modules, and with what a list holds."""
    name = str(annotation)
    if isinstance(annotation, type) and not get_args(annotation):
        name = annotation.__name__
    return _MODULES.sub("", name)


def _check(result: object) -> dict[str, Any]:
    """Give the fields of a check from a test run, or from whether it passed."""
    if isinstance(result, bool):
        return {"result": "passed" if result else "failed"}
    run = run_from(result, "")
    return {"result": run.result, "summary": run.summary, "cases": plain_part(run.cases)}


def _distinct(values_given: Any) -> list[Any]:  # noqa: ANN401  values of cases
    return list(dict.fromkeys(value for value in values_given if value))
