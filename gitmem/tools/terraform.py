"""Terraform and OpenTofu: errors in boxes, with the place below."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import number, one

_MARGIN: Final = re.compile(r"[\u2502|] ?")
_HEAD: Final = re.compile(r"Error: (?P<message>\S.*?):?\s*$")
_PLACE: Final = re.compile(r"\s*on (?P<file>\S.{0,300}?) line (?P<line>\d+)(?:, in .+|:)?:?$")
_SOURCE: Final = re.compile(r"\s*\d+: (?P<code>.*)$")
_WITH: Final = re.compile(r"\s*with \S+,$")
_REQUEST: Final = re.compile(r",? ?(?:[Rr]equest ?(?:id|ID)|host id|HostID): ?[^\s,]+")
_NEXT: Final = re.compile(r"(?:Error|Warning): ")
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one error, to the end of its box, or of its lines where there is none."""
    boxed = _MARGIN.match(lines[at])
    head = _HEAD.match(lines[at][boxed.end() :] if boxed else lines[at])
    if head is None:
        return None
    words, place, code, end = [head["message"]], None, "", at + 1
    while end < len(lines) and end < at + _MOST:
        margin = _MARGIN.match(lines[end])
        if bool(margin) != bool(boxed):
            break
        line = lines[end][margin.end() :] if margin else lines[end]
        if _NEXT.match(line):
            break
        placed, shown = _PLACE.match(line), _SOURCE.match(line)
        if placed:
            place = FailureLocation(placed["file"], number(placed["line"]))
        elif shown and place:
            code = code or shown["code"].strip()
        elif line.strip() and not _WITH.match(line) and not line.lstrip().startswith("\u251c"):
            words.append(_REQUEST.sub("", line.strip().lstrip("\u2502 ")))
        end += 1
    if not boxed and place is None:
        return None
    if place:
        place = place._replace(code=code)
    message = "\n".join(filter(None, words))
    return one(Failure("terraform", "hcl", "", "", message, location=place), lines, at, end)


TOOL = Tool(
    "terraform",
    order=350,
    language="hcl",
    output=ToolOutput(words=("Error: ",), needs=r"[\u2502|]| line \d", parse=parse),
    command=ToolCommand(programs=("terraform", "tofu")),
    files=ToolFiles(generated=(".terraform.lock.hcl",)),
)
