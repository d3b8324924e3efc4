"""tsc, plain and pretty, and what calls it: ``a.ts(1,2): error TS2322: message``."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_LINE: Final = re.compile(
    r"\s*(?:ERROR in )?(?:(?P<file>[^\s(][^(\n]{0,400}?)"
    r"(?:\((?P<line>\d+),(?P<column>\d+)\)|:(?P<line2>\d+):(?P<column2>\d+)))?"
    r"(?::| -)? ?error (?P<code>TS\d{2,5}): (?P<message>.*)$"
)
_PRETTY: Final = re.compile(r"(?:\d+ |\s+~|\s*$)")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message, with the indented lines that explain it and the source shown."""
    match = _LINE.match(lines[at])
    if not match:
        return None
    words, end = [match["message"]], at + 1
    while end < len(lines) and end < at + 20 and re.match(r"  +\S", lines[end]):
        if _LINE.match(lines[end]):
            break
        words.append(lines[end].rstrip())
        end += 1
    source = ""
    if end + 1 < len(lines) and not lines[end].strip() and re.match(r"\d+ ", lines[end + 1]):
        source = lines[end + 1].split(" ", 1)[1].strip()
        while end < len(lines) and end < at + 30 and _PRETTY.match(lines[end]):
            end += 1
    place = None
    if match["file"]:
        line, column = match["line"] or match["line2"], match["column"] or match["column2"]
        place = FailureLocation(match["file"], number(line), number(column), source)
    failure = Failure(
        "typescript", "typescript", "", match["code"], "\n".join(words), location=place
    )
    return one(failure, lines, at, end)


TOOL = Tool(
    "typescript",
    order=140,
    language="typescript",
    output=ToolOutput(
        words=("error TS",),
        commands=("ng", "webpack"),
        parse=parse,
    ),
    command=ToolCommand(
        programs=("tsc", "vue-tsc"),
        comparable=True,
    ),
)
