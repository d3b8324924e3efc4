"""Files that an edit moves and changes: to git a short one goes and another comes. Pure."""

from collections.abc import Iterator

from gitmem.capture.patches import Patch
from gitmem.diffs import ADDED, REMOVED, FileDiff, read_files

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
