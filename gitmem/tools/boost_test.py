"""Boost.Test: assertions and exceptions of C++ tests, each in a line with suite and case."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one

_LINE: Final = re.compile(
    r"(?:(?P<file>[^\s(][^(\n]{0,300})\((?P<line>\d{1,7})\)|(?P<other>[^\s:][^:\n]{0,300}):"
    r"(?P<number>\d{1,7})): (?:fatal )?error: in \"(?P<test>[^\"\n]{1,300})\": (?P<message>\S.*)$"
)
_CHECKPOINT: Final = re.compile(
    r"(?P<file>[^\s(][^(\n]{0,300})\((?P<line>\d{1,7})\): last checkpoint: "
)
_RAISED: Final = re.compile(r"(?:class )?(?P<type>(?:\w+::)*\w+): (?P<message>\S.*)$")
_VALUES: Final = re.compile(r".*\[(?P<actual>.+?) (?:!=|<|>|<=|>=|==) (?P<expected>.+?)\]$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one; of an exception the last checkpoint below is all that is known of the place."""
    said = _LINE.match(lines[at])
    if said is None:
        return None
    file, line, end = said["file"] or said["other"], said["line"] or said["number"], at + 1
    near = _CHECKPOINT.match(lines[end]) if end < len(lines) else None
    if file == "unknown location":
        file, line = (near["file"], near["line"]) if near else ("", "")
    raised = _RAISED.match(said["message"])
    kind, message = (raised["type"], raised["message"]) if raised else ("", said["message"])
    values = _VALUES.match(message)
    compared = (values["expected"], values["actual"]) if values else ("", "")
    place = place_of(file, line) if file else None
    failure = Failure("boost_test", "c++", kind, message=message, location=place)
    return one(of_test(failure, said["test"], [], compared), lines, at, end + bool(near))


TOOL = Tool(
    "boost_test",
    order=27,
    language="c++",
    output=ToolOutput(
        words=('error: in "',),
        parse=parse,
        closing=r"\*\*\* \d+ failures? (?:is|are) detected.* in the test (?:module|suite) .*",
    ),
)
