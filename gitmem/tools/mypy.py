"""mypy: ``file:line: error: message  [code]``, with or without columns and pretty source."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import indented, number, one

_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.(?:pyi?|ipynb)|<\w+>):(?P<line>\d+):(?:(?P<column>\d+):)?"
    r"(?:\d+:\d+:)? (?:error|fatal error): (?P<message>.*?)(?:  \[(?P<code>[a-z][\w-]*)\])?\s*$"
)
_WRAPPED: Final = re.compile(r"(|\S.*?  )\[([a-z][\w-]*)\]\s*$")
_NOTE: Final = re.compile(r"[^\s:][^:\n]{0,400}\.pyi?:\d+:(?:\d+:)? note: ")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message, with its source line and its notes."""
    match = _LINE.match(lines[at])
    if not match:
        return None
    message, end = match["message"], at + 1
    code = match["code"] or ""
    for near in range(end, min(end + 4, len(lines))) if not code else ():
        # Pretty output wraps long messages; the last line of it ends with the code.
        wrapped = _WRAPPED.match(lines[near])
        if wrapped:
            words = [message, *lines[end:near], wrapped[1]]
            message = " ".join(word.strip() for word in words).strip()
            code, end = wrapped[2], near + 1
            break
        if _LINE.match(lines[near]) or lines[near].startswith(" "):
            break
    source = lines[end].strip() if indented(lines, end, 1) > end else ""
    end = indented(lines, end, 3)
    while end < len(lines) and _NOTE.match(lines[end]):
        end += 1
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    failure = Failure("mypy", "python", "", code, message, location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "mypy",
    order=90,
    language="python",
    output=ToolOutput(
        words=(": error: ",),
        parse=parse,
    ),
    command=ToolCommand(
        programs=("mypy", "dmypy"),
        comparable=True,
    ),
)
