"""Sass: faults of style sheets, with their place below: of Dart Sass and of LibSass."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(r"(?:SassError: |Error: )(?P<message>\S.*)$")
_OLD: Final = re.compile(
    r"\s+on line (?P<line>\d{1,7})(?::(?P<column>\d{1,5}))? of (?P<file>\S.{0,300}?)(?:, .*)?$"
)
_NEW: Final = re.compile(
    r"\s+(?P<file>\S.{0,300}?\.(?:scss|sass|css)) (?P<line>\d{1,7}):(?P<column>\d{1,5})  \S.*$"
)
_FRAME: Final = re.compile(r"\s*\d* ?[\u2502\u2577\u2575|,']|>> |\s+-+\^|\s*$")
_MOST: Final = 14


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a fault, whose place stands below the code that it quotes."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    words, end = [head["message"]], at + 1
    while end < len(lines) and end < at + _MOST:
        placed = _OLD.match(lines[end]) or _NEW.match(lines[end])
        if placed:
            place = place_of(placed["file"], placed["line"], placed["column"])
            failure = Failure("sass", "scss", message="\n".join(words), location=place)
            return one(failure, lines, at, end + 1)
        if not _FRAME.match(lines[end]):
            if end > at + 3 or lines[end][:1].isspace():
                return None
            words.append(lines[end].strip())
        end += 1
    return None


TOOL = Tool(
    "sass",
    order=158,
    language="scss",
    output=ToolOutput(
        words=("Error: ",),
        needs=r"\.(?:scss|sass|css) \d+:\d+  |\s+on line \d+(?::\d+)? of ",
        parse=parse,
    ),
    command=ToolCommand(programs=("sass", "sassc"), comparable=True),
)
