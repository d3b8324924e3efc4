"""Rake, and Rails by it: a task that was aborted, with the exception below."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(r"(?:rake|rails) aborted!\s*$")
_RAISED: Final = re.compile(r"(?P<type>[A-Z]\w*(?:::[A-Z]\w*)*)(?::(?: (?P<message>.*))?)?\s*$")
_FRAME: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d+)(?::in [`'](?P<function>[^'\n]+)')?\s*$"
)
_ENDS: Final = re.compile(r"(?:Tasks: TOP|\(See full trace)")
_CAUSED: Final = re.compile(r"Caused by:\s*$")
_MOST: Final = 200
_MOST_MESSAGE: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read the exception, and what caused it."""
    if not _HEAD.match(lines[at]):
        return None
    first, end = _exception(lines, at + 1)
    causes: list[Failure] = []
    while end < len(lines) and end < at + _MOST:
        line = lines[end].strip()
        if _CAUSED.match(line):
            cause, end = _exception(lines, end + 1)
            causes += [cause] if cause else []
        elif not line or _ENDS.match(line):
            end += 1
        else:
            break
    if first is None:
        return None
    return one(first._replace(causes=tuple(causes)), lines, at, end)


def _exception(lines: Sequence[str], at: int) -> tuple[Failure | None, int]:
    raised = _RAISED.match(lines[at]) if at < len(lines) else None
    if raised is None:
        return None, at
    words = [raised["message"] or ""]
    frames: list[StackFrame] = []
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        line = lines[end]
        step = _FRAME.match(line)
        if step:
            frames.append(StackFrame(step["file"], step["function"] or "", int(step["line"])))
        elif frames or _ENDS.match(line) or _CAUSED.match(line) or len(words) > _MOST_MESSAGE:
            break
        else:
            words.append(line.strip())
        end += 1
    message = "\n".join(word for word in words if word)
    return Failure("ruby", "ruby", raised["type"], "", message, bounded(frames[::-1])), end


TOOL = Tool(
    "rake",
    order=309,
    language="ruby",
    bears=("ruby",),
    output=ToolOutput(words=("rake aborted!", "rails aborted!"), parse=parse),
    command=ToolCommand(programs=("rake", "rails")),
)
