"""The Test Anything Protocol, as node:test, tape, Mocha, Vitest, AVA, bats and others write it."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import FAILED, PASSED, SKIPPED, CaseOutcome
from gitmem.tools.common.tap_points import POINT, title
from gitmem.tools.forms import Follower

_SUBTEST: Final = lazily(r"(?P<indent> *)# Subtest: (?P<name>.*)$")
_HEAD: Final = lazily(
    r"# (?!Subtest: |tests \d|pass +\d|fail +\d|skip|todo \d|ok$|\()(?P<name>\S.*)$"
)
_SKIPPED_HEAD: Final = lazily(r"# (?:SKIP|TODO) (?P<name>\S.*)$")
_VERSION: Final = lazily(r" *TAP version \d+$")
_FILE: Final = lazily(r"\S+\.\w+$")


class _Subtest(NamedTuple):
    """A title that points can belong to, and whether tests stand below it."""

    depth: int
    title: str
    holds_tests: bool = False


class TapStream(Follower):
    """Follows the points of a TAP stream and what they belong to."""

    def __init__(self) -> None:
        self._suites: list[_Subtest] = []
        self._fresh = False  # the line before said the version
        self._tape = False
        self._tool = "tap"
        self._head = ""

    def read(self, line: str) -> Sequence[CaseOutcome] | None:
        """Take a line as it stands; give the test that it tells of, if it does."""
        outcome = self._test(line)
        return (outcome,) if outcome else None

    def _test(self, line: str) -> CaseOutcome | None:
        if _VERSION.match(line):
            self._fresh, self._tape, self._head, self._suites = True, False, "", []
            return None
        fresh, self._fresh = self._fresh, False
        if subtest := _SUBTEST.match(line):
            self._tool, self._tape = "node", False
            self._open(len(subtest["indent"]), subtest["name"].replace("\\#", "#").strip())
        elif line.startswith("# "):
            skipped = _SKIPPED_HEAD.match(line)
            head = skipped or _HEAD.match(line)
            self._tape = self._tape or (fresh and head is not None)
            if self._tape and head:
                self._head = head["name"]
            if self._tape and skipped:
                return CaseOutcome("tape", skipped["name"], SKIPPED)
        elif line.strip() == "}":
            self._close(len(line) - len(line.lstrip()))
        elif point := POINT.match(line):
            return self._point(point)
        return None

    def _open(self, depth: int, name: str) -> None:
        self._close(depth)
        self._suites.append(_Subtest(depth, name))

    def _close(self, depth: int) -> None:
        while self._suites and self._suites[-1].depth >= depth:
            self._suites.pop()

    def _point(self, point: re.Match[str]) -> CaseOutcome | None:
        depth, name = len(point["indent"]), title(point)
        note = (point["note"] or "").lower()
        status = FAILED if point["bad"] else PASSED
        if note.startswith(("skip", "todo")):
            status = SKIPPED
        if self._tape and depth == 0:
            return CaseOutcome("tape", self._head or name, status)
        if point["opens"]:
            self._open(depth, name)
            return None
        self._close(depth + 1)
        own = self._suites[-1] if self._suites and self._suites[-1].depth == depth else None
        above = [suite.title for suite in self._suites if suite.depth < depth]
        if self._suites and own is None:
            self._suites[-1] = self._suites[-1]._replace(holds_tests=True)
        elif len(self._suites) > 1:
            self._suites[-2] = self._suites[-2]._replace(holds_tests=True)
        if own is not None:
            self._suites.pop()
            if own.holds_tests:
                return None  # its tests were told one by one
        files = bool(above) and bool(_FILE.match(above[0]))
        joined = " > ".join if files else " \u203a ".join
        return CaseOutcome(self._tool, joined([*above, name or f"test {point['number']}"]), status)
