"""Free Pascal: what its compiler says, and the traces of programs that it built."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of
from gitmem.tools.common.reading import one

_STEM: Final = r"(?P<file>[^\s(][^(\n]{0,300}\.(?:pas|pp|p|lpr|dpr|inc))"
_COMPILER: Final = faults_of(
    "fpc",
    "pascal",
    _STEM + r"\((?P<line>\d{1,7}),(?P<column>\d{1,5})\) (?P<level>Error|Fatal|Warning|Note|Hint):"
    r" (?:\((?P<code>\d{5})\) )?(?P<message>\S.*)$",
    mild="Note|Hint",
)
_ENDED: Final = re.compile(
    r"(?:Runtime error (?P<code>\d{1,3})|An unhandled exception occurred) at \$[0-9A-F]{4,16}:?$"
)
_RAISED: Final = re.compile(r"(?P<type>[A-Z]\w{1,100}): (?P<message>.*)$")
_STEP: Final = re.compile(
    r"  \$[0-9A-F]{4,16}(?:  (?P<function>\S.{0,300}?),  line (?P<line>\d{1,7}) of "
    r"(?P<file>\S.*))?$"
)
_MEANS: Final = {
    "2": "File not found", "3": "Path not found", "100": "Disk read error",
    "106": "Invalid numeric format", "200": "Division by zero", "201": "Range check error",
    "202": "Stack overflow", "203": "Heap overflow", "204": "Invalid pointer operation",
    "215": "Arithmetic overflow", "216": "General protection fault", "219": "Invalid typecast",
}  # fmt: skip


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read what the compiler says of a line, or how a program ended."""
    ended = _ENDED.match(lines[at])
    if ended is None:
        return _COMPILER(lines, at, floor)
    end = at + 1
    raised = _RAISED.match(lines[end]) if end < len(lines) and not ended["code"] else None
    end += raised is not None
    frames: list[StackFrame] = []
    while end < len(lines) and (step := _STEP.match(lines[end])):
        if step["file"]:
            frames.insert(0, StackFrame(step["file"], step["function"], int(step["line"])))
        end += 1
    if raised:
        kind, message = raised["type"], raised["message"]
    else:
        kind, message = "", f"Runtime error {ended['code']}"
        message += f" ({_MEANS[ended['code']]})" if ended["code"] in _MEANS else ""
    failure = Failure("fpc", "pascal", kind, message=message, frames=bounded(frames))
    return one(failure, lines, at, end) if raised or ended["code"] else None


TOOL = Tool(
    "fpc",
    order=421,
    language="pascal",
    output=ToolOutput(
        words=(".pas(", ".pp(", ".p(", ".lpr(", ".dpr(", ".inc(", " at $0"),
        parse=parse,
        closing=(
            r".{1,300}\(\d+\) Fatal: There were \d+ errors compiling module, stopping"
            r"|(?:Fatal|Error): Compilation aborted|Error: \S+ returned an error exitcode"
        ),
    ),
    command=ToolCommand(programs=("fpc", "ppcx64", "lazbuild"), comparable=True),
)
