"""How the tests of an output ended, gathered from the lines that tell of it, in their order."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.outcomes.counts import Totals
from gitmem.matching.outcomes.lines import Groups, read_line, read_opening
from gitmem.matching.outcomes.tree import Tree
from gitmem.matching.test_names import file_of, is_file, parent_test, tail
from gitmem.output.cases import (
    ENDED,
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    WORDS,
    Case,
    CaseOutcome,
    Group,
    Report,
    merged,
    same_file,
    worse,
)
from gitmem.output.failure import Failure
from gitmem.tools.choice import load, own_pattern, pattern, values
from gitmem.tools.common.closing import is_closing

if TYPE_CHECKING:
    import re

    from gitmem.tools.forms import Follower

MOST: Final = 100_000
"""Tests of one output that are told apart; of more only the counts are known."""
_MOST_BAD: Final = 400


class Outcomes:
    """Takes the telling lines of an output in order, and makes a report of them.

    Args:
        number: a number that may count tests.
        shape: lines that tell of a test, and neither begin nor end in a way of their own.

    """

    def __init__(self, number: "re.Pattern[str]", shape: "re.Pattern[str]") -> None:
        self._cases: dict[tuple[str, str], CaseOutcome] = {}
        self._tools: Counter[str] = Counter()  # how often each runner told something
        self._tree, self._groups, self._totals = Tree(), Groups(), Totals(self._tools)
        self._number, self._shape = number, shape
        self._restarts, self._closes = _patterns("restarts"), _patterns("closes")
        # Of runners that tell of a test in several lines; some wait for their first line.
        self._followers: dict[str, Follower] = {}
        self._waiting, self._first = dict(_patterns("follows")), pattern("tests.follows")
        self._begun: CaseOutcome | None = None
        self._full = True
        self.passed = False  # whether the last line said of one test that it passed
        self.line = 0  # number of the line at hand, and at the end of the last one
        self._bad: list[tuple[int, CaseOutcome]] = []  # where it is told that a test failed
        # Where runners tell of a test that print below what it printed.
        self._bounds: dict[str, list[int]] = {tool: [] for tool in values("tests.prints_below")}

    def take(self, line: str, bare: str, *, sure: bool, tree: bool) -> bool:
        """Take a line; tell whether it told how tests ended.

        Args:
            line: as it stands.
            bare: without the blanks around it.
            sure: it begins or ends like one that tells; else it must match as a whole.
            tree: there are marks of tests in the lines around it, which follow titles.

        """
        self.passed = False
        marked = tree and self._marked(line)
        if sure or self._number.match(bare) or self._shape.match(bare):
            return self._look(line, bare) or marked
        return marked

    def _marked(self, line: str) -> bool:
        """Follow suites and marks; a cross alone may be any tool's, so it explains nothing."""
        outcome = self._tree.read(line)
        if outcome is None:
            return False
        self._add(outcome)
        return outcome.status in (PASSED, SKIPPED)

    def _look(self, line: str, bare: str) -> bool:
        """Look closer at a line; tell whether it told how tests ended."""
        if self._begun and bare in ENDED:
            self._end(bare)
            return True
        if outcome := read_line(bare):
            self._begun = None
            self.passed = outcome.status == PASSED
            if not outcome.where and (where := self._where(outcome.tool)):
                outcome = outcome._replace(where=where)
            self._add(outcome)
            return True
        return (
            self._follow(line)
            or self._groups.read(bare)
            or self._totals.read(bare)
            or self._read_further(bare)
        )

    def _follow(self, line: str) -> bool:
        """Ask those who follow several lines; tell whether the line was one of theirs."""
        if self._waiting and self._first.match(line):
            self._join(line)
        for tool, follower in self._followers.items():
            results = follower.read(line)
            if results is None:
                continue
            for result in results:
                if isinstance(result, Group):
                    self._groups.add(result)
                    self._tools[tool] += 1
                else:
                    self._add(result)
            return True
        return False

    def _join(self, line: str) -> None:
        """Make the followers that wait for such a line."""
        for tool in [tool for tool, first in self._waiting.items() if first.match(line)]:
            del self._waiting[tool]
            if follow := load(tool).tests.follow:
                self._followers[tool] = follow()
        # In the order of the tools, whoever came first: each sees what those before it leave.
        order = [*values("tests.follow")]
        self._followers = dict(
            sorted(self._followers.items(), key=lambda pair: order.index(pair[0]))
        )

    def _read_further(self, bare: str) -> bool:
        """Read that a run or a test began, or how a test ended that began above."""
        for tool, restart in self._restarts.items():
            if restart.match(bare):
                self._totals.commit(tool)
                return False
        closing = self._closes.get(self._begun.tool) if self._begun else None
        if closing and (ended := closing.match(bare)):
            self._end(ended["word"])
            return True
        if opening := read_opening(bare):
            tool, name = opening
            self._begun = CaseOutcome(tool, name, ERROR, self._where(tool))
        return False

    def _end(self, word: str) -> None:
        """Take how the test ended that has begun."""
        if self._begun:
            self._add(self._begun._replace(status=WORDS[word.lower()]))
            self._begun = None

    def _where(self, tool: str) -> str:
        follower = self._followers.get(tool)
        return follower.where if follower else ""

    def _add(self, outcome: CaseOutcome) -> None:
        self._tools[outcome.tool] += 1
        if outcome.tool in self._bounds:
            self._bounds[outcome.tool].append(self.line)
        if outcome.status in (FAILED, ERROR) and len(self._bad) < _MOST_BAD:
            self._bad.append((self.line, outcome))
        key = (outcome.where, outcome.name)
        earlier = self._cases.get(key)
        if earlier is None and len(self._cases) >= MOST:
            self._full = False
            return
        if earlier:
            outcome = outcome._replace(status=worse(earlier.status, outcome.status))
        self._cases[key] = outcome

    def report(self, failures: Sequence[Failure]) -> Report | None:
        """Make a report, see ``OutcomeReader.report``."""
        for follower in self._followers.values():
            for outcome in follower.rest():
                self._add(outcome)
        self._totals.commit_all()
        # Marks without a runner's own words beside them may be any program's.
        sure = bool(self._totals or self._groups.all())
        # What a test printed itself names it without the program that it is in.
        placed = {(each.tool, each.name) for each in self._cases.values() if each.where}
        outcomes = [
            outcome
            for outcome in self._cases.values()
            if (outcome.tool or sure)
            and (outcome.where or (outcome.tool, outcome.name) not in placed)
        ]
        cases, others = _joined(outcomes, failures)
        counts = self._total(cases)
        groups = self._groups.all()
        if not cases and counts is None and not groups:
            return None
        named = Counter(case.status for case in cases)
        # A test whose subtests failed is counted once.
        tests = {parent_test(case.name) or case.name for case in cases}
        whole = counts is not None and sum(counts.values()) in (sum(named.values()), len(tests))
        runners = {failure.tool for failure in failures if failure.test and failure.tool}
        # Summaries of several runners look alike: then what failed tells whose it was.
        tool = next((name for name, _ in self._tools.most_common() if name), "")
        if self._tools and len(runners) == 1 and not self._cases:
            tool = next(iter(runners))
        return Report(
            tool, cases, others, counts=counts, groups=groups, complete=whole and self._full
        )

    def failing(self) -> list[tuple[int, int, CaseOutcome]]:
        """Give the tests that failed, see ``OutcomeReader.failing``."""
        certain = values("tests.names_failing").keys()
        has_certain = bool(self._tools.keys() & certain)
        return [
            (line, self._bound(line, outcome.tool), outcome)
            for line, outcome in self._bad
            if outcome.tool in certain or (not outcome.tool and has_certain)
        ]

    def _bound(self, line: int, tool: str) -> int:
        """Give the line up to which stands what a test printed; 0 if that stands above."""
        if tool not in self._bounds:
            return 0
        return next((at for at in self._bounds[tool] if at > line), self.line)

    def read_below(self, first: int, lines: Sequence[str]) -> None:
        """Take what failing tests of a block printed last, where their own lines say no more.

        Args:
            first: number of the block's first line.
            lines: of the block.

        """
        self.line = first + len(lines)
        for at, (line, outcome) in enumerate(self._bad):
            if line < first or outcome.said or outcome.tool not in self._bounds:
                continue
            ends = own_pattern(outcome.tool, "tests.prints_below").match
            below = lines[line + 1 - first : self._bound(line, outcome.tool) - first]
            own = takewhile(lambda text: not ends(text), below)  # noqa: B023  used up in this turn
            if words := [text.strip() for text in own if text.strip() and not is_closing(text)]:
                self._bad[at] = line, outcome._replace(said=words[-1])

    def _total(self, cases: Sequence[Case]) -> dict[str, int] | None:
        """Add up what the summaries say; without any what the tests say, where all have a line."""
        named = Counter(case.status for case in cases)
        each = bool(cases) and bool(self._runners_with("names_each"))
        each = each or any(
            follower.names_each for tool, follower in self._followers.items() if tool in self._tools
        )
        every = self._totals.all()
        if each and (tools := self._runners_with("counts_skipped")):
            # They show the tests within a program only where one failed: what they name
            # themselves is the same in every run.
            own = (outcome for outcome in self._cases.values() if outcome.tool in tools)
            named = Counter(outcome.status for outcome in own)
        elif every:
            named = Counter[str]()
            for numbers in every:
                named.update(numbers)
        elif not each and not self._has_nothing_to_run():
            return None
        return {status: named[status] for status in (PASSED, FAILED, ERROR, SKIPPED)}

    def _runners_with(self, field: str) -> set[str]:
        """Give the runners of which that is true, and which told something."""
        return self._tools.keys() & values(f"tests.{field}").keys()

    def _has_nothing_to_run(self) -> bool:
        """Tell whether all that was to be tested had nothing to run."""
        groups = self._groups.all()
        empty = bool(groups) and all(group.counts == {} for group in groups)
        return empty and bool(self._runners_with("names_empty"))


