"""How runners count their tests at the end: so many passed, failed, skipped."""

import re
from collections import Counter
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED
from gitmem.tools.choice import values
from gitmem.tools.forms import ALL, LISTED, NAMED, CountForm

Numbers = dict[str, int]


class Count(NamedTuple):
    """One summary: the runner, and how many tests ended how, by status.

    Attributes:
        tool: the runner.
        numbers: by status; a run of nothing has none above zero.
        again: it may be printed several times for one run, and the last one counts.
        whole: it counts all tests of the run, those too that were counted above.

    """

    tool: str
    numbers: Numbers
    again: bool = False
    whole: bool = False


class SummaryNumber(NamedTuple):
    """One number of a summary that has a line for each: of a status, or of all (empty)."""

    tool: str
    status: str
    number: int


class _Summary(NamedTuple):
    tool: str
    word: str
    pattern: re.Pattern[str]
    form: CountForm


_LISTED_NUMBER: Final = lazily(
    r"(\d+) (passed|failed|succeeded|errors?|skipped|ignored|xfailed|xpassed|todo|pending"
    r"|deselected|warnings?|rerun|total|subtests passed)"
)
_STATUS: Final = {
    "passed": PASSED, "succeeded": PASSED, "xpassed": PASSED, "failed": FAILED,
    "error": ERROR, "errors": ERROR, "skipped": SKIPPED, "ignored": SKIPPED, "xfailed": SKIPPED,
    "todo": SKIPPED, "pending": SKIPPED,
}  # fmt: skip
_NAMED_NUMBER: Final = lazily(r"([A-Za-z][a-z]+(?: [a-z]+)?)[:=] *(\d+)")
_NAMED_STATUS: Final = {
    "failures": FAILED, "failed": FAILED, "errors": ERROR, "skipped": SKIPPED,
    "incomplete": SKIPPED, "expected failures": SKIPPED, "unexpected successes": FAILED,
    "passed": PASSED, "succeeded": PASSED,
}  # fmt: skip
_PART_STATUS: Final = {
    "pass": PASSED, "passing": PASSED, "passed": PASSED, "PASSED": PASSED, "Ran": PASSED,
    "fail": FAILED, "failing": FAILED, "failed": FAILED, "FAILED": FAILED, "cancelled": FAILED,
    "skipped": SKIPPED, "skip": SKIPPED, "todo": SKIPPED, "pending": SKIPPED, "SKIPPED": SKIPPED,
}  # fmt: skip


def listed_numbers(text: str) -> Numbers:
    """Read ``1 failed, 2 passed``, whatever stands between the parts."""
    numbers = _zeros()
    for number, word in _LISTED_NUMBER.findall(text):
        if word in _STATUS:
            numbers[_STATUS[word]] += int(number)
    return numbers


def read_count(line: str) -> Count | None:
    """Read a summary that stands in one line."""
    for tool, word, pattern, form in _summaries():
        if word in line and (match := pattern.match(line)):
            return Count(tool, _numbers(form, match), form.again, form.whole)
    return None


def read_part(line: str) -> SummaryNumber | None:
    """Read one number of a summary that has a line for each."""
    for tool, pattern in _parts():
        if match := pattern.match(line):
            return SummaryNumber(tool, _PART_STATUS.get(match["word"], ""), int(match["number"]))
    return None


def read_verdict(tool: str, line: str) -> Numbers | None:
    """Read how a runner ends, below the number of tests: what did not simply pass."""
    match = _verdicts()[tool].match(line)
    if not match:
        return None
    numbers: Numbers = {}
    for word, number in _NAMED_NUMBER.findall(match["parts"] or ""):
        if status := _NAMED_STATUS.get(word.lower()):
            numbers[status] = numbers.get(status, 0) + int(number)
    return numbers


@cache
def _summaries() -> tuple[_Summary, ...]:
    borne_names = values("bears")
    return tuple(
        _Summary(borne_names.get(tool, (tool,))[0], form.word, lazily(form.pattern), form)
        for tool, forms in values("tests.counts").items()
        for form in map(CountForm._make, forms)
    )


@cache
def _parts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((tool, lazily(text)) for tool, text in values("tests.parts").items())


