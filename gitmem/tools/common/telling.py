"""The last line of an output that says something about what went wrong."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.common.closing import is_closing

LOOKED_AT: Final = 12
"""Lines at the end of an output, or of a recipe's, that are looked at."""
_SILENT: Final = lazily(
    r"\s*(?:[-=*_~#.\s]*$|> |\$ |\+ |(?:real|user|sys)\s+\d|exit(?:ed)? (?:status|code)|Error \d+$)"
)
"""What stands at the end of any output: rules, lines of a shell, times, exit codes."""
# What programs put before their own words about what went wrong.
_SOUNDS: Final = lazily(
    r"\b(?:error|fatal|failed|failure|exception|cannot|can't|could not|missing|wrong|invalid)\b",
    re.IGNORECASE,
)


def telling_line(lines: Sequence[str], start: int, end: int) -> str:
    """Give the last line that says something, from ``start`` up to ``end``; empty if none does.

    Of the last lines one that sounds like a failure tells more than one that does not. Where a run
    is closed without one, nothing is told.
    """
    last, closed = "", False
    for at in range(end - 1, max(start, end - LOOKED_AT) - 1, -1):
        line = lines[at].strip()
        if not line or _SILENT.match(line):
            continue
        if is_closing(line):
            closed = True
        elif _SOUNDS.search(line):
            return line
        else:
            last = last or line
    return "" if closed else last
