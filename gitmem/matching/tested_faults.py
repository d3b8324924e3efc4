"""Faults that are of tests: each names its test, or stands below a title that does.

Runners without a room of their own tell what failed in the form of a compiler, ``FILE:LINE: …``;
the test is in the message, or in a title between rules above.
"""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.fault_lists import Fault
from gitmem.matching.places import alone, at_head
from gitmem.matching.summed_tests import counts_tests
from gitmem.tools.common.compared import of_test

_NAMED: Final = lazily(
    r"(?:in \"(?P<quoted>[^\"\n]{1,200})\": |[Tt]est (?P<word>[\w.-]{1,100}): "
    r"|-?\[(?P<bracket>\w[\w.]{0,100} \w{1,100})\] : |(?P<dotted>[A-Z]\w{1,80}[./]\w{1,100}) : )"
    r"(?P<said>\S[\s\S]*)"
)
"""A message that begins with the name of a test."""
_DEFINED: Final = lazily(r"\bin TEST\w{0,3}\((?P<suite>\w{1,100}), ?(?P<name>\w{1,200})\)")
_RULE: Final = lazily(r"\s*(?P<sign>[-=~*_\u2500\u2501])(?P=sign){9,200}\s*$")
_LABEL: Final = lazily(r"(?:TEST|Test) ?(?:CASE|SUITE|case|suite):\s*")
_LETTER: Final = lazily(r"[^\W\d_]")
_MOST_TITLE: Final = 6


def with_tests(listed: list[Fault], lines: Sequence[str]) -> list[Fault]:
    """Give faults the tests that they are of, where the output counts tests."""
    if not listed or not counts_tests(lines):
        return listed
    titles = _titles(lines)
    return [
        _of_test(fault, _macro(lines[fault.start]) or titles[fault.start])
        if fault.start < len(titles)
        else fault
        for fault in listed
    ]


def _macro(line: str) -> str:
    """Give the test whose definition a line names: a suite and a name in the words of C."""
    match = _DEFINED.search(line)
    return f"{match['suite']} \u203a {match['name']}" if match else ""


def _of_test(fault: Fault, title: str) -> Fault:
    named = _NAMED.match(fault.failure.message)
    if named:
        name = next(filter(None, named.group("quoted", "word", "bracket", "dotted")))
        failure = fault.failure._replace(message=named["said"])
        return fault._replace(failure=of_test(failure, name, [named["said"]]))
    if not title:
        return fault
    return fault._replace(failure=of_test(fault.failure, title, [fault.failure.message]))


def _titles(lines: Sequence[str]) -> list[str]:
    """Give for each line the title above it: the lines below a rule, up to an empty one."""
    titles: list[str] = []
    title = ""
    for at, line in enumerate(lines):
        if _RULE.match(line):
            title = _title(lines, at + 1) or title
        titles.append(title)
    return titles


def _title(lines: Sequence[str], at: int) -> str:
    parts: list[str] = []
    for line in lines[at : at + _MOST_TITLE]:
        placed = at_head(line)
        if not _LETTER.search(line) or (placed and placed.rest):
            break
        if not alone(line):
            parts.append(_LABEL.sub("", line.strip(), count=1))
    return " \u203a ".join(parts)
