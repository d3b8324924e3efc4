"""Findings of a repository's matchers in an output.

A matcher is asked on lines that hold one of its words, after all tools that gitmem knows itself:
what these read stays theirs. All together have some time for one output, and are silent from then
on, so that an output can't be made slow.
"""

import os
import posixpath
import re
from collections.abc import Sequence
from time import thread_time
from typing import Final, NamedTuple

from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, ParserResult, excerpt
from gitmem.tools.common.languages import BY_ENDING
from gitmem.tools.common.reading import number
from gitmem.tools.matchers.forms import Matcher, severity_of
from gitmem.word_search import plain_words

SECONDS: Final = 0.1
"""Of the processor, for all matchers in one output; of a long one more."""
SECONDS_FOR_CHARACTERS: Final = 0.015 / 2**20
_MOST_LOOPED: Final = 500
_MOST_BACK: Final = 200
_LOCATION: Final = re.compile(r"(\d{1,7})(?:,(\d{1,7}))?(?:,\d{1,7},\d{1,7})?")
# Where the services for continuous integration check a repository out.
_ELSEWHERE: Final = re.compile(
    r"(?:/home/runner/work|/__w|[A-Za-z]:[\\/]a)[\\/]([^\\/]+)[\\/]\1[\\/]"
)


class Matchers(NamedTuple):
    """Matchers for the outputs of one repository.

    Attributes:
        matchers: the matchers.
        root: the repository's folder.
        folder: that commands are run in, relative to it; empty: that.

    """

    matchers: tuple[Matcher, ...]
    root: str
    folder: str = ""

    def reader(self) -> "MatcherReader":
        """Give what reads one output."""
        return MatcherReader(self)


class MatcherReader:
    """Reads one output.

    Attributes:
        spent: all time is used up; nothing more was read.

    """

    def __init__(self, given: Matchers) -> None:
        self._given = given
        self._words = plain_words({word for each in given.matchers for word in each.words})
        self.spent = False
        self._left = SECONDS

    def lines_in(self, text: str) -> set[int]:
        """Give the numbers of the lines of a text that a matcher could know."""
        if self.spent:
            return set()
        begun = thread_time()
        numbers = set(self._words.lines_in(text))
        self._spend(thread_time() - begun - len(text) * SECONDS_FOR_CHARACTERS)
        return numbers

    def _spend(self, seconds: float) -> None:
        self._left -= seconds
        self.spent = self.spent or self._left < 0

    def read(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        """Read the finding that a line is part of, by the first matcher that knows it."""
        line = lines[at]
        for matcher in self._given.matchers:
            if self.spent or not any(word in line for word in matcher.words):
                continue
            begun = thread_time()
            result = self._finding(matcher, lines, at, floor)
            self._spend(thread_time() - begun)
            if result:
                return result
        return None

    def _finding(
        self, matcher: Matcher, lines: Sequence[str], at: int, floor: int
    ) -> ParserResult | None:
        key = matcher.lines[matcher.key]
        if not key.pattern.of(lines[at]):
            return None
        first = at
        while (
            key.loops and first > max(floor, at - _MOST_BACK) and key.pattern.of(lines[first - 1])
        ):
            first -= 1
        start = first - matcher.key
        end = start + len(matcher.lines)
        if start < floor or end > len(lines):
            return None
        fields: dict[str, str] = {}
        for index in range(len(matcher.lines)):
            if not _take(fields, matcher, index, lines[start + index]):
                return None
        failures = [self._failure(matcher, fields, lines, start, end)]
        last = len(matcher.lines) - 1
        while matcher.lines[last].loops and end < min(len(lines), at + _MOST_LOOPED):
            if not _take(fields, matcher, last, lines[end]):
                break
            failures.append(self._failure(matcher, fields, lines, end, end + 1))
            end += 1
        failures_told = tuple(failure for failure in failures if failure)
        return ParserResult(failures_told, start, end) if failures_told else None

    def _failure(
        self, matcher: Matcher, fields: dict[str, str], lines: Sequence[str], start: int, end: int
    ) -> Failure | None:
        message = fields.get("message", "").strip()[:MAX_MESSAGE]
        if not message:
            return None
        location = self._location(matcher, fields)
        return Failure(
            matcher.name,
            BY_ENDING.get(os.path.splitext(location.file)[1], "") if location else "",
            "",
            fields.get("code", "").strip()[:100],
            message,
            location=location,
            excerpt=excerpt(lines, start, end),
            severity=severity_of(fields.get("severity", "")) or matcher.severity,
        )

    def _location(self, matcher: Matcher, fields: dict[str, str]) -> FailureLocation | None:
        line, column = fields.get("line"), fields.get("column")
        if place := _LOCATION.match(fields.get("location", "")):
            line, column = place[1], place[2]
        path = fields.get("file", "").strip().removeprefix("file://")
        if base := fields.get("fromPath", ""):
            path = posixpath.join(posixpath.dirname(base), path)
        path = self._path(matcher.folder, path)
        return FailureLocation(path, _count(line), _count(column)) if path else None

    def _path(self, folder: str, path: str) -> str:
        """Give a path as the tool wrote it; empty if it leads out of the repository."""
        if elsewhere := _ELSEWHERE.match(path):
            return _inside(path[elsewhere.end() :].replace("\\", "/"))
        if not path or "\0" in path:
            return ""
        if os.path.isabs(path):
            path = os.path.normpath(path)
            roots = {self._given.root, os.path.realpath(self._given.root)}
            return path if any(path.startswith(os.path.join(root, "")) for root in roots) else ""
        if folder:
            return _inside(posixpath.join(folder, path))
        return path if _inside(posixpath.join(self._given.folder, path)) else ""


def _take(fields: dict[str, str], matcher: Matcher, index: int, line: str) -> bool:
    """Take what a line says; what it says nothing of stays as lines before it said."""
    part = matcher.lines[index]
    match = part.pattern.of(line)
    if match is None:
        return False
    for name, group in part.groups.items():
        fields[name] = match[group] or ""
    return True


def _inside(path: str) -> str:
    path = posixpath.normpath(path)
    return "" if path in (".", "..") or path.startswith(("../", "/")) else path


def _count(text: str | None) -> int | None:
    value = number(text[:9]) if text else None
    return value or None
