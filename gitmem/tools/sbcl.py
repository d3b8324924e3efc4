"""SBCL: conditions of Common Lisp that nobody handled, with the functions that were running."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(r"(?:; )?[Uu]nhandled (?P<type>[\w:+*/-]+) in thread ")
_STEP: Final = re.compile(r"\d+: \((?P<function>[^\s()\"]+)")
_FILE: Final = re.compile(r"file (?P<file>[^\s\"]+\.(?:lisp|lsp|cl|asd))\"")
_OWN: Final = re.compile(r"(?!SB-|EVAL|LOAD|COMMON-LISP|INVOKE-DEBUGGER|ERROR$|SIGNAL$)[^\s:]+$")
_MOST: Final = 120
_MOST_MESSAGE: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read the condition, and of the stack what is the project's own."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    end = at + 1
    while end < len(lines) and end < at + 4 and not lines[end - 1].rstrip().endswith(">:"):
        end += 1
    words: list[str] = []
    while end < len(lines) and lines[end].strip() and len(words) < _MOST_MESSAGE:
        words.append(lines[end].strip())
        end += 1
    steps: list[str] = []
    file = ""
    for near in range(end, min(len(lines), at + _MOST)):
        step, loaded = _STEP.match(lines[near]), _FILE.search(lines[near])
        if step:
            steps += [step["function"]] if _OWN.match(step["function"]) else []
            end = near + 1
        elif steps and lines[near].strip():
            break
        if loaded and not file:
            file = loaded["file"]
    frames = [StackFrame(file or "(unknown)", step, in_app=True) for step in reversed(steps)]
    failure = Failure("sbcl", "lisp", head["type"], "", " ".join(words), bounded(frames))
    return one(failure, lines, at, end)


TOOL = Tool(
    "sbcl",
    order=359,
    language="lisp",
    output=ToolOutput(
        words=("nhandled ",), parse=parse, closing=r"[Uu]nhandled condition in --disable-debugger"
    ),
    command=ToolCommand(programs=("sbcl",)),
)
