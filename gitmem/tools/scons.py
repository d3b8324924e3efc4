"""SCons: what stopped a build, and faults of the build files, which are Python."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_STOP: Final = re.compile(r"scons: \*\*\* (?P<message>\S.*)$")
_STEP: Final = re.compile(r"\[(?P<target>[^\]\n]{1,300})\] (?P<what>Error -?\d+)$")
_PLACE: Final = re.compile(r'File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7}), in ')
_TYPED: Final = re.compile(r"(?P<type>[A-Z]\w{1,80}(?:Error|Exception)): (?P<message>.*?):?$")
_BELOW: Final = re.compile(r'  File "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,7}):$')


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a message; that a command failed is said by the command, above."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if typed := _TYPED.match(lines[at]):
        found = _BELOW.match(below)
        if found is None:
            return None
        place = place_of(found["file"], found["line"])
        failure = Failure("scons", "python", typed["type"], "", typed["message"], location=place)
        return one(failure, lines, at, min(at + 3, len(lines)))
    stop = _STOP.match(lines[at])
    if stop is None:
        return None
    step, found = _STEP.match(stop["message"]), _PLACE.match(below)
    stopped_at = place_of(found["file"], found["line"]) if found else None
    failure = Failure("scons", "python", message=stop["message"], location=stopped_at)
    if step:
        failure = failure._replace(severity="consequence")
    return one(failure, lines, at, at + 1 + bool(found))


TOOL = Tool(
    "scons",
    order=227,
    language="python",
    output=ToolOutput(
        words=("scons: *** ", "Error: ", "Exception: "),
        needs=r"scons: \*\*\* |\s+File \"[^\"]+\", line \d+:$",
        parse=parse,
        closing=r"scons: building terminated because of errors\.",
    ),
    command=ToolCommand(programs=("scons",)),
)