@cache
def _verdicts() -> dict[str, re.Pattern[str]]:
    return {tool: lazily(text) for tool, text in values("tests.verdict").items()}


def _zeros() -> Numbers:
    return dict.fromkeys((PASSED, FAILED, ERROR, SKIPPED), 0)


def _numbers(form: CountForm, match: re.Match[str]) -> Numbers:
    if form.numbers == LISTED:
        return listed_numbers(match[0])
    if form.numbers == NAMED:
        return _named_numbers(match)
    return _ordered_numbers(tuple(form.numbers), match) if form.numbers else _zeros()


def _named_numbers(match: re.Match[str]) -> Numbers:
    """Read ``Failures: 1, Skipped: 2`` after the number of all tests."""
    numbers = _zeros()
    for word, number in _NAMED_NUMBER.findall(match[0]):
        if status := _NAMED_STATUS.get(word.lower()):
            numbers[status] += int(number)
    whole = match.groupdict().get("all")
    if whole is not None:
        rest = int(whole) - sum(numbers.values()) + numbers[PASSED]
        numbers[PASSED] = max(0, rest)
    return numbers


def _ordered_numbers(statuses: tuple[str, ...], match: re.Match[str]) -> Numbers:
    """Read numbers that stand in a fixed order; ``ALL`` is the sum of what passed or did not."""
    numbers = _zeros()
    whole = 0
    for status, number in zip(statuses, match.groups(), strict=True):
        if status == ALL:
            whole = int(number or 0)
        else:
            numbers[status] += int(number or 0)
    if whole:
        numbers[PASSED] = max(0, whole - sum(numbers.values()))
    return numbers


class Totals:
    """Adds up what summaries say.

    Args:
        tools: how often each runner told something; what is read here is counted there.

    """

    def __init__(self, tools: Counter[str]) -> None:
        self._tools = tools
        self._counts: dict[str, Counter[str]] = {}
        self._last: dict[str, dict[str, int]] = {}  # of summaries that are printed again and again
        self._parts: dict[str, Counter[str]] = {}
        self._ran: dict[str, int] = {}  # of all tests, where how they ended stands below

    def __bool__(self) -> bool:
        return bool(self._counts or self._parts)

    def read(self, bare: str) -> bool:
        """Take a line without the blanks around it; tell whether it was of a summary."""
        if count := read_count(bare):
            self._tools[count.tool] += 1
            if count.whole:
                self._counts.pop(count.tool, None)
            if count.again:
                self._last[count.tool] = count.numbers
            else:
                self._add(count.tool, count.numbers)
        elif part := read_part(bare):
            self._part(part)
        else:
            return any(self._verdict(tool, bare) for tool in [*self._ran])
        return True

    def _part(self, part: SummaryNumber) -> None:
        if part.tool in values("tests.verdict"):
            self._ran[part.tool] = part.number
            return
        numbers = self._parts.setdefault(part.tool, Counter({PASSED: 0}))
        if part.status:
            numbers[part.status] += part.number
            self._tools[part.tool] += 1

    def _verdict(self, tool: str, bare: str) -> bool:
        numbers = read_verdict(tool, bare)
        if numbers is None:
            return False
        ran, bad = self._ran.pop(tool), sum(numbers.values())
        if bad > ran:  # it counts each subtest that failed, and the test once
            errors = min(numbers.get(ERROR, 0), ran)
            numbers = {ERROR: errors, FAILED: ran - errors}
        numbers[PASSED] = numbers.get(PASSED, 0) + max(0, ran - bad)
        self._add(tool, {FAILED: 0, **numbers})
        self._tools[tool] += 1
        return True

    def _add(self, tool: str, numbers: dict[str, int]) -> None:
        self._counts.setdefault(tool, Counter()).update(numbers)

    def commit(self, tool: str) -> None:
        """Add the last summary of a runner: the next one is of another run."""
        if numbers := self._last.pop(tool, None):
            self._add(tool, numbers)

    def commit_all(self) -> None:
        """Add the last summaries of all runners, once the output is at its end."""
        for tool in [*self._last]:
            self.commit(tool)

    def all(self) -> list[Counter[str]]:
        """Give what each runner counted, assertions left out."""
        every = [*self._counts.values()]
        if not self._tools.keys() & values("tests.counts_points").keys():
            every += self._parts.values()
        return every
