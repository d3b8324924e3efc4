"""What is kept of the tests of a run: which failed, which passed, how long they took. Pure.

Of a case that passed only a hash of its name is kept: a run of ten thousand tests must fit
into a line of the journal, and all that is asked later is whether a certain one passed.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Case, Report

if TYPE_CHECKING:
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.output.failure import Failure

_STATUSES: Final = (PASSED, FAILED, ERROR, SKIPPED)
_BYTES: Final = 6
_CHARACTERS: Final = 8  # base64 of so many bytes
_MOST_PASSED: Final = 16_000
_MOST_FAILING: Final = 1_000
_MOST_TOLD: Final = 100
_LONGEST: Final = 200
_MOST_SLOW: Final = 10
_LEAST_SLOW: Final = 0.05


class Failing(NamedTuple):
    """A case that failed. Two cases of one parametrised test are two, even with one fingerprint.

    Attributes:
        name: as its runner names it; empty for a failure that belongs to no test.
        status: ``failed`` or ``error``.
        site: fingerprint of its failure.
        seconds: how long it took; None if nobody says.
        input, expected, actual, message, function, line: what is known about the failure,
            shortened and redacted; empty after the first hundred cases.

    """

    name: str
    status: str
    site: str
    seconds: float | None = None
    input: str = ""
    expected: str = ""
    actual: str = ""
    message: str = ""
    function: str = ""
    line: int | None = None


class Tests(NamedTuple):
    """The tests of a run.

    Attributes:
        counts: how many ended how, by status; of a run that was only read from its output
            those that did not fail are missing.
        failing: those that did not pass, in order, at most a thousand.
        ok: hashes of the names of those that passed, see ``passed``.
        slowest: seconds by name, of the slowest ones.
        complete: every test that ran is known; so one that is neither in ``failing`` nor
            passed did not run.
        counted: its runner said how many tests ended how.

    """

    counts: dict[str, int]
    failing: tuple[Failing, ...]
    ok: str = ""
    slowest: Mapping[str, float] = {}
    complete: bool = False
    counted: bool = False

    @property
    def bad(self) -> int:
        """How many failed or could not run."""
        return self.counts.get(FAILED, 0) + self.counts.get(ERROR, 0)

    @property
    def ran(self) -> int | None:
        """How many ran, skipped ones not counted; None if nobody knows."""
        counts_known = self.complete or self.counted
        return self.counts.get(PASSED, 0) + self.bad if counts_known else None

    @property
    def rate(self) -> float | None:
        """The share of those that ran and passed; None if nobody knows how many ran."""
        ran = self.counts.get(PASSED, 0) + self.bad
        return self.counts.get(PASSED, 0) / ran if self.complete and ran else None

    def also_passed(self, names: Iterable[str]) -> "Tests":
        """Count further names as those of cases that passed."""
        return self._replace(ok=self.ok + "".join(map(_hash, names)))

    def passed(self, name: str) -> bool:
        """Tell whether a case ran and passed; of a file or folder, whether any in it did."""
        wanted = _hash(name)
        at = self.ok.find(wanted)
        while at >= 0 and at % _CHARACTERS:
            at = self.ok.find(wanted, at + 1)
        return at >= 0


def of_report(
    report: Report, shown: "Mapping[Failure, FingerprintedFailure]", first: Collection[str]
) -> Tests | None:
    """Give the tests of a report; None if it names none.

    Args:
        report: the report.
        shown: the failures of it that count, as they are noted: redacted, with fingerprints.
        first: names that have to be found again, whatever the number of tests.

    """
    files = [failure for failure in report.others if failure.test and failure in shown]
    if not report.cases and not files:
        return None
    counts = Counter(case.status for case in report.cases)
    counts[ERROR] += len(files)
    bad = [
        (case, shown[case.failures[0]])
        for case in report.cases
        if case.failures[:1] and case.failures[0] in shown
    ]
    failing = [
        _failing(case, failure, in_full=number < _MOST_TOLD)
        for number, (case, failure) in enumerate(bad[:_MOST_FAILING])
    ]
    failing += [
        _failing(Case(failure.test.name, ERROR), shown[failure], in_full=True)
        for failure in files[:_MOST_TOLD]
        if failure.test
    ]
    return Tests(
        {status: counts[status] for status in _STATUSES if counts[status]},
        tuple(failing),
        _packed(report, first),
        _slowest(report.cases),
        complete=report.complete and len(bad) <= _MOST_FAILING,
    )


def of_output(
    report: Report, shown: "Mapping[Failure, FingerprintedFailure]", first: Collection[str]
) -> Tests:
    """Give the tests that an output tells of.

    Args:
        report: what the output says of tests that passed, failed and were skipped.
        shown: the failures that count, as they are noted: redacted, with fingerprints.
        first: tests that failed before: of these it is kept whether they passed.

    """
    failed = of_failures(shown)
    passing = [name for name in sorted(first) if _is_shown_to_pass(name, report)]
    counts = report.counts
    return Tests(
        dict(counts) if counts is not None else dict(failed.counts if failed else {}),
        failed.failing if failed else (),
        "".join(map(_hash, passing)),
        counted=counts is not None,
    )


def _is_shown_to_pass(name: str, report: Report) -> bool:
    """Tell whether an output names a test, and every test that may be it passed."""
    from gitmem.matching.test_names import same_test

    same = [case for case in report.cases if same_test(case.name, name)]
    where = {case.where for case in same}
    return bool(same) and len(where) == 1 and all(case.status == PASSED for case in same)


def of_failures(shown: "Mapping[Failure, FingerprintedFailure]") -> Tests | None:
    """Give the tests that failed, by what a command's output shows; None if it names none."""
    cases = [
        Case(failure.test.name, ERROR if failure.test.status == ERROR else FAILED, None, (failure,))
        for failure in shown
        if failure.test and failure.test.name
    ]
    return of_report(Report(cases=tuple(cases), complete=False), shown, ())


