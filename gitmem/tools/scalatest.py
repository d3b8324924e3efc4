"""ScalaTest: tests of Scala; what failed stands below the test, with its place behind it."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, bounded
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.jvm_traces import frames_below, read_head
from gitmem.tools.common.reading import one

_TEST: Final = re.compile(r"(?P<indent>\s*)- (?P<name>\S.{0,300}?) \*\*\* FAILED \*\*\*$")
_BESIDE: Final = re.compile(r"\s*- ")
_SUITE: Final = re.compile(r"(?P<name>[A-Z]\w*):$")
_SAID: Final = re.compile(
    r"\s+(?P<said>\S.*?) \((?P<file>[\w.-]{1,200}\.scala):(?P<line>\d{1,7})\)$"
)
_MOST_ABOVE: Final = 400
_MOST_WORDS: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test that failed."""
    test = _TEST.match(lines[at])
    if test is None or at + 1 >= len(lines):
        return None
    name = _name(lines, at, test)
    margin = len(test["indent"]) + 2
    end, words = at + 1, list[str]()
    while end < min(len(lines), at + _MOST_WORDS) and lines[end].startswith(" " * margin):
        if lines[end].strip().startswith("at ") or _BESIDE.match(lines[end]):
            break
        words.append(lines[end])
        end += 1
    if not words:
        return None
    closing = _SAID.match(words[-1])
    head = read_head(words[0].strip())
    frames, end = frames_below(lines, end)
    own = [frame for frame in frames if not foreign(frame, "java")]
    place = place_of(closing["file"], closing["line"]) if closing else None
    if place is None and own:
        place = place_of(own[-1].file, str(own[-1].line))
    wording = [line.strip() for line in words]
    if closing:
        wording[-1] = closing["said"]
    kind = "AssertionError"
    if head and not closing:
        kind, wording[0] = head
    failure = Failure("scalatest", "scala", kind, frames=bounded(frames), location=place)
    return one(of_test(failure, name, wording), lines, at, end)


def _name(lines: Sequence[str], at: int, test: re.Match[str]) -> str:
    """Give a test's name with what it is about, and its suite."""
    name, suite = test["name"], ""
    indent = len(test["indent"])
    for above in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        line = lines[above]
        if found_suite := _SUITE.match(line):
            suite = found_suite["name"]
            break
        if not line.strip() or _BESIDE.match(line):
            continue
        depth = len(line) - len(line.lstrip())
        if depth < indent or (depth == indent == 0):
            name, indent = f"{line.strip()} {name}", min(depth, indent) - (depth == 0)
    return f"{suite} \u203a {name}" if suite else name


TOOL = Tool(
    "scalatest",
    order=206,
    language="scala",
    bears=("scala",),
    output=ToolOutput(
        words=("*** FAILED ***",),
        parse=parse,
        closing=r"\*\*\* \d+ TESTS? FAILED \*\*\*|Tests: succeeded \d+, failed \d+, .*",
    ),
)
