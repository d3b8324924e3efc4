"""What an editor's text changes in a file: a diff like git's, or all of it with its lines. Pure."""

import difflib
from collections.abc import Sequence
from typing import Final

from gitmem.guards.rules import ChangedPart, Source

_AROUND: Final = 8
"""Lines around a change, as in the diffs that are asked of git."""
MOST_LINES: Final = 3_000
"""Between the first and the last change: with more, comparing takes longer than typing allows."""


def text_diff(path: str, before: str, after: str) -> str | None:
    """Give a unified diff of one file; empty: nothing differs; None: too much may differ."""
    old, new = before.splitlines(), after.splitlines()
    same, tail = _ends_alike(old, new)
    first, last = max(same - _AROUND, 0), max(tail - _AROUND, 0)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if len(old) + len(new) > MOST_LINES:
        return None
    hunks = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=_AROUND, lineterm="")
    lines = [_shifted(line, first) for line in hunks]
    return "".join(f"{line}\n" for line in lines)


def changed_part(path: str, before: str, after: str, language: str) -> ChangedPart | None:
    """Give a whole file before and after, with the lines that are new; None: there are none."""
    # Matches are counted as ast-grep does, to which no other end of a line is one.
    old, new = before.split("\n"), after.split("\n")
    same, tail = _ends_alike(old, new)
    middle = old[same : len(old) - tail], new[same : len(new) - tail]
    added = set(range(same + 1, len(new) - tail + 1))
    if sum(map(len, middle)) <= MOST_LINES:
        for block in difflib.SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
            added.difference_update(range(same + block.b + 1, same + block.b + block.size + 1))
    if not added:
        return None
    sources = Source(path, before, language), Source(path, after, language)
    return ChangedPart(*sources, 1, frozenset(added))


def _ends_alike(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count the lines that two texts have in common at their beginning, and then at their end."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return same, tail


def _shifted(line: str, by: int) -> str:
    """Move the numbers of a hunk's heading; other lines stay."""
    if not line.startswith("@@ "):
        return line
    _, old, new, _ = line.split(" ", 3)
    return f"@@ -{_moved(old, by)} +{_moved(new, by)} @@"


def _moved(span: str, by: int) -> str:
    start, comma, count = span[1:].partition(",")
    return f"{int(start) + by}{comma}{count}"
