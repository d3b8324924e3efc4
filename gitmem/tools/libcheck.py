"""Check: tests of C, each failure in a line with test case, test and assertion."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import ERROR, FAILED
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import ALL, CountForm

_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):(?P<how>[FE]):(?P<case>[^:\n]{1,200}):"
    r"(?P<test>[^:\n]{1,200}):(?P<row>\d{1,7}): (?P<message>\S.*)$"
)
_COMPARED: Final = re.compile(
    r"Assertion '.*' failed: .+? == (?P<actual>.+?), .+? == (?P<expected>.+)$"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test's line."""
    said = _LINE.match(lines[at])
    if said is None:
        return None
    compared = _COMPARED.match(said["message"])
    values = (compared["expected"], compared["actual"]) if compared else ("", "")
    name = said["test"] + (f"[{said['row']}]" if said["row"] != "0" else "")
    place = place_of(said["file"], said["line"])
    failure = Failure("libcheck", "c", message=said["message"], location=place)
    failure = of_test(failure, name, [], values)
    if said["how"] == "E" and failure.test:
        failure = failure._replace(test=failure.test._replace(status="error"))
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "libcheck",
    order=26,
    language="c",
    output=ToolOutput(words=(":F:", ":E:"), parse=parse),
    tests=ToolTests(
        numbered="%: Checks: ",
        counts=(
            CountForm(
                "%: Checks: ",
                r"\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)$",
                (ALL, FAILED, ERROR),
            ),
        ),
    ),
)
