"""Texts for a hosting site, in which it finds nothing that records say.

A backslash keeps a sign from being markup, but a host still finds names and numbers in what is
left: it mentions people and links issues. Words in which it could find any are written as code,
where it does not look.
"""

import re
from itertools import groupby
from typing import Final

from gitmem.render.markdown import escaped
from gitmem.render.text import one_line

_LONGEST: Final = 600
# Mentions, references (#1 !1 &1 $1 %1 ~l ^a *i GH-1 ABC-1), commits, addresses, :emoji:, and what
# begins a quick action.
_FOUND: Final = re.compile(
    r"[@#!&$%~^`]|://|www\.|^[\W_]*/|\b[A-Za-z][A-Za-z0-9]*-\d|\b[0-9a-f]{7,64}\b|:\w+:|\[\w+:"
    r"|\\|\*",
    re.IGNORECASE,
)


def quiet(text: str) -> str:
    """Write a text on one line that a host finds no markup, name, number or command in."""
    line = one_line(text).strip()
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1].rstrip() + "…"
    words = []
    for found, some in groupby(line.split(" "), key=lambda word: bool(_FOUND.search(word))):
        joined = " ".join(some)
        words.append(code(joined) if found else escaped(joined))
    return " ".join(words)


def code(text: str) -> str:
    """Write a text on one line as code."""
    line = one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    mark = "`" * (longest + 1)
    gap = " " if longest or not line.strip() else ""
    return f"{mark}{gap}{line}{gap}{mark}"
