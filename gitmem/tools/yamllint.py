"""yamllint: rules for YAML; rows below the name of their file, or a place before each message."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.reading import one

_ROW: Final = re.compile(
    r"  (?P<line>\d{1,7}):(?P<column>\d{1,7}) +error +(?P<message>\S.{0,2000}?) +"
    r"\((?P<rule>[a-z][a-z-]{2,40})\)$"
)
_ANY_ROW: Final = re.compile(r"  \d{1,7}:\d{1,7} +(?:error|warning) ")
_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d{1,7}):(?P<column>\d{1,7}): \[error\] "
    r"(?P<message>\S.{0,2000}?) \((?P<rule>[a-z][a-z-]{2,40})\)$"
)
_MOST: Final = 2_000


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one error; warnings fail nothing, and are not looked at."""
    match = _LINE.match(lines[at])
    file = match["file"] if match else ""
    if not match:
        match = _ROW.match(lines[at])
        file = _file_above(lines, at)
    if not match or not file:
        return None
    place = FailureLocation(file, int(match["line"]), int(match["column"]))
    failure = Failure("yamllint", "yaml", "", match["rule"], match["message"], location=place)
    return one(failure, lines, at, at + 1)


def _file_above(lines: Sequence[str], at: int) -> str:
    """Give the name that stands alone above the rows of a file; empty: there is none."""
    start = at
    while start > 0 and at - start < _MOST and _ANY_ROW.match(lines[start]):
        start -= 1
    name = lines[start]
    return name if name and not name.startswith(" ") and not name.endswith(":") else ""


TOOL = Tool(
    "yamllint",
    order=136,
    language="yaml",
    output=ToolOutput(words=(" error  ", ": [error] "), parse=parse),
    command=ToolCommand(programs=("yamllint",), comparable=True),
    ending=ToolEnding(codes=frozenset({1}), apart=True, by_file=True),
    identity=ToolIdentity(code_tells="words"),
    silence=ToolSilence(
        allows=(r"yamllint disable",),
        settings=(r"(?:.*/)?\.yamllint(?:\.ya?ml)?",),
        looser=(r":\s*disable\b", r"\blevel:\s*warning\b"),
    ),
    files=ToolFiles(settings={".yamllint": "yamllint", ".yamllint.y*ml": "yamllint"}),
)
