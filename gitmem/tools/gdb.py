"""gdb and lldb: the signal that stopped a program, and where."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one

_SIGNAL: Final = re.compile(
    r"(?:Thread \d.{0,120} received|Program received|Program terminated with) signal "
    r"(?P<type>SIG\w+), (?P<message>[^.\n]+)\.?$"
)
_FRAME: Final = re.compile(
    r"(?:#\d+ +)?(?:0x[0-9a-f]+ in )?(?P<function>[\w:~<>*&, ]{1,300}?) ?\(.{0,600}?\)"
    r" (?:at (?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d+)|from (?P<module>\S+))$"
)
_SOURCE: Final = re.compile(r"\d+\t(?P<code>.*)$")
_MOST: Final = 80


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a signal and the frames below it; the innermost one stands there twice."""
    signal = _SIGNAL.match(lines[at])
    if signal is None:
        return None
    frames: list[StackFrame] = []
    code, end = "", at + 1
    while end < len(lines) and end < at + _MOST:
        step, shown = _FRAME.match(lines[end]), _SOURCE.match(lines[end])
        if step:
            frame = StackFrame(
                step["file"] or step["module"], step["function"], number(step["line"])
            )
            if frame not in frames[-1:]:
                frames.append(frame)
        elif shown:
            code = code or shown["code"].strip()
        elif not lines[end].startswith(("[", "warning:", "(gdb)", "#")):
            break
        end += 1
    place = next((step for step in frames if step.line), None)
    where = FailureLocation(place.file, place.line, None, code) if place else None
    stack = bounded(frames[::-1])
    failure = Failure("gdb", "c", signal["type"], "", signal["message"], stack, where)
    return one(failure, lines, at, end)


TOOL = Tool(
    "gdb",
    order=237,
    language="c",
    output=ToolOutput(words=("signal SIG",), parse=parse),
    command=ToolCommand(programs=("gdb", "lldb")),
    identity=ToolIdentity(
        silent=r"(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Arithmetic exception)$"
    ),
)
