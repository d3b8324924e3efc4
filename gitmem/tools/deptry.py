"""deptry: dependencies of Python that are missing, or that nobody uses."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_FAULT: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.\w{1,8}):(?:(?P<line>\d{1,7}):(?P<column>\d{1,5}):)? "
    r"(?P<code>DEP\d{3}) (?P<message>\S.*)$"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one fault; of what stands in a manifest no line is told."""
    fault = _FAULT.match(lines[at])
    if fault is None:
        return None
    place = FailureLocation(fault["file"], number(fault["line"]), number(fault["column"]))
    failure = Failure("deptry", "python", "", fault["code"], fault["message"], location=place)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "deptry",
    order=118,
    language="python",
    output=ToolOutput(words=(" DEP0",), parse=parse),
    command=ToolCommand(programs=("deptry",), comparable=True),
)
