"""Pointers to a place, as compilers draw them: the headline above, and what the marks say. Pure."""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import is_step
from gitmem.tools.common.closing import is_closing

MOST_ABOVE: Final = 3
"""Lines between a headline and its pointer."""
POINTER: Final = lazily(
    r"[\s|\u2502]*(?:[\u256d\u250c,\u2514]?[\u2500\u2501-]+>?\s?\["
    r"|[\u256d\u250c][\u2500\u2501\u25b8]+\s?|-->|==>)\s*(?=\S)"
)
_LABEL: Final = lazily(
    r"[\s|\u2502:\u00b7\d]*(?:[\u2570\u2514]?[~\u2500-]*\^[~^-]*|[\u2570`\u2514][\u2500-]+[|\u2524]?)\s+(?P<label>\S.*)$"
)
_GOES_ON: Final = lazily(r"\s*[:\u00b7]\s+[|\u2502]\s{2,}(?P<said>\w.*)$")
"""A margin, and behind a second one what a label goes on with."""
_MOST_BELOW: Final = 8


def label_of(lines: Sequence[str], at: int) -> str:
    """Give what stands beside the marks below the code that a pointer shows."""
    for line in lines[at + 1 : at + 1 + _MOST_BELOW]:
        if match := _LABEL.match(line):
            return match["label"].strip()
        if not line.strip() or (POINTER.match(line) and line.rstrip()[-1] not in "^~"):
            break
    return ""


def reason_of(lines: Sequence[str], at: int) -> str:
    """Give what stands beside the marks where the headline only closes, and what goes on there."""
    label = label_of(lines, at) if at and is_closing(lines[at - 1].strip(" \u00d7x")) else ""
    margins = (_GOES_ON.match(line) for line in lines[at + 1 : at + 1 + _MOST_BELOW])
    more = [margin["said"].strip() for margin in margins if margin]
    return "\n".join([label, *more]) if label else ""


def headline_above(lines: Sequence[str], at: int, floor: int) -> int | None:
    """Find the headline above a pointer: code that is quoted between them belongs to another."""
    for above in range(at - 1, max(floor, at - 1 - MOST_ABOVE), -1):
        text = lines[above].strip()
        if not text:
            continue
        framed = text[0] in "|\u2502\u2570\u2514\u00b7=`" or text.partition(" ")[0].isdigit()
        if framed or is_closing(text) or is_step(text):
            return None
        return above
    return None
