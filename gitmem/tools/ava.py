"""AVA: tests of JavaScript; what went wrong in them stands below the list of all."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence, ToolTests, ToolTitle
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.common.spec_words import SPEC_INVERTS, SPEC_SKIPS
from gitmem.tools.common.v8_traces import AT, HEAD, stack

_MARKED: Final = re.compile(r"\s*[\u2718\u2716] \[fail\]: (?P<title>\S.*?)\s*$")
_PLACE: Final = re.compile(r"  (?:file://)?(?P<file>\S.{0,300}?\.[cm]?[jt]sx?):(?P<line>\d{1,7})$")
_CALLED: Final = re.compile(
    r"  \u203a (?:file://)?(?P<file>\S.{0,300}?):(?P<line>\d{1,7}):(?P<column>\d{1,5})$"
)
_CODE: Final = re.compile(r"\s*\d{1,7}: ")
_THROWN: Final = "Error thrown in test:"
_RULE: Final = "\u2500"
_EMPTY: Final = 2
_MOST: Final = 200
_MOST_ABOVE: Final = 5_000


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test that failed, from its line in the list."""
    marked = _MARKED.match(lines[at])
    if marked is None:
        # What a test threw was read with its line in the list.
        repeats = lines[at].strip() == _THROWN and any(map(_MARKED.match, lines[:at]))
        return passed_over(at, _end(lines, at + 1)) if repeats else None
    head = _head(lines, at, marked["title"])
    if head is None:
        return None
    name = lines[head].strip()
    end = _end(lines, head + 1)
    body = lines[head + 1 : end]
    words, traced = _words(body)
    frames, _ = stack(body, traced)
    places = [*map(_CALLED.match, body), *map(_PLACE.match, body)]
    near = next(filter(None, places), None)
    where = place_of(near["file"], near["line"]) if near else None
    thrown = next(filter(None, map(HEAD.match, words)), None)
    kind = ""
    if thrown and frames:
        kind = thrown["type"]
        words = [thrown["message"] or ""]
    failure = Failure("ava", "javascript", kind, "", "", bounded(frames), where)
    hit = of_test(failure, name, words, compared(words))
    shown = one(hit, lines, head, end).failures
    return ParserResult(shown, at, at + 1)


def _head(lines: Sequence[str], at: int, title: str) -> int | None:
    """Find the title again, below the list; there what was said of the test may be left out."""
    listed = True
    for near in range(at + 1, min(len(lines), at + _MOST_ABOVE)):
        text = lines[near].strip()
        if text == _RULE:
            listed = False
        heads = not listed and text and lines[near].startswith("  ") and not lines[near - 1].strip()
        if heads and f"{title} ".startswith(f"{text} "):
            return near
    return None


def _end(lines: Sequence[str], at: int) -> int:
    most = min(len(lines), at + _MOST)
    empty = 0
    while at < most and lines[at].strip() != _RULE:
        empty = 0 if lines[at].strip() else empty + 1
        if empty > _EMPTY:
            return at - _EMPTY
        at += 1
    return at


def _words(body: Sequence[str]) -> tuple[list[str], int]:
    """Give what was said, without code and places, and where a stack begins."""
    traced = next((no for no, line in enumerate(body) if AT.match(line)), len(body))
    words = [
        line.strip()
        for line in body[:traced]
        if line.strip() and not (_CODE.match(line) or _PLACE.match(line) or _CALLED.match(line))
    ]
    return words, traced


TOOL = Tool(
    "ava",
    order=47,
    language="javascript",
    output=ToolOutput(words=("[fail]: ", _THROWN), parse=parse),
    tests=ToolTests(titles_end=r"\u2500+$"),
    command=ToolCommand(programs=("ava",), only_tests=("",)),
    title=ToolTitle(matcher=r"(Difference) \(- actual, \+ expected\):$"),
    silence=ToolSilence(skips=(SPEC_SKIPS,), inverts=(SPEC_INVERTS,), defines=("test",)),
)
