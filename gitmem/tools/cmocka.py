"""cmocka: tests of C, whose values and places stand above the name of the test that failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput, ToolSilence
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one

_SAID: Final = re.compile(r"\[  ERROR   \] --- (?P<message>\S.*)$")
_LINE: Final = re.compile(
    r"\[   LINE   \] --- (?P<file>\S.{0,300}?):(?P<line>\d{1,7}): error: Failure!$"
)
_FAILED: Final = re.compile(r"\[  FAILED  \] (?P<name>\S.*?)$")
_COMPARED: Final = re.compile(r"(?P<actual>\S.*?) (?:!=|==) (?P<expected>\S.*)$")
_MOST: Final = 20


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one assertion, from its line: what was compared stands above it."""
    placed = _LINE.match(lines[at])
    if placed is None:
        return None
    start = at
    while start > floor and start > at - _MOST and not _SAID.match(lines[start]):
        start -= 1
    said = _SAID.match(lines[start])
    words = [said["message"], *lines[start + 1 : at]] if said else []
    near = next(filter(None, map(_FAILED.match, lines[at + 1 : at + _MOST])), None)
    compared = _COMPARED.fullmatch(words[0]) if len(words) == 1 else None
    values = (compared["expected"], compared["actual"]) if compared else ("", "")
    place = place_of(placed["file"], placed["line"])
    failure = Failure("cmocka", "c", location=place)
    name = near["name"] if near else ""
    return one(of_test(failure, name, words, values), lines, start if said else at, at + 1)


TOOL = Tool(
    "cmocka",
    order=28,
    language="c",
    output=ToolOutput(words=("[   LINE   ] --- ",), parse=parse),
    silence=ToolSilence(skips=(r"\bskip\(\)",)),
)
