"""Elixir: exceptions that nobody caught, and messages of its compiler."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput
from gitmem.tools.common.reading import number, one

_RAISED: Final = re.compile(
    r"(?P<margin>\s*)\*\* \((?P<type>[\w.]+|exit|throw|EXIT from #PID<[\d.]+>)\) ?(?P<message>.*)$"
)
_FRAME: Final = re.compile(
    r"\s{4,}(?:\((?P<package>[\w.@+ -]+)\) )?(?P<file>[^\s:()]+\.(?:exs?|erl|heex|eex)):"
    r"(?P<line>\d+): (?P<function>\S.*)$"
)
_NOWHERE: Final = re.compile(r"\s{4,}(?:\([\w.@+ -]+\) )?:?[\w.:\"/]+[./]\S+(?:\(.*\)|/\d+)\s*$")
_PLACED: Final = re.compile(
    r"(?P<file>[^\s:()]+\.(?:exs?|heex|eex)):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.*)$"
)
_COMPILED: Final = re.compile(r"\s*error: (?P<message>\S.*)$")
_SHOWN: Final = re.compile(
    r"\s*\u2514\u2500 (?P<file>[^\s:]+):(?P<line>\d+)(?::(?P<column>\d+))?(?:: \S.*)?$"
)
_ENDS: Final = re.compile(r".*(?:errors have been logged|cannot compile module)")
_MOST: Final = 60
_MOST_MESSAGE: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one exception with its stack, or one message of the compiler."""
    raised = _RAISED.match(lines[at])
    if raised and not raised["margin"]:
        return _raised(lines, at, raised)
    wording = _COMPILED.match(lines[at])
    if wording is None:
        return None
    for near in range(at + 1, min(len(lines), at + _MOST_MESSAGE)):
        if shown := _SHOWN.match(lines[near]):
            place = FailureLocation(shown["file"], number(shown["line"]), number(shown["column"]))
            failure = Failure(
                "elixir", "elixir", "CompileError", "", wording["message"], location=place
            )
            return one(failure, lines, at, near + 1)
        if not lines[near].strip():
            break
    return None


def _raised(lines: Sequence[str], at: int, raised: re.Match[str]) -> ParserResult:
    words, frames, end = [raised["message"]], [], at + 1
    while end < len(lines) and end < at + _MOST:
        line = lines[end]
        step = _FRAME.match(line)
        if step:
            frames.append(_step(step))
        elif frames and not _NOWHERE.match(line):
            break
        elif not frames and not _NOWHERE.match(line):
            if not line.startswith(" ") or len(words) > _MOST_MESSAGE:
                break
            words.append(line.strip())
        end += 1
    placed = _PLACED.match(words[0])
    place = None
    if placed:
        place = FailureLocation(placed["file"], number(placed["line"]), number(placed["column"]))
        words[0] = placed["message"]
    elif own := next((step for step in frames if step.in_app), None):
        place = FailureLocation(own.file, own.line)
    message = "\n".join(words)
    ends = raised["type"] == "CompileError" and _ENDS.match(message)
    failure = Failure(
        "elixir", "elixir", raised["type"].partition(" ")[0], "", message,
        bounded(frames[::-1]), place, severity="consequence" if ends else "error",
    )  # fmt: skip
    return one(failure, lines, at, end)


def _step(match: re.Match[str]) -> StackFrame:
    own = not match["package"] or not re.search(
        r"^(?:elixir|stdlib|mix|ex_unit|iex|kernel|logger|eex)\b", match["package"]
    )
    return StackFrame(match["file"], match["function"], number(match["line"]), in_app=own)


TOOL = Tool(
    "elixir",
    order=352,
    language="elixir",
    output=ToolOutput(words=("** (", "error: "), parse=parse),
    command=ToolCommand(programs=("elixir", "mix", "iex")),
    files=ToolFiles(
        manifests=("mix.exs",),
        locks=("mix.lock",),
        folders=frozenset({"_build"}),
        turn=75,
        commands={"mix.exs": ("mix compile", "mix test")},
    ),
    frames=ToolFrames(folders=("deps",)),
)
