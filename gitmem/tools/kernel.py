"""The kernel of Linux: what its log says of a fault, and in which function."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one

_STAMP: Final = r"(?:\[ *\d+\.\d+\](?:\[[^\]\n]+\])? ?)?"
_HEAD: Final = re.compile(
    _STAMP + r"(?:BUG: (?P<bug>\S.*)|kernel BUG at (?P<file>[^\s:]+):(?P<line>\d+)!"
    r"|(?P<other>(?:general protection fault|Unable to handle kernel|Kernel panic - )\S?.*))$"
)
_WHERE: Final = re.compile(
    _STAMP
    + r"(?:RIP: \w+:|pc : |RIP \[<\w+>\] |EIP: )(?P<function>[\w.]+)\+0x[0-9a-f]+/0x[0-9a-f]+"
    r"(?: \[(?P<module>\w+)\])?"
)
_CALLED: Final = re.compile(
    _STAMP + r" (?P<function>[\w.]+)\+0x[0-9a-f]+/0x[0-9a-f]+(?: \[(?P<module>\w+)\])?\s*$"
)
_MOST: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a fault with the function in which it came; those that called it are the kernel's."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    inner: list[StackFrame] = []
    called: list[StackFrame] = []
    end = at + 1
    for near in range(at + 1, min(len(lines), at + _MOST)):
        if _HEAD.match(lines[near]):
            break
        if where := _WHERE.match(lines[near]):
            inner = inner or [_step(where, own=True)]
            end = near + 1
        elif step := _CALLED.match(lines[near]):
            called.append(_step(step, own=bool(step["module"])))
            end = near + 1
    place = FailureLocation(head["file"], number(head["line"])) if head["file"] else None
    message = head["bug"] or head["other"] or "kernel BUG"
    frames = bounded([*called[::-1], *inner])
    return one(Failure("kernel", "c", "", "", message, frames, place), lines, at, end)


def _step(match: re.Match[str], *, own: bool) -> StackFrame:
    return StackFrame(match["module"] or "vmlinux", match["function"], in_app=own)


TOOL = Tool(
    "kernel",
    order=238,
    language="c",
    output=ToolOutput(
        words=("BUG: ", "kernel BUG at", "general protection fault", "Unable to handle kernel",
               "Kernel panic"),
        parse=parse,
    ),
    command=ToolCommand(programs=("dmesg",)),
    identity=ToolIdentity(
        silent=(
            r"(?:kernel NULL pointer|unable to handle|general protection"
            r"|Unable to handle kernel)\b"
        ),
    ),
)  # fmt: skip
