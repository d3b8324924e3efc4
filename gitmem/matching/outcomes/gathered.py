"""How the tests of an output ended, gathered from the lines that tell of it, in their order."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.outcomes.counts import SummaryNumber, read_count, read_part, read_verdict
from gitmem.matching.outcomes.groups import Groups
from gitmem.matching.outcomes.lines import read_line
from gitmem.matching.outcomes.tap import Tap
from gitmem.matching.outcomes.tree import Tree
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Case, Report, merged, worse
from gitmem.output.failure import Failure
from gitmem.output.outcome import ENDED, NUMBER, WORDS, CaseOutcome
from gitmem.output.test_names import file_of, is_file, same_file, tail

MOST: Final = 100_000
"""Tests of one output that are told apart; of more only the counts are known."""
_MOST_BAD: Final = 400
_SURE: Final = frozenset(
    {"bats", "cargo", "ctest", "dotnet", "gradle", "gtest", "jest", "minitest", "mocha", "node",
     "phpunit", "pytest", "tape", "unittest", "unity", "vitest"}
)  # fmt: skip
_UNITY: Final = lazily(r"[^\s:]+:\d+:\w+:(?:PASS|FAIL|IGNORE)\b")
_NODE: Final = lazily(r"\S+\.\w+::\S")
_GO: Final = lazily(r" *--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+) \((?P<seconds>[\d.]+)s\)$")
_GO_PACKAGE: Final = lazily(r"(?P<word>ok  |FAIL|\?   )\t(?P<name>\S+)(?P<rest>(?:[\t ].*)?)$")
_CARGO_BINARY: Final = lazily(
    r"Running (?:unittests )?(?P<file>\S+) "
    r"\((?:\S*[\\/])?(?P<crate>[\w-]+?)-[0-9a-f]{8,}(?:\.exe)?\)$"
)
_CARGO_DOCS: Final = lazily(r"Doc-tests (?P<crate>\S+)$")
_UNITTEST_HEAD: Final = lazily(r"(?P<test>\w+) \((?P<owner>[\w.<>]+)\)$")
_BEGUN: Final = lazily(
    r"(?:test (?P<cargo>\S.*?)(?: - should panic)? \.\.\. "
    r"|(?P<test>\w+) \((?P<owner>[\w.<>]+)\) \.\.\. ?|(?P<node>\S+\.py::\S+) ).*$"
)
_DOTTED: Final = lazily(r"\S.* \.\.\. (?P<word>ok|FAIL|ERROR|skipped)(?: .*)?$")
_VITEST_RUN: Final = lazily(r"RUN +v\d")


class Outcomes:
    """Takes the telling lines of an output in order, and makes a report of them."""

    def __init__(self) -> None:
        self._cases: dict[tuple[str, str], CaseOutcome] = {}
        self._tap, self._tree, self._groups = Tap(), Tree(), Groups()
        self._counts: dict[str, Counter[str]] = {}
        self._last: dict[str, dict[str, int]] = {}  # of summaries that are printed again and again
        self._parts: dict[str, Counter[str]] = {}
        self._go: list[CaseOutcome] = []  # tests whose package is told below them
        self._binary = ""
        self._begun: CaseOutcome | None = None
        self._ran: int | None = None
        self._told = False  # go tells of tests that pass, too
        self._tools: Counter[str] = Counter()
        self._full = True
        self.line = 0  # number of the line at hand, and at the end of the last one
        self._bad: list[tuple[int, CaseOutcome]] = []  # where it is told that a test failed
        self._bounds: list[int] = []  # where ctest tells of a test

    def take(self, line: str, bare: str, *, sure: bool, tree: bool) -> bool:
        """Take a line; tell whether it told how tests ended.

        Args:
            line: as it stands.
            bare: without the blanks around it.
            sure: it begins or ends like one that tells; else it must match as a whole.
            tree: there are marks of tests in the lines around it, which follow titles.

        """
        marked = tree and self._marked(line)
        if sure or NUMBER.match(bare) or _NODE.match(bare) or _UNITY.match(bare):
            return self._look(line, bare) or marked
        return marked

    def _marked(self, line: str) -> bool:
        """Follow suites and marks; a cross alone may be any tool's, so it explains nothing."""
        outcomes = list(self._tree.read(line))
        self._take(outcomes)
        return any(outcome.status in (PASSED, SKIPPED) for outcome in outcomes)

    def _take(self, outcomes: Iterable[CaseOutcome]) -> bool:
        all_outcomes = list(outcomes)
        for outcome in all_outcomes:
            self._add(outcome)
        return bool(all_outcomes)

    def _look(self, line: str, bare: str) -> bool:
        """Look closer at a line; tell whether it told how tests ended."""
        begun = self._begun
        if bare in ENDED and begun:
            self._begun = None
            return self._take([begun._replace(status=WORDS[bare.lower()])])
        outcome = read_line(bare)
        if outcome:
            self._begun = None
            if outcome.tool == "cargo" and not outcome.where:
                outcome = outcome._replace(where=self._binary)
            return self._take([outcome])
        if self._take(self._tap.read(line)):
            return True
        if go := _GO.match(line):
            status = WORDS[go["word"].lower()]
            self._go.append(CaseOutcome("go", go["name"], status, "", float(go["seconds"])))
        elif package := _GO_PACKAGE.match(line):
            self._package(package)
        else:
            return self._groups.read(bare) or self._count(bare) or self._further(bare)
        return True

    def _further(self, bare: str) -> bool:
        """Read what lines below belong to, or that a test began whose end stands below."""
        if binary := _CARGO_BINARY.match(bare):
            self._binary = f"{binary['crate']} {binary['file']}"
        elif docs := _CARGO_DOCS.match(bare):
            self._binary = f"{docs['crate']} documentation"
        elif bare.startswith("=== RUN "):
            self._told = True
        elif _VITEST_RUN.match(bare):
            self._commit("vitest")
        elif head := _UNITTEST_HEAD.match(bare):
            self._begin("unittest", _owned(head))
        elif self._begun and self._begun.tool == "unittest" and (dotted := _DOTTED.match(bare)):
            begun, self._begun = self._begun, None
            return self._take([begun._replace(status=WORDS[dotted["word"].lower()])])
        elif begins := _BEGUN.match(bare + " "):
            if begins["cargo"]:
                self._begin("cargo", begins["cargo"], self._binary)
            elif begins["node"]:
                self._begin("pytest", begins["node"])
            else:
                self._begin("unittest", _owned(begins))
        return False

    def _begin(self, tool: str, name: str, where: str = "") -> None:
        self._begun = CaseOutcome(tool, name, ERROR, where)

    def _package(self, match: re.Match[str]) -> None:
        name, rest = match["name"], match["rest"]
        if name.startswith("["):
            return
        empty = "no test files" in rest or "no tests to run" in rest
        self._groups.add(name, bad=match["word"] == "FAIL", numbers={} if empty else None)
        self._tools["go"] += 1
        for outcome in self._go:
            self._add(outcome._replace(where=name))
        self._go.clear()

    def _add(self, outcome: CaseOutcome) -> None:
        self._tools[outcome.tool] += 1
        if outcome.tool == "ctest":
            self._bounds.append(self.line)
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

    def _count(self, bare: str) -> bool:
        if count := read_count(bare):
            self._tools[count.tool] += 1
            if count.again:
                self._last[count.tool] = count.numbers
            else:
                self._counts.setdefault(count.tool, Counter()).update(count.numbers)
        elif part := read_part(bare):
            self._part(part)
        elif self._ran is not None and (numbers := read_verdict(bare)) is not None:
            bad = sum(numbers.values())
            numbers[PASSED] = numbers.get(PASSED, 0) + max(0, self._ran - bad)
            self._counts.setdefault("unittest", Counter()).update({FAILED: 0, **numbers})
            self._tools["unittest"] += 1
            self._ran = None
        else:
            return False
        return True

    def _part(self, part: SummaryNumber) -> None:
        if part.tool == "unittest":
            self._ran = part.number
            return
        numbers = self._parts.setdefault(part.tool, Counter({PASSED: 0}))
        if part.status:
            numbers[part.status] += part.number
            self._tools[part.tool] += 1

    def _commit(self, tool: str) -> None:
        if numbers := self._last.pop(tool, None):
            self._counts.setdefault(tool, Counter()).update(numbers)

    def report(self, failures: Sequence[Failure]) -> Report | None:
        """Make a report, see ``OutcomeReader.report``."""
        self._close()
        # Marks without a runner's own words beside them may be any program's.
        sure = bool(self._counts or self._parts or self._groups.all())
        outcomes = [outcome for outcome in self._cases.values() if outcome.tool or sure]
        cases, others = _joined(outcomes, failures)
        counts = self._total(cases)
        groups = self._groups.all()
        if not cases and counts is None and not groups:
            return None
        named = Counter(case.status for case in cases)
        whole = counts is not None and sum(counts.values()) == sum(named.values())
        tool = next((name for name, _ in self._tools.most_common() if name), "")
        return Report(
            tool, cases, others, counts=counts, groups=groups, complete=whole and self._full
        )

    def _close(self) -> None:
        for outcome in self._go:
            self._add(outcome)
        self._go.clear()
        for tool in list(self._last):
            self._commit(tool)

    def failing(self) -> list[tuple[int, int, CaseOutcome]]:
        """Give the tests that failed, see ``OutcomeReader.failing``."""
        runners = {tool for tool in self._tools if tool} & _SURE
        return [
            (
                line,
                next((at for at in self._bounds if at > line), self.line)
                if outcome.tool == "ctest"
                else 0,
                outcome,
            )
            for line, outcome in self._bad
            if outcome.tool in _SURE or (not outcome.tool and runners)
        ]

    def _total(self, cases: Sequence[Case]) -> dict[str, int] | None:
        """Add up what the summaries say; without any what the tests say, where all have a line."""
        tools = self._tools.keys()
        named = Counter(case.status for case in cases)
        each = bool(cases) and bool(tools & {"tap", "tape", "node", "ctest"})
        each = each or ("go" in tools and self._told)
        every = [*self._counts.values()]
        if "tape" not in tools:  # its summary counts assertions, not tests
            every += self._parts.values()
        if "ctest" in tools and each:
            # Its summary takes what is skipped for passed, and it shows the tests within a
            # program only where one failed: what it names itself is the same in every run.
            own = (outcome for outcome in self._cases.values() if outcome.tool == "ctest")
            named = Counter(outcome.status for outcome in own)
        elif every:
            named = Counter[str]()
            for numbers in every:
                named.update(numbers)
        elif not each and not self._empty():
            return None
        return {status: named[status] for status in (PASSED, FAILED, ERROR, SKIPPED)}

    def _empty(self) -> bool:
        """Tell whether every package of go had nothing to run."""
        groups = self._groups.all()
        return "go" in self._tools and bool(groups) and all(group.counts == {} for group in groups)


def _owned(match: re.Match[str]) -> str:
    owner, test = match["owner"], match["test"]
    return owner if owner.endswith(f".{test}") else f"{owner}.{test}"


def _joined(
    outcomes: Iterable[CaseOutcome], failures: Sequence[Failure]
) -> tuple[tuple[Case, ...], tuple[Failure, ...]]:
    """Give each test the failures that name it; tests that only a failure names are added."""
    left = [candidate for candidate in failures if candidate.test and candidate.test.name]
    named: dict[str, list[Failure]] = {}
    for failure in left:
        if failure.test:
            named.setdefault(tail(failure.test.name, failure.language), []).append(failure)
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
            own = same[:1]
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
