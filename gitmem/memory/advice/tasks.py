"""Adaptive execution: a piece of work is observed; its approach and outcome become a session.

Nothing that the memory holds is ever carried out by itself. On a failure the stored solutions
are offered; only where the caller gave a ``confirm`` that says yes to one of them, its steps
are handed to the caller's own ``apply``, and the work is tried once more.
"""

import inspect
import traceback
import warnings
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast

from gitmem.answers.solutions import Solution
from gitmem.errors import GitmemError, UsageError
from gitmem.learning.adaptive import RECOVERY, Left, chosen, recovered, success_factors, told_by
from gitmem.learning.tasks import assess, task_of
from gitmem.memory.advice.similar_work import recommended
from gitmem.memory.advice.solutions import solutions
from gitmem.memory.core.fingerprints import seen_in
from gitmem.memory.failures.matching import match
from gitmem.memory.writing.session_records import produced
from gitmem.records.parts import Scalar, Task

if TYPE_CHECKING:
    from gitmem.capture.observed import Match
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_P = ParamSpec("_P")
_Result = TypeVar("_Result")
_MOST_WRITTEN = 3
Confirm = Callable[[Solution], bool]
Apply = Callable[[str], object]


class TaskPlan(NamedTuple):
    """What is known of a task before it begins; ``approach`` is empty to take what worked."""

    description: str
    task: Task
    approach: str = ""
    tags: tuple[str, ...] = ()


class RunningTask:
    """A task while it is being done: what its code can tell about itself.

    Attributes:
        session: id of the session that it becomes.
        approach: how it is done; may be set to another word.
        success: whether it reaches its goal if it ends without an exception; may be set.
        solutions: what the memory offers, once it failed.
        record_ids: errors that stand for its failure.

    """

    def __init__(self, records: "RecordAccess", plan: TaskPlan) -> None:
        self._records = records
        self._plan = plan
        stated = plan.approach
        self.approach = chosen(stated, "" if stated else _recommended(records.workspace, plan))
        task = plan.task
        live = records.writer.sessions.start(
            plan.description, tags=plan.tags, task=task, beside=True
        )
        self.session = live.id
        self.success = True
        self.solutions: list[Solution] = []
        self.record_ids: tuple[str, ...] = ()
        self._factors: list[str] = []
        self._tools: list[str] = []
        self._created: list[str] = []
        self._resolved: list[str] = []
        self._output = ""
        self._calls = 0
        self._metrics: dict[str, Scalar] = {}

    def used(self, *tools: str) -> None:
        """Say what it is done with."""
        self._tools.extend(tools)

    def helped(self, *factors: str) -> None:
        """Say what helped."""
        self._factors.extend(factors)

    def called(self, number: int = 1) -> None:
        """Count calls to another program's interface."""
        self._calls += number

    def measured(self, **figures: Scalar) -> None:
        """Add figures to the record's metrics."""
        self._metrics.update(figures)

    def gave(self, result: object) -> None:
        """Take over what a result says about itself; see ``adaptive.told_by``."""
        stated = told_by(result)
        self.success = self.success and stated.success
        self._tools += stated.tools
        self._factors += stated.factors
        self._created += stated.created
        self._resolved += stated.resolved
        self._output += stated.output
        self._calls += stated.calls

    def failed(self, matches: "Sequence[Match]", *, kind: str = "", message: str = "") -> None:
        """Look up what helped before, and write down the failures that are new.

        Args:
            matches: its failures; of many, the first ones are written.
            kind: name of the exception.
            message: what it said.

        """
        self.solutions = solutions(self._records.reader, matches)
        self._metrics.update({"error_type": kind, "error_message": message} if kind else {})
        writer = self._records.writer
        for failure in matches[:_MOST_WRITTEN]:
            if failure.is_known and failure.errors:
                record = failure.errors[-1].id
                writer.sessions.log("failure", "", session=self.session, record=record)
            else:
                fields = {**failure.seen.fields, "session": self.session}
                record = writer.add("error", fields).id
            self.record_ids = tuple(dict.fromkeys((*self.record_ids, record)))

    def reused(self, solution: Solution, *, worked: bool, why: str = "") -> str:
        """Write down that a solution was applied again, and what came of it; give the fix's id."""
        own = not solution.layer
        errors = list(self.record_ids or (solution.errors if own else ()))
        fields: dict[str, Any] = {
            "approach": solution.approach,
            "steps": list(solution.steps),
            "outcome": "worked" if worked else "failed",
            # What is outside the repository can't be linked to.
            "reuses": solution.fix if own else None,
            "notes": "" if own else f"from {solution.layer}, {solution.fix}",
            "links": {"fixes": errors},
            "session": self.session,
        }
        written = self._records.writer.add("fix", fields | ({"why_failed": why} if why else {}))
        if worked:
            self.approach = recovered(self.approach)
            self._factors.insert(0, RECOVERY)
        self._metrics["recovery_used"] = worked
        return written.id

    def end(self, *, success: bool | None) -> None:
        """Write the session down."""
        factors = self._factors
        if success:
            factors = [*factors, *self._helped()]
        if self._calls:
            self._metrics["api_calls_made"] = self._calls
        if self._resolved:
            self._metrics["dependencies_resolved"] = ", ".join(dict.fromkeys(self._resolved))
        workspace = self._records.workspace
        self._records.writer.sessions.end(
            self.session,
            success=success,
            approach=self.approach,
            success_factors=factors,
            tools_used=self._tools,
            metrics=self._metrics,
            produced=lambda session: produced(workspace, session),
        )

    def _helped(self) -> tuple[str, ...]:
        """Name what can be seen to have helped: in the files, and in what the result told."""
        sessions = self._records.writer.sessions
        changes = sessions.status(self.session, compare=True).changes
        new = [change.path for change in changes if change.action == "create"]
        category = self._plan.task.category
        created = len({*new, *self._created})
        return success_factors(
            Left(category, created, self._calls, tuple(self._resolved), self._output)
        )


