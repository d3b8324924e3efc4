"""SQLFluff: faults of SQL in a table below their file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_ROW: Final = re.compile(
    r"L:\s*(?P<line>\d{1,7}) \| P:\s*(?P<column>\d{1,5}) \|\s*(?P<code>[A-Z]{2,3}\d{0,3}) \| "
    r"(?P<message>\S.*)$"
)
_MORE: Final = re.compile(r"\s+\| (?P<text>\S.*)$")
_RULE: Final = re.compile(r" \[[\w.]+\]$")
_FILE: Final = re.compile(r"== \[(?P<file>[^\]\n]{1,400})\] FAIL$")
_MOST_ABOVE: Final = 2_000


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one row, which may go on below."""
    row = _ROW.match(lines[at])
    if row is None:
        return None
    words, end = [row["message"].strip()], at + 1
    while end < len(lines) and (more := _MORE.match(lines[end])):
        words.append(more["text"].strip())
        end += 1
    above = (lines[near] for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1))
    file = next(filter(None, map(_FILE.match, above)), None)
    place = place_of(file["file"], row["line"], row["column"]) if file else None
    message = _RULE.sub("", " ".join(words))
    failure = Failure("sqlfluff", "sql", "", row["code"], message, location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "sqlfluff",
    order=319,
    language="sql",
    output=ToolOutput(
        words=(" | P: ",), parse=parse, closing=r"All Finished!|WARNING: Parsing errors found .*"
    ),
    command=ToolCommand(programs=("sqlfluff",), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"--\s*noqa",)),
)
