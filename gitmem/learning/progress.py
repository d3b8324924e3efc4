"""Compares the test runs of one piece of work: what fails, what broke, which was best. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from gitmem.learning.confidence import Rate
from gitmem.learning.retry_verdict import TrialStep
from gitmem.records.kinds import Fix
from gitmem.records.parts import TestCase, TestRun

RED: Final = frozenset({"failed", "error"})


class TestTally(NamedTuple):
    """A test over all runs.

    Attributes:
        name: of the test.
        passed, failed: in how many runs.
        status: in the newest run that had it.
        file: that was tested; empty: a whole suite was.

    """

    name: str
    passed: int
    failed: int
    status: str
    file: str = ""


class MeasuredAttempt(NamedTuple):
    """An attempt with the runs around it; None where there was none.

    Attributes:
        number: from 1, in the order of the attempts.
        fix: its record.
        before: the last run before it.
        after: the first run after it, before the next attempt.

    """

    number: int
    fix: Fix
    before: TestRun | None
    after: TestRun | None

    @property
    def rate(self) -> Rate:
        """How many cases passed after it; without a run, whether it worked."""
        checked = self.fix.verification.after if self.fix.verification else None
        cases = self.after.cases if self.after else checked.cases if checked else ()
        if self.after and (counted := of_run(self.after)).tried:
            return counted
        if cases:
            return Rate(sum(case.status == "passed" for case in cases), len(cases))
        is_known = self.fix.outcome != "unverified"
        return Rate(int(self.fix.outcome == "worked"), int(is_known))


def all_passed(run: TestRun) -> bool:
    """Tell whether all tests of a run passed; a run of no test at all proves nothing."""
    return run.result == "passed" and (run.passed is None or run.passed > 0)


def newest_of_each(runs: Sequence[TestRun]) -> list[TestRun]:
    """Give the newest run of each file that was tested, and the newest of those of no file."""
    return list({run.path: run for run in runs}.values())


def of_run(run: TestRun) -> Rate:
    """Give how many cases of a run passed, of those that ran.

    Where only what failed is known there is no share.
    """
    if run.passed is None and run.result != "passed" and run.failed is not None:
        return Rate(0, 0)
    passed = run.passed if run.passed is not None else _count(run, {"passed"})
    return Rate(passed, passed + (failing(run) or 0))


def _count(run: TestRun, statuses: frozenset[str] | set[str]) -> int:
    return sum(case.status in statuses for case in run.cases)


def failed_cases(run: TestRun | None) -> tuple[TestCase, ...]:
    """Give the cases of a run that failed or could not run."""
    return tuple(case for case in run.cases if case.status in RED) if run else ()


def broken(runs: Sequence[TestRun]) -> tuple[str, ...]:
    """Name what fails in the newest run of its file and passed in that file's run before."""
    names = []
    for newest in newest_of_each(runs):
        last = [run for run in runs if run.path == newest.path][-2:]
        names += [name_in_file(newest.path, name) for name in _broke(last[0], last[-1])]
    return tuple(names)


def name_in_file(file: str, test: str) -> str:
    """Name a test with its file."""
    return test if not file or test.startswith(f"{file}::") else f"{file}::{test}"


def _broke(before: TestRun | None, after: TestRun | None) -> tuple[str, ...]:
    if before is None or after is None:
        return ()
    passed = {case.name for case in before.cases if case.status == "passed"}
    return tuple(case.name for case in failed_cases(after) if case.name in passed)


def tried(fixes: Sequence[Fix], runs: Sequence[TestRun]) -> list[MeasuredAttempt]:
    """Put the runs around the attempts, by time; both are in order."""
    measured = []
    for at, fix in enumerate(fixes):
        until = fixes[at + 1].created if at + 1 < len(fixes) else None
        before = [run for run in runs if run.at and run.at < fix.created]
        after = [run for run in runs if _between(run.at, fix.created, until)]
        measured.append(
            MeasuredAttempt(
                at + 1, fix, before[-1] if before else None, after[0] if after else None
            )
        )
    return measured


def _between(at: datetime | None, start: datetime, end: datetime | None) -> bool:
    return at is not None and at >= start and (end is None or at < end)


def best(attempts: Sequence[MeasuredAttempt]) -> MeasuredAttempt | None:
    """Give the attempt after which the largest share passed.

    Of equal shares that of more tests, then the newest.
    """
    with_tests = [attempt for attempt in attempts if attempt.rate.tried]

    def goodness(attempt: MeasuredAttempt) -> tuple[float, int, int]:
        return attempt.rate.share or 0.0, attempt.rate.tried, attempt.number

    return max(with_tests, key=goodness, default=None)


def steps(attempts: Sequence[MeasuredAttempt]) -> list[TrialStep]:
    """Give the attempts as ``trying.verdict`` takes them."""
    return [
        TrialStep(
            approach=attempt.fix.approach or attempt.fix.title,
            outcome=attempt.fix.outcome,
            failing=failing(attempt.after),
            broke=len(_broke(attempt.before, attempt.after)),
            record=attempt.fix.id,
        )
        for attempt in attempts
    ]


def failing(run: TestRun | None) -> int | None:
    """Count what failed in a run; None without one."""
    if run is None:
        return None
    if run.failed is None and run.errors is None:
        return _count(run, RED)
    return (run.failed or 0) + (run.errors or 0)


def tallies(runs: Sequence[TestRun]) -> list[TestTally]:
    """Count each test of each file over all runs; those that failed most come first."""
    counts: dict[tuple[str, str], TestTally] = {}
    for run in runs:
        for case in run.cases:
            tally = counts.get((run.path, case.name), TestTally(case.name, 0, 0, "", run.path))
            counts[run.path, case.name] = tally._replace(
                passed=tally.passed + (case.status == "passed"),
                failed=tally.failed + (case.status in RED),
                status=case.status,
            )
    return sorted(counts.values(), key=lambda tally: (-tally.failed, tally.name, tally.file))


def counted(cases: Sequence[TestCase]) -> Mapping[str, int]:
    """Count cases by status."""
    return Counter(case.status for case in cases)
