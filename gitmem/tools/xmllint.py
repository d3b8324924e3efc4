"""xmllint: faults of XML, the first of each file where the parser lost its way."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}|-):(?P<line>\d{1,7}): (?:element (?P<element>\S{1,200}): )?"
    r"(?P<kind>parser|validity|namespace|Schemas \w+|Relax-NG validity|HTML parser) "
    r"(?P<level>error|warning) : (?P<message>\S.*)$"
)
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a fault. A parser that lost its way finds more in the same file, which are none."""
    head = _LINE.match(lines[at])
    if head is None:
        return None
    end = last = at + 1
    while end < len(lines) and end < at + _MOST:
        further = _LINE.match(lines[end])
        if further and (head["kind"] != "parser" or further["file"] != head["file"]):
            break
        last = end + 1 if further else last
        if head["kind"] != "parser":
            break
        end += 1
    place = place_of(head["file"], head["line"])
    failure = Failure("xmllint", "xml", message=head["message"], location=place)
    return one(failure, lines, at, last)


TOOL = Tool(
    "xmllint",
    order=427,
    language="xml",
    output=ToolOutput(
        words=("parser error : ", "validity error : ", "namespace error : "),
        parse=parse,
        closing=r"Document \S+ does not validate.*|\S+ (?:fails to validate|validates)",
    ),
    command=ToolCommand(programs=("xmllint",), comparable=True),
)
