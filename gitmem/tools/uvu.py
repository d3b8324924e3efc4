"""uvu: tests of JavaScript, each failure below its name."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import of_test
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one
from gitmem.tools.common.v8_traces import stack

_HEAD: Final = re.compile(r'   FAIL {2}(?:(?P<suite>\S.*?) {2})?"(?P<name>.+)"$')
_TOTAL: Final = re.compile(r"  Total: {4,}\d+")
_SIGNED: Final = re.compile(
    r"\s+(?:\+\+(?P<expected>.*?)\s+\(Expected\)|--(?P<actual>.*?)\s+\(Actual\))$"
)
_FRAME: Final = re.compile(r"    at \S")
_ASSERTED: Final = re.compile(r" {2}\((?P<how>[\w.]{1,40})\)$")
_MOST: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test's block."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        if _HEAD.match(lines[end]) or _TOTAL.match(lines[end]):
            break
        end += 1
    block = list(lines[at + 1 : end])
    trace = next((no for no, line in enumerate(block) if _FRAME.match(line)), len(block))
    frames = stack(block, trace)[0] if trace < len(block) else []
    own = [frame for frame in frames if not foreign(frame, "javascript")]
    place = FailureLocation(own[-1].file, own[-1].line) if own else None
    values = {"expected": "", "actual": ""}
    words = []
    for line in block[:trace]:
        if signed := _SIGNED.match(line):
            values.update({key: text for key, text in signed.groupdict().items() if text})
        elif line.strip():
            words.append(_ASSERTED.sub("", line.strip()))
    failure = Failure("uvu", "javascript", frames=tuple(frames), location=place)
    compared = (values["expected"], values["actual"])
    return one(of_test(failure, head["name"], words, compared), lines, at, end)


TOOL = Tool(
    "uvu",
    order=49,
    language="javascript",
    output=ToolOutput(
        words=("   FAIL  ",),
        needs=r'   FAIL  .*"$',
        parse=parse,
        closing=r"(?:Total|Passed|Skipped|Duration): {3,}\S+",
    ),
    command=ToolCommand(programs=("uvu",), comparable=True, only_tests=("",)),
)
