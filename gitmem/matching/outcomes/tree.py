"""Runners that put a mark before a test's title and its suites above it: Mocha, Jest, Vitest.

Where a line stands says what it belongs to: a title further left and above is its suite.
"""

from collections.abc import Iterator
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.outcome import MARKS, CaseOutcome
from gitmem.output.test_names import is_file, unprettified

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
_BARE_TIME: Final = lazily(r" +\d+(?:\.\d+)?m?s$")
_SKIPPED: Final = lazily(r" +(?:# .*|\[skipped\]|\(skipped: .*\))$")
_FILE: Final = lazily(r"(?:PASS|FAIL) +(?P<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$")
VITEST_FILE: Final = lazily(
    r"[\u2713\u276f\xd7\u2193] +(?:\|[^|]+\| )?(?P<file>\S+\.[cm]?[jt]sx?) "
    r"\((?P<numbers>\d+ tests?(?: \| .*?)?|\d+)\)(?: +\d+(?:\.\d+)?m?s)?(?: .*)?$"
)
_CLOSING: Final = lazily(
    r"\u2716 failing tests:$|\d+ (?:passing|failing|pending)\b|Failed tests:$|\u25cf |\u2500+$"
)
_PROGRESS: Final = lazily(r"RUNS  ")
_LONGEST: Final = 300
_SHALLOW: Final = 2
_NOWHERE: Final = 1_000_000


class Tree:
    """Follows the titles of suites through an output."""

    def __init__(self) -> None:
        self._titles: list[tuple[int, str, bool]] = []  # depth, title, whether it has a mark
        self._top = ""  # a title at the margin, for runners that put marks one blank right of it
        self._file = ""
        self._vitest = False
        self._phpunit = False
        self._closed = False  # what follows repeats what failed
        self._error = _NOWHERE  # what stands further right is the error of the test above it

    def read(self, line: str) -> Iterator[CaseOutcome]:
        """Take the next line as it stands; give the test that it tells of, if it does."""
        text = line.strip()
        depth = len(line) - len(line.lstrip())
        if _CLOSING.match(text):
            self._closed = True
            return
        if _PROGRESS.match(text):
            return
        self._phpunit = self._phpunit or line.startswith("PHPUnit ")
        if file := _FILE.match(text):
            self._begin(file["file"], vitest=False)
            return
        if file := VITEST_FILE.match(text):
            self._begin(file["file"], vitest=True)
            return
        marked = _MARKED.match(text)
        if marked:
            status = MARKS[marked["mark"]]
            self._closed = self._closed and status != PASSED
            self._error = depth if status == FAILED else _NOWHERE
            if not self._closed:
                yield from self._test(depth, marked["title"], status)
        elif head := _HEAD.match(text):
            self._closed, self._error = False, _NOWHERE
            self._keep(depth, head["title"], marked=True)
        elif depth and not self._file and not self._closed and (listed := _LISTED.match(text)):
            if depth <= self._error and (self._titles or _NOTED.match(listed["title"])):
                yield from self._test(depth, listed["title"], SKIPPED)
        elif len(text) <= _LONGEST:
            self._keep(depth, text, marked=False)

    def _begin(self, file: str, *, vitest: bool) -> None:
        self._file, self._vitest, self._titles, self._closed = file, vitest, [], False

    def _keep(self, depth: int, title: str, *, marked: bool) -> None:
        if depth == 0 and not marked:
            self._top = title
            return
        if not marked and any(suite[2] for suite in self._titles):
            return  # what a test printed; the suites of this runner have marks
        self._cut(depth)
        self._titles.append((depth, title, marked))

    def _cut(self, depth: int) -> None:
        while self._titles and self._titles[-1][0] >= depth:
            self._titles.pop()

    def _test(self, depth: int, title: str, status: str) -> Iterator[CaseOutcome]:
        seconds = None
        if _SKIPPED.search(title):
            title, status = _SKIPPED.sub("", title), SKIPPED
        if timed := _TIME.search(title):
            title = _TIME.sub("", title)
            if timed["number"]:
                seconds = float(timed["number"]) / (1_000 if timed["unit"] == "ms" else 1)
        title = _NOTED.sub("", title, count=1).rstrip()
        if any(level == depth and name == title for level, name, _ in self._titles):
            self._cut(depth)  # how a whole suite ended, below its tests
            return
        self._cut(depth)
        if " > " in title and not depth > _SHALLOW + 1:
            file, _, name = _BARE_TIME.sub("", title).partition(" > ")
            whole = f"{file} > {name}" if "." in file or not self._vitest else ""
            yield CaseOutcome("vitest", whole or f"{self._file} > {file} > {name}", status)
            return
        above = [name for _, name, _ in self._titles]
        if self._vitest:
            missing = (depth - _SHALLOW) // 2 > len(above)
            if not missing:
                parts = [self._file, *above, _BARE_TIME.sub("", title)]
                yield CaseOutcome("vitest", " > ".join(parts), status)
            return
        where = self._file
        if self._phpunit:
            yield CaseOutcome("phpunit", unprettified(self._top, title), status)
            return
        if depth == 1 and self._top:
            above, where = ([], self._top) if is_file(self._top) else ([self._top], where)
        yield CaseOutcome("", JOINED.join([*above, title]), status, where, seconds)
