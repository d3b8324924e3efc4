"""Black and isort: files that they would write otherwise, and those that Black can't read."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolFiles, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_UNREAD: Final = re.compile(
    r"error: cannot (?:format (?P<file>\S.{0,400}?): (?P<message>Cannot parse.*?: "
    r"(?P<line>\d{1,7}):(?P<column>\d{1,5}).*|\S.*)"
    r"|parse: (?P<path>\S.{0,400}?):(?P<row>\d{1,7}):(?P<at>\d{1,5}))$"
)
_WOULD: Final = re.compile(r"would reformat (?P<file>\S.*\.(?:pyi?|ipynb))$")
_ISORT: Final = re.compile(
    r"ERROR: (?P<file>\S.*?) Imports are incorrectly sorted and/or formatted\.$"
)
_QUOTED: Final = 5


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what is said of a file."""
    if would := _WOULD.match(lines[at]):
        place = place_of(would["file"], None)
        failure = Failure("black", "python", message="would be reformatted", location=place)
        return one(failure, lines, at, at + 1)
    if isort := _ISORT.match(lines[at]):
        place = place_of(isort["file"], None)
        failure = Failure("isort", "python", message="imports are not sorted", location=place)
        return one(failure, lines, at, at + 1)
    unread = _UNREAD.match(lines[at])
    if unread is None:
        return None
    end = at + 1
    code = ""
    while end < len(lines) and end < at + _QUOTED and lines[end].startswith("  "):
        code = code or lines[end].strip()
        end += 1
    if end < len(lines) and lines[end].startswith("ParseError: "):
        end += 1
    place = place_of(
        unread["file"] or unread["path"], unread["line"] or unread["row"],
        unread["column"] or unread["at"],
    )  # fmt: skip
    message = unread["message"] or f"cannot parse: {code}"
    return one(Failure("black", "python", message=message, location=place), lines, at, end)


TOOL = Tool(
    "black",
    order=402,
    language="python",
    bears=("black", "isort"),
    output=ToolOutput(
        words=("would reformat ", "error: cannot format ", "error: cannot parse: ", "ERROR: "),
        needs=r"would reformat |error: cannot |Imports are incorrectly",
        parse=parse,
        closing=(
            r"Oh no! .*|\d+ files? would (?:be reformatted|fail to reformat).*"
            r"|\d+ files? would be left unchanged\."
        ),
    ),
    command=ToolCommand(programs=("black", "isort"), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
    files=ToolFiles(sections={"black": "Black", "isort": "isort"}),
)
