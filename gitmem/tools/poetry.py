"""Poetry: its own messages; those about packages are read where pip's are."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import one

_SAID: Final = re.compile(
    r"\s*(?:Error: )?(?P<message>(?:pyproject\.toml changed significantly since poetry\.lock"
    r"|pyproject\.toml and poetry\.lock are not|poetry\.lock is not up to date"
    r"|Current Python version |The currently activated Python version "
    r"|Poetry could not find a pyproject\.toml"
    r"|Group\(s\) not found: ).*)$"
)
_UNSOLVED: Final = "version solving failed"
_STEP: Final = re.compile(r"\s*(?:Because|And|So|and|\(\d+\)) ")
_MOST: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message; why versions could not be found stands in the lines above."""
    match = _SAID.match(lines[at])
    if match:
        return one(Failure("poetry", "python", message=match["message"]), lines, at, at + 1)
    if _UNSOLVED not in lines[at]:
        return None
    first = at
    while first > max(floor, at - _MOST) and _STEP.match(lines[first - 1]):
        first -= 1
    message = "\n".join(line.strip() for line in lines[first : at + 1])
    return one(Failure("poetry", "python", message=message), lines, first, at + 1)


TOOL = Tool(
    "poetry",
    order=292,
    language="python",
    output=ToolOutput(
        words=("changed significantly", "poetry.lock", "Python version (", "pyproject.toml file",
               "version solving failed", "not found: "),
        parse=parse,
        like=("pip",),
    ),
    command=ToolCommand(
        programs=("poetry",),
        starts=("poetry run",),
    ),
    files=ToolFiles(
        locks=("poetry.lock",),
        sections={"poetry": "Poetry"},
        aside=(r"poetry\.lock",),
    ),
)  # fmt: skip
