"""Criterion: tests of C, whose failed assertion stands above the name of the test."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(
    r"(?:\[----\] )?(?P<file>\S.{0,300}?):(?P<line>\d{1,7}): "
    r"(?P<what>Assertion Failed|Unexpected signal caught .*)$"
)
_SAID: Final = re.compile(r"(?:\[----\])? {1,4}(?P<text>.*)$")
_NAMED: Final = re.compile(r"\[(?:FAIL|CRASH)\] (?P<name>\S+?): \(")
_VALUES: Final = re.compile(r".*actual=`(?P<actual>.*?)` expected=`(?P<expected>.*?)`")
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one assertion."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    words, end = [], at + 1
    while end < len(lines) and end < at + _MOST and (wording := _SAID.match(lines[end])):
        if _HEAD.match(lines[end]):
            break
        words.append(wording["text"].strip())
        end += 1
    details = [word for word in words if word] or [head["what"]]
    near = next(filter(None, map(_NAMED.match, lines[at + 1 : at + _MOST])), None)
    values = _VALUES.match(" ".join(details))
    compared = (values["expected"], values["actual"]) if values else ("", "")
    failure = Failure("criterion", "c", location=place_of(head["file"], head["line"]))
    return one(of_test(failure, near["name"] if near else "", details, compared), lines, at, end)


TOOL = Tool(
    "criterion",
    order=25,
    language="c",
    output=ToolOutput(
        words=(": Assertion Failed",), parse=parse, closing=r"\[====\] Synthesis: Tested: .*"
    ),
)
