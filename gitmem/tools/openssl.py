"""OpenSSL: the queue of errors that its library keeps, as its own command prints it."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_QUEUED: Final = re.compile(
    r"(?:[0-9A-Fa-f]{6,20}:)?error:[0-9A-Fa-f]{8}:(?P<library>[^:\n]{0,80}):(?P<function>[^:\n]{0,80})"
    r":(?P<reason>[^:\n]{1,200}):[^:\n]{1,300}:\d{1,6}:(?P<about>.*)$"
)
"""Thread, code, library, function, reason, file and line of the library, and what it is about."""
_STATES: Final = re.compile(r"(?i).*\b(?:could not|can't|cannot|unable|error|failed|invalid)\b")
_CLOSES: Final = re.compile(
    r"(?i)(?:unable to load|error (?:reading|loading|opening)) |\w+:errno=\d"
)
_USAGE: Final = re.compile(r"\w+: Use -help for summary\.$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a queue of errors, with what is stated above it and closes it below."""
    if not _QUEUED.match(lines[at]):
        return None
    start = at
    while start > floor and _USAGE.match(lines[start - 1]):
        start -= 1
    head = lines[start - 1].strip() if start > floor else ""
    statements = [head] if _STATES.match(head) and not _QUEUED.match(head) else []
    start -= bool(statements)
    end = at
    while end < len(lines) and (queued := _QUEUED.match(lines[end])):
        about = queued["about"].strip()
        statements.append(f"{queued['reason']}: {about}" if about else queued["reason"])
        end += 1
    if end < len(lines) and _CLOSES.match(lines[end]):
        end += 1
    message = "\n".join(dict.fromkeys(statements))[:MAX_MESSAGE]
    return one(Failure("openssl", message=message), lines, start, end)


TOOL = Tool(
    "openssl",
    order=335,
    output=ToolOutput(
        words=("error:",),
        needs=r"error:[0-9A-Fa-f]{8}:",
        parse=parse,
        closing=(
            r"Unable to load [a-zA-Z ]{1,40}$|error \S{1,200}: verification failed$"
            r"|\w+:errno=\d+$"
        ),
    ),
    command=ToolCommand(programs=("openssl",)),
)