@cache
def _patterns(field: str) -> "dict[str, re.Pattern[str]]":
    """Give the patterns of a field by runner."""
    return {tool: lazily(text) for tool, text in values(f"tests.{field}").items()}


def _joined(
    outcomes: Iterable[CaseOutcome], failures: Sequence[Failure]
) -> tuple[tuple[Case, ...], tuple[Failure, ...]]:
    """Give each test the failures that name it; tests that only a failure names are added."""
    left = [candidate for candidate in failures if candidate.test and candidate.test.name]
    named: dict[str, list[Failure]] = {}
    rows: dict[str, list[Failure]] = {}  # by the test that they are rows of
    for failure in left:
        if failure.test:
            name = failure.test.name
            named.setdefault(tail(name, failure.language), []).append(failure)
            if whole := parent_test(name):
                rows.setdefault(tail(whole, failure.language), []).append(failure)
    cases: list[Case] = []
    used: set[int] = set()
    for outcome in outcomes:
        own: list[Failure] = []
        if outcome.status in (FAILED, ERROR):
            candidates = named.get(tail(outcome.name, outcome.tool), ())
            same = [
                candidate
                for candidate in candidates
                if id(candidate) not in used and _is_of(candidate, outcome)
            ]
            # A test that has rows counts as one; each row that failed is a failure of it.
            in_rows = rows.get(tail(outcome.name, outcome.tool), ())
            own = same[:1] or [row for row in in_rows if id(row) not in used]
        used.update(map(id, own))
        cases.append(Case(outcome.name, outcome.status, outcome.seconds, tuple(own), outcome.where))
    others = [candidate for candidate in failures if not (candidate.test and candidate.test.name)]
    for failure in left:
        if id(failure) in used or not failure.test:
            continue
        if is_file(failure.test.name):
            others.append(failure)
        else:
            status = ERROR if failure.test.status == ERROR else FAILED
            cases.append(Case(failure.test.name, status, None, (failure,)))
    return merged(candidate for candidate in cases if not is_file(candidate.name)), tuple(others)


def _is_of(failure: Failure, outcome: CaseOutcome) -> bool:
    name = failure.test.name if failure.test else ""
    first, second = file_of(name), file_of(outcome.name)
    return not first or not second or same_file(first, second)
