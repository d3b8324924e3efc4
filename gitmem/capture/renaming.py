"""Edits that only put other names in the place of names. Pure."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from gitmem.diffs import ADDED, CONTEXT, REMOVED, FileDiff, Hunk
from gitmem.lazy_pattern import lazily

_PIECES: Final = lazily(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^\W\d][\w.]*|\s+|."
)
"""Texts in quotes, names with those before their dots, and what stands between them."""


def new_names(files: Iterable[FileDiff]) -> dict[str, str]:
    """Give for each name the one that an edit put in its place; none where it did more than that.

    Args:
        files: what the edit does to each of its files.

    """
    new: dict[str, str] = {}
    for file in files:
        if not file.hunks or file.old != file.new:
            return {}
        for hunk in file.hunks:
            for old, now in _swapped(hunk):
                if not _is_renamed(old, now, new):
                    return {}
    return new


def _swapped(hunk: Hunk) -> Iterator[tuple[list[str], list[str]]]:
    """Give what stood in each place that was changed, and what stands there now, in pieces."""
    ends = [-1, *(at for at, (sign, _) in enumerate(hunk.lines) if sign == CONTEXT)]
    for start, end in pairwise([*ends, len(hunk.lines)]):
        lines = hunk.lines[start + 1 : end]
        if lines:
            old, now = ([text for mark, text in lines if mark == sign] for sign in (REMOVED, ADDED))
            yield _PIECES.findall("\n".join(old)), _PIECES.findall("\n".join(now))


def without_layout(line: str) -> str:
    """Give what a line says, however it is formatted: blanks and the kind of quotes count not."""
    pieces = (piece for piece in _PIECES.findall(line) if not piece.isspace())
    return "".join(
        f'"{piece[1:-1]}"' if piece[0] == piece[-1] == "'" and '"' not in piece else piece
        for piece in pieces
    )


def _is_renamed(old: list[str], now: list[str], new: dict[str, str]) -> bool:
    """Tell whether only names have others now, each the same one everywhere."""
    if len(old) != len(now):
        return False
    for was, stands in zip(old, now, strict=True):
        if was != stands and not (_is_name(was) and _is_name(stands)):
            return False
        if was != stands and new.setdefault(was, stands) != stands:
            return False
    return True


def _is_name(piece: str) -> bool:
    return piece[0].isalpha() or piece[0] == "_"
