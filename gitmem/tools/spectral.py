"""Spectral: faults of API descriptions below their file, each with its rule and its path."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one, passed_over

_ROW: Final = re.compile(
    r" {1,8}(?P<line>\d{1,7}):(?P<column>\d{1,5}) {2,}(?P<level>error|warning|information|hint)"
    r" {2}(?P<code>[a-z][\w-]*-[\w-]+) {2,}(?P<message>\S.*?)(?: {2,}(?P<path>\S+))?$"
)
_FILE: Final = re.compile(r"(?P<file>\S.*\.(?:ya?ml|json))$")
_MOST_ABOVE: Final = 1_000


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one row; hints are no faults."""
    row = _ROW.match(lines[at])
    if row is None:
        return None
    above = (lines[near] for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1))
    file = next(filter(None, map(_FILE.match, above)), None)
    if file is None:
        return None
    if row["level"] in {"hint", "information"}:
        return passed_over(at, at + 1)
    failure = Failure(
        "spectral",
        "openapi",
        code=row["code"],
        message=row["message"],
        location=place_of(file["file"], row["line"], row["column"]),
        severity="warning" if row["level"] == "warning" else "error",
    )
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "spectral",
    order=119,
    language="openapi",
    output=ToolOutput(
        words=("  error  ", "  warning  "),
        needs=r"\S\.(?:ya?ml|json)$",
        parse=parse,
        closing=r"\u2716 \d+ problems? \(\d+ errors?, \d+ warnings?, \d+ infos?, \d+ hints?\)",
    ),
    command=ToolCommand(programs=("spectral",), comparable=True),
    ending=ToolEnding(apart=True),
)
