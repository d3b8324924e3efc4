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
_HEAD: Final = re.compile(r"\[ERROR\]: Task failed: ")
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
    if _HEAD.match(lines[at]):
        end = min(len(lines), at + _MOST_BELOW)
        fatal = next((near for near in range(at + 1, end) if _FATAL.match(lines[near])), None)
        return None if fatal is None else _task(lines, at, fatal)
    if "...ignoring" in "".join(lines[at + 1 : at + 2]):
        return passed_over(at, at + 2)
    return _task(lines, at, at) if _FATAL.match(lines[at]) else None


def _task(lines: Sequence[str], start: int, at: int) -> ParserResult | None:
    match = _FATAL.match(lines[at])
    data = _data(match["data"]) if match else {}
    reason = _WRAPPED.sub("", str(data.get("msg") or data.get("reason") or ""), count=1)
    ran = str(data.get("stderr") or data.get("stdout") or "").strip().splitlines()
    # What the program itself said tells more than that it failed.
    words = ran[-_MOST_LINES:] if ran and (not reason or "return code" in reason) else [reason]
    message = "\n".join(filter(None, words))[:MAX_MESSAGE]
    if not message:
        return None
    origins = [each for line in lines[start:at] if (each := _ORIGIN.match(line))]
    place = None
    if origins:
        last = origins[-1]
        place = FailureLocation(last["file"], number(last["line"]), number(last["column"]))
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
        words=("[ERROR]: Task failed: ", "]: FAILED! => {", "]: UNREACHABLE! => {", "] (item="),
        parse=parse,
    ),
    command=ToolCommand(programs=("ansible-playbook", "ansible")),
)