class ObservedTask:
    """A task that can be done: with ``with``, as a decorator, or by ``run``.

    A ``with`` block can't be run again, so there solutions are only offered (as notes of the
    exception). A decorated function and ``run`` can.
    """

    def __init__(
        self,
        records: "RecordAccess",
        plan: TaskPlan,
        confirm: Confirm | None = None,
        apply: Apply | None = None,
    ) -> None:
        if (confirm is None) != (apply is None):
            missing = "apply" if apply is None else "confirm"
            raise UsageError(
                f"to apply solutions, {missing} is missing", "give both confirm and apply"
            )
        self._records = records
        self._plan = plan
        self._confirm = confirm
        self._apply = apply
        self._entered: list[RunningTask] = []

    def __call__(self, function: Callable[_P, _Result]) -> Callable[_P, _Result]:
        """Make each call of a function a task of its own.

        A coroutine function is awaited as a ``with`` block is left: it is not tried again.
        """
        if inspect.iscoroutinefunction(function):
            return cast("Callable[_P, _Result]", self._awaiting(function))

        @wraps(function)
        def done(*args: _P.args, **named: _P.kwargs) -> _Result:
            return self.run(lambda _: function(*args, **named))

        return done

    def _awaiting(
        self, function: Callable[_P, Coroutine[Any, Any, _Result]]
    ) -> Callable[_P, Coroutine[Any, Any, _Result]]:
        @wraps(function)
        async def done(*args: _P.args, **named: _P.kwargs) -> _Result:
            # One of its own: calls that are awaited together end in any order.
            with ObservedTask(self._records, self._plan) as doing:
                result = await function(*args, **named)
                doing.gave(result)
                return result

        return done

    def __enter__(self) -> RunningTask:
        doing = RunningTask(self._records, self._plan)
        self._entered.append(doing)
        return doing

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        doing = self._entered.pop()
        if error is None:
            self._succeeded(doing)
        elif isinstance(error, Exception):
            self._note(doing, error, traceback.format_exception(kind, error, trace))
            self._end(doing, error, success=False)
        else:
            # Somebody pressed Ctrl-C, or left: that says nothing about the approach.
            self._end(doing, error, success=None)

    def run(self, work: Callable[[RunningTask], _Result]) -> _Result:
        """Do the work; if it fails and a solution is confirmed, apply that and try once more.

        A result that is a mapping with ``success: False`` counts as a failure that it told
        itself; see ``adaptive.told_by`` for what else it can tell.
        """
        doing = RunningTask(self._records, self._plan)
        try:
            result = work(doing)
        except Exception as error:
            trace = error.__traceback__.tb_next if error.__traceback__ else None
            self._note(doing, error, traceback.format_exception(type(error), error, trace))
            again = self._recover(doing, work, error)
            if again is None:
                self._end(doing, error, success=False)
                raise
            result = again[0]
        except BaseException as left:
            self._end(doing, left, success=None)
            raise
        doing.gave(result)
        self._succeeded(doing)
        return result

    def _note(self, doing: RunningTask, error: Exception, lines: Sequence[str]) -> None:
        """Look the failure up. What goes wrong in that must not hide the failure itself."""
        try:
            failures = seen_in(self._records.workspace, "".join(lines))
            matches = match(self._records.reader, failures)
            message = str(error).split("\n", 1)[0][:500]
            doing.failed(matches, kind=type(error).__name__, message=message)
        except GitmemError as trouble:
            error.add_note(f"gitmem: nothing was looked up: {trouble.message}")
        for solution in doing.solutions:
            error.add_note(
                f"gitmem: {solution.label}, {solution.evidence}:"
                f" {solution.approach}  {solution.fix}"
            )

    def _recover(
        self, doing: RunningTask, work: Callable[[RunningTask], _Result], error: Exception
    ) -> tuple[_Result] | None:
        if self._confirm is None or self._apply is None:
            return None
        for solution in doing.solutions:
            if not (solution.steps and self._confirm(solution)):
                continue
            try:
                for step in solution.steps:
                    self._apply(step)
                result = work(doing)
            except Exception as second:  # noqa: BLE001  whatever it is, the first one is raised
                error.add_note(f"gitmem: {solution.fix} did not help: {second}")
                self._reused(doing, solution, f"{type(second).__name__}: {second}")
                return None
            self._reused(doing, solution)
            return (result,)
        return None

    @staticmethod
    def _reused(doing: RunningTask, solution: Solution, why: str = "") -> None:
        try:
            doing.reused(solution, worked=not why, why=why)
        except GitmemError as trouble:
            _warn(trouble)

    @staticmethod
    def _succeeded(doing: RunningTask) -> None:
        """Write the session down. What was done stands, whatever becomes of its record."""
        try:
            doing.end(success=doing.success)
        except GitmemError as trouble:
            _warn(trouble)

    @staticmethod
    def _end(doing: RunningTask, error: BaseException, *, success: bool | None) -> None:
        try:
            doing.end(success=success)
        except GitmemError as trouble:
            error.add_note(f"gitmem: not recorded: {trouble.message}")


def _warn(trouble: GitmemError) -> None:
    text = f"gitmem: not recorded: {trouble.message}"
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def plan(description: str, about: Mapping[str, Any]) -> TaskPlan:
    """Put together what is known of a task.

    Args:
        description: what is to be done.
        about: ``approach``, ``tags`` and the fields of the part ``Task``.

    Raises:
        UsageError: there is no description.
        InvalidError: a field is wrong.

    """
    if not description.strip():
        raise UsageError("a task needs a description", "say in a few words what you want to do")
    fields = dict(about)
    approach, tags = str(fields.pop("approach", "")), tuple(fields.pop("tags", ()))
    task = Task(**fields)
    # Later tasks are compared with it, and it can't be told from what the record keeps.
    stated = {**fields, "dependencies": task.dependencies, "description": description}
    hard = task.complexity or assess(task_of(stated))
    return TaskPlan(description, Task(**fields | {"complexity": hard}), approach, tags)


def _recommended(workspace: "Workspace", plan: TaskPlan) -> str:
    task = plan.task
    stated = {
        "description": plan.description,
        "category": task.category,
        "type": task.type,
        "dependencies": list(task.dependencies),
        "effort": task.effort,
    }
    return recommended(workspace, stated).approach
