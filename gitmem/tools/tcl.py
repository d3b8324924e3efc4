"""Tcl: an error and the commands that it came through, innermost first."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_INSIDE: Final = re.compile(r"    (?:while executing|invoked from within|while compiling)$")
_FILE: Final = re.compile(r'    \(file "(?P<file>[^"\n]{1,300})" line (?P<line>\d{1,7})\)$')
_MOST: Final = 120
_WORDS: Final = 6


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read an error, whose trace begins at this line; its place is that of the file below."""
    if not _INSIDE.match(lines[at]) or at <= floor:
        return None
    start = at - 1
    while start > max(floor, at - _WORDS) and lines[start - 1].strip():
        start -= 1
    end, place = at + 1, None
    while end < len(lines) and end < at + _MOST:
        if found := _FILE.match(lines[end]):
            place, end = place_of(found["file"], found["line"]), end + 1
            break
        end += 1
    if place is None:
        return None
    message = "\n".join(line.strip() for line in lines[start:at])
    return one(Failure("tcl", "tcl", message=message, location=place), lines, start, end)


TOOL = Tool(
    "tcl",
    order=404,
    language="tcl",
    output=ToolOutput(words=("    while executing", "    while compiling"), parse=parse),
    command=ToolCommand(programs=("tclsh", "wish", "expect")),
)
