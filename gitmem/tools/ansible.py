"""Ansible: tasks that failed on a host, and playbooks that can't be read."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one, passed_over

_ERROR: Final = re.compile(r"\[ERROR\]: (?P<message>\S.*)$")
_ORIGIN: Final = re.compile(r"Origin: (?P<file>\S.{0,400}?):(?P<line>\d{1,7}):(?P<column>\d{1,5})$")
_FATAL: Final = re.compile(
    r"(?:fatal|failed): \[(?P<host>[^\]\n]{1,200})\](?: \(item=.*?\))?: "
    r"(?:FAILED|UNREACHABLE)! => (?P<rest>.*)$"
)
_SAID: Final = re.compile(r'"msg": "(?P<message>(?:[^"\\]|\\.){1,2000})"')
_TASK: Final = re.compile(r"(?:TASK|RUNNING HANDLER) \[(?P<name>.+?)\] \*+$")
_PLAY: Final = re.compile(r"(?:PLAY|TASK|RUNNING HANDLER) (?:\[|RECAP)|fatal: \[")
_WRAPPED: Final = re.compile(r"(?:Task failed: )?(?:Module failed: )?")
_MOST: Final = 80


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error, with what caused it below; what a host answers repeats it."""
    if error := _ERROR.match(lines[at]):
        return _error(lines, at, error["message"])
    fatal = _FATAL.match(lines[at])
    if fatal is None:
        return None
    for near in range(at - 1, max(floor, at - _MOST) - 1, -1):
        if _ERROR.match(lines[near]):
            return passed_over(at, at + 1)
        if _TASK.match(lines[near]):
            break
    said = _SAID.search(fatal["rest"])
    if said is None:
        return None
    message = said["message"].replace('\\"', '"').replace("\\n", "\n")
    return one(Failure("ansible", "yaml", message=message), lines, at, at + 1)


def _error(lines: Sequence[str], at: int, message: str) -> ParserResult | None:
    """Read an error with its origin; of those that caused it the innermost says where."""
    place, end = None, at + 1
    while end < len(lines) and end < at + _MOST and not _PLAY.match(lines[end]):
        if _ERROR.match(lines[end]):
            break
        if origin := _ORIGIN.match(lines[end]):
            place = place_of(origin["file"], origin["line"], origin["column"])
        end += 1
    if place is None:
        return None
    if end < len(lines) and _FATAL.match(lines[end]):
        end += 1
    text = _WRAPPED.sub("", message, count=1) or message
    return one(Failure("ansible", "yaml", message=text, location=place), lines, at, end)


TOOL = Tool(
    "ansible",
    order=168,
    language="yaml",
    output=ToolOutput(
        words=("[ERROR]: ", "FAILED! => ", "UNREACHABLE! => "),
        needs=r"Origin: |(?:fatal|failed): \[|PLAY \[",
        parse=parse,
        closing=r"\S+ +: ok=\d+ +changed=\d+ +unreachable=\d+ +failed=\d+.*|PLAY RECAP .*",
    ),
    command=ToolCommand(programs=("ansible-playbook", "ansible")),
)
