"""systemd: why a unit ended, where its status says more than that the program failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one, passed_over

_ENDED: Final = re.compile(
    r".{0,120}?(?P<message>(?P<unit>[\w@.:\\-]+\.(?:service|socket|mount|scope)): "
    r"(?:Main|Control) process exited, code=\w+, status=(?P<status>\d+/(?P<why>[A-Z]+)))"
)
_STEP: Final = re.compile(
    r".{0,120}?(?P<unit>[\w@.:\\-]+\.(?:service|socket|mount|scope)): (?:.{0,80}: )?"
    r"(?P<message>Failed at step (?P<step>[A-Z_]+) spawning \S.{0,500})$"
)
_SOUGHT: Final = re.compile(r".{0,160}\.service: (?:.{0,80}: )?Failed to locate executable ")
_NEAR: Final = 8
"""Lines above the end of a unit's process in which the step that failed is told."""
_OF_PROGRAM: Final = "/FAILURE"
"""What the program itself ended with: any of many reasons."""


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read how the main process of a unit ended, or before which step it never began."""
    if _SOUGHT.match(lines[at]) and any(_STEP.match(line) for line in lines[at + 1 : at + _NEAR]):
        return passed_over(at, at + 1)
    if step := _STEP.match(lines[at]):
        return one(Failure("systemd", "", step["step"], "", step["message"]), lines, at, at + 1)
    match = _ENDED.match(lines[at])
    if match is None or match["status"].endswith(_OF_PROGRAM):
        return None
    if any(_STEP.match(line) for line in lines[max(0, at - _NEAR) : at]):
        return passed_over(at, at + 1)
    failure = Failure("systemd", "", match["why"], match["status"], match["message"])
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "systemd",
    order=355,
    output=ToolOutput(
        words=(" process exited, code=", " Failed at step ", " Failed to locate executable "),
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
