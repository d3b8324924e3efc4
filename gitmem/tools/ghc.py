"""GHC: the compiler of Haskell, and exceptions that its programs do not catch."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput
from gitmem.tools.common.reading import number, one

_HEAD: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.(?:l?hs|hsc|hs-boot|chs)):"
    r"(?:(?P<line>\d+):(?P<column>\d+)(?:-\d+)?|\((?P<line_in>\d+),(?P<column_in>\d+)\)-\S+): "
    r"error:(?: \[(?P<code>GHC-\d+)\])?(?: \[-W[\w=, -]+\])?(?P<rest>.*)$"
)
_BULLET: Final = re.compile(r"\s*\u2022 ")
_SOURCE: Final = re.compile(r"\s*(?:\d+ )?\|")
_ASIDE: Final = re.compile(r"\s*(?:Perhaps you |Suggested fix|Use -v |It is a member of |In the )")
_CALLED: Final = re.compile(
    r"\s+(?P<function>[\w.'$]+), called at (?P<file>[^\s:]+):(?P<line>\d+):\d+ in (?P<package>\S+)$"
)
_UNCAUGHT: Final = re.compile(r"(?:[\w.+-]{1,80}: )?(?P<message>\S.*)$")
_STACK: Final = "CallStack (from HasCallStack):"
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message of the compiler, or an exception with its call stack."""
    head = _HEAD.match(lines[at])
    if head:
        return _message(lines, at, head)
    if lines[at].strip() == _STACK and at - 1 >= floor:
        return _uncaught(lines, at)
    return None


def _message(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult:
    """Read the first of the bullets: the others say where, and what may be meant."""
    words = [head["rest"].strip()] if head["rest"].strip() else []
    source, end, bullets = "", at + 1, 0
    is_aside = False
    while end < len(lines) and end < at + _MOST and lines[end].strip():
        line = lines[end]
        if _SOURCE.match(line):
            source = source or line.partition("|")[2].strip()
        elif not line.startswith(" "):
            break
        else:
            bullets += bool(_BULLET.match(line))
            is_aside = is_aside or bool(_ASIDE.match(_BULLET.sub("", line)))
            if bullets <= 1 and not is_aside:
                words.append(" ".join(_BULLET.sub("", line).split()))
        end += 1
    line, column = head["line"] or head["line_in"], head["column"] or head["column_in"]
    place = FailureLocation(head["file"], number(line), number(column), source)
    message = "\n".join(words)
    return one(
        Failure("ghc", "haskell", "", head["code"] or "", message, location=place), lines, at, end
    )


def _uncaught(lines: Sequence[str], at: int) -> ParserResult | None:
    wording = _UNCAUGHT.match(lines[at - 1])
    frames: list[StackFrame] = []
    end = at + 1
    while end < len(lines) and (step := _CALLED.match(lines[end])):
        own = step["package"].startswith("main:")
        frames.append(StackFrame(step["file"], step["function"], number(step["line"]), in_app=own))
        end += 1
    if wording is None or not frames:
        return None
    failure = Failure("ghc", "haskell", "", "", wording["message"], tuple(frames[::-1]))
    return one(failure, lines, at - 1, end)


TOOL = Tool(
    "ghc",
    order=232,
    language="haskell",
    output=ToolOutput(words=(": error:", "CallStack (from"), parse=parse),
    command=ToolCommand(programs=("ghc", "runghc", "cabal", "stack")),
    frames=ToolFrames(roots=("libraries/",)),
)
