"""Valgrind: what it finds wrong in a program's memory and threads, each with its stack."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import one, passed_over

_MARK: Final = r"(?:==\d{1,10}== ?)?"
_STEP: Final = re.compile(
    _MARK + r" {2,8}(?P<word>at|by) 0x[0-9A-F]+: (?P<function>\S.{0,400}?) "
    r"\((?:in (?P<module>[^()\n]+)|(?P<file>[^()\n:]+):(?P<line>\d{1,7}))\)$"
)
_HEAD: Final = re.compile(_MARK + r"(?P<message>[A-Z0-9]\S.*)$")
_LEAK: Final = re.compile(
    r"[\d,]+ (?:\([^)]*\) )?bytes in [\d,]+ blocks are (?P<how>.+?) in loss record .*"
)
_BOUND: Final = re.compile(r"(?:Process terminating with .* of signal \d+) \((?P<signal>SIG\w+)\)")
_REASON: Final = re.compile(_MARK + r" {1,2}(?P<reason>[A-Z]\S.*)$")
_RUNTIME: Final = re.compile(r"(?:^|/)(?:vg_\w+|vgpreload\w*)\b|/valgrind/")
_ABOUT: Final = re.compile(
    _MARK + r"\s*Address 0x[0-9A-Fa-f]+ is (?:\d[\d,]* bytes )?"
    r"(?P<said>(?:inside|after|before) a block of size|not stack'd|on thread)"
    r"(?: [\d,]+ (?P<how>free'd|alloc'd|client-defined))?"
)
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error, whose stack begins at a line and is headed by what is wrong."""
    step = _STEP.match(lines[at])
    if step is None or step["word"] != "at" or at <= floor:
        return None
    start = at - 1
    reason = _REASON.match(lines[start])
    if reason and start > floor and _HEAD.match(lines[start - 1]):
        start -= 1
    else:
        reason = None
    head = _HEAD.match(lines[start])
    end, frames = _stack(lines, at)
    if head is None:
        return passed_over(at, end)  # where a block was allocated or freed
    message = head["message"]
    if leak := _LEAK.match(message):
        if leak["how"] == "still reachable":
            return passed_over(start, end)
        message = f"memory is {leak['how']}"
    signal = _BOUND.match(message)
    if reason:
        message = f"{message}\n{reason['reason']}"
    if end < len(lines) and (about := _ABOUT.match(lines[end])):
        message = "\n".join([message, " ".join(filter(None, (about["said"], about["how"])))])
    own = next((f for f in frames if f.line and not _RUNTIME.search(f.file)), None)
    failure = Failure(
        "valgrind",
        "c",
        signal["signal"] if signal else "",
        message=message,
        frames=bounded(frames[::-1]),
        location=FailureLocation(own.file, own.line) if own else None,
    )
    return one(failure, lines, start, end)


def _stack(lines: Sequence[str], at: int) -> tuple[int, list[StackFrame]]:
    frames: list[StackFrame] = []
    while at < len(lines) and len(frames) < _MOST and (step := _STEP.match(lines[at])):
        file = step["module"] or step["file"]
        line = int(step["line"]) if step["line"] else None
        frames.append(StackFrame(file, step["function"], line, in_app=None if line else False))
        at += 1
    return at, frames


TOOL = Tool(
    "valgrind",
    order=234,
    language="c",
    output=ToolOutput(
        words=(" at 0x",),
        parse=parse,
        closing=(
            r"(?:==\d{1,10}== )?(?:Memcheck, a memory error detector"
            r"|Helgrind, a thread error detector|ERROR SUMMARY: .*"
            r"|For lists of detected and suppressed errors, rerun with: -s"
            r"|(?:Use|For counts of) .*rerun .*)"
        ),
    ),
    frames=ToolFrames(paths=(r"/valgrind/",), files=("vg_replace_malloc.c",)),
    command=ToolCommand(programs=("valgrind",)),
    identity=ToolIdentity(
        silent=(
            r"(?:Invalid (?:read|write) of size|Conditional jump or move|Use of uninitialised"
            r"|Invalid free|Mismatched free|memory is \w+ lost|Jump to the invalid).*$"
        )
    ),
)
