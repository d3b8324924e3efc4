"""Whether to keep trying: on the command last run, or on an error of the memory."""

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gitmem.capture.looking import newly_failing
from gitmem.learning.advice import approach_key
from gitmem.learning.retry_verdict import RetryLimits, RetryVerdict, TrialStep, verdict
from gitmem.memory.advice.trials import trials_of
from gitmem.memory.failures.observed_runs import newest_runs
from gitmem.memory.failures.recorded_attempts import of_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.capture.runs import Run
    from gitmem.learning.advice import Trial
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_OUTCOMES: Final = {"did not hold": "failed", "claimed": "unverified"}
"""What did not hold did not end the search, and what is only claimed did not either."""


def keep_trying(records: "RecordAccess", reference: str = "") -> RetryVerdict:
    """Tell whether to keep trying, by the rules of ``learning.trying``.

    Args:
        records: of the memory.
        reference: an error's id or a unique prefix of one; empty: the command last run.

    Raises:
        NotFoundError: nothing was observed yet, or there is no such error.

    """
    workspace = records.workspace

    def question() -> RetryVerdict:
        if not reference:
            return verdict_on_runs(workspace, newest_runs(records))
        fixes = of_error(records, reference)
        return verdict_on_trials(workspace, trials_of(workspace, fixes, "same error"))

    return workspace.ask(lambda _: question())


def verdict_on_runs(workspace: "Workspace", runs: "Sequence[Run]") -> RetryVerdict:
    """Judge the edits between the runs of one command; see ``steps_of``."""
    steps, start = steps_of(runs)
    return verdict(steps, start, limits(workspace))


def verdict_on_trials(workspace: "Workspace", trials: "Sequence[Trial]") -> RetryVerdict:
    """Judge recorded attempts on one error."""
    oldest = sorted(trials, key=lambda trial: (trial.created, trial.id))
    steps = [
        TrialStep(
            approach_key(trial.approach),
            _OUTCOMES.get(trial.verdict, trial.verdict),
            record=trial.id,
        )
        for trial in oldest
    ]
    return verdict(steps, None, limits(workspace))


def limits(workspace: "Workspace") -> RetryLimits:
    """Give the rules' numbers; the team's setting is the last word on how many attempts."""
    return RetryLimits(most=workspace.site.config.advice_attempts)


def steps_of(runs: "Sequence[Run]") -> tuple[list[TrialStep], int | None]:
    """Make attempts of the runs of one command since it was last green.

    Each run on other code than the run before is an attempt. One that left fewer failing cases
    than ever, and no new one, mended some: attempts on the others count from there. Going back
    to the code that failed first is none. Which code a run was on stands for the approach: who
    comes back to it repeats an attempt.

    Returns:
        The attempts since one mended something, and how many cases failed before the first one.

    """
    telling = [run for run in runs if run.telling]
    greens = [at for at, run in enumerate(telling) if run.green]
    if greens and greens[-1] == len(telling) - 1:
        return [TrialStep("", "worked", 0, record=telling[-1].id)], None
    since = telling[greens[-1] + 1 :] if greens else telling
    steps: list[TrialStep] = []
    start = len(since[0].failing) if since else None
    for before, run in pairwise(since):
        if run.tree and run.tree in (before.tree, since[0].tree):
            continue
        number, appeared = len(run.failing), newly_failing(run, before)
        if start is not None and number < start and not appeared and not run.stopped:
            steps, start = [], number
            continue
        broke = sum(failing.was == "passed" for failing in appeared)
        outcome = "partial" if number < len(before.failing) else "failed"
        steps.append(TrialStep(run.tree, outcome, number, broke, run.id))
    return steps, start
