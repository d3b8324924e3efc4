"""The Test Anything Protocol, as node:test, tape, Mocha, Vitest, AVA, bats and others write it."""

import re
from collections.abc import Iterator
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.outcome import CaseOutcome
from gitmem.tools.common.tap_points import POINT, title

_SUBTEST: Final = lazily(r"(?P<indent> *)# Subtest: (?P<name>.*)$")
_HEAD: Final = lazily(
    r"# (?!Subtest: |tests \d|pass +\d|fail +\d|skip|todo \d|ok$|\()(?P<name>\S.*)$"
)
_SKIPPED_HEAD: Final = lazily(r"# (?:SKIP|TODO) (?P<name>\S.*)$")
_VERSION: Final = lazily(r" *TAP version \d+$")
_FILE: Final = lazily(r"\S+\.\w+$")


class Tap:
    """Follows the points of a TAP stream and what they belong to."""

    def __init__(self) -> None:
        self._titles: list[list[object]] = []  # [depth, title, whether tests stand below it]
        self._fresh = False  # the line before said the version
        self._tape = False
        self._tool = "tap"
        self._head = ""

    def read(self, line: str) -> Iterator[CaseOutcome]:
        """Take the next line as it stands; give the test that it tells of, if it does."""
        if _VERSION.match(line):
            self._fresh, self._tape, self._head, self._titles = True, False, "", []
            return
        fresh, self._fresh = self._fresh, False
        if subtest := _SUBTEST.match(line):
            self._tool = "node"
            self._open(len(subtest["indent"]), subtest["name"].replace("\\#", "#").strip())
        elif line.startswith("# "):
            skipped = _SKIPPED_HEAD.match(line)
            head = skipped or _HEAD.match(line)
            self._tape = self._tape or (fresh and head is not None)
            if self._tape and head:
                self._head = head["name"]
            if self._tape and skipped:
                yield CaseOutcome("tape", skipped["name"], SKIPPED)
        elif line.strip() == "}":
            self._close(len(line) - len(line.lstrip()))
        elif point := POINT.match(line):
            yield from self._point(point)

    def _open(self, depth: int, name: str) -> None:
        while self._titles and self._depth(-1) >= depth:
            self._titles.pop()
        self._titles.append([depth, name, False])

    def _depth(self, at: int) -> int:
        return int(str(self._titles[at][0]))

    def _close(self, depth: int) -> None:
        while self._titles and self._depth(-1) >= depth:
            self._titles.pop()

    def _point(self, point: re.Match[str]) -> Iterator[CaseOutcome]:
        depth, name = len(point["indent"]), title(point)
        note = (point["note"] or "").lower()
        status = FAILED if point["bad"] else PASSED
        if note.startswith(("skip", "todo")):
            status = SKIPPED
        if self._tape and depth == 0:
            yield CaseOutcome("tape", self._head or name, status)
            return
        if point["opens"]:
            self._open(depth, name)
            return
        while self._titles and self._depth(-1) > depth:
            self._titles.pop()
        own = self._titles[-1] if self._titles and self._depth(-1) == depth else None
        above = [str(suite[1]) for suite in self._titles if int(str(suite[0])) < depth]
        if self._titles and own is None:
            self._titles[-1][2] = True
        elif len(self._titles) > 1:
            self._titles[-2][2] = True
        if own is not None:
            self._titles.pop()
            if own[2]:
                return  # a suite: its tests were told one by one
        files = bool(above) and bool(_FILE.match(above[0]))
        joined = " > ".join if files else " \u203a ".join
        yield CaseOutcome(self._tool, joined([*above, name or f"test {point['number']}"]), status)
