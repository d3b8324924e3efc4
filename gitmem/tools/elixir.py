"""Elixir: exceptions that nobody caught, and messages of its compiler."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import (
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    bounded,
    excerpt,
)
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput
from gitmem.tools.common.reading import indented, number, one

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
_UNCHECKED: Final = re.compile(r"Unchecked dependencies for environment \w+:$")
_DEPENDENCY: Final = re.compile(r"\* (?P<name>\S+)(?: .*)?$")
_FOLLOWS: Final = re.compile(r"Can't continue due to errors on dependencies")
_MOST: Final = 60
_MOST_MESSAGE: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one exception with its stack, or one message of the compiler."""
    if _UNCHECKED.match(lines[at]):
        return _unchecked(lines, at)
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


def _unchecked(lines: Sequence[str], at: int) -> ParserResult:
    """Read which dependencies cannot be used, and why; Mix then says no more than that."""
    failures, end = [], at + 1
    while end + 1 < len(lines) and (named := _DEPENDENCY.match(lines[end])):
        below = indented(lines, end + 1, _MOST_MESSAGE)
        reason = " ".join(line.strip() for line in lines[end + 1 : below])
        message = f"`{named['name']}`: {reason}"
        failures.append(
            Failure("elixir", "elixir", "", "", message, excerpt=excerpt(lines, at, below))
        )
        end = below
    return ParserResult(tuple(failures), at, end)


def _raised(lines: Sequence[str], at: int, raised: re.Match[str]) -> ParserResult:
    inner = _RAISED.match(lines[at + 1]) if at + 1 < len(lines) else None
    if inner and raised["message"] == "an exception was raised:":
        at, raised = at + 1, inner  # a process that ended says only so
    words, frames, end = [raised["message"]], [], at + 1
    while end < len(lines) and end < at + _MOST:
        line = lines[end]
        step = _FRAME.match(line)
        if step:
            frames.append(_step(step))
        elif not line.strip() and not frames and end + 1 < len(lines) and lines[end + 1][:1] == " ":
            pass  # below an empty line stand details: a query, what was compared
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
    ends = (raised["type"] == "CompileError" and _ENDS.match(message)) or _FOLLOWS.match(message)
    failure = Failure(
        "elixir", "elixir", raised["type"].partition(" ")[0], "", message,
        bounded(frames[::-1]), place, severity="consequence" if ends else "error",
    )  # fmt: skip
    return one(failure, lines, at, end)


def _step(match: re.Match[str]) -> StackFrame:
    own = not match["package"] or not re.search(
        r"^(?:elixir|stdlib|mix|ex_unit|iex|kernel|logger|eex|absinthe|bandit|broadway|cowboy|db_connection"
        r"|ecto\w*|exqlite|finch|hackney|mint|myxql|oban|phoenix\w*|plug\w*|postgrex|ranch|tesla)\b",
        match["package"],
    )
    return StackFrame(match["file"], match["function"], number(match["line"]), in_app=own)


TOOL = Tool(
    "elixir",
    order=352,
    language="elixir",
    output=ToolOutput(
        words=("** (", "error: ", "Unchecked dependencies for environment "),
        parse=parse,
        closing=(
            r".{0,60}(?:GenServer|Task|Process|:gen_statem|State machine) \S{1,200}"
            r" (?:terminating|started from \S{1,80} terminating|raised an exception)$"
            r"|.{0,60}#PID<[\d.]+> running \S{1,200} .{0,200}\bterminated$"
        ),
    ),
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
