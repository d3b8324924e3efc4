"""MkDocs: what is wrong in the pages or the settings of a site; warnings end a strict build."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_LINE: Final = re.compile(r"(?P<level>ERROR|WARNING) {1,4}-  (?P<message>\S.*)$")
_PAGE: Final = re.compile(r"Doc file '(?P<file>[^'\n]{1,300})' contains ")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one line of its log."""
    said = _LINE.match(lines[at])
    if said is None:
        return None
    page = _PAGE.match(said["message"])
    place = place_of(page["file"], None) if page else None
    failure = Failure("mkdocs", "markdown", message=said["message"], location=place)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "mkdocs",
    order=318,
    language="markdown",
    output=ToolOutput(
        words=("ERROR   -  ", "WARNING -  "),
        parse=parse,
        closing=r"Aborted with (?:\d+ warnings? in strict mode|a (?:configuration|build) error)!",
    ),
    command=ToolCommand(programs=("mkdocs",), comparable=True),
)
