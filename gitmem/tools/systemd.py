"""systemd: why a unit ended, where its status says more than that the program failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_ENDED: Final = re.compile(
    r".{0,120}?(?P<message>(?P<unit>[\w@.:\\-]+\.(?:service|socket|mount|scope)): "
    r"(?:Main|Control) process exited, code=\w+, status=(?P<status>\d+/(?P<why>[A-Z]+)))"
)
_OF_PROGRAM: Final = "/FAILURE"
"""What the program itself ended with: any of many reasons."""


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read how the main process of a unit ended."""
    match = _ENDED.match(lines[at])
    if match is None or match["status"].endswith(_OF_PROGRAM):
        return None
    failure = Failure("systemd", "", match["why"], match["status"], match["message"])
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "systemd",
    order=355,
    output=ToolOutput(
        words=(" process exited, code=",),
        parse=parse,
        closing=(
            r".{0,120}\.(?:service|socket|mount|scope|timer): (?:Failed with result '"
            r"|(?:Main|Control) process exited, code=exited, status=\d+/FAILURE"
            r"|Scheduled restart job|Start request repeated too quickly)"
            r"|.{0,80}systemd\[\d+\]: Failed to start "
        ),
    ),
    command=ToolCommand(programs=("systemctl", "journalctl")),
)
