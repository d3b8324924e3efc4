"""The original lines of a failure, bounded, for the record and for people."""

from collections.abc import Sequence
from typing import Final

LINES: Final = 48
WIDTH: Final = 320
_HEAD: Final = 16


def excerpt(lines: Sequence[str], start: int, end: int) -> str:
    """Quote the lines from ``start`` up to ``end``; of many both ends, of long ones the head."""
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if end - start <= LINES:
        return "\n".join(_short(lines[at]) for at in range(start, end))
    tail = end - (LINES - _HEAD - 1)
    head = [_short(lines[at]) for at in range(start, start + _HEAD)]
    rest = [_short(lines[at]) for at in range(tail, end)]
    return "\n".join([*head, f"[… {tail - start - _HEAD} lines …]", *rest])


def _short(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
