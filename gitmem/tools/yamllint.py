"""yamllint: rules for YAML, in its standard and its parsable form."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_STANDARD: Final = re.compile(
    r"\s+(?P<line>\d+):(?P<column>\d+)\s+(?P<level>error|warning)\s+(?P<message>\S.*?)  "
    r"\((?P<rule>[a-z][a-z-]+)\)\s*$"
)
_PARSABLE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d+):(?P<column>\d+): \[(?P<level>error|warning)\] "
    r"(?P<message>\S.*?)(?: \((?P<rule>[a-z][a-z-]+)\))?\s*$"
)
_SYNTAX: Final = re.compile(
    r"\s+(?P<line>\d+):(?P<column>\d+)\s+(?P<level>error)\s+"
    r"(?P<message>syntax error: \S.*?) +\((?P<rule>syntax)\)\s*$"
)
_MOST_ABOVE: Final = 300


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message; the file stands above those of the standard form."""
    line = lines[at]
    short = _PARSABLE.match(line)
    if short:
        return one(_failure(short, short["file"]), lines, at, at + 1)
    said = _SYNTAX.match(line) or _STANDARD.match(line)
    if said is None:
        return None
    for near in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        if lines[near].strip() and not lines[near].startswith(" "):
            return one(_failure(said, lines[near].strip()), lines, at, at + 1)
    return None


def _failure(match: re.Match[str], file: str) -> Failure:
    place = FailureLocation(file, number(match["line"]), number(match["column"]))
    return Failure(
        "yamllint", "yaml", "", match["rule"] or "", match["message"], location=place,
        severity="error" if match["level"] == "error" else "warning",
    )  # fmt: skip


TOOL = Tool(
    "yamllint",
    order=125,
    language="yaml",
    output=ToolOutput(words=(" error ", "[error]"), parse=parse),
    command=ToolCommand(programs=("yamllint",)),
)
