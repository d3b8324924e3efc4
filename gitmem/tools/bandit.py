"""Bandit: rules for the safety of Python."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_ISSUE: Final = re.compile(r">> Issue: \[(?P<code>B\d{3}):[\w-]{1,80}\] (?P<message>\S.*)$")
_PLACE: Final = re.compile(
    r"\s+Location: (?:\./)?(?P<file>\S.*?):(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?$"
)
_MOST: Final = 8


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one issue, with its place a few lines below."""
    issue = _ISSUE.match(lines[at])
    if issue is None:
        return None
    for end in range(at + 1, min(len(lines), at + _MOST)):
        if place := _PLACE.match(lines[end]):
            where = place_of(place["file"], place["line"])
            failure = Failure("bandit", "python", "", issue["code"], issue["message"])
            return one(failure._replace(location=where), lines, at, end + 2)
    return None


TOOL = Tool(
    "bandit",
    order=123,
    language="python",
    output=ToolOutput(words=(">> Issue: [B",), parse=parse),
    command=ToolCommand(programs=("bandit",), comparable=True),
    silence=ToolSilence(allows=(r"#\s*nosec",)),
)
