"""Groovy: what its compiler says of scripts, of Jenkins and Gradle too, and its own assertions."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import (
    MAX_MESSAGE,
    Failure,
    FailureLocation,
    ParserResult,
    bounded,
    excerpt,
)
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.jvm_traces import AT, frames_below
from gitmem.tools.common.reading import one

_FAILED: Final = "MultipleCompilationErrorsException: startup failed:"
_FAULT: Final = re.compile(r"(?P<file>\S[^\n]{0,400}?): (?P<line>\d{1,7}): (?P<message>\S.*)$")
_WHERE: Final = re.compile(r"(?P<said>.*?) ?@ line \d{1,7}, column (?P<column>\d{1,6})\.$")
_COUNT: Final = re.compile(r"\d{1,4} errors?$")
_ASSERTED: Final = re.compile(r"(?:Caught: )?Assertion failed: ?$")
_STATEMENT: Final = re.compile(r"assert (?P<asserted>\S.*)$")
_MOST: Final = 400
_MOST_ASSERTED: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read all that the compiler found, or one assertion with what its parts came to."""
    if lines[at].rstrip().endswith(_FAILED):
        return _compiled(lines, at)
    return _asserted(lines, at) if _ASSERTED.match(lines[at]) else None


def _compiled(lines: Sequence[str], at: int) -> ParserResult | None:
    failures: list[Failure] = []
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _COUNT.match(lines[end]):
        fault = _FAULT.match(lines[end])
        if fault:
            failure, end = _fault(lines, end, fault)
            failures.append(failure)
        else:
            end += 1
    if not failures:
        return None
    end += 1
    while end < len(lines) and (AT.match(lines[end]) or not lines[end].strip()):
        end += 1
    return ParserResult(tuple(failures), at, min(end, len(lines)))


def _fault(lines: Sequence[str], at: int, fault: re.Match[str]) -> tuple[Failure, int]:
    """Read what is wrong; the column may stand in a line of its own."""
    words, column, end = [], None, at
    text = fault["message"]
    while end < min(len(lines), at + _MOST_ASSERTED):
        where = _WHERE.match(text)
        words.append((where["said"] if where else text).strip())
        end += 1
        if where:
            column = int(where["column"])
            break
        if end == len(lines) or not (text := lines[end]).strip():
            break
    message = "\n".join(filter(None, words))[:MAX_MESSAGE]
    place = FailureLocation(fault["file"], int(fault["line"]), column)
    text = excerpt(lines, at, min(len(lines), end + 2))
    return Failure("groovy", "groovy", "", "", message, location=place, excerpt=text), end


def _asserted(lines: Sequence[str], at: int) -> ParserResult | None:
    most = min(len(lines), at + _MOST_ASSERTED)
    statement = next(filter(None, map(_STATEMENT.match, lines[at:most])), None)
    if statement is None:
        return None
    end = next((number for number in range(at, most) if AT.match(lines[number])), None)
    frames, last = frames_below(lines, end) if end else ([], most)
    failure = Failure(
        "groovy", "groovy", "AssertionError", "", statement[0], frames=bounded(frames)
    )
    return one(failure, lines, at, last)


TOOL = Tool(
    "groovy",
    order=199,
    language="groovy",
    output=ToolOutput(words=(_FAILED, "Assertion failed: "), parse=parse),
    command=ToolCommand(programs=("groovy", "groovyc")),
)
