"""Parts of a text between two signs, found in one pass. Pure.

``<!--.*?-->`` looks for the end again from each beginning, which takes hours for a file of nothing
but beginnings.
"""

import re
from collections.abc import Iterator


def enclosed(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Give where parts begin and end, their signs included; one without an end is none.

    Args:
        text: the text.
        opening: the sign that a part begins with.
        closing: the sign that it ends with.

    """
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            return
        at = end + len(closing)
        yield start, at


def without(text: str, opening: str, closing: str) -> str:
    """Take such parts out of a text."""
    left, at = [], 0
    for start, end in enclosed(text, opening, closing):
        left.append(text[at:start])
        at = end
    return "".join([*left, text[at:]])


def blocks(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[str]:
    """Give what stands between an opening line and a closing one."""
    at = 0
    while begin := opening.search(text, at):
        end = closing.search(text, begin.end())
        if end is None:
            return
        yield text[begin.end() : end.start()]
        at = end.end()
