"""Git: why a push was refused; what follows from that only closes."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.reading import one

_REFUSED: Final = re.compile(
    r"\s*! \[(?P<who>remote )?rejected\]\s+\S+ (?:-> \S+ )?"
    r"\((?P<reason>[^()\n]+(?:\([^()\n]*\))?)\)"
)
_SERVER: Final = re.compile(r"remote: (?:error|fatal|ERROR): ?(?P<message>\S.*?)\s*$")
_MOST_ABOVE: Final = 30
_MOST_SAID: Final = 3


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read why a ref was refused, with what the server said above; the branch may be any."""
    match = _REFUSED.match(lines[at])
    if match is None:
        return None
    first = at
    wording: list[str] = []
    for near in range(at - 1, max(floor, at - _MOST_ABOVE) - 1, -1):
        if spoken := _SERVER.match(lines[near]):
            first = near
            wording.insert(0, spoken["message"])
        elif not lines[near].startswith(("remote:", "To ", " ")):
            break
    reason = f"{match['who'] or ''}rejected: {match['reason']}"
    message = "\n".join([reason, *wording[:_MOST_SAID]])
    return one(Failure("git", message=message), lines, first, at + 1)


TOOL = Tool(
    "git",
    order=353,
    output=ToolOutput(
        words=("rejected]",),
        parse=parse,
        closing=(
            r"(?:error: )?failed to push some refs"
            r"|(?:fatal: )?Could not read from remote repository"
            r"|Please make sure you have the correct access rights|and the repository exists"
            r"|(?:error: )?external filter '[^'\n]*' failed|.{1,200}: smudge filter \w+ failed"
            r"|(?:fatal: )?[Tt]he remote end hung up unexpectedly"
        ),
    ),
)
