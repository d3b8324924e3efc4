"""Differences that a checker prints: what stands in a file, and what should stand there. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import FailureLocation

_OLD: Final = lazily(
    r"--- (?:a/)?(?P<file>(?:[^\s:]{1,300}/)?[^\s:/]{1,200}\.[A-Za-z]\w{0,9})(?:[\t ].*)?$"
)
"""The name of a file; what a test compared is called otherwise."""
_HUNK: Final = lazily(r"@@ -(?P<line>\d{1,7})(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@")
_MOST: Final = 400
_MOST_SHOWN: Final = 6


def differences(lines: Sequence[str]) -> Iterator[tuple[range, str, FailureLocation]]:
    """Give for each file its lines in the output, what differs first, and where."""
    for at, line in enumerate(lines[:-2]):
        old = _OLD.match(line) if line.startswith("--- ") else None
        hunk = _HUNK.match(lines[at + 2]) if old and lines[at + 1].startswith("+++ ") else None
        if old is None or hunk is None:
            continue
        number, end = int(hunk["line"]), at + 3
        while end < len(lines) and lines[end].startswith(" "):
            number, end = number + 1, end + 1
        start = end
        while end < min(len(lines), start + _MOST) and lines[end][:1] in ("-", "+"):
            end += 1
        if changed := lines[start : min(end, start + _MOST_SHOWN)]:
            yield range(at, end), "\n".join(changed), FailureLocation(old["file"], number)
