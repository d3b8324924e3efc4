"""What an editor's text changes in a file, as a diff like git's. Pure."""

import difflib
from typing import Final

_AROUND: Final = 8
"""Lines around a change, as in the diffs that are asked of git."""
MOST_LINES: Final = 3_000
"""Between the first and the last change: with more, comparing takes longer than typing allows."""


def text_diff(path: str, before: str, after: str) -> str | None:
    """Give a unified diff of one file; empty: nothing differs; None: too much may differ."""
    old, new = before.splitlines(), after.splitlines()
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    first, last = max(same - _AROUND, 0), max(tail - _AROUND, 0)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if len(old) + len(new) > MOST_LINES:
        return None
    hunks = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=_AROUND, lineterm="")
    lines = [_shifted(line, first) for line in hunks]
    return "".join(f"{line}\n" for line in lines)


def _shifted(line: str, by: int) -> str:
    """Move the numbers of a hunk's heading; other lines stay."""
    if not line.startswith("@@ "):
        return line
    _, old, new, _ = line.split(" ", 3)
    return f"@@ -{_moved(old, by)} +{_moved(new, by)} @@"


def _moved(span: str, by: int) -> str:
    start, comma, count = span[1:].partition(",")
    return f"{int(start) + by}{comma}{count}"
