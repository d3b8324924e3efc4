"""Unity, the test framework for C: one line a failing test."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, SKIPPED
from gitmem.output.failure import Failure, FailureLocation, ParserResult, Test
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.reading import one
from gitmem.tools.forms import ALL, CountForm, LineForm

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
    output=ToolOutput(words=(":FAIL",), commands=("ceedling",), parse=parse),
    tests=ToolTests(
        ends=(":PASS", ":IGNORE"),
        numbered=r" Tests \d",
        shape=r"[^\s:]+:\d+:\w+:(?:PASS|FAIL|IGNORE)\b",
        around=(":FAIL: ", ":IGNORE: "),
        around_numbers=(":PASS", ":FAIL", ":IGNORE"),
        lines=tuple(
            LineForm(
                f":{word}", rf"(?P<where>[^\s:]+\.\w+):\d+:(?P<name>\w+):(?P<word>{word})(?:: .*)?$"
            )
            for word in ("PASS", "FAIL", "IGNORE")
        ),
        counts=(
            CountForm(
                " Failures ", r"(\d+) Tests (\d+) Failures (\d+) Ignored", (ALL, FAILED, SKIPPED)
            ),
        ),
        names_failing=True,
    ),
    command=ToolCommand(programs=("unity",)),
    identity=ToolIdentity(assertions=("AssertionFailure",)),
    silence=ToolSilence(skips=(r"\bTEST_IGNORE",)),
)
