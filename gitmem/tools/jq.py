"""jq: what is wrong in its program, in what it reads, and what a value can't do."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_VALUE: Final = re.compile(
    r"jq: error \(at (?P<file>[^\n]{1,300}?)(?::(?P<line>\d{1,9}))?\)(?: \(not a string\))?: "
    r"(?P<message>\S.{0,2000})$"
)
_PROGRAM: Final = re.compile(
    r"jq: error: (?P<message>\S.{0,2000}?) at (?P<file><top-level>|[^\s<>:]{1,300})"
    r"(?:, line (?P<line>\d{1,7})(?:, column \d{1,5})?:?|:)?$"
)
_INPUT: Final = re.compile(r"(?:jq: )?(?:error: )?parse error: (?P<message>\S.{0,300})$")
_FILE: Final = re.compile(r"jq: (?:error: )?(?P<message>Could not open .{1,400})$")
_WHERE: Final = re.compile(r"<[^<>\n]{1,40}>$")
"""What jq calls a program on the command line, and its standard input: no files."""
_MOST_OF_PROGRAM: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one error; of one in a program the line that it quotes is told, too."""
    line = lines[at]
    if match := _VALUE.match(line):
        return one(_failure(match["message"], match["file"], match["line"]), lines, at, at + 1)
    if match := _PROGRAM.match(line):
        below = range(at + 1, min(len(lines), at + _MOST_OF_PROGRAM))
        end = next((each for each in below if lines[each].startswith("jq: ")), at + 1)
        quoted = [each.strip() for each in lines[at + 1 : end] if each.strip(" ^")]
        message = "\n".join([match["message"], *quoted])
        return one(_failure(message, match["file"], match["line"]), lines, at, end)
    if match := _INPUT.match(line) or _FILE.match(line):
        return one(_failure(match["message"], "", None), lines, at, at + 1)
    return None


def _failure(message: str, file: str, line: str | None) -> Failure:
    named = file and not _WHERE.match(file)
    place = FailureLocation(file, int(line) if line else None) if named else None
    return Failure("jq", "jq", "", "", message, location=place)


TOOL = Tool(
    "jq",
    order=308,
    language="jq",
    output=ToolOutput(
        words=("jq: error", "jq: Could not open ", "parse error: "),
        needs=r"jq: |^parse error: .* at line \d+, column \d+$",
        parse=parse,
        closing=r"jq: \d{1,6} compile errors?",
    ),
    command=ToolCommand(programs=("jq",)),
)
