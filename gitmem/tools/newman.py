"""Newman: collections of requests of Postman, with what their scripts assert."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import of_test
from gitmem.tools.common.reading import blank, one

_ROW: Final = re.compile(
    r"\s{0,4}\d{1,5}\.\s{2}(?P<type>[A-Za-z]\w{2,60})\s*?(?:\s{2,}(?P<name>\S.*?))?\s*$"
)
_SCRIPT: Final = re.compile(r"\s{8,}at (?:assertion:\d+ in )?[\w-]{1,40}\s*$")
_INSIDE: Final = re.compile(r"\s{8,}inside \"(?P<request>.*?)(?P<ends>\")?\s*$")
_COMPARED: Final = re.compile(
    r"expected (?P<actual>.{1,400}?) to (?:deeply )?(?:equal|be|eql) (?P<expected>.{1,400})$"
)
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one row of the table of failures, from any of its lines."""
    start = at
    while start > max(floor, at - _MOST) and not _ROW.match(lines[start]):
        if blank(lines[start]):
            return None
        start -= 1
    row = _ROW.match(lines[start])
    if row is None:
        return None
    end = start + 1
    while end < min(len(lines), start + _MOST) and not _INSIDE.match(lines[end]):
        if blank(lines[end]) or _ROW.match(lines[end]):
            return None
        end += 1
    inside = _INSIDE.match(lines[end]) if end < len(lines) else None
    if inside is None:
        return None
    body = list(lines[start + 1 : end])
    script = next((no for no, line in enumerate(body) if _SCRIPT.match(line)), len(body))
    message = " ".join(line.strip() for line in body[:script])
    request, last = inside["request"].strip(), end + 1
    while not inside["ends"] and last < len(lines) and not blank(lines[last]):
        request = f"{request} {lines[last].strip()}".rstrip('"')
        last += 1
    name = " \u203a ".join(filter(None, (request, row["name"])))
    failure = Failure("newman", "javascript", _type(row["type"]), message=message)
    if not name:
        return one(failure, lines, start, last)
    values = _COMPARED.search(message)
    wanted = (values["expected"], values["actual"]) if values else ("", "")
    return one(of_test(failure, name, [message], wanted), lines, start, last)


def _type(name: str) -> str:
    """Give the type of an error; ``Error`` says of a request only that it failed."""
    return "" if name == "Error" else name


TOOL = Tool(
    "newman",
    order=16,
    language="javascript",
    output=ToolOutput(words=('inside "',), parse=parse),
    command=ToolCommand(programs=("newman",), comparable=True, only_tests=("run",)),
)
