"""Runners that put a mark before a test's title and its suites above it.

Where a line stands says what it belongs to: a title further left and above is its suite.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.test_names import is_file
from gitmem.output.cases import FAILED, MARKS, PASSED, SKIPPED, CaseOutcome
from gitmem.tools.choice import load, pattern, values
from gitmem.tools.forms import MarkedTitle

JOINED: Final = " \u203a "
"""Between the titles of suites and of a test."""
_HEADS: Final = "\u25b6\u276f"
_MARKED: Final = lazily(rf"(?P<mark>[{''.join(MARKS)}]) +(?P<title>\S.*)$")
_HEAD: Final = lazily(rf"[{_HEADS}] +(?P<title>\S.*?)(?: \(\d+\))?$")
_LISTED: Final = lazily(r"- (?P<title>\S.*)$")
_NOTED: Final = lazily(r"(?:\[(?:fail|skip|todo)\]:? |(?:skipped|todo) (?=\S))")
_TIME: Final = lazily(
    r" +\((?P<number>\d+(?:\.\d+)?) ?(?P<unit>ms|s)(?:, .*)?\)(?= |$)|(?: +\(retry x\d+\))"
)
_SKIPPED: Final = lazily(r" +(?:# .*|\[skipped\]|\(skipped: .*\))$")
_CLOSING: Final = "Failed tests:$"
_LONGEST: Final = 300
_DEEPEST_JOINED: Final = 3
"""Blanks before a title that has its suites before it; further right it is one of a suite's."""
_NOWHERE: Final = 1_000_000


class _SuiteTitle(NamedTuple):
    """A title that others stand below, and whether it has a mark."""

    depth: int
    title: str
    marked: bool


class _Styles(NamedTuple):
    """How the titles of runners are told apart; see the fields of ``ToolTests``.

    ``aside`` matches what is no title, ``beside`` that of it which stands between titles.
    """

    aside: re.Pattern[str]
    beside: re.Pattern[str]
    starts: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, re.Pattern[str]], ...]
    joints: tuple[tuple[str, str], ...]


class Tree:
    """Follows the titles of suites through an output."""

    def __init__(self) -> None:
        styles = _styles()
        self._aside, self._beside = styles.aside, styles.beside
        self._starts, self._files, self._joints = styles.starts, styles.files, styles.joints
        self._any_start = tuple(start for _, start in self._starts)
        self._suites: list[_SuiteTitle] = []
        self._top = ""  # a title at the margin, for runners that put marks one blank right of it
        self._file = ""
        self._file_tool = ""  # whose titles stand below the file, if it says of these what they are
        self._output_tool = ""  # the same of the whole output
        self._closed = False  # what follows repeats what failed
        self._error = _NOWHERE  # what stands further right is the error of the test above it

    def read(self, line: str) -> CaseOutcome | None:
        """Take the next line as it stands; give the test that it tells of, if it does."""
        text = line.strip()
        depth = len(line) - len(line.lstrip())
        if self._aside.match(text):
            self._closed = self._closed or not self._beside.match(text)
            return None
        if self._begins(line, text):
            return None
        marked = _MARKED.match(text)
        if marked:
            status = MARKS[marked["mark"]]
            self._closed = self._closed and status != PASSED
            self._error = depth if status == FAILED else _NOWHERE
            if not self._closed:
                return self._test(depth, marked["title"], status)
        elif suite := _HEAD.match(text):
            self._closed, self._error = False, _NOWHERE
            self._keep(depth, suite["title"], marked=True)
        elif depth and not self._file and not self._closed and (listed := _LISTED.match(text)):
            if depth <= self._error and (self._suites or _NOTED.match(listed["title"])):
                return self._test(depth, listed["title"], SKIPPED)
        elif len(text) <= _LONGEST:
            self._keep(depth, text, marked=False)
        return None

    def _begins(self, line: str, text: str) -> bool:
        """See whose titles follow; tell whether the line names their file."""
        if line.startswith(self._any_start):
            self._output_tool = next(tool for tool, text in self._starts if line.startswith(text))
        for tool, head in self._files:
            if file := head.match(text):
                self._file, self._suites, self._closed = file["name"], [], False
                self._file_tool = tool if tool in values("tests.title_outcome") else ""
                return True
        return False

    def _keep(self, depth: int, title: str, *, marked: bool) -> None:
        if depth == 0 and not marked:
            self._top = title
            return
        if not marked and any(has_mark for _, _, has_mark in self._suites):
            return  # what a test printed; the suites of this runner have marks
        self._cut(depth)
        self._suites.append(_SuiteTitle(depth, title, marked))

    def _cut(self, depth: int) -> None:
        while self._suites and self._suites[-1].depth >= depth:
            self._suites.pop()

    def _test(self, depth: int, title: str, status: str) -> CaseOutcome | None:
        seconds = None
        if _SKIPPED.search(title):
            title, status = _SKIPPED.sub("", title), SKIPPED
        if timed := _TIME.search(title):
            title = _TIME.sub("", title)
            if timed["number"]:
                seconds = float(timed["number"]) / (1_000 if timed["unit"] == "ms" else 1)
        title = _NOTED.sub("", title, count=1).rstrip()
        whole = any(level == depth and name == title for level, name, _ in self._suites)
        self._cut(depth)
        if whole:
            return None  # how a suite ended, below its tests
        above = [name for _, name, _ in self._suites]
        if tool := self._tool_of(depth, title):
            own = tool == self._file_tool
            outcome_of = load(tool).tests.title_outcome
            marked = MarkedTitle(title, status, depth, tuple(above), self._top, self._file, own)
            return outcome_of(marked) if outcome_of else None
        where = self._file
        if depth == 1 and self._top:
            above, where = ([], self._top) if is_file(self._top) else ([self._top], where)
        return CaseOutcome("", JOINED.join([*above, title]), status, where, seconds)

    def _tool_of(self, depth: int, title: str) -> str:
        """Tell which runner knows what a title names; empty if all that is known is the title."""
        if depth <= _DEEPEST_JOINED:
            for tool, joint in self._joints:
                if joint in title:
                    return tool
        return self._file_tool or self._output_tool


@cache
def _styles() -> _Styles:
    ends, beside = pattern("tests.titles_end"), pattern("tests.titles_beside")
    return _Styles(
        lazily(f"{_CLOSING}|{ends.pattern}|{beside.pattern}"),
        beside,
        tuple(values("tests.title_start").items()),
        tuple((tool, lazily(text)) for tool, text in values("tests.title_file").items()),
        tuple(values("tests.title_joint").items()),
    )
