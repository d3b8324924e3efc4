"""Eclipse's compiler of Java: faults with the code and its marks, the message below."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one, passed_over

_HEAD: Final = re.compile(
    r"\d{1,5}\. (?P<level>ERROR|WARNING|INFO) in (?P<file>\S.{0,300}?)"
    r" \(at line (?P<line>\d{1,7})\)$"
)
_RULE: Final = re.compile(r"-{10}$")
_MOST: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one fault; a warning is passed over."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _RULE.match(lines[end]):
        end += 1
    if head["level"] != "ERROR":
        return passed_over(at, end)
    words = [line for line in lines[at + 1 : end] if not line.startswith("\t")]
    if not words:
        return None
    place = place_of(head["file"], head["line"])
    return one(Failure("ecj", "java", message="\n".join(words), location=place), lines, at, end)


TOOL = Tool(
    "ecj",
    order=207,
    language="java",
    output=ToolOutput(
        words=(". ERROR in ", ". WARNING in "),
        needs=r"^\d+\. (?:ERROR|WARNING) in .* \(at line \d+\)$",
        parse=parse,
        closing=r"\d+ problems? \(\d+ (?:errors?|warnings?).*\)",
    ),
)
