"""Runners that tell all about a test in one line: its name, how it ended, how long it took."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.outcomes.counts import Numbers, listed_numbers
from gitmem.output.cases import (
    ERROR,
    FAILED,
    LABELS,
    MARKS,
    PASSED,
    SKIPPED,
    WORDS,
    CaseOutcome,
    Group,
)
from gitmem.tools.choice import load, values
from gitmem.tools.forms import GroupForm


class _Line(NamedTuple):
    """A form of such a line: the runner, a word that the line must hold, its pattern.

    ``own`` tells that the runner itself is asked what a name or a verdict means.
    """

    tool: str
    word: str
    pattern: re.Pattern[str]
    own: bool


class _Opening(NamedTuple):
    """A form of a line that says which test runs."""

    tool: str
    pattern: re.Pattern[str]


def read_line(line: str) -> CaseOutcome | None:
    """Read a line without the blanks around it; None if it tells of no test."""
    for tool, word, pattern, own in _lines():
        if word in line and (match := pattern.match(line)):
            outcome = (_own_outcome if own else _outcome)(tool, match)
            return None if outcome.name in LABELS else outcome
    return None


def read_opening(line: str) -> tuple[str, str] | None:
    """Read which runner runs which test, from a line without the blanks around it."""
    line += " "
    for tool, pattern in _openings():
        if match := pattern.match(line):
            return tool, _name(match.groupdict())
    return None


@cache
def _lines() -> tuple[_Line, ...]:
    own = {*values("tests.name"), *values("tests.status")}
    return tuple(
        _Line(tool, word, lazily(text), tool in own)
        for tool, forms in values("tests.lines").items()
        for word, text in forms
    )


@cache
def _openings() -> tuple[_Opening, ...]:
    return tuple(
        _Opening(tool, lazily(text))
        for tool, texts in values("tests.opens").items()
        for text in texts
    )


def _outcome(tool: str, match: re.Match[str], status: str = "") -> CaseOutcome:
    parts = match.groupdict()
    seconds = float(parts["seconds"]) if parts.get("seconds") else None
    if parts.get("ms"):
        seconds = int(parts["ms"] or 0) / 1_000
    status = status or WORDS[(parts["word"] or "").lower()]
    return CaseOutcome(tool, _name(parts), status, parts.get("where") or "", seconds)


def _own_outcome(tool: str, match: re.Match[str]) -> CaseOutcome:
    tests = load(tool).tests
    status, verdict = tests.status(match["said"]) if tests.status else ("", "")
    outcome = _outcome(tool, match, status)
    name = tests.name(outcome.name) if tests.name else outcome.name
    return outcome._replace(name=name, said=verdict)


def _name(parts: dict[str, str | None]) -> str:
    """Give the name; a test may stand beside the class that it is in, or be its last part."""
    if "owner" not in parts:
        return parts.get("name") or ""
    owner, test = parts["owner"] or "", parts["test"] or ""
    return owner if owner.endswith(f".{test}") else f"{owner}.{test}"


class _GroupLine(NamedTuple):
    """A form of such a line, and of those that go on with it."""

    pattern: re.Pattern[str]
    more: re.Pattern[str] | None
    signs: Mapping[str, str]


class Groups:
    """Gathers the groups of an output."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._dotted = ""  # the group whose signs stood in the line before

    def all(self) -> tuple[Group, ...]:
        """Give the groups in order of appearance."""
        return tuple(self._groups.values())

    def add(self, group: Group) -> None:
        """Take a group; of one that is told twice the later word counts."""
        self._groups[group.name] = group

    def read(self, line: str) -> bool:
        """Take a line without the blanks around it; tell whether it was about a group."""
        dotted, self._dotted = self._dotted, ""
        for form in _group_lines():
            if match := form.pattern.match(line):
                self._take(form, match)
                return True
            if dotted and form.more and (match := form.more.match(line)):
                self._dots(dotted, match["dots"], form.signs)
                return True
        return False

    def _take(self, form: _GroupLine, match: re.Match[str]) -> None:
        parts = match.groupdict()
        name, bad = match["name"], bool(parts.get("bad"))
        if mark := parts.get("mark"):
            bad = MARKS.get(mark, FAILED) == FAILED
        if "dots" in parts:
            self._dots(name, match["dots"], form.signs)
        elif "numbers" in parts:
            numbers, whole = _numbers_after_all(match["numbers"])
            self.add(Group(name, bad or bool(numbers[FAILED]), numbers if whole else {}))
        elif "all" in parts:
            numbers = {status: int(match[status]) for status in (FAILED, ERROR, SKIPPED)}
            numbers[PASSED] = int(match["all"]) - sum(numbers.values())
            bad = bool(numbers[FAILED] or numbers[ERROR])
            if numbers[PASSED] or bad or numbers[SKIPPED]:  # those of nested classes are theirs
                self.add(Group(name, bad, numbers))
        else:
            self.add(Group(name, bad))

    def _dots(self, name: str, dots: str, signs: Mapping[str, str]) -> None:
        group = self._groups.get(name)
        numbers = Counter(group.counts if group and group.counts else {})
        numbers.update(signs[sign] for sign in dots if sign in signs)
        self.add(Group(name, bool(numbers[FAILED] or numbers[ERROR]), dict(numbers)))
        self._dotted = name


def _numbers_after_all(text: str) -> tuple[Numbers, int]:
    """Read ``3 tests | 1 failed``: how many ended how, and how many there are."""
    numbers = listed_numbers(text)
    start = re.match(r"\d+", text)
    whole = int(start[0]) if start else 0
    numbers[PASSED] = max(0, whole - sum(numbers.values()))
    return numbers, whole


@cache
def _group_lines() -> tuple[_GroupLine, ...]:
    return tuple(
        _GroupLine(lazily(form.pattern), lazily(form.more) if form.more else None, form.signs)
        for forms in values("tests.groups").values()
        for form in map(GroupForm._make, forms)
    )
