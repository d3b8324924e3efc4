"""actionlint: faults in the workflows of GitHub Actions."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,300}\.ya?ml):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<message>\S.{0,2000}) \[(?P<rule>[a-z][a-z-]{1,40})\]$"
)
_SOURCE: Final = re.compile(r"\s*(?:\d+ )?\|")
_MOST: Final = 3


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one fault with the line that it shows.

    The rule is its type, not its code: ``expression`` and ``syntax-check`` name a hundred faults.
    """
    match = _LINE.match(lines[at])
    if not match:
        return None
    end, source = at + 1, ""
    while end < min(len(lines), at + 1 + _MOST) and _SOURCE.match(lines[end]):
        source = source or lines[end].partition("|")[2].strip()
        end += 1
    place = FailureLocation(match["file"], int(match["line"]), int(match["column"]), source)
    failure = Failure("actionlint", "yaml", match["rule"], "", match["message"], location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "actionlint",
    order=130,
    language="yaml",
    output=ToolOutput(words=(".yml:", ".yaml:"), parse=parse),
    command=ToolCommand(programs=("actionlint",)),
)
