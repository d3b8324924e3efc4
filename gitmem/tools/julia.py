"""Julia: errors with their stack, its tests, also as examples in its documents."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput, ToolSilence
from gitmem.tools.common.reading import number, one

_HEAD: Final = re.compile(
    r"ERROR: (?:LoadError: |InitError: |TaskFailedException: )*"
    r"(?:(?P<type>[A-Z]\w*(?:Error|Exception)): )?(?P<message>\S.*)$"
)
_STACK: Final = re.compile(r"Stacktrace:\s*$")
_FUNCTION: Final = re.compile(r"\s+\[\d+\] (?P<function>\S.*?)(?:\s+@ (?P<where>.+))?$")
_WHERE: Final = re.compile(r"(?:\s+@ )?(?:(?P<module>[\w.]+) )?(?P<file>\S+\.jl):(?P<line>\d+)")
_MOST: Final = 80
_MOST_MESSAGE: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one error that has a stack; other tools begin lines like that, too."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    stack = next(
        (
            near
            for near in range(at + 1, min(len(lines), at + _MOST_MESSAGE))
            if _STACK.match(lines[near])
        ),
        None,
    )
    if stack is None:
        return None
    words = [head["message"], *(line.strip() for line in lines[at + 1 : stack] if line.strip())]
    frames: list[StackFrame] = []
    function, end = "", stack + 1
    while end < len(lines) and end < stack + _MOST:
        line = lines[end]
        step = _FUNCTION.match(line)
        where = _WHERE.match(step["where"] if step and step["where"] else line)
        if step:
            function = step["function"].partition("(")[0]
        if where and (step is None or step["where"]):
            frames.append(_step(function, where))
        elif step is None:
            break
        end += 1
    own = next((step for step in frames if step.in_app), None)
    place = FailureLocation(own.file, own.line) if own else None
    failure = Failure(
        "julia", "julia", head["type"] or "", "", "\n".join(words), bounded(frames[::-1]), place
    )
    return one(failure, lines, at, end)


def _step(function: str, where: re.Match[str]) -> StackFrame:
    file = where["file"]
    module = where["module"] or "Main"
    own = module == "Main" or not (file.startswith("./") or "/.julia/" in file)
    return StackFrame(file, function, number(where["line"]), in_app=own and "/stdlib/" not in file)


TOOL = Tool(
    "julia",
    order=332,
    language="julia",
    output=ToolOutput(words=("ERROR: ",), parse=parse),
    command=ToolCommand(programs=("julia",)),
    frames=ToolFrames(folders=(r"\.julia",)),
    silence=ToolSilence(asserts=(r"^@test\b",), example=("jldoctest", "julia>")),
)
