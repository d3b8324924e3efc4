"""What executions tell of the past: attempts with the runs around them, first texts, lessons."""

from typing import TYPE_CHECKING

from gitmem.diffs import read_files
from gitmem.learning import progress
from gitmem.learning.retry_verdict import DONE, GO_ON, STOP, RetryLimits, RetryVerdict, verdict
from gitmem.parts.compat import kaizen_values as values
from gitmem.parts.compat.kaizen_values import FixAttempt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.parts.compat.executions import Execution
    from gitmem.records.kinds import Fix


def measured(execution: "Execution") -> list[progress.MeasuredAttempt]:
    """Give the attempts of an execution, each between the runs of its own file."""
    around = []
    for at, fix in enumerate(execution.fixes):
        own = [run for run in execution.runs if _is_on(fix, run.path)]
        around.append(progress.tried(execution.fixes, own)[at])
    return around


def attempts(execution: "Execution") -> list[FixAttempt]:
    """Show the attempts of an execution, oldest first."""
    return [values.attempt(each, execution.talks, execution.name) for each in measured(execution)]


def verdicts(execution: "Execution") -> dict[str, RetryVerdict]:
    """Judge each file that fails by the attempts on it; ``""`` is what was tested as a whole.

    An attempt that is said to have worked ends it, unless a run afterwards failed.
    """
    judged = {}
    attempts_made = measured(execution)
    for newest in execution.newest_runs():
        if progress.all_passed(newest):
            continue
        own = [each for each in attempts_made if _is_on(each.fix, newest.path)]
        steps = progress.steps(own)
        if own and newest.at and own[-1].fix.created < newest.at and steps[-1].outcome == "worked":
            steps[-1] = steps[-1]._replace(outcome="failed")
        first = next(run for run in execution.runs if run.path == newest.path)
        judged[newest.path] = verdict(steps, progress.failing(first))
    if not execution.runs:
        judged[""] = verdict(progress.steps(attempts_made))
    return judged


def left(execution: "Execution") -> list[str]:
    """Name the files that fail and that nothing speaks against."""
    return [path for path, each in verdicts(execution).items() if each.answer == GO_ON]


def joined(judged: "Mapping[str, RetryVerdict]") -> RetryVerdict:
    """Give one verdict: go on as long as a file is left, else why not, with each file's reasons."""
    order = (GO_ON, STOP, DONE)
    answer = min((each.answer for each in judged.values()), key=order.index, default=DONE)
    reasons = tuple(
        reason._replace(text=f"{path}: {reason.text}" if path else reason.text)
        for path, each in judged.items()
        for reason in each.reasons
        if answer == STOP
    )
    tried = sum(each.tried for each in judged.values() if each.answer == answer)
    return RetryVerdict(answer, reasons, tried, RetryLimits())


def _is_on(fix: "Fix", path: str) -> bool:
    """Tell whether an attempt changed a file; one without a patch may have changed any."""
    changed = {file.path for file in read_files(fix.patch)}
    return not path or not changed or path in changed


def alone(attempt: progress.MeasuredAttempt) -> FixAttempt:
    """Show an attempt that belongs to no execution."""
    return values.attempt(attempt, ())


def originals(fixes: "Sequence[Fix]") -> dict[str, str]:
    """Give the text of each file before the first attempt on it."""
    texts: dict[str, str] = {}
    for fix in fixes:
        for file in read_files(fix.patch)[:1]:
            texts.setdefault(file.old, values.sides(fix.patch)[0])
    return {path: text for path, text in texts.items() if path}


def lessons(executions: "Sequence[Execution]") -> list[str]:
    """Give what was learnt in executions, each lesson once."""
    texts = (fix.lessons for execution in executions for fix in execution.fixes if fix.lessons)
    return list(dict.fromkeys(texts))
