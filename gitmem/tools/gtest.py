"""GoogleTest: what failed in a test, between the lines that it runs and that it failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, ParserResult, Test
from gitmem.tools.base import Tool, ToolIdentity, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.reading import one
from gitmem.tools.forms import LineForm

_FAILURE: Final = re.compile(
    r"(?:(?P<file>[^\s:(][^:(\n]{0,400})[:(](?P<line>\d+)\)?|unknown file): "
    r"(?:Failure|error:.*|error: .*)$"
)
_RUN: Final = re.compile(r"\[ RUN      \] (?P<name>\S+)$")
_BAR: Final = re.compile(r"\[[ =-][ A-Z=-]{9}\]")
_THROWN: Final = re.compile(
    r"C\+\+ exception with description \"(?P<message>.*)\" thrown in (?P<where>.*?)\.?$"
)
_OF_C: Final = ".c"
"""Other runners print the same bars; GoogleTest's tests are never in C."""
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one failed expectation."""
    match = _FAILURE.match(lines[at])
    if not match or (match["file"] or "").endswith(_OF_C):
        return None
    name = _test_above(lines, at, floor)
    if not name:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        if _BAR.match(lines[end]) or _FAILURE.match(lines[end]):
            break
        end += 1
    words = [line.strip() for line in lines[at + 1 : end] if line.strip()]
    message, kind = "\n".join(words)[:MAX_MESSAGE], "AssertionFailure"
    thrown = _THROWN.match(words[0]) if words else None
    if thrown:
        message, kind = thrown["message"], "std::exception"
    place = FailureLocation(match["file"], int(match["line"])) if match["file"] else None
    test = Test(name, message=words[0] if words else "", failing_line=place.line if place else None)
    return one(
        Failure("gtest", "c++", kind, "", message, location=place, test=test), lines, at, end
    )


def _test_above(lines: Sequence[str], at: int, floor: int) -> str:
    for near in range(at - 1, max(0, min(floor, at) - _MOST * 4, at - _MOST * 8) - 1, -1):
        run = _RUN.match(lines[near])
        if run:
            return run["name"]
    return ""


TOOL = Tool(
    "gtest",
    order=30,
    language="c++",
    output=ToolOutput(words=(": Failure", ": error:", ": error: "), parse=parse),
    identity=ToolIdentity(assertions=("AssertionFailure",)),
    silence=ToolSilence(
        skips=(r"\bGTEST_SKIP\b", r"\bDISABLED_\w+"),
        definition=r"\s*(?:TEST|TEST_F|TEST_P)\((?P<name>\w+, *\w+)\)",
    ),
    tests=ToolTests(
        begins=("[   ", "[  F", "[  P", "[  S"),
        lines=(
            LineForm(
                " ms",
                r"\[ +(?P<word>OK|FAILED|SKIPPED) +\] (?P<name>[\w/]+\.[\w/]+)(?:, where .*)? "
                r"\((?P<ms>\d+) ms(?: total)?\)$",
            ),
        ),
        parts=r"\[ +(?P<word>PASSED|FAILED|SKIPPED) +\] "
        r"(?P<number>\d+) tests?(?:\.|, listed below:)$",
        names_failing=True,
    ),
)
