"""Nim: faults of its compiler, exceptions, and unittest, whose checks stand above their test."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.line_faults import faults_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import LineForm

_CHECK: Final = re.compile(
    r"    (?P<file>\S.{0,400}?\.nims?)\((?P<line>\d{1,7}), (?P<column>\d{1,5})\): "
    r"(?P<message>\S.*)$"
)
_COMPILER: Final = faults_of(
    "nim",
    "nim",
    r"(?P<file>\S.{0,400}?\.nims?)\((?P<line>\d{1,7}), (?P<column>\d{1,5})\) "
    r"(?P<level>Error|Warning|Hint): (?P<message>\S.*)$",
    mild="Warning|Hint",
)
_UNCAUGHT: Final = re.compile(
    r"(?:Error: )?[Uu]nhandled exception: (?P<message>.*?) ?\[(?P<type>\w{1,100})\]$"
)
_TRACE: Final = "Traceback (most recent call last)"
_RAISED: Final = re.compile(r"    Unhandled exception: (?P<message>.*?) ?\[(?P<type>\w{1,100})\]$")
_STEP: Final = re.compile(r"(?P<file>\S.{0,400}?\.nim)\((?P<line>\d{1,7})\)\s+(?P<function>\S+)$")
_WAS: Final = re.compile(r"    (?P<what>\S.*) was (?P<value>.+)$")
_COMPARED: Final = re.compile(r"Check failed: (?P<left>.+?) == (?P<right>.+)$")
_FAILED: Final = re.compile(r"\s{0,40}\[FAILED\] (?P<name>\S.*?)\s*$")
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one check that failed, an exception that ended a test or a program, or a fault."""
    if fault := _COMPILER(lines, at, floor):
        return fault
    if uncaught := _UNCAUGHT.match(lines[at]):
        return _uncaught(lines, at, floor, uncaught)
    check = _CHECK.match(lines[at])
    raised = None if check else _RAISED.match(lines[at])
    if check is None and raised is None:
        return None
    end = at + 1
    while end < len(lines) and lines[end].startswith("    ") and not _CHECK.match(lines[end]):
        end += 1
    name = _name(lines, end)
    words = [line.strip() for line in lines[at:end]]
    if raised:
        step = next((m for m in map(_STEP.match, lines[max(floor, at - 3) : at]) if m), None)
        place = place_of(step["file"], step["line"]) if step else None
        failure = Failure("nim", "nim", raised["type"], "", raised["message"], location=place)
        return one(of_test(failure, name, [], ("", "")) if name else failure, lines, at, end)
    if check is None:
        return None
    words[0] = check["message"]
    place = place_of(check["file"], check["line"], check["column"])
    failure = Failure("nim", "nim", message="\n".join(words), location=place)
    return one(
        of_test(failure, name, words, _values(words[0], lines[at + 1 : end])) if name else failure,
        lines, at, end,
    )  # fmt: skip


def _uncaught(lines: Sequence[str], at: int, floor: int, uncaught: re.Match[str]) -> ParserResult:
    """Read an exception that ended a program; its trace stands above, the innermost step last."""
    start = at
    frames: list[StackFrame] = []
    while start > floor and (step := _STEP.match(lines[start - 1])):
        frames.insert(0, StackFrame(step["file"], step["function"], int(step["line"])))
        start -= 1
    start -= start > floor and lines[start - 1].startswith(_TRACE)
    failure = Failure("nim", "nim", uncaught["type"], message=uncaught["message"])
    return one(failure._replace(frames=bounded(frames)), lines, start, at + 1)


def _name(lines: Sequence[str], at: int) -> str:
    """Find the test's name, which stands below; its suite is named nowhere beside it."""
    for near in range(at, min(len(lines), at + _MOST)):
        if failed := _FAILED.match(lines[near]):
            return failed["name"]
    return ""


def _values(message: str, below: Sequence[str]) -> tuple[str, str]:
    """Give what was expected and what a checked expression was instead."""
    compared = _COMPARED.match(message)
    was = {match["what"]: match["value"] for line in below if (match := _WAS.match(line))}
    if compared is None:
        return "", next(iter(was.values()), "")
    left, right = compared["left"], compared["right"]
    return was.get(right, right), was.get(left, left)


TOOL = Tool(
    "nim",
    order=44,
    language="nim",
    output=ToolOutput(
        words=(".nim(", "Unhandled exception: ", "unhandled exception: "),
        parse=parse,
        closing=r"(?:Error: )?execution of an external program failed",
    ),
    tests=ToolTests(
        begins=("[OK] ", "[SKIPPED] "),
        around=(".nim(", "[OK] ", "[Suite] "),  # other runners write the word, too
        shape=r"\[FAILED\] ",
        lines=(LineForm("] ", r"\[(?P<word>OK|FAILED|SKIPPED)\] (?P<name>\S.*)$"),),
        names_failing=True,
        names_each=True,
    ),
    frames=ToolFrames(roots=("/usr/lib/nim/",), paths=(r"/nim/lib/(?:system|std|pure)/",)),
    command=ToolCommand(programs=("nim", "nimble")),
    silence=ToolSilence(skips=(r"^\s*skip\(\)",), defines=("test",), groups=("suite",)),
)
