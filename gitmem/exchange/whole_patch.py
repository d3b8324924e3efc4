"""A change as a patch that holds the text before it and the text after it, both whole. Pure."""

import difflib
from typing import Final

_WHOLE_LINES: Final = 5000
"""Texts of more lines are kept as their changed places only: a record is made for reading."""


def whole_patch(path: str, before: str, after: str) -> str:
    """Give the difference of two texts as a patch that holds both of them whole.

    Only texts of thousands of lines are kept as their changed places.
    """
    old, new = _lines(before), _lines(after)
    longest = max(len(old), len(new))
    around = longest if longest <= _WHOLE_LINES else 3
    lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=around)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    """Cut a text at its newlines only: a form feed ends no line of a patch."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
