"""Files, classes and packages whose tests a runner tells of together, in one line."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.outcomes.counts import Numbers, listed_numbers
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Group
from gitmem.output.outcome import MARKS
from gitmem.tools.choice import values
from gitmem.tools.forms import GroupForm


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
