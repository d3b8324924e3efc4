"""Unity, the test framework for C: one line a failing test."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, Test
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput, ToolSilence
from gitmem.tools.common.reading import one

_FAIL: Final = re.compile(
    r"(?P<file>[^\s:]+\.\w+):(?P<line>\d+):(?P<name>\w+):FAIL(?:: ?(?P<message>.*))?$"
)
_WAS: Final = re.compile(r"Expected (?P<expected>.+?) Was (?P<actual>.+?)(?:\.? |\.?$)")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one failing test."""
    match = _FAIL.match(lines[at].strip())
    if not match:
        return None
    message = match["message"] or f"{match['name']} failed"
    was = _WAS.search(message)
    test = Test(
        name=match["name"],
        expected=was["expected"] if was else "",
        actual=was["actual"] if was else "",
        message=message,
        failing_function=match["name"],
        failing_line=int(match["line"]),
    )
    place = FailureLocation(match["file"], int(match["line"]))
    failure = Failure("unity", "c", "AssertionFailure", "", message, location=place, test=test)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "unity",
    order=20,
    language="c",
    output=ToolOutput(
        words=(":FAIL",),
        commands=("ceedling",),
        parse=parse,
    ),
    command=ToolCommand(programs=("unity",)),
    identity=ToolIdentity(assertions=("AssertionFailure",)),
    silence=ToolSilence(skips=(r"\bTEST_IGNORE",)),
)
