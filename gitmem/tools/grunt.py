"""Grunt: it calls what ends a run a warning, and says how to go on all the same."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import one

_WARNED: Final = re.compile(r"Warning: (?P<message>\S.*?) ?Use --force to continue\.$")
_MODULE: Final = re.compile(r">> (?P<message>Local Npm module \".+\" not found)\.")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what a task warned of."""
    match = _WARNED.match(lines[at]) or _MODULE.match(lines[at])
    if match is None:
        return None
    return one(Failure("grunt", "javascript", message=match["message"]), lines, at, at + 1)


TOOL = Tool(
    "grunt",
    order=363,
    language="javascript",
    output=ToolOutput(
        words=("Use --force to continue.", ">> Local Npm module "),
        parse=parse,
        closing=r"Aborted due to warnings\.$",
    ),
    command=ToolCommand(programs=("grunt",)),
    files=ToolFiles(settings={"Gruntfile.js": "Grunt"}),
)
