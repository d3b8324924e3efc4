"""Ansible: why a task failed on a machine, and in which line of the playbook it stands."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one, passed_over

_FATAL: Final = re.compile(
    r"(?:fatal|failed): \[[^\[\]]{1,200}\](?:: (?:FAILED|UNREACHABLE)!| \(item=.{0,300}?\)) => "
    r"(?P<data>\{.*\})\s*$"
)
_ERROR: Final = re.compile(r"\[ERROR\]: (?P<message>\S.*)$")
_PLAY: Final = re.compile(r"(?:PLAY|TASK|RUNNING HANDLER) (?:\[|RECAP)")
_ORIGIN: Final = re.compile(
    r"Origin: (?P<file>\S.{0,400}?):(?P<line>\d{1,7}):(?P<column>\d{1,5})\s*$"
)
_WRAPPED: Final = re.compile(
    r"(?:Task failed: |Module failed: |Unexpected \w+ error: |Finalization of task args for "
    r"'[\w.]+' failed: )+"
)
_MOST_BELOW: Final = 80
_MOST_LINES: Final = 3


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what a task says on one machine; newer versions say first where it stands."""
    if error := _ERROR.match(lines[at]):
        end = _end(lines, at)
        if end < len(lines) and _FATAL.match(lines[end]):
            return _task(lines, at, end)
        return _unread(lines, at, end, error["message"])
    if "...ignoring" in "".join(lines[at + 1 : at + 2]):
        return passed_over(at, at + 2)
    return _task(lines, at, at) if _FATAL.match(lines[at]) else None


def _end(lines: Sequence[str], at: int) -> int:
    """Give the line at which what is said of one error ends: a machine's answer, the next one."""
    for end in range(at + 1, min(len(lines), at + _MOST_BELOW)):
        if any(each.match(lines[end]) for each in (_FATAL, _ERROR, _PLAY)):
            return end
    return min(len(lines), at + _MOST_BELOW)


def _unread(lines: Sequence[str], at: int, end: int, message: str) -> ParserResult | None:
    """Read why a playbook can't be run; without its place it may be another program's line."""
    place = _place(lines[at:end])
    text = _WRAPPED.sub("", message, count=1) or message
    return (
        one(Failure("ansible", "yaml", message=text, location=place), lines, at, end)
        if place
        else None
    )


def _place(lines: Sequence[str]) -> FailureLocation | None:
    """Give the innermost of the places that lead to an error."""
    origins = [each for line in lines if (each := _ORIGIN.match(line))]
    if not origins:
        return None
    last = origins[-1]
    return FailureLocation(last["file"], number(last["line"]), number(last["column"]))


def _task(lines: Sequence[str], start: int, at: int) -> ParserResult | None:
    match = _FATAL.match(lines[at])
    data = _data(match["data"]) if match else {}
    said = _WRAPPED.sub("", str(data.get("msg") or data.get("reason") or ""), count=1)
    head = _ERROR.match(lines[start])
    told = _WRAPPED.sub("", head["message"], count=1) if head else ""
    if said and told.startswith(said.rstrip(".")):
        said = told  # with what it comes from
    ran = str(data.get("stderr") or data.get("stdout") or "").strip().splitlines()
    # What the program itself said tells more than that it failed.
    words = ran[-_MOST_LINES:] if ran and (not said or "return code" in said) else [said]
    message = "\n".join(filter(None, words))[:MAX_MESSAGE]
    if not message:
        return None
    place = _place(lines[start:at])
    return one(Failure("ansible", "yaml", message=message, location=place), lines, start, at + 1)


def _data(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


TOOL = Tool(
    "ansible",
    order=151,
    language="yaml",
    output=ToolOutput(
        words=("[ERROR]: ", "]: FAILED! => {", "]: UNREACHABLE! => {", "] (item="),
        needs=r"Origin: |(?:fatal|failed): \[|PLAY \[",
        parse=parse,
        closing=r"\S+ +: ok=\d+ +changed=\d+ +unreachable=\d+ +failed=\d+.*|PLAY RECAP .*",
    ),
    command=ToolCommand(programs=("ansible-playbook", "ansible")),
)
