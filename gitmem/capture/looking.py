"""Looking back at observed runs: what was tried, what came back, which run was best. Pure."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from gitmem.capture.cases import Failing
from gitmem.capture.episodes import Attempt, Episode, attempts
from gitmem.capture.observed import Match
from gitmem.capture.patches import Patch, kept_in
from gitmem.capture.runs import Run
from gitmem.capture.titles import approach

_STILL_THERE = 0.5
EMPTY = "empty"
GREEN = "green"


class LiveEdit(NamedTuple):
    """What was changed between two red runs.

    Attributes:
        at: when the run after it started.
        what: what was changed, in a line.
        taken_back: it is not in the code any more; None where nobody can tell.
        attempt: the edit with the runs around it.

    """

    at: datetime
    what: str
    taken_back: bool | None
    attempt: Attempt

    @property
    def state(self) -> str:
        """Say whether it is still in the code."""
        return {True: "taken back", False: "still there", None: "unclear"}[self.taken_back]


class LiveFailure(NamedTuple):
    """A failure that the newest run of its command showed.

    Attributes:
        episode: the failure with its red runs.
        edits: what was tried since it is red, oldest first.
        known: what the memory knows about it.

    """

    episode: Episode
    edits: tuple[LiveEdit, ...]
    known: Match

    @property
    def command(self) -> tuple[str, ...]:
        """What was run."""
        return self.episode.reds[-1].command


class Captured(NamedTuple):
    """What a saved log shows.

    Attributes:
        found: its failures, with what is known about each.
        written: ids of the error records that were written for those that are new.
        more: how many failures it shows beyond those in ``found``.
        guesses: how many new ones were not written, as they only look like failures.
        run: the run that a report was noted as; None for a log.
        again: that report was taken in before, so it was not noted once more.
        quiet: a report that tells of no failure: ``EMPTY`` if of no test either, else ``GREEN``.

    """

    found: tuple[Match, ...]
    written: tuple[str, ...]
    more: int
    guesses: int = 0
    run: Run | None = None
    again: bool = False
    quiet: str = ""


class Newly(NamedTuple):
    """A case that fails now and did not fail in the run before.

    Attributes:
        case: the case; without a name where a failure belongs to no test.
        was: ``passed`` or ``did not run`` in the run before; empty where that is not known.

    """

    case: Failing
    was: str


class Regressions(NamedTuple):
    """The newest run of a command against the one before.

    Attributes:
        run: the newest run.
        before: the newest one before that can be compared; None: there is none.
        cases: what fails in ``run`` and did not in ``before``, by test where tests are known;
            two cases of one test are two, even with one fingerprint.
        found: their failures, each fingerprint once, with what is known.

    """

    run: Run
    before: Run | None
    cases: tuple[Newly, ...]
    found: tuple[Match, ...]

    @property
    def same_code(self) -> bool:
        """Both ran on the same code: what is new is flaky, or came from outside."""
        return self.before is not None and bool(self.run.tree) and self.run.tree == self.before.tree


class Best(NamedTuple):
    """The run of a command with the highest share of tests that passed, or the fewest failures.

    Attributes:
        run: that run; of several the newest.
        of: how many runs it was chosen from.
        newest: the newest run.
        there: git still has its tree.
        now: tree of the code as it is; empty where none could be written.

    """

    run: Run
    of: int
    newest: Run
    there: bool
    now: str


def edits(
    episode: Episode,
    patch: Callable[[str, str], Patch],
    own_work: Callable[[str, str], bool],
    now: tuple[str, str],
) -> tuple[LiveEdit, ...]:
    """List what was tried on a live failure, and whether it is still in the code.

    Going back to code that was red before is no attempt. Edits that came with other people's
    commits, or with other code checked out, are left out; and where that happened in between,
    nobody can tell what was taken back.

    Args:
        episode: a live failure.
        patch: gives the patch from one tree to another.
        own_work: tells for two commits whether only the developer's own work lies between.
        now: commit and tree of the code as it is.

    """
    reds = episode.reds
    head, tree = now
    # Code that was checked out since says nothing about what the developer took back.
    last = tree if tree and own_work(reds[-1].head, head) else reds[-1].left
    sure = all(own_work(a.head, b.head) for a, b in pairwise(reds))
    whole = patch(reds[0].left, last)
    return tuple(
        LiveEdit(
            attempt.after.at,
            approach(attempt.patch).partition("\n")[0],
            kept_in(attempt.patch, whole) < _STILL_THERE if sure else None,
            attempt,
        )
        for attempt in attempts(episode, patch)
        if own_work(attempt.before.head, attempt.after.head) and not _goes_back(attempt, reds)
    )


def _goes_back(attempt: Attempt, reds: Sequence[Run]) -> bool:
    """Tell whether an edit only restores code that was red before: that tries nothing."""
    return any(run.tree == attempt.after.tree for run in reds[: reds.index(attempt.after)])


def newest_first_pair(runs: Sequence[Run]) -> tuple[Run, Run | None]:
    """Give the newest run and the newest one before it that can be compared with it."""
    earlier = [run for run in runs[:-1] if run.telling]
    return runs[-1], earlier[-1] if earlier else None


def newly_failing(run: Run, before: Run) -> tuple[Newly, ...]:
    """List what fails in a run and did not in the one before.

    Tests are compared by name. Where the run before shows a failure that belongs to no test,
    nobody can tell which tests it stood for, and its fingerprint counts.
    """
    names = {case.name for case in before.failing if case.name}
    nameless = {case.site for case in before.failing if case.site and not case.name}
    appeared = []
    for case in run.failing:
        if case.site in nameless or (
            case.name in names if case.name else case.site in before.sites
        ):
            continue
        was = ""
        if case.name and before.tests and before.tests.complete:
            was = "passed" if before.tests.passed(case.name) else "did not run"
        appeared.append(Newly(case, was))
    return tuple(appeared)


def best_run(runs: Sequence[Run]) -> Run | None:
    """Give the best run, of several the newest; None if none can be told.

    That is the one with the highest share of tests that passed, if all say how many ran: a
    file that can't be imported is one failure, and all of its tests are missing. Else it is
    the one with the fewest failing cases.
    """
    sure = [run for run in runs if run.telling]
    rates = [run.tests.rate if run.tests else None for run in sure]
    if sure and None not in rates:
        best = max(rate for rate in rates if rate is not None)
        sure = [run for run, rate in zip(sure, rates, strict=True) if rate == best]
    return min(reversed(sure), key=lambda run: len(run.failing), default=None)
