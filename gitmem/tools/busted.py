"""busted: tests of Lua."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.common.tap_points import POINT, title
from gitmem.tools.forms import CountForm

_HEAD: Final = re.compile(
    r"(?:Failure|Error) (?:->|\u2192) (?P<file>\S.{0,300}?) @ (?P<line>\d{1,7})$"
)
_COMMENTED: Final = re.compile(r"# (?P<file>\S.{0,300}?) @ (?P<line>\d{1,7})$")
_MESSAGE: Final = "Failure message: "
_TABLE: Final = re.compile(r"\((?:table|function|userdata|thread): 0x[0-9a-f]+")
_NEXT: Final = re.compile(r"(?:Failure|Error|Pending) (?:->|\u2192) ")
_SAID: Final = re.compile(r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}): (?P<message>.*)$")
_MOST: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test that failed."""
    if point := POINT.match(lines[at]):
        return _point(lines, at, point)
    head = _HEAD.match(lines[at])
    if head is None or at + 1 >= len(lines):
        return None
    end = at + 2
    while end < len(lines) and end < at + _MOST and not _NEXT.match(lines[end]):
        if not lines[end].strip() and (end + 1 >= len(lines) or _NEXT.match(lines[end + 1])):
            break
        end += 1
    words = [line for line in lines[at + 2 : end] if line.strip()]
    place = place_of(head["file"], head["line"])
    return one(_failure(lines[at + 1].strip(), place, words), lines, at, end)


def _point(lines: Sequence[str], at: int, point: re.Match[str]) -> ParserResult | None:
    """Read a test as ``busted -o TAP`` comments on it."""
    head = _COMMENTED.match(lines[at + 1]) if point["bad"] and at + 1 < len(lines) else None
    if head is None:
        return None
    end = at + 2
    while end < len(lines) and end < at + _MOST and lines[end].startswith("# "):
        end += 1
    words = [line[2:] for line in lines[at + 2 : end]]
    words[:1] = [word.removeprefix(_MESSAGE) for word in words[:1]]
    place = place_of(head["file"], head["line"])
    return one(_failure(title(point), place, words), lines, at, end)


def _failure(name: str, place: FailureLocation, words: list[str]) -> Failure:
    trace = next((no for no, line in enumerate(words) if line == "stack traceback:"), len(words))
    words = words[:trace]
    if words and (wording := _SAID.match(words[0])):
        place = place_of(wording["file"], wording["line"])
        words = [wording["message"], *words[1:]]
    failure = Failure("busted", "lua", location=place)
    return of_test(failure, name, words, compared([_TABLE.sub("(table", line) for line in words]))


TOOL = Tool(
    "busted",
    order=6,
    language="lua",
    output=ToolOutput(
        words=("Failure -> ", "Error -> ", "Failure \u2192 ", "not ok "), parse=parse
    ),
    tests=ToolTests(
        numbered=r" success(?:es)? /",
        counts=(
            CountForm(
                " / ",
                r"(\d+) success(?:es)? / (\d+) failures? / (\d+) errors? / (\d+) pending"
                r"(?: : .*)?$",
                (PASSED, FAILED, ERROR, SKIPPED),
            ),
        ),
    ),
    command=ToolCommand(programs=("busted",), comparable=True, only_tests=("",)),
    identity=ToolIdentity(comparing=("boolean", "number", "passed", "string", "table")),
    silence=ToolSilence(
        skips=(r"^\s*pending\(",), defines=("it", "test"), groups=("context", "describe")
    ),
)
