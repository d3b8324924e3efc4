"""Perl: what a program died of, and what its compiler says; warnings are none of it."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one, passed_over

_PLACE: Final = (
    r"(?P<file>[^\s'\"]{1,300}\.(?:pl|pm|t|cgi|psgi|PL)|-e) line (?P<line>\d{1,7})"
    r"(?:, <\w{0,40}> (?:line|chunk) \d{1,9})?[.,]?"
)
_SAID: Final = re.compile(rf"(?P<message>[^\s#].{{0,4000}}?) at {_PLACE}(?:(?: near .*)?$)")
_STEP: Final = re.compile(
    rf"\s+(?P<function>[\w:'\[\]()]{{1,200}}).{{0,1000}}? called at {_PLACE}$"
)
_WARNS: Final = re.compile(
    r"(?:Use of uninitialized value|Useless use of|Argument \".*\" isn't numeric"
    r"|Name \"[\w:]+\" used only once|Subroutine \w+ redefined|Deep recursion on"
    r"|Odd number of elements|Scalar value @?\S+ better written as|Wide character in"
    r"|\"\w+\" variable \S+ masks earlier|Unquoted string \".*\" may clash|Possible "
    r"|Statement unlikely to be reached|Found = in conditional)"
)
_WHERE_LOOKED: Final = re.compile(r" \(@INC (?:entries checked|contains): .*\)$")
_CLOSES: Final = (
    r"(?:BEGIN|END|INIT|CHECK) failed--(?:compilation aborted|call queue aborted)"
    r"|Execution of \S+ aborted due to compilation errors\.$"
    r"|\S+ had compilation errors\.$|Compilation failed in require(?: at |$)"
)
_CLOSING: Final = re.compile(_CLOSES)
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message with its place, and the steps below it."""
    match = _SAID.match(lines[at])
    if match is None or _STEP.match(lines[at]):
        return None
    if _WARNS.match(match["message"]) or _CLOSING.match(lines[at]):
        return passed_over(at, at + 1)
    frames, end = [], at + 1
    while end < min(len(lines), at + _MOST) and (step := _STEP.match(lines[end])):
        frames.append(StackFrame(step["file"], step["function"], int(step["line"])))
        end += 1
    place = FailureLocation(match["file"], int(match["line"]))
    message = _WHERE_LOOKED.sub("", match["message"])  # each machine looks elsewhere
    failure = Failure("perl", "perl", message=message, frames=bounded(frames[::-1]), location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "perl",
    order=367,
    language="perl",
    output=ToolOutput(
        words=(".pl line ", ".pm line ", ".t line ", " -e line ", ".cgi line ", ".psgi line "),
        parse=parse,
        closing=_CLOSES,
    ),
    command=ToolCommand(programs=("perl",)),
)
