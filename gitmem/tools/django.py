"""Django: what its system check finds, and why a command did not start."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, excerpt
from gitmem.tools.base import Tool, ToolOutput

_FOUND: Final = re.compile(
    r"(?:[\w.]{1,200}: )?System check identified (?:some issues:|\d+ issues?)"
)
_HEAD: Final = re.compile(r"(?:CRITICAL|ERROR|WARNING|INFO|DEBUG)S?:$")
_ISSUE: Final = re.compile(
    r"(?P<what>\S.{0,300}?): \((?P<code>[\w.]{1,60}\.(?P<level>[CEWID])\d{3})\) (?P<message>\S.*)$"
)
_HINT: Final = re.compile(r"\s*HINT: ")
_FAILS: Final = frozenset("CE")
_MOST: Final = 600


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read all that a check found; warnings are told where nothing else is."""
    if not _FOUND.match(lines[at]):
        return None
    grave: list[Failure] = []
    mild: list[Failure] = []
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _FOUND.match(lines[end]):
        if issue := _ISSUE.match(lines[end]):
            last = end + 1
            while last < len(lines) and lines[last][:1].isspace() and not _HINT.match(lines[last]):
                last += 1
            words = [issue["message"], *(line.strip() for line in lines[end + 1 : last])]
            message = f"{issue['what']}: " + "\n".join(words).strip()
            text = excerpt(lines, end, min(len(lines), last + 1))
            failure = Failure("django", "python", "", issue["code"], message, excerpt=text)
            (grave if issue["level"] in _FAILS else mild).append(failure)
            end = last
        elif not lines[end].strip() or _HEAD.match(lines[end]) or _HINT.match(lines[end]):
            end += 1
        else:
            break
    issues = grave or mild
    return ParserResult(tuple(issues), at, end) if issues else None


TOOL = Tool(
    "django",
    order=15,
    language="python",
    output=ToolOutput(
        words=("System check identified",),
        parse=parse,
        closing=r"(?:[\w.]{1,200}: )?System check identified ",
    ),
)
