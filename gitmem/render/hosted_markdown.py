"""Texts for a hosting site, escaped so that records cause no mentions, links or references.

A backslash keeps a sign from being markup, but a host still finds names and numbers in what is
left: it mentions people and links issues. Words in which it could find any are written as code,
where it does not look.
"""

import re
from enum import Enum
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

# What stands between two back-ticks is one word, with its blanks.
_WORD: Final = re.compile(r"(?:`[^`]+`|[^ ])+")
_CODE: Final = re.compile(r"`[^`\s][^`]*`")


def quiet(text: str) -> str:
    """Write a text on one line that a host finds no markup, name, number or command in."""
    line = one_line(text).strip()
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1].rstrip() + "…"
    words: list[str] = []
    for sort, words_of_sort in groupby(_WORD.findall(line), key=_sort):
        if sort is _Sort.CODE:  # as it was meant, each for itself
            words += [code(word[1:-1]) for word in words_of_sort]
            continue
        joined = " ".join(words_of_sort)
        words.append(code(joined) if sort is _Sort.FOUND else escaped(joined))
    return " ".join(words)


class _Sort(Enum):
    PLAIN = 0
    FOUND = 1
    CODE = 2


def _sort(word: str) -> _Sort:
    if _CODE.fullmatch(word):
        return _Sort.CODE
    return _Sort.FOUND if _FOUND.search(word) else _Sort.PLAIN


def code(text: str) -> str:
    """Write a text on one line as code."""
    line = one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    mark = "`" * (longest + 1)
    gap = " " if longest or not line.strip() else ""
    return f"{mark}{gap}{line}{gap}{mark}"
