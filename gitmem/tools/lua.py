"""Lua: errors that ended a program, with their place, and files that it can't read."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(
    r"(?:lua(?:jit|c)?[\d.]*|[^\s:]{0,200}/lua(?:jit|c)?[\d.]*): (?P<file>[^\s:][^:\n]{0,300}):"
    r"(?P<line>\d{1,7}): (?P<message>\S.*)$"
)
_TRACE: Final = "stack traceback:"
_STEP: Final = re.compile(
    r"\t(?P<file>[^\t\n:\[][^\t\n:]{0,300}):(?P<line>\d{1,7}): in (?P<function>\S.*)$"
)
_NATIVE: Final = re.compile(r"\t(?:\[C\]: in |\(\.\.\.tail calls\.\.\.\)|\[string )")
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read an error with the trace below it; a message may have several lines."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    end, words, frames = at + 1, [head["message"]], []
    trace = next(
        (near for near in range(end, min(len(lines), at + _MOST)) if lines[near] == _TRACE), 0
    )
    if trace:
        words += [line.strip() for line in lines[end:trace] if line.strip()]
        end = trace + 1
        while end < len(lines) and end < trace + _MOST:
            if step := _STEP.match(lines[end]):
                frames.append(StackFrame(step["file"], step["function"], int(step["line"])))
            elif not _NATIVE.match(lines[end]):
                break
            end += 1
    place = place_of(head["file"], head["line"])
    failure = Failure("lua", "lua", message="\n".join(words), location=place)
    return one(failure._replace(frames=bounded(frames[::-1])), lines, at, end)


TOOL = Tool(
    "lua",
    order=315,
    language="lua",
    output=ToolOutput(words=("lua: ", "luac: ", "luajit: ", "lua5.", "luac5."), parse=parse),
    command=ToolCommand(programs=("lua", "luajit", "luac")),
)
