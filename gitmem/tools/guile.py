"""Guile: errors of Scheme programs, below their backtrace."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_HEAD: Final = re.compile(
    r"(?:ERROR: |(?P<file>[^\s:]+\.scm):(?P<line>\d+):(?P<column>\d+): )"
    r"In procedure (?P<procedure>[^\s:]+):(?P<message>.*)$"
)
_IN: Final = re.compile(r"In (?P<file>[^\s:]+\.(?:scm|ss|sls)):$")
_STEP: Final = re.compile(r"\s+(?P<line>\d+):(?P<column>\d+)\s+\d+ \(")
_LOADED: Final = re.compile(r"\s+\d+ \((?:primitive-load|load) \"(?P<file>[^\"\n]+)\"")
_SYSTEM: Final = re.compile(r"(?:ice-9|srfi|system|oop|rnrs|language|web|sxml)/")
_MOST_ABOVE: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read what a procedure said; the place is the project's in the backtrace above."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    message, end = head["message"].strip(), at + 1
    if not message and end < len(lines):
        message, end = lines[end].strip(), end + 1
    place, file, start = None, "", at
    if head["file"] and not _SYSTEM.match(head["file"]):
        place = FailureLocation(head["file"], number(head["line"]), number(head["column"]))
    for near in range(at - 1, max(floor, at - _MOST_ABOVE) - 1, -1):
        if lines[near].startswith("Backtrace:"):
            start = near
            break
    for near in range(start, at):
        if within := _IN.match(lines[near]):
            file = "" if _SYSTEM.match(within["file"]) else within["file"]
        elif loaded := _LOADED.match(lines[near]):
            place = place or FailureLocation(loaded["file"])
        elif file and not head["file"] and (step := _STEP.match(lines[near])):
            place = FailureLocation(file, number(step["line"]), number(step["column"]))
    failure = Failure("guile", "scheme", "", "", message, location=place)
    return one(failure, lines, start, end)


TOOL = Tool(
    "guile",
    order=360,
    language="scheme",
    output=ToolOutput(words=("In procedure ",), parse=parse, closing=r"Backtrace:\s*$"),
    command=ToolCommand(programs=("guile",)),
)
