"""What a report of a test run tells: every case and how it ended, with its failures.

The readers of report formats build these, and what observes runs takes them; like failures
they are light, and checked only when something of them is recorded.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
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
    failures: "tuple[Failure, ...]" = ()
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
    others: "tuple[Failure, ...]" = ()
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
    def failures(self) -> "list[Failure]":
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

    def moved(failure: "Failure") -> "Failure":
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


class CaseOutcome(NamedTuple):
    """How one test ended.

    Attributes:
        tool: the runner that says so.
        name: the test's, as the runner prints it.
        status: one of ``PASSED``, ``FAILED``, ``ERROR`` and ``SKIPPED``.
        where: the file, package or binary that it belongs to, if the name does not tell.
        seconds: how long it took; None if nobody says.
        said: how it failed, where the line says more than that it did.

    """

    tool: str
    name: str
    status: str
    where: str = ""
    seconds: float | None = None
    said: str = ""


# What runners say of one test, in lower case. An expected failure is no proof of anything.
WORDS: Final = {
    "ok": PASSED, "pass": PASSED, "passed": PASSED, "xpass": PASSED, ".": PASSED,
    "unexpected success": FAILED, "fail": FAILED, "failed": FAILED, "f": FAILED,
    "subfailed": FAILED, "timeout": FAILED, "error": ERROR, "e": ERROR, "aborted": ERROR,
    "skip": SKIPPED, "skipped": SKIPPED, "xfail": SKIPPED, "ignored": SKIPPED, "ignore": SKIPPED,
    "expected failure": SKIPPED, "s": SKIPPED, "todo": SKIPPED, "pending": SKIPPED,
}  # fmt: skip
LABELS: Final = frozenset(
    {"Actual", "Assertion", "Error", "Exception", "Expected", "Failure", "Received", "Timed out"}
)
"""What stands before the values of a comparison or a reason: no name of a test."""
ENDED: Final = frozenset({"ok", "FAILED", "FAIL", "ERROR", "PASSED"})
"""What stands alone on a line, below what a test printed, whose name stands above that."""
MARKS: Final = {
    **dict.fromkeys("\u2713\u2714\u221a", PASSED),
    **dict.fromkeys("\u2715\u2716\u2717\u2718\xd7", FAILED),
    **dict.fromkeys("\u25cb\u2193\u25a1\ufe63\u270e\u21a9\u2205\u2622", SKIPPED),
}
"""Marks before the titles of tests."""

_ROW: Final = re.compile(r"^[^/\[\s.]+/(.+)$|\[([^\]]+)\]$")


def row_of(name: str) -> str:
    """Give the row of a table in the name of a test: ``tea`` of ``TestPrice/tea``; else nothing."""
    match = _ROW.search(name.rpartition("::")[2])
    return match[1] or match[2] if match else ""


def leaf_of(name: str) -> str:
    """Give the last part of a test's name: that of the test itself."""
    file, _, inner = name.partition("::")
    return re.split("::|\\.| > | \u203a |/", inner or file)[-1].partition("[")[0].strip()


def same_file(path: str, other: str) -> bool:
    """Tell whether two paths can be one file's, seen from two folders."""
    first, second = path.replace("\\", "/"), other.replace("\\", "/")
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return longer == shorter or longer.endswith("/" + shorter.lstrip("./"))
