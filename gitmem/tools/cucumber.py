"""Cucumber.js: scenarios that failed, with the step and what it raised."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, Test
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import compared
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one
from gitmem.tools.common.v8_traces import HEAD, stack

_SCENARIO: Final = re.compile(
    r"\d{1,5}\) Scenario: (?P<name>\S.*?) # (?P<file>\S.{0,300}?):(?P<line>\d{1,7})$"
)
_NEXT: Final = re.compile(r"\d{1,5}\) Scenario: |\d+ scenarios? \(")
_FAILED: Final = re.compile(
    r"   [\u2716\u00d7] (?P<step>\S.*?)(?: # (?P<file>\S.{0,300}?):(?P<line>\d{1,7}))?$"
)
_UNDEFINED: Final = re.compile(r"   \? (?P<step>\S.*)$")
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one scenario's block."""
    head = _SCENARIO.match(lines[at])
    if head is None:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and not _NEXT.match(lines[end]):
        end += 1
    block = list(lines[at + 1 : end])
    for near, line in enumerate(block):
        if failed := _FAILED.match(line):
            return one(_raised(block[near + 1 :], head, failed), lines, at, end)
        if undefined := _UNDEFINED.match(line):
            place = FailureLocation(head["file"], int(head["line"]))
            message = f"Undefined step: {undefined['step']}"
            test = Test(head["name"], message=message)
            failure = Failure("cucumber", "gherkin", message=message, location=place, test=test)
            return one(failure, lines, at, end)
    return None


def _raised(block: Sequence[str], head: re.Match[str], failed: re.Match[str]) -> Failure:
    first = next((no for no, line in enumerate(block) if line.strip()), 0)
    typed = HEAD.match(block[first]) if block else None
    words = [line.strip() for line in block[first:]]
    stop = next((no for no, line in enumerate(words) if line.startswith("at ")), len(words))
    words = [line for line in words[:stop] if line]
    if typed and words:
        words[0] = typed["message"] or ""
    frames = stack(list(block), first + stop)[0] if block else []
    own = [frame for frame in frames if not foreign(frame, "javascript")]
    place = FailureLocation(own[-1].file, own[-1].line) if own else None
    if place is None and failed["file"]:
        place = FailureLocation(failed["file"], int(failed["line"]))
    expected, actual = compared(words)
    message = "\n".join(words).strip() or failed["step"]
    test = Test(
        head["name"],
        expected=expected,
        actual=actual,
        message=message.partition("\n")[0],
        failing_function=failed["step"],
    )
    return Failure(
        "cucumber", "javascript", typed["type"] if typed else "",
        (typed["code"] or "") if typed else "", message, tuple(frames), place, test,
    )  # fmt: skip


TOOL = Tool(
    "cucumber",
    order=48,
    language="javascript",
    output=ToolOutput(
        words=(") Scenario: ",),
        parse=parse,
        closing=r"\d+ (?:scenarios?|steps?) \(.*\)|0m\d+\.\d+s \(executing steps: .*\)",
    ),
    command=ToolCommand(programs=("cucumber-js",), comparable=True, only_tests=("",)),
)
