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
    r"|Group\(s\) not found: |Because .{1,400} depends on .{1,400}"
    r"|Because .{1,300} (?:requires|doesn't match any versions) ).*)$"
)
_SOLVED: Final = re.compile(r"\s*(?:And because |and |So, because )")
_MOST: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message, with the steps that led to it."""
    match = _SAID.match(lines[at])
    if match is None:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and _SOLVED.match(lines[end]):
        end += 1
    message = "\n".join([match["message"], *(line.strip() for line in lines[at + 1 : end])])
    return one(Failure("poetry", "python", message=message), lines, at, end)


TOOL = Tool(
    "poetry",
    order=292,
    language="python",
    output=ToolOutput(
        words=("changed significantly", "poetry.lock", "Python version (", "pyproject.toml file",
               "doesn't match any versions", " depends on "),
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
    ),
)  # fmt: skip
