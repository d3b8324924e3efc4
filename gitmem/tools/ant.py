"""Ant: the task that ended a build, with its line of the build file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_HEAD: Final = "BUILD FAILED"
_PLACED: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.xml):(?P<line>\d{1,7})(?::\d+)?: (?P<message>.*)$"
)
_INNER: Final = re.compile(r"The following error occurred while executing this line:")
_FOLLOWS: Final = re.compile(r"Compile failed; see the compiler error output|.* returned: \d+$")
_MOST: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what ended the build; that a compiler failed is said by the compiler, above."""
    from gitmem.tools.common.closing import is_closing

    if lines[at] != _HEAD or at + 1 >= len(lines) or not lines[at + 1].strip():
        return None
    place, message, end = None, "", at + 1
    while end < len(lines) and end < at + _MOST and lines[end].strip():
        placed = _PLACED.match(lines[end])
        if placed:
            place = place_of(placed["file"], placed["line"])
            message = placed["message"]
        elif not message or _INNER.match(message):
            message = lines[end].strip()
        end += 1
        if not (placed and _INNER.match(message)):
            break
    if not message:
        return None
    failure = Failure("ant", "xml", message=message, location=place)
    if _FOLLOWS.match(message) or (place is None and is_closing(message)):
        failure = failure._replace(severity="consequence")
    return one(failure, lines, at, end)


TOOL = Tool(
    "ant",
    order=179,
    language="xml",
    output=ToolOutput(words=(_HEAD,), parse=parse, closing=r"Total time: \d+ .*"),
    command=ToolCommand(programs=("ant",), builds=("ant",)),
)
