"""doctest.h: tests of C++ in one header; its blocks stand between rules."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolIdentity, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import CountForm

_FAILED: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^:()\n]{1,400})[:(](?P<line>\d{1,7})\)?: (?:FATAL )?ERROR: "
    r"(?P<message>\S.*)$"
)
_RULE: Final = re.compile(r"={40,}$")
_CASE: Final = re.compile(r"(?:TEST CASE|  Scenario): +(?P<name>\S.*?)\s*$")
_SUITE: Final = re.compile(r"TEST SUITE: +(?P<name>\S.*?)\s*$")
_SUBCASE: Final = re.compile(r"  (?P<name>\S.*?)\s*$")
_VALUES: Final = re.compile(r"\s+values: \w+\( ?(?P<values>.*?) ?\)$")
_PAIR: Final = re.compile(r"(?P<left>.+?)(?: ==|,) (?P<right>.+)$")
_THREW: Final = re.compile(r".*\bTHREW exception: (?P<message>.+)$")
_MOST: Final = 40
_MOST_ABOVE: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one assertion that failed, or what a test threw."""
    failed = _FAILED.match(lines[at])
    name = _test_above(lines, at) if failed else ""
    if failed is None or not name:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and lines[end].startswith("  "):
        end += 1
    words = [failed["message"].removesuffix(" is NOT correct!"), *lines[at + 1 : end]]
    values = ("", "")
    for line in words[1:]:
        pair = _PAIR.match(match["values"]) if (match := _VALUES.match(line)) else None
        if pair:
            values = pair["right"].strip(), pair["left"].strip()
    threw = _THREW.match(failed["message"])
    kind = "std::exception" if threw else ""
    if threw:
        words[0] = threw["message"]
    place = place_of(failed["file"], failed["line"])
    wording = [line.strip() for line in words]
    failure = Failure("doctest_h", "c++", kind, location=place)
    return one(of_test(failure, name, wording, values), lines, at, end)


def _test_above(lines: Sequence[str], at: int) -> str:
    """Name the test of a block, with its suite and the cases in it; empty: it has none."""
    top = next(
        (near for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1) if _RULE.match(lines[near])),
        None,
    )
    if top is None:
        return ""
    names: list[str] = []
    for near in range(top + 1, at):
        line = lines[near]
        if suite := _SUITE.match(line):
            names.append(suite["name"])
        elif case := _CASE.match(line):
            names.append(case["name"])
            below = near + 1
            while below < at and (inner := _SUBCASE.match(lines[below])):
                names.append(inner["name"])
                below += 1
            break
    else:
        return ""
    return " \u203a ".join(names)


TOOL = Tool(
    "doctest_h",
    order=42,
    language="c++",
    names={"doctest.h": ""},
    output=ToolOutput(words=(": ERROR: ", ": FATAL ERROR: "), parse=parse, closing=r"\[doctest\] "),
    tests=ToolTests(
        begins=("[doctest] test cases:",),
        counts=(
            CountForm(
                "[doctest] test cases:",
                r"\[doctest\] test cases: +\d+ \| +(\d+) passed "
                r"\| +(\d+) failed \| +(\d+) skipped$",
                (PASSED, FAILED, SKIPPED),
            ),
        ),
    ),
    identity=ToolIdentity(comparing=("check", "require", "correct", "values")),
    silence=ToolSilence(skips=(r"\bdoctest::skip\b", r"\bdoctest::(?:may|should)_fail\b")),
)
