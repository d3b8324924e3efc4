"""What executions tell of the past: attempts with the runs around them, first texts, lessons."""

from typing import TYPE_CHECKING

from gitmem.compat import kaizen_values as values
from gitmem.compat.kaizen_values import FixAttempt
from gitmem.diffs import read_files
from gitmem.learning import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.compat.executions import Execution
    from gitmem.records.kinds import Fix


def measured(execution: "Execution") -> list[progress.MeasuredAttempt]:
    """Give the attempts of an execution, each between the runs of its own file."""
    around = []
    for at, fix in enumerate(execution.fixes):
        changed = {file.path for file in read_files(fix.patch)}
        own = [run for run in execution.runs if not changed or run.path in {"", *changed}]
        around.append(progress.tried(execution.fixes, own)[at])
    return around


def attempts(execution: "Execution") -> list[FixAttempt]:
    """Show the attempts of an execution, oldest first."""
    return [values.attempt(each, execution.talks, execution.name) for each in measured(execution)]


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
