"""Alembic: why a migration of a database does not run, as its log and its last line say it."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

_LOGGED: Final = re.compile(
    r"(?:.{0,60}?\b)?ERROR\b.{0,20}?\[alembic\.util\.messaging\] (?P<message>\S.{0,2000})$"
)
_FAILED: Final = re.compile(r"\s{0,8}FAILED: (?P<message>\S.{0,2000})$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what it says, which it says a second time where its log is shown."""
    match = _LOGGED.match(lines[at]) or _FAILED.match(lines[at])
    if match is None:
        return None
    message = match["message"].rstrip()
    again = _FAILED.match(lines[at + 1]) if at + 1 < len(lines) else None
    end = at + 1 + (again is not None and again["message"].rstrip() == message)
    return one(Failure("alembic", "python", "", "", message), lines, at, end)


TOOL = Tool(
    "alembic",
    order=307,
    language="python",
    output=ToolOutput(
        words=(
            "[alembic.util.messaging]",
            "FAILED: No 'script_location' key",
            "FAILED: Multiple heads are present",
        ),
        parse=parse,
    ),
    command=ToolCommand(programs=("alembic",)),
)
