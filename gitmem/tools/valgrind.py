"""Valgrind's Memcheck: one report a fault of memory, each with the stack that did it."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one

_SAID: Final = re.compile(r"==\d{1,10}== (?P<said>\S.{0,300})$")
_FRAME: Final = re.compile(
    r"==\d{1,10}==\s{2,8}(?:at|by) 0x[0-9A-Fa-f]+: (?P<function>\S.{0,300}?) "
    r"\((?:in (?P<module>[^()]{1,300})|(?P<file>[^()\s:][^():]{0,300}):(?P<line>\d{1,7}))\)$"
)
_ABOUT: Final = re.compile(
    r"==\d{1,10}==\s+Address 0x[0-9A-Fa-f]+ is (?:\d[\d,]* bytes )?"
    r"(?P<said>(?:inside|after|before) a block of size|not stack'd|on thread)"
    r"(?: [\d,]+ (?P<how>free'd|alloc'd|client-defined))?"
)
_LOST: Final = re.compile(
    r"[\d,]+(?: \([^()]*\))? bytes in [\d,]+ blocks are (?P<said>\w+ lost) in loss record.*$"
)
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one report: what is wrong, the stack that did it, and whose memory it was."""
    heading = _SAID.match(lines[at])
    if heading is None or at + 1 == len(lines) or not _FRAME.match(lines[at + 1]):
        return None
    lost = _LOST.match(heading["said"])
    words = [f"blocks are {lost['said']}" if lost else heading["said"]]
    frames, end = [], at + 1
    while end < len(lines) and end < at + _MOST and (step := _FRAME.match(lines[end])):
        frames.append(_step(step))
        end += 1
    if end < len(lines) and (about := _ABOUT.match(lines[end])):
        words.append(" ".join(filter(None, (about["said"], about["how"]))))
    own = next((step for step in frames if step.line), None)
    place = FailureLocation(own.file, own.line) if own else None
    failure = Failure(
        "valgrind", "c", "", "", "\n".join(words), bounded(frames[::-1]), location=place
    )
    return one(failure, lines, at, end)


def _step(match: re.Match[str]) -> StackFrame:
    if match["module"]:
        return StackFrame(match["module"], match["function"], in_app=False)
    return StackFrame(match["file"], match["function"], number(match["line"]))


TOOL = Tool(
    "valgrind",
    order=235,
    language="c",
    output=ToolOutput(
        words=(
            "== Invalid ",
            "== Mismatched ",
            "== Jump to ",
            "== Source and destination overlap",
            "== Syscall param",
            "ninitialised value",
            " lost in loss record",
        ),
        parse=parse,
        closing=r"==\d{1,10}== (?:Memcheck, a memory error detector|ERROR SUMMARY: |HEAP SUMMARY:)",
    ),
    command=ToolCommand(programs=("valgrind",)),
    frames=ToolFrames(paths=(r"/vgpreload_",)),
    identity=ToolIdentity(
        silent=(
            r"(?:Invalid (?:read|write) of size|Conditional jump or move|Use of uninitialised"
            r"|Invalid free|Mismatched free|blocks are \w+ lost|Jump to the invalid).*$"
        )
    ),
)
