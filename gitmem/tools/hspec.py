"""Hspec: tests of Haskell; its failures stand numbered below the list of all."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, SKIPPED
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import ALL, CountForm

_PLACE: Final = re.compile(
    r"  (?P<file>\S.{0,300}?\.l?hs):(?P<line>\d{1,7}):(?P<column>\d{1,5}): ?$"
)
_HEAD: Final = re.compile(r"  \d{1,5}\) (?P<name>\S.*?)\s*$")
_RAISED: Final = re.compile(
    r"\s*uncaught exception: (?P<type>[A-Z][\w.]{0,100})(?: \(.*\))?(?:: ?(?P<message>.*))?$"
)
_ENDS: Final = re.compile(r"  (?:To rerun use:|\d{1,5}\) |\S+\.l?hs:\d+:\d+: ?$)|\S")
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one example that failed, from its place or its head."""
    place = _PLACE.match(lines[at])
    if place:
        at += 1
    elif at > floor:
        place = _PLACE.match(lines[at - 1])
    head = _HEAD.match(lines[at]) if at < len(lines) else None
    if head is None or place is None:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and not _ENDS.match(lines[end]):
        end += 1
    words = [line.strip() for line in lines[at + 1 : end] if line.strip()]
    raised = _RAISED.match(words[0]) if words else None
    kind = ""
    if raised:
        kind, rest = raised["type"], [raised["message"] or "", *words[1:]]
        words = [word for word in rest if word]
    where = place_of(place["file"], place["line"], place["column"])
    failure = Failure("hspec", "haskell", kind, location=where)
    name = head["name"].replace(", ", " \u203a ")
    return one(of_test(failure, name, words, compared(words)), lines, at - 1, end)


TOOL = Tool(
    "hspec",
    order=43,
    language="haskell",
    output=ToolOutput(
        words=(".hs:", ".lhs:"),
        parse=parse,
        closing=r"Randomized with seed \d+|Failures:$|\s*To rerun use:",
    ),
    tests=ToolTests(
        numbered=r" examples?, \d+ failures?",
        counts=(
            CountForm(
                " failure",
                r"(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?$",
                (ALL, FAILED, SKIPPED),
            ),
        ),
    ),
    silence=ToolSilence(skips=(r"\bpending(?:With)?\b", r"\bx(?:it|describe)\b")),
)
