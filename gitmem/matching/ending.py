"""How a command ended that failed without a word that any parser knows: its last telling line."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import exited
from gitmem.matching.excerpt import excerpt
from gitmem.matching.failure import MAX_MESSAGE, Failure

_LOOKED_AT: Final = 12
"""Lines at the end of an output, or of a recipe's, that are looked at."""
# What stands at the end of an output and says nothing about what went wrong.
_SILENT: Final = lazily(
    r"\s*(?:[-=*_~#.\s]*$"
    r"|make(?:\[\d+\])?: (?:\*\*\*|Leaving|Entering|Nothing)|npm (?:ERR!|error|warn|notice)"
    r"|> |\$ |\+ |(?:real|user|sys)\s+\d|exit(?:ed)? (?:status|code)|Error \d+$"
    r"|(?:ELIFECYCLE|\u2009?ELIFECYCLE)|error Command failed|info Visit )"
)


# What programs put before their own words about what went wrong.
_SOUNDS: Final = lazily(
    r"\b(?:error|fatal|failed|failure|exception|cannot|can't|could not|missing|wrong|invalid)\b",
    re.IGNORECASE,
)


def ending(lines: Sequence[str], name: str, exit_code: int) -> Failure:
    """Give a failure for a command that failed: no tool is known for its words.

    Args:
        lines: the last lines of the output.
        name: the program's.
        exit_code: how it ended.

    """
    telling = telling_line(lines, 0, len(lines))
    if not telling:
        return Failure(tool=name, message=exited(name, exit_code))
    quoted = excerpt(lines, max(0, len(lines) - _LOOKED_AT), len(lines))
    return Failure(message=telling[:MAX_MESSAGE], excerpt=quoted)


def telling_line(lines: Sequence[str], start: int, end: int) -> str:
    """Give the last line that says something, from ``start`` up to ``end``; empty if none does.

    Of the last lines one that sounds like a failure tells more than one that does not.
    """
    last = ""
    for at in range(end - 1, max(start, end - _LOOKED_AT) - 1, -1):
        line = lines[at].strip()
        if line and not _SILENT.match(line):
            if _SOUNDS.search(line):
                return line
            last = last or line
    return last
