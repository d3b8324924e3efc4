"""Bundler: gems that are missing, and files that it can't read; what it starts is Ruby's."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_SAID: Final = re.compile(
    r"(?P<message>Could not find (?:gem '|compatible versions|"
    r"\S+-\d[\w.-]* in (?:any of the sources|rubygems repository|locally installed gems)).*"
    r"|Your Ruby version is \S+, but your Gemfile specified .+"
    r"|bundler: command not found: \S+"
    r"|Could not locate Gemfile(?: or \.bundle/ directory)?"
    r"|Bundler could not find compatible versions for gem .+"
    r"|Could not reach host .+|Network error while fetching .+"
    r"|An error occurred while installing \S+ \(.+\), and Bundler cannot continue\.)$"
)
_UNREAD: Final = re.compile(
    r"(?:.{0,300}: )?\[!\] There was an error (?:parsing|while loading) `(?P<file>[^`]{1,200})`: "
    r"(?P<message>\S.*)$"
)
_FROM: Final = re.compile(r" #  from (?P<file>\S.{0,400}):(?P<line>\d{1,7})$")
_TRACE: Final = re.compile(r"\s+from \S.*:\d+:in ")
_RAISED: Final = "(Bundler::Dsl::DSLError)"
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what Bundler says itself."""
    if said := _SAID.match(lines[at]):
        message, end = said["message"], at + 1
        while message.endswith((":", ",")) and end < len(lines) and lines[end].strip():
            message, end = f"{message}\n{lines[end].strip()}", end + 1
        return one(Failure("bundler", "ruby", message=message), lines, at, end)
    start = at
    if _RAISED in lines[at] and at + 1 < len(lines):
        at += 1
    unread = _UNREAD.match(lines[at])
    if unread is None:
        return None
    place, end = place_of(unread["file"], None), at + 1
    for near in range(at + 1, min(len(lines), at + _MOST)):
        if found := _FROM.match(lines[near]):
            place = place_of(found["file"], found["line"])
        if (
            lines[near].startswith((" #", " >", ". Bundler"))
            or near < end + 2
            or _TRACE.match(lines[near])
        ):
            end = near + 1
        else:
            break
    message = unread["message"].partition(" - ")[0]
    return one(Failure("bundler", "ruby", message=message, location=place), lines, start, end)


TOOL = Tool(
    "bundler",
    order=213,
    language="ruby",
    output=ToolOutput(
        words=(
            "Could not find gem",
            "Could not find compatible",
            " in any of the sources",
            " in rubygems repository",
            " in locally installed gems",
            _RAISED,
            "your Gemfile specified",
            "bundler: command not found",
            "Could not locate Gemfile",
            "Bundler could not find",
            "Could not reach host",
            "Network error while fetching",
            "and Bundler cannot continue",
            "There was an error parsing `",
            "while loading `",
        ),
        parse=parse,
        like=("ruby",),
    ),
    command=ToolCommand(programs=("bundle",), starts=("bundle exec",)),
)
