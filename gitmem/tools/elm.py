"""Elm: messages with a title, a file and the code."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import number, one

_HEAD: Final = re.compile(r"-- (?P<title>[A-Z][A-Z ]+?) ?-{3,} (?P<file>\S+\.elm)\s*$")
_SOURCE: Final = re.compile(r"(?P<line>\d+)\|>?\s*(?P<code>\S.*)$")
_MARKS: Final = re.compile(r"\s*#?\s*\^+[\s^]*$")
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message: its first paragraph says what is wrong, code stands below."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    words: list[str] = []
    shown: re.Match[str] | None = None
    marked, paragraph, end = False, 0, at + 1
    while end < len(lines) and end < at + _MOST and not lines[end].startswith("-- "):
        line = lines[end]
        source = _SOURCE.match(line)
        if source and not marked:
            shown = source
        elif _MARKS.match(line):
            marked = True
        elif not line.strip():
            paragraph += bool(words)
        elif not paragraph and not source:
            words.append(line.strip())
        end += 1
    place = FailureLocation(head["file"])
    if shown:
        place = place._replace(line=number(shown["line"]), code=shown["code"].strip())
    message = " ".join(words)
    failure = Failure("elm", "elm", head["title"].strip(), "", message, location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "elm",
    order=361,
    language="elm",
    output=ToolOutput(words=(".elm", "-- TYPE MISMATCH", "-- NAMING ERROR"), parse=parse),
    command=ToolCommand(programs=("elm", "elm-test")),
    files=ToolFiles(folders=frozenset({"elm-stuff"})),
)
