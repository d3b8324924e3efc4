"""webpack and what is built on it: modules that can't be resolved, and in which file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_MISSING: Final = re.compile(
    r"\s*Module not found: (?:Error: )?(?P<message>Can't resolve '[^'\n]+')(?: in '[^'\n]+')?"
)
_FILE: Final = re.compile(
    r"(?:ERROR in )?(?P<file>\.{0,2}/?[^\s:]{1,300}\.\w{1,6})"
    r"(?:[: ](?P<line>\d+):(?P<column>\d+)\S*)?\s*$"
)
_MOST_ABOVE: Final = 3


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one module that is missing; the file that wants it stands above."""
    match = _MISSING.match(lines[at])
    if match is None:
        return None
    for near in range(at - 1, max(floor, at - _MOST_ABOVE) - 1, -1):
        if above := _FILE.match(lines[near]):
            place = FailureLocation(
                above["file"].removeprefix("./"), number(above["line"]), number(above["column"])
            )
            failure = Failure("webpack", "javascript", "", "", match["message"], location=place)
            return one(failure, lines, near, at + 1)
    return one(Failure("webpack", "javascript", message=match["message"]), lines, at, at + 1)


TOOL = Tool(
    "webpack",
    order=362,
    language="javascript",
    output=ToolOutput(
        words=("Module not found: ",),
        parse=parse,
        closing=(
            r"(?:webpack [\d.]+ )?compiled with \d+ errors?|> Build failed because of webpack"
            r"|error Command failed with"
        ),
    ),
    command=ToolCommand(programs=("webpack", "next")),
)
