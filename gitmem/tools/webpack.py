"""webpack and what is built on it: modules that can't be resolved, and in which file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_MISSING: Final = re.compile(
    r"\s*(?:\u00d7 )?Module not found: (?:Error: )?"
    r"(?P<message>Can't resolve '[^'\n]+')(?: in '[^'\n]+')?"
)
_UNREAD: Final = re.compile(
    r"\s*Module parse failed: (?P<message>\S.*?) \((?P<line>\d{1,7}):(?P<column>\d{1,5})\)$"
)
_QUOTED: Final = re.compile(r"> *\d+ \| ?(?P<code>.*)$")
_MOST_BELOW: Final = 8
_FILE: Final = re.compile(
    r"(?:ERROR in )?(?P<file>\.{0,2}/?[^\s:]{1,300}\.\w{1,6})"
    r"(?:[: ](?P<line>\d+):(?P<column>\d+)\S*)?\s*$"
)
_MOST_ABOVE: Final = 3


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one module that is missing; the file that wants it stands above."""
    match = _MISSING.match(lines[at])
    unread = _UNREAD.match(lines[at])
    if match is None:
        return _unread(lines, at, floor, unread) if unread else None
    for near in range(at - 1, max(floor, at - _MOST_ABOVE) - 1, -1):
        if above := _FILE.match(lines[near]):
            place = FailureLocation(
                above["file"].removeprefix("./"), number(above["line"]), number(above["column"])
            )
            failure = Failure("webpack", "javascript", "", "", match["message"], location=place)
            return one(failure, lines, near, at + 1)
    return one(Failure("webpack", "javascript", message=match["message"]), lines, at, at + 1)


def _unread(
    lines: Sequence[str], at: int, floor: int, unread: re.Match[str]
) -> ParserResult | None:
    """Read a module that could not be parsed; its file stands above, the code below."""
    above = _FILE.match(lines[at - 1]) if at > floor else None
    if above is None:
        return None
    end, code = at + 1, ""
    while end < len(lines) and end < at + _MOST_BELOW and lines[end].strip():
        quoted = _QUOTED.match(lines[end])
        code = quoted["code"].strip() if quoted else code
        end += 1
    place = FailureLocation(
        above["file"].removeprefix("./"), number(unread["line"]), number(unread["column"]), code
    )
    message = f"Module parse failed: {unread['message']}"
    failure = Failure("webpack", "javascript", "", "", message, location=place)
    return one(failure, lines, at - 1, end)


TOOL = Tool(
    "webpack",
    order=362,
    language="javascript",
    output=ToolOutput(
        words=("Module not found: ", "Module parse failed: "),
        parse=parse,
        closing=(
            r"(?:webpack [\d.]+ )?compiled with \d+ errors?|> Build failed because of webpack"
            r"|error Command failed with"
        ),
    ),
    command=ToolCommand(programs=("webpack", "next")),
)