def _failing(case: Case, failure: "FingerprintedFailure", *, in_full: bool) -> Failing:
    # As it was redacted: a parameter may have been a secret.
    test = failure.fields.get("test") or {}
    name = str(test.get("name") or case.name)
    if not in_full:
        return Failing(name, case.status, failure.site, case.seconds)
    message = str(failure.fields.get("message") or test.get("message", "")).strip()
    return Failing(
        name,
        case.status,
        failure.site,
        case.seconds,
        input=_short(str(test.get("input", ""))),
        expected=_short(str(test.get("expected", ""))),
        actual=_short(str(test.get("actual", ""))),
        message=_short(message),
        function=str(test.get("failing_function", "")),
        line=test.get("failing_line"),
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _slowest(cases: Sequence[Case]) -> dict[str, float]:
    times = {case.name: case.seconds for case in cases if (case.seconds or 0) >= _LEAST_SLOW}
    slow = sorted(times.items(), key=lambda item: -(item[1] or 0))[:_MOST_SLOW]
    return {name: round(seconds or 0, 3) for name, seconds in slow}


def _packed(report: Report, first: Collection[str]) -> str:
    names = [case.name for case in report.cases if case.status == PASSED]
    names.sort(key=lambda name: name not in first)
    hashes = dict.fromkeys(map(_hash, names[:_MOST_PASSED]))
    # What could not be imported before can be now, if anything in it ran.
    ran = {above for case in report.cases if case.status != SKIPPED for above in _above(case.name)}
    broken = {failure.test.name for failure in report.others if failure.test}
    hashes |= dict.fromkeys(map(_hash, sorted(ran.intersection(first) - broken)))
    return "".join(hashes)


def _above(name: str) -> list[str]:
    """Name what a test lies in: its class, its file, the folders of that."""
    names = []
    head = name.partition("[")[0]
    while "::" in head:
        head = head.rpartition("::")[0]
        names.append(head)
    while "/" in head:
        head = head.rpartition("/")[0]
        names.append(head)
    return names


def _hash(name: str) -> str:
    digest = blake2b(name.encode(errors="surrogatepass"), digest_size=_BYTES).digest()
    return b64encode(digest).decode()


def to_data(tests: Tests) -> dict[str, Any]:
    """Turn tests into plain data for the journal."""
    data = tests._asdict()
    data["slowest"] = dict(tests.slowest)
    data["failing"] = [
        {name: value for name, value in case._asdict().items() if value not in ("", None)}
        for case in tests.failing
    ]
    return data


def from_data(data: Mapping[str, Any]) -> Tests:
    """Read tests back; raise KeyError, TypeError or ValueError for what are none."""
    return Tests(
        {str(status): int(count) for status, count in data["counts"].items()},
        tuple(Failing(**{"name": "", **case}) for case in data["failing"]),
        str(data["ok"]),
        {str(name): float(seconds) for name, seconds in data["slowest"].items()},
        bool(data["complete"]),
        bool(data.get("counted")),
    )
