"""GNU patch: which hunk of which file could not be put in."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_HUNK: Final = re.compile(r"Hunk #\d{1,5} FAILED at (?P<line>\d{1,7})")
_FILE: Final = re.compile(
    r"(?:patching|checking) file (?P<quote>'?)(?P<file>.{1,300}?)(?P=quote)(?: \(.*)?$"
)
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one hunk; its file is named above."""
    hunk = _HUNK.match(lines[at])
    above = range(at - 1, max(floor, at - _MOST) - 1, -1)
    file = next(filter(None, (_FILE.match(lines[number]) for number in above)), None)
    if hunk is None or file is None:
        return None
    message = f"a hunk for {file['file']} FAILED"
    place = place_of(file["file"], hunk["line"])
    return one(Failure("patch", message=message, location=place), lines, at, at + 1)


TOOL = Tool(
    "patch",
    order=368,
    output=ToolOutput(
        words=(" FAILED at ",),
        parse=parse,
        closing=r"\d+ out of \d+ hunks? (?:FAILED|ignored)\b",
    ),
    command=ToolCommand(programs=("patch",)),
)
