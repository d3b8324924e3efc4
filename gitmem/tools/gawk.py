"""awk: errors in its programs, with their place; the input that was read is no part of them."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_LINE: Final = re.compile(
    r"[gmn]?awk: (?:(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}): )"
    r"(?:\(FILENAME=.{0,300}? FNR=\d+\) )?(?:fatal|error|(?P<level>warning)): (?P<message>\S.*)$"
)
_SYNTAX: Final = re.compile(
    r"[gmn]?awk: (?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}): (?P<pad>\s*)\^ (?P<message>\S.*)$"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read an error; of one of syntax the code above, with its mark, tells it from others."""
    if said := _LINE.match(lines[at]):
        if said["level"]:
            return None
        place = place_of(said["file"], said["line"])
        return one(
            Failure("gawk", "awk", message=said["message"], location=place), lines, at, at + 1
        )
    marked = _SYNTAX.match(lines[at])
    if marked is None:
        return None
    head = lines[at][: marked.start("pad")]
    quoted = at > floor and lines[at - 1].startswith(head)
    code = lines[at - 1][len(head) :].strip() if quoted else ""
    message = marked["message"] + (f": {code}" if code else "")
    place = place_of(marked["file"], marked["line"])
    failure = Failure("gawk", "awk", message=message, location=place)
    return one(failure, lines, at - bool(quoted), at + 1)


TOOL = Tool(
    "gawk",
    order=316,
    language="awk",
    output=ToolOutput(words=("awk: ",), parse=parse),
    command=ToolCommand(programs=("gawk", "awk", "mawk", "nawk")),
)
