"""PowerShell: errors with their place, as versions 5 and 7 print them."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_AT: Final = re.compile(
    r"(?P<margin>\s*)At (?P<file>\S[^\n]{0,400}?):(?P<line>\d+) char:(?P<column>\d+)\s*$"
)
_CODE: Final = re.compile(r"\s*\+ (?!~)(?P<code>\S.*)$")
_CATEGORY: Final = re.compile(r"\s*\+ CategoryInfo\s*: (?P<category>\w+):")
_ID: Final = re.compile(r"\s*\+ FullyQualifiedErrorId\s*: (?P<id>[\w.]+)")
_MORE: Final = re.compile(r"\s*(?:\+|At |$)")
_MOST: Final = 12
_MOST_ABOVE: Final = 8


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read an error by its place: what it says stands above, its type below."""
    placed, start = None, at
    for near in range(at, min(len(lines), at + _MOST_ABOVE)):
        placed = _AT.match(lines[near])
        if placed:
            start = near
            break
        if not lines[near].strip():
            return None
    if placed is None:
        return None
    first = start
    while first > floor and first > start - _MOST_ABOVE and lines[first - 1].strip():
        if _MORE.match(lines[first - 1]):
            break
        first -= 1
    message = "\n".join(line.strip() for line in lines[first:start])
    code, kind, end = "", "", start + 1
    while end < len(lines) and end < start + _MOST and _MORE.match(lines[end]):
        category, by_id = _CATEGORY.match(lines[end]), _ID.match(lines[end])
        shown = _CODE.match(lines[end])
        if by_id:
            kind = by_id["id"]
        elif shown and not category and not code:
            code = shown["code"]
        end += 1
        if by_id:
            break
    if not message:
        return None
    place = FailureLocation(placed["file"], number(placed["line"]), number(placed["column"]), code)
    failure = Failure("powershell", "powershell", kind, "", message, location=place)
    return one(failure, lines, first, end)


TOOL = Tool(
    "powershell",
    order=351,
    language="powershell",
    output=ToolOutput(
        words=(" char:", "CategoryInfo", " : The term "),
        parse=parse,
        closing=r"\+ (?:CategoryInfo|FullyQualifiedErrorId)",
    ),
    command=ToolCommand(programs=("pwsh", "powershell")),
)
