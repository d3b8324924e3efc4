"""nginx: what is wrong in its configuration and where it could not start, by file and line."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one, passed_over

_LINE: Final = re.compile(
    # Others begin a line with [error], too.
    r"(?=\d{4}/|nginx: |\[\w{4,5}\] \d{1,9}#)"
    r"(?:\d{4}/\d\d/\d\d )?(?:\d\d:\d\d:\d\d )?(?:nginx: )?"
    r"\[(?:emerg|alert|crit|error)\] (?:\d{1,9}#\d{1,9}: )?(?:\*\d{1,12} )?"
    r"(?P<message>\S.{0,2000})$"
)
_OPTION: Final = re.compile(r"nginx: (?P<message>(?:invalid option: |option \").{1,300})$")
_PLACE: Final = re.compile(r" in (?P<file>[^\s:\"]{1,300}):(?P<line>\d{1,7})$")
_REQUEST: Final = re.compile(r", client: .*")
_GAVE_UP: Final = "still could not bind()"
_MOST_AGAIN: Final = 20


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one line of its log, which a start repeats as often as it tries again."""
    message = _message(lines[at])
    if not message:
        return None
    if message == _GAVE_UP:
        return passed_over(at, at + 1)
    end = at + 1
    while end < len(lines) and end < at + _MOST_AGAIN and _message(lines[end]) == message:
        end += 1
    place = _PLACE.search(message)
    failure = Failure("nginx", "nginx", "", "", message[: place.start()] if place else message)
    if place:
        failure = failure._replace(location=place_of(place["file"], place["line"], None))
    return one(failure, lines, at, end)


def _message(line: str) -> str:
    """Give what a line of the log says is wrong, without who asked; empty: nothing."""
    match = _LINE.match(line) or _OPTION.match(line)
    return _REQUEST.sub("", match["message"]) if match else ""


TOOL = Tool(
    "nginx",
    order=317,
    language="nginx",
    output=ToolOutput(
        words=("[emerg]", "[alert]", "[crit]", "[error]", "nginx: invalid ", "nginx: option "),
        needs=r"\d{4}/\d\d/\d\d |\d#\d|nginx: ",
        parse=parse,
        closing=r"nginx: configuration file .{1,400} test failed",
    ),
    command=ToolCommand(programs=("nginx",)),
)
