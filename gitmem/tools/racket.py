"""Racket: errors with what was expected and given below, and with the place where it is told."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(
    r"(?:(?P<file>[^\s:][^:\n]{0,300}\.(?:rkt|scrbl|ss)):(?P<line>\d{1,7}):(?P<column>\d{1,5}): )?"
    r"(?P<message>[^\s:][^\n]{0,300}: \S.*)$"
)
_ENDS: Final = re.compile(r"  (?P<name>context|location)\.{3}:$")
_PLACE: Final = re.compile(
    r"   (?:.*\")?(?P<file>[^\s:\"][^:\"\n]{0,300}\.(?:rkt|scrbl|ss))\"?"
    r"(?::(?P<line>\d{1,7}):(?P<column>\d{1,5}).*)?$"
)
_MOST: Final = 20


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error, from the line below which its context or its location stands."""
    if not _ENDS.match(lines[at]):
        return None
    start = at - 1
    while start > max(floor, at - _MOST) and lines[start].startswith("  "):
        start -= 1
    head = _HEAD.match(lines[start]) if start >= floor else None
    if head is None:
        return None
    words = [head["message"], *(line.strip() for line in lines[start + 1 : at])]
    place = place_of(head["file"], head["line"], head["column"]) if head["file"] else None
    end = at + 1
    while end < len(lines) and end < at + _MOST and lines[end].startswith("   "):
        found = _PLACE.match(lines[end])
        if found and place is None and "/collects/" not in found["file"]:
            place = place_of(found["file"], found["line"], found["column"])
        end += 1
    failure = Failure("racket", "racket", message="\n".join(words), location=place)
    return one(failure, lines, start, end)


TOOL = Tool(
    "racket",
    order=403,
    language="racket",
    output=ToolOutput(words=("  context...:", "  location...:"), parse=parse),
    command=ToolCommand(programs=("racket", "raco")),
)
