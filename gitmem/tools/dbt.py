"""dbt: models and tests of data; what failed is told again below the list of all."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one

_TIME: Final = r"(?:\d\d:\d\d:\d\d(?: \|)?)?\s*"
_HEAD: Final = re.compile(
    rf"{_TIME}(?:(?P<kind>[A-Z]\w{{2,20}}) Error|Failure) in "
    r"(?P<what>(?:unit_)?[a-z]{3,20}) (?P<name>\S{1,200}) "
    r"\((?P<file>[^()\n]{1,300}\.(?:sql|ya?ml|csv|py))\)$"
)
_BELOW: Final = re.compile(rf"{_TIME}(?P<said>.*)$")
_LINE: Final = re.compile(r"(?:LINE|line) (?P<line>\d{1,6})(?:: .*)?$")
_MARK: Final = re.compile(r"[\s^~]+$")
_ENDS: Final = re.compile(r"compiled (?:code|SQL) at |See test failures:|> in macro |> called by ")
_MOST: Final = 20


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what failed, and why."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    words: list[str] = []
    number, end = None, at + 1
    while end < min(len(lines), at + _MOST):
        below = _BELOW.match(lines[end])
        wording = below["said"].strip() if below else ""
        if not wording or _ENDS.match(wording) or _HEAD.match(lines[end]):
            break
        if where := _LINE.match(wording):
            number = where["line"]
        elif number is None and not _MARK.match(wording):
            words.append(wording)
        end += 1
    if not words:
        return None
    kind = f"{head['kind']} Error" if head["kind"] else ""
    failure = Failure("dbt", "sql", kind, location=place_of(head["file"], number))
    if head["what"] in ("test", "unit_test") and not kind:
        return one(of_test(failure, head["name"], words), lines, at, end)
    message = "\n".join([f"{head['what']} {head['name']}: {words[0]}", *words[1:]])
    return one(failure._replace(message=message), lines, at, end)


TOOL = Tool(
    "dbt",
    order=17,
    language="sql",
    output=ToolOutput(
        words=("Error in ", "Failure in "),
        needs=r"(?:Error|Failure) in (?:unit_)?[a-z]+ \S+ \([^()\n]+\.\w{2,4}\)$",
        parse=parse,
        closing=(
            r"(?:\d\d:\d\d:\d\d\s+)?(?:\d+ of \d+ (?:ERROR|FAIL|SKIP|WARN|OK|START|PASS)\b"
            r"|Unable to do partial parsing |Completed with \d+ errors?\b|Encountered an error:$"
            r"|Done\. PASS=)"
        ),
    ),
    command=ToolCommand(programs=("dbt",), comparable=True),
    files=ToolFiles(settings={"dbt_project.yml": "dbt"}),
)
