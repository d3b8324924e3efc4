"""Catch2: tests of C++; a block between rules names the test, and what failed in it follows."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolIdentity, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import CountForm

_PLACE: Final = r"(?P<file>(?:[A-Za-z]:)?[^:()\n]{1,400})[:(](?P<line>\d{1,7})\)?: "
_FAILED: Final = re.compile(_PLACE + r"FAILED:$")
_COMPACT: Final = re.compile(
    _PLACE + r"failed: (?:(?P<threw>unexpected exception) with message: '(?P<message>.*?)'"
    r"; expression was: .*|fatal error condition with message: '(?P<died>.*?)'"
    r"|explicitly with \d+ messages?: (?P<explicitly>.*)"
    r"|(?P<said>.+?)(?: for: (?P<values>.+?))?(?: with \d+ messages?: .*)?)$"
)
_RULE: Final = re.compile(r"-{60,}$")
_END: Final = re.compile(r"[-=~.]{60,}$")
_PAIR: Final = re.compile(r"(?P<actual>.+?) (?:[=!]=|[<>]=?) (?P<expected>.+)$")
_WITH_VALUES: Final = "with expansion:"
_INSTEAD: Final = re.compile(
    r"due to (?:(?P<threw>(?:an )?unexpected exception)|a fatal error condition)"
    r"(?: with messages?)?:$|explicitly(?: with messages?)?:?$"
)
_MOST: Final = 40
_MOST_ABOVE: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one assertion that failed, or what a test threw, said or died of."""
    if compact := _COMPACT.match(lines[at]):
        return _in_a_line(lines, at, compact)
    failed = _FAILED.match(lines[at])
    name = _test_above(lines, at) if failed else ""
    if failed is None or not name:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and lines[end].strip():
        if _END.match(lines[end]) or _FAILED.match(lines[end]):
            break
        end += 1
    words = [line.strip() for line in lines[at + 1 : end]]
    kind, values = "", ("", "")
    for number, line in enumerate(words):
        if instead := _INSTEAD.match(line):
            kind = "std::exception" if instead["threw"] else ""
            words = words[number + 1 :] or words
            break
        if line == _WITH_VALUES:
            values = _compared(words[number + 1 : number + 2])
    place = place_of(failed["file"], failed["line"])
    failure = Failure("catch2", "c++", kind, location=place)
    return one(of_test(failure, name, words, values), lines, at, end)


def _in_a_line(lines: Sequence[str], at: int, compact: re.Match[str]) -> ParserResult:
    """Read the reporter that gives each assertion a line, and names no test."""
    kind = "std::exception" if compact["threw"] else ""
    parts = compact.group("message", "died", "explicitly", "said")
    message = next(filter(None, parts), "")
    if compact["values"]:
        message += f"\n{_WITH_VALUES}\n{compact['values']}"
    place = place_of(compact["file"], compact["line"])
    return one(Failure("catch2", "c++", kind, "", message, location=place), lines, at, at + 1)


def _compared(words: Sequence[str]) -> tuple[str, str]:
    pair = _PAIR.match(words[0]) if words else None
    return (pair["expected"], pair["actual"]) if pair else ("", "")


def _test_above(lines: Sequence[str], at: int) -> str:
    """Name the test of a block, with the sections in it; empty: it has none."""
    rules = [
        near for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1) if _RULE.match(lines[near])
    ][:2]
    if len(rules) < 2:  # noqa: PLR2004  one above the name, one below
        return ""
    below, above = rules
    return " \u203a ".join(line.strip() for line in lines[above + 1 : below] if line.strip())


TOOL = Tool(
    "catch2",
    order=37,
    language="c++",
    output=ToolOutput(
        words=(": FAILED:", ": failed: "),
        parse=parse,
        closing=r"(?:test cases|assertions): +\d+ \| |Failed \d+ test cases?, ",
    ),
    tests=ToolTests(
        begins=("test cases: ", "All tests passed (", "Filters: "),
        counts=(
            CountForm(
                "test cases: ",
                r"test cases: +\d+ \| +(\d+) passed \| +(\d+) failed(?: \| .*)?",
                (PASSED, FAILED),
            ),
            CountForm("test cases: ", r"test cases: +\d+ \| +(\d+) failed(?: \| .*)?", (FAILED,)),
            CountForm(
                "All tests passed (",
                r"All tests passed \(\d+ assertions? in (\d+) test cases?\)",
                (PASSED,),
            ),
        ),
    ),
    identity=ToolIdentity(comparing=("check", "require", "expansion", "with")),
    silence=ToolSilence(skips=(r"\[!(?:mayfail|shouldfail)\]", r"\[\.\]|\[!hide\]|\bSKIP\(")),
)
