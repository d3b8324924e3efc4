"""Edits that move files, or only put other names in the place of names. Pure."""

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Final

from gitmem.capture.patches import Patch
from gitmem.diffs import ADDED, CONTEXT, REMOVED, FileDiff, Hunk, read_files
from gitmem.lazy_pattern import lazily

_LEAST = 1 / 3
"""This part of the longer text is in both, at least."""


def as_moved(patch: Patch) -> tuple[Patch, dict[str, str]]:
    """Give what a patch changes beside moving files, and their old names by the new ones."""
    files = read_files(patch.text)
    moves = {file.new: file.old for file in files if file.old and file.new and file.old != file.new}
    lines = patch.lines
    for gone, come in moves_in(files):
        before, after = _lines(gone, REMOVED), _lines(come, ADDED)
        moves[come.new] = gone.old
        lines -= {(gone.old, REMOVED, line) for line in before}
        lines -= {(come.new, ADDED, line) for line in before & after}
        lines |= {(come.new, REMOVED, line) for line in before - after}
    return patch._replace(lines=lines, files=patch.files - {*moves.values()}), moves


def moves_in(files: list[FileDiff]) -> Iterator[tuple[FileDiff, FileDiff]]:
    """Give the files that went, each with the one that came and has most of its lines."""
    here = [file for file in files if file.new and not file.old]
    for gone in (file for file in files if file.old and not file.new):
        before = _lines(gone, REMOVED)
        shares = [(_share(before, _lines(come, ADDED)), come.new, come) for come in here]
        best = max(shares, default=None, key=lambda share: share[:2])
        if best and best[0] >= _LEAST:
            here.remove(best[2])
            yield gone, best[2]


def _lines(file: FileDiff, sign: str) -> frozenset[str]:
    """Give the lines that say something, without blanks at their ends."""
    lines = (line.strip() for hunk in file.hunks for mark, line in hunk.lines if mark == sign)
    return frozenset(line for line in lines if any(map(str.isalnum, line)))


def _share(before: frozenset[str], after: frozenset[str]) -> float:
    return len(before & after) / max(len(before), len(after), 1)


_PIECES: Final = lazily(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^\W\d][\w.]*|\s+|."
)
"""Texts in quotes, names with those before their dots, and what stands between them."""


def new_names(files: Iterable[FileDiff], texts: Collection[str] = ()) -> dict[str, str]:
    """Give for each name the one that an edit put in its place; none where it did more than that.

    Args:
        files: what the edit does to each of its files.
        texts: texts in quotes that are names.

    """
    every = list(files)
    moved = list(moves_in(every))
    left = [file for file in every if not any(file in pair for pair in moved)]
    if not all(file.hunks and file.old and file.new for file in left):
        return {}
    swaps = [swap for file in left for hunk in file.hunks for swap in _swapped(hunk)]
    swaps += [(_pieces(gone.hunks, REMOVED), _pieces(come.hunks, ADDED)) for gone, come in moved]
    new: dict[str, str] = {}
    return new if all(_is_renamed(old, now, new, texts) for old, now in swaps) else {}


def _swapped(hunk: Hunk) -> Iterator[tuple[list[str], list[str]]]:
    """Give what stood in each place that was changed, and what stands there now, in pieces."""
    ends = [-1, *(at for at, (sign, _) in enumerate(hunk.lines) if sign == CONTEXT)]
    for start, end in pairwise([*ends, len(hunk.lines)]):
        lines = hunk.lines[start + 1 : end]
        if lines:
            part = hunk._replace(lines=lines)
            yield _pieces([part], REMOVED), _pieces([part], ADDED)


def _pieces(hunks: Iterable[Hunk], sign: str) -> list[str]:
    lines = (text for hunk in hunks for mark, text in hunk.lines if mark == sign)
    return _PIECES.findall("\n".join(lines))


def without_layout(line: str) -> str:
    """Give what a line says, however it is formatted: blanks and the kind of quotes count not."""
    pieces = (piece for piece in _PIECES.findall(line) if not piece.isspace())
    return "".join(
        f'"{piece[1:-1]}"' if piece[0] == piece[-1] == "'" and '"' not in piece else piece
        for piece in pieces
    )


def _is_renamed(
    old: list[str], now: list[str], new: dict[str, str], texts: Collection[str]
) -> bool:
    """Tell whether only names have others now, each the same one everywhere."""
    if len(old) != len(now):
        return False
    for was, stands in zip(old, now, strict=True):
        named = (_is_name(was) and _is_name(stands)) or (was in texts and stands[0] == was[0])
        if was != stands and not named:
            return False
        if was != stands and new.setdefault(was, stands) != stands:
            return False
    return True


def _is_name(piece: str) -> bool:
    return piece[0].isalpha() or piece[0] == "_"
