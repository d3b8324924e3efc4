"""``gitmem run --task``: a command is a task; see ``tasks``. Its exit code stays its own."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gitmem.memory.advice.tasks import Confirm, RunningTask, TaskPlan
from gitmem.memory.failures.observing import run_command
from gitmem.system import shell
from gitmem.system.child import run

if TYPE_CHECKING:
    from gitmem.capture.learnt import RepeatedEdit
    from gitmem.capture.observed import Observed
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

    Tell = Callable[[list[RepeatedEdit]], None]
    Finish = Callable[[Callable[[], Observed]], Observed | None]

_INTERRUPTED = frozenset({130, 143})
_NOT_STARTED = frozenset({126, 127})
"""How a shell ends where it can't start a command: nothing was tried."""
_NO_VERDICT = _INTERRUPTED | _NOT_STARTED


def run_task(
    records: "RecordAccess",
    command: Sequence[str],
    plan: TaskPlan,
    tell: "Tell",
    finish: "Finish",
    confirm: Confirm,
) -> int:
    """Run a command as a task; where it fails and a solution is confirmed, run it once more.

    Args:
        records: of the memory.
        command: what to run.
        plan: what is known of the task.
        tell: is told which edits at hand were tried before.
        finish: is handed what notes the run, calls it, and shows what it gave; it gives None
            where the run could not be noted.
        confirm: is asked whether the steps of a solution may be run by a shell, one by one.

    """
    task = RunningTask(records, plan)
    task.used(os.path.basename(command[0]))

    def once() -> "tuple[int, Observed | None]":
        exit_code, note = run_command(records, command, tell)
        return exit_code, finish(note)

    exit_code, observed = once()
    if exit_code and exit_code not in _NO_VERDICT and observed:
        task.failed(observed.recognised)
        for solution in task.solutions:
            if solution.steps and confirm(solution):
                ended, why = _apply(records.workspace, solution.steps)
                if not ended:
                    exit_code, _ = once()
                    ended, why = exit_code, f"the command exited with {exit_code}"
                if ended in _NO_VERDICT:
                    records.workspace.notices.append(f"the fix was not tried: {why}")
                else:
                    task.reused(solution, worked=not ended, why=why if ended else "")
                break
    task.measured(exit_code=exit_code)
    task.end(success=None if exit_code in _NO_VERDICT else exit_code == 0)
    return exit_code


def _apply(workspace: "Workspace", steps: Sequence[str]) -> tuple[int, str]:
    """Run steps until one fails; give how that ended, and say which it was."""
    for step in steps:
        ended = run(
            shell(step),
            on_output=lambda _: None,
            on_start=lambda: None,
            cwd=workspace.start,
            environ=workspace.environ,
        )
        if ended.exit_code:
            return ended.exit_code, f"the step exited with {ended.exit_code}: {step}"
    return 0, ""
