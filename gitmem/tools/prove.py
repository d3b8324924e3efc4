"""prove: tests of Perl, as Test::More and Test2 comment on those that failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.common.tap_points import POINT, title

_HEAD: Final = re.compile(
    r"(?P<indent> {0,40})# +Failed (?P<todo>\(TODO\) )?test(?: '(?P<name>.{1,300})')?"
    r"(?: at (?P<file>\S.{0,300}) line (?P<line>\d{1,7})\.)?$"
)
_PLACE: Final = re.compile(r"\s*#\s+at (?P<file>\S.{0,300}) line (?P<line>\d{1,7})\.$")
_CLOSES: Final = re.compile(
    r"(?P<indent> {0,40})# Looks like (?:you|your) |(?P<subtest> {0,40})# Subtest: "
)
_COMMENT: Final = re.compile(r" {0,40}# ?(?P<text>.*)$")
_CELL: Final = re.compile(
    r"\| (?:(?P<path>\S.{0,200}?) *\| )?(?P<got>.{0,400}?) *\| \S{0,12} *\| "
    r"(?P<check>.{0,400}?) *\|$"
)
_MOST: Final = 60
_MOST_AWAY: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read what is said of one test that failed; how TAP names it adds nothing."""
    if point := POINT.match(lines[at]):
        return _point(lines, at, floor, point)
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    body, end = _body(lines, at + 1, len(head["indent"]))
    if head["todo"] or _follows(lines, at, len(head["indent"])):
        return passed_over(at, end)
    place: FailureLocation | None = None
    if head["file"]:
        place = place_of(head["file"], head["line"])
    elif body and (named := _PLACE.match(body[0])):
        place = place_of(named["file"], named["line"])
        body = body[1:]
    words = [match["text"].strip() for line in body if (match := _COMMENT.match(line))]
    first = f"Failed test '{head['name']}'" if head["name"] else "Failed test"
    wording = [word for word in words if word and not word.startswith("+--")]
    failure = Failure("prove", "perl", message="\n".join([first, *wording]), location=place)
    if head["name"]:
        name = " \u203a ".join([*_around(lines, end, len(head["indent"])), head["name"]])
        failure = of_test(failure, name, wording, _values(wording))
    return one(failure, lines, at, end)


def _point(lines: Sequence[str], at: int, floor: int, point: re.Match[str]) -> ParserResult | None:
    """Pass over a point of TAP of which a comment tells more, on whichever stream it stands."""
    if not point["bad"]:
        return None
    if at + 1 < len(lines) and _HEAD.match(lines[at + 1]):
        return parse(lines, at + 1, floor)
    name = title(point)
    near = range(max(0, at - _MOST_AWAY), min(len(lines), at + _MOST_AWAY))
    for other in near:
        head = _HEAD.match(lines[other]) if "Failed test" in lines[other] else None
        if head and (head["name"] or "") == name:
            return passed_over(at, at + 1)
    return None


def _body(lines: Sequence[str], at: int, depth: int) -> tuple[list[str], int]:
    """Give the comments below the head of a failure, and where they end."""
    end = at
    start = " " * depth + "#"
    while end < len(lines) and end < at + _MOST and lines[end].startswith(start):
        if _HEAD.match(lines[end]) or _CLOSES.match(lines[end]):
            break
        end += 1
    return list(lines[at:end]), end


def _follows(lines: Sequence[str], at: int, depth: int) -> bool:
    """Tell whether a test only failed because one inside of it did, which was told above."""
    for near in range(at - 1, max(-1, at - _MOST), -1):
        line = lines[near]
        if not line.strip() or POINT.match(line):
            continue
        closes = _CLOSES.match(line)
        return bool(closes and closes["indent"] and len(closes["indent"]) > depth)
    return False


def _around(lines: Sequence[str], at: int, depth: int) -> list[str]:
    """Name the tests that this one is in: they fail with it, and are told below."""
    names: list[str] = []
    for near in range(at, min(len(lines), at + _MOST_AWAY)):
        if depth == 0:
            break
        head = _HEAD.match(lines[near]) if "Failed test" in lines[near] else None
        if head and len(head["indent"]) < depth:
            depth = len(head["indent"])
            names.insert(0, head["name"] or "")
    return [name for name in names if name]


def _values(words: Sequence[str]) -> tuple[str, str]:
    """Give the compared values; Test2 draws a table of them."""
    cells = [cell for word in words if (cell := _CELL.match(word)) and cell["got"] != "GOT"]
    if cells:
        return cells[0]["check"], cells[0]["got"]
    return compared(words)


TOOL = Tool(
    "prove",
    order=5,
    language="perl",
    output=ToolOutput(
        words=("Failed test", "Failed (TODO) test", "not ok "),
        parse=parse,
        closing=r"(?:Dubious, test returned \d+|.*\(Wstat: \d+|Failed tests?: +[\d, -]+$"
        r"|Non-zero (?:exit|wait) status: \d+|Parse errors: |# Looks like your? )",
    ),
    command=ToolCommand(programs=("prove",), comparable=True, only_tests=("",)),
    identity=ToolIdentity(
        comparing=("begin", "differing", "doesn", "check", "op", "path", "structures", "test"),
        silent=r"Failed test$",
    ),
)
