"""What a report of a test run tells: every case and how it ended, with its failures.

The readers of report formats build these, and what observes runs takes them; like failures
they are light, and checked only when something of them is recorded.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from gitmem.output.failure import Failure

PASSED: Final = "passed"
FAILED: Final = "failed"
ERROR: Final = "error"
SKIPPED: Final = "skipped"
_WORSE: Final = (SKIPPED, PASSED, FAILED, ERROR)


class Case(NamedTuple):
    """One test and how it ended.

    Attributes:
        name: as its runner names it.
        status: ``passed``, ``failed``, ``error`` (it could not run as it should) or ``skipped``.
        seconds: how long it took; None if nobody says.
        failures: what went wrong in it, each with ``test`` set; none if nothing did.
        where: the file, package or binary that it belongs to, where that is told and its name
            does not say; tests of one name in two places are two.

    """

    name: str
    status: str
    seconds: float | None = None
    failures: tuple[Failure, ...] = ()
    where: str = ""

    @property
    def bad(self) -> bool:
        """It failed, or could not run."""
        return self.status in (FAILED, ERROR)


class Group(NamedTuple):
    """Tests that a runner only tells of together: a file, a class, a package.

    Attributes:
        name: as the runner names it.
        bad: something in it failed.
        counts: how many ended how, by status; empty if there was nothing to run, and None if
            nobody says.

    """

    name: str
    bad: bool
    counts: Mapping[str, int] | None = None


class Report(NamedTuple):
    """A report of one run.

    Attributes:
        tool: who ran or wrote it, such as ``pytest``; empty if it does not say.
        cases: every test that it names, once.
        others: what went wrong outside of tests: findings of a linter, a file that can't be
            imported.
        at: when the run began; None if it does not say, or not in which zone.
        seconds: how long the run took; None if nobody says.
        exit_code: how the runner ended; None if it does not say.
        root: folder that names of tests are relative to; empty if it does not say.
        complete: it names every test that ran; so one that it does not name did not run.
        counts: how many tests ended how, by status, as the runner counts them at its end; None
            if it does not. Tests that are skipped, expected to fail or still to be written are
            ``skipped``.
        groups: files, classes and packages that are told of as a whole, with or without their
            tests.

    """

    tool: str = ""
    cases: tuple[Case, ...] = ()
    others: tuple[Failure, ...] = ()
    at: datetime | None = None
    seconds: float | None = None
    exit_code: int | None = None
    complete: bool = True
    root: str = ""
    counts: Mapping[str, int] | None = None
    groups: tuple[Group, ...] = ()

    @property
    def ran(self) -> int | None:
        """How many tests ran, skipped ones not counted; None if nobody knows."""
        if self.counts is not None:
            return sum(number for status, number in self.counts.items() if status != SKIPPED)
        return sum(case.status != SKIPPED for case in self.cases) if self.complete else None

    @property
    def failures(self) -> list[Failure]:
        """Everything that went wrong, in order; a test that fails twice is in it twice."""
        failures = list(self.others)
        for case in self.cases:
            failures += case.failures
        return failures


def worse(status: str, other: str) -> str:
    """Give the worse of two ways in which a test ended."""
    return max(status, other, key=_WORSE.index)


def merged(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Make one case of those with one name: the worst status, all failures, the time of all."""
    by_key: dict[tuple[str, str], Case] = {}
    for case in cases:
        key = (case.where, case.name)
        old = by_key.get(key)
        if old is None:
            by_key[key] = case
            continue
        times = [occurrence.seconds for occurrence in (old, case) if occurrence.seconds is not None]
        by_key[key] = Case(
            case.name,
            worse(old.status, case.status),
            sum(times) if times else None,
            old.failures + case.failures,
            case.where,
        )
    return tuple(by_key.values())


def below(report: Report, folder: str) -> Report:
    """Put a folder before all names and files, so that tests of several packages are told apart."""

    def moved(failure: Failure) -> Failure:
        test, location = failure.test, failure.location
        return failure._replace(
            test=test._replace(name=f"{folder}/{test.name}") if test else None,
            location=location._replace(file=_below(location.file, folder)) if location else None,
            frames=tuple(
                frame._replace(file=_below(frame.file, folder)) for frame in failure.frames
            ),
        )

    return report._replace(
        cases=tuple(
            case._replace(name=f"{folder}/{case.name}", failures=tuple(map(moved, case.failures)))
            for case in report.cases
        ),
        others=tuple(map(moved, report.others)),
    )


def _below(file: str, folder: str) -> str:
    """Put a folder before the name of a file that is relative to it."""
    outside = not file or file.startswith(("/", "~", "<", "../", "\\")) or file[1:2] == ":"
    return file if outside else f"{folder}/{file}"


def together(reports: Iterable[Report]) -> Report | None:
    """Make one report of those of one command; None if there is none."""
    reports = list(reports)
    if len(reports) < 2:  # noqa: PLR2004  one or none
        return reports[0] if reports else None
    return Report(
        tool=reports[0].tool,
        cases=merged(case for report in reports for case in report.cases),
        others=tuple(failure for report in reports for failure in report.others),
        at=reports[0].at,
        complete=all(report.complete for report in reports),
    )
