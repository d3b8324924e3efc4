"""How runners count their tests at the end: so many passed, failed, skipped."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED

Numbers = dict[str, int]


class Count(NamedTuple):
    """One summary: the runner, and how many tests ended how, by status.

    Attributes:
        tool: the runner.
        numbers: by status; a run of nothing has none above zero.
        again: it may be printed several times for one run, and the last one counts.

    """

    tool: str
    numbers: Numbers
    again: bool = False


class _CountForm(NamedTuple):
    tool: str
    word: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Numbers]
    again: bool = False


_LISTED: Final = lazily(
    r"(\d+) (passed|failed|succeeded|errors?|skipped|ignored|xfailed|xpassed|todo|pending"
    r"|deselected|warnings?|rerun|total|subtests passed)"
)
_STATUS: Final = {
    "passed": PASSED, "succeeded": PASSED, "xpassed": PASSED, "failed": FAILED,
    "error": ERROR, "errors": ERROR, "skipped": SKIPPED, "ignored": SKIPPED, "xfailed": SKIPPED,
    "todo": SKIPPED, "pending": SKIPPED,
}  # fmt: skip
_NAMED: Final = lazily(r"([A-Za-z][a-z]+(?: [a-z]+)?)[:=] *(\d+)")
_NAMED_STATUS: Final = {
    "failures": FAILED, "failed": FAILED, "errors": ERROR, "skipped": SKIPPED,
    "incomplete": SKIPPED, "expected failures": SKIPPED, "unexpected successes": FAILED,
    "passed": PASSED, "succeeded": PASSED,
}  # fmt: skip


def listed(text: str) -> Numbers:
    """Read ``1 failed, 2 passed``, whatever stands between the parts."""
    numbers = dict.fromkeys((PASSED, FAILED, ERROR, SKIPPED), 0)
    for number, word in _LISTED.findall(text):
        if word in _STATUS:
            numbers[_STATUS[word]] += int(number)
    return numbers


def _listed(match: re.Match[str]) -> Numbers:
    return listed(match[0])


def _named(match: re.Match[str]) -> Numbers:
    """Read ``Failures: 1, Skipped: 2`` after the number of all tests."""
    numbers = dict.fromkeys((PASSED, FAILED, ERROR, SKIPPED), 0)
    for word, number in _NAMED.findall(match[0]):
        if status := _NAMED_STATUS.get(word.lower()):
            numbers[status] += int(number)
    whole = match.groupdict().get("all")
    if whole is not None:
        rest = int(whole) - sum(numbers.values()) + numbers[PASSED]
        numbers[PASSED] = max(0, rest)
    return numbers


def _ordered(*statuses: str) -> Callable[[re.Match[str]], Numbers]:
    """Read numbers that stand in a fixed order; ``all`` is the sum of what passed or did not."""

    def read(match: re.Match[str]) -> Numbers:
        numbers = dict.fromkeys((PASSED, FAILED, ERROR, SKIPPED), 0)
        whole = 0
        for status, number in zip(statuses, match.groups(), strict=True):
            if status == "all":
                whole = int(number or 0)
            else:
                numbers[status] += int(number or 0)
        if whole:
            numbers[PASSED] = max(0, whole - sum(numbers.values()))
        return numbers

    return read


def _none(match: re.Match[str]) -> Numbers:  # noqa: ARG001  there is nothing to read
    return dict.fromkeys((PASSED, FAILED, ERROR, SKIPPED), 0)


_FORMS: Final = (
    _CountForm("pytest", " in ", lazily(
        r"(?:=+ )?(?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?"
        r"|rerun|subtests passed|subtests failed)(?:, )?)+ in [\d.]+s\b.*$"), _listed),
    _CountForm("pytest", "no tests ", lazily(
        r"(?:=+ )?no tests (?:ran|collected) in [\d.]+s\b.*$"), _none),
    _CountForm("doctest", " passed", lazily(r"\d+ passed(?: and \d+ failed)?\.$"), _listed),
    _CountForm("jest", "Tests:", lazily(
        r"Tests: +(?:\d+ (?:failed|passed|skipped|todo), )*\d+ total$"), _listed, again=True),
    _CountForm("vitest", "Tests ", lazily(
        r"Tests +(?:no tests|(?:\d+ (?:failed|passed|skipped|todo)(?: \| )?)+ \(\d+\))$"),
        _listed, again=True),
    _CountForm("cargo", "test result:", lazily(
        r"test result: \w+\. \d+ passed; \d+ failed; \d+ ignored\b.*$"), _listed),
    _CountForm("cargo", "tests run:", lazily(
        r"Summary \[ *[\d.]+s\] +\d+ tests? run: .*$"), _listed),
    _CountForm("gradle", " completed", lazily(
        r"(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$"),
        _ordered("all", FAILED, SKIPPED)),
    _CountForm("maven", "Tests run:", lazily(
        r"(?:\[\w+\] )?Tests run: (?P<all>\d+), Failures: \d+, Errors: \d+, Skipped: \d+$"),
        _named),
    _CountForm("maven", "No tests", lazily(
        r"(?:\[\w+\] )?(?:No tests to run\.|Failed to execute goal .*No tests matching pattern.*"
        r"|Failed to execute goal .*No tests were executed.*)$"), _none),
    _CountForm("dotnet", "Total:", lazily(
        r"(?:Failed|Passed|Skipped)! +- Failed: +\d+, Passed: +\d+, Skipped: +\d+, Total: +\d+.*$"),
        _named),
    _CountForm("dotnet", "Test summary:", lazily(
        r"Test summary: total: +\d+, failed: +\d+, succeeded: +\d+, skipped: +\d+.*$"), _named),
    _CountForm("dotnet", "No test", lazily(r"No test (?:is available|matches).*$"), _none),
    _CountForm("rspec", "example", lazily(
        r"(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?"
        r"(?:, (\d+) errors? occurred outside of examples)?$"),
        _ordered("all", FAILED, SKIPPED, ERROR)),
    _CountForm("phpunit", "OK (", lazily(r"OK \((?P<all>\d+) tests?, .*\)$"), _named),
    _CountForm(
        "phpunit", "Assertions:", lazily(r"Tests: (?P<all>\d+), Assertions: \d+.*$"), _named
    ),
    _CountForm("phpunit", "No tests executed", lazily(r"No tests executed!$"), _none),
    _CountForm("minitest", " runs, ", lazily(
        r"(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$"),
        _ordered("all", FAILED, ERROR, SKIPPED)),
    _CountForm("test-unit", " assertions, ", lazily(
        r"(\d+) tests, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) pendings, "
        r"(\d+) omissions\b.*$"), _ordered("all", FAILED, ERROR, SKIPPED, SKIPPED)),
    _CountForm("ctest", "tests passed", lazily(
        r"\d+% tests passed, (\d+) tests? failed out of (\d+)$"), _ordered(FAILED, "all")),
    _CountForm("ctest", "No tests were found", lazily(r"No tests were found!!!$"), _none),
    _CountForm("unity", " Failures ", lazily(
        r"(\d+) Tests (\d+) Failures (\d+) Ignored"), _ordered("all", FAILED, SKIPPED)),
    _CountForm("bats", " tests, ", lazily(
        r"(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?$"),
        _ordered("all", FAILED, SKIPPED)),
)  # fmt: skip

_PARTS: Final = (
    # Runners that give each number a line of its own.
    ("node", lazily(
        r"\u2139 (?P<word>tests|pass|fail|cancelled|skipped|todo) +(?P<number>\d+)$")),
    ("tap", lazily(
        r"# (?P<word>tests|pass|fail|cancelled|skipped|skip|todo) +(?P<number>\d+)$")),
    ("mocha", lazily(r"(?P<number>\d+) (?P<word>passing|failing|pending)(?: \(.*\))?$")),
    ("gtest", lazily(
        r"\[ +(?P<word>PASSED|FAILED|SKIPPED) +\] (?P<number>\d+) tests?(?:\.|, listed below:)$")),
    ("unittest", lazily(r"(?P<word>Ran) (?P<number>\d+) tests? in [\d.]+s$")),
    ("bun", lazily(r"(?P<number>\d+) (?P<word>pass|fail|skip|todo)$")),
)  # fmt: skip
_PART_STATUS: Final = {
    "pass": PASSED, "passing": PASSED, "passed": PASSED, "PASSED": PASSED, "Ran": PASSED,
    "fail": FAILED, "failing": FAILED, "failed": FAILED, "FAILED": FAILED, "cancelled": FAILED,
    "skipped": SKIPPED, "skip": SKIPPED, "todo": SKIPPED, "pending": SKIPPED, "SKIPPED": SKIPPED,
}  # fmt: skip
_UNITTEST: Final = lazily(r"(?:OK|FAILED|NO TESTS RAN)(?: \((?P<parts>.*)\))?$")


class SummaryNumber(NamedTuple):
    """One number of a summary that has a line for each: of a status, or of all (empty)."""

    tool: str
    status: str
    number: int


def read_count(line: str) -> Count | None:
    """Read a summary that stands in one line."""
    for form in _FORMS:
        if form.word in line and (match := form.pattern.match(line)):
            return Count(form.tool, form.read(match), form.again)
    return None


def read_part(line: str) -> SummaryNumber | None:
    """Read one number of a summary that has a line for each."""
    for tool, pattern in _PARTS:
        if match := pattern.match(line):
            return SummaryNumber(tool, _PART_STATUS.get(match["word"], ""), int(match["number"]))
    return None


def read_verdict(line: str) -> Numbers | None:
    """Read how unittest ends, below the number of tests: what did not simply pass."""
    match = _UNITTEST.match(line)
    if not match:
        return None
    numbers: Numbers = {}
    for word, number in _NAMED.findall(match["parts"] or ""):
        if status := _NAMED_STATUS.get(word.lower()):
            numbers[status] = numbers.get(status, 0) + int(number)
    return numbers
