"""kotlinc, alone or below Gradle; what it prints with a mark below is read where javac's is."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.reading import indented, number, one

_LINE: Final = re.compile(
    r"e: (?:file://)?(?P<file>(?:/?[A-Za-z]:)?[^:\n]{1,400}\.kts?):(?: \()?(?P<line>\d+)[:,] ?"
    r"(?P<column>\d+)\)?:? (?P<message>\S.*)$"
)
_MOST_BELOW: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message, in the form of either generation of the compiler."""
    match = _LINE.match(lines[at].lstrip())
    if match is None:
        return None
    end = max(at + 1, indented(lines, at + 1, _MOST_BELOW))
    message = "\n".join([match["message"], *(line.strip() for line in lines[at + 1 : end])])
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]))
    return one(Failure("kotlinc", "kotlin", "", "", message, location=place), lines, at, end)


TOOL = Tool(
    "kotlinc",
    order=169,
    language="kotlin",
    output=ToolOutput(words=("e: file:", ".kt: (", ".kts: ("), parse=parse, like=("javac",)),
)
