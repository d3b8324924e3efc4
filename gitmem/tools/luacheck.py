"""Luacheck: faults in Lua, each with its place, below a line for each file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.reading import one

_LINE: Final = re.compile(
    r" {0,4}(?P<file>[^\s:][^:\n]{0,400}\.lua):(?P<line>\d{1,7}):(?P<column>\d{1,7})(?:-\d{1,7})?: "
    r"(?:\((?P<code>[EW]\d{3})\) )?(?P<message>\S.{0,2000})$"
)
_NAME: Final = re.compile(
    r"(?:(?<=variable )|(?<=function )|(?<=argument )|(?<=field )|(?<=label ))"
    r"(?!assigned |accessed )[A-Za-z_][\w.]{0,200}"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one fault: a warning fails a run, too."""
    match = _LINE.match(lines[at])
    if not match:
        return None
    place = FailureLocation(match["file"], int(match["line"]), int(match["column"]))
    # On a terminal names are bold, and stand in no quotation marks.
    message = match["message"]
    message = message if "'" in message else _NAME.sub(r"'\g<0>'", message, count=1)
    failure = Failure("luacheck", "lua", "", match["code"] or "", message, location=place)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "luacheck",
    order=137,
    language="lua",
    output=ToolOutput(words=(".lua:",), parse=parse),
    command=ToolCommand(programs=("luacheck",), comparable=True, shows="--(?:no-)?color|-q+"),
    ending=ToolEnding(codes=frozenset({1, 2}), apart=True, by_file=True),
    identity=ToolIdentity(code_tells="words"),
    silence=ToolSilence(
        allows=(r"luacheck: (?:ignore|globals|push)\b",),
        settings=(r"(?:.*/)?\.luacheckrc",),
        looser=(r"^\s*(?:ignore|globals|exclude_files)\b",),
    ),
    files=ToolFiles(settings={".luacheckrc": "Luacheck"}),
)
