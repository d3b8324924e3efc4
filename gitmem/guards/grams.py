"""What a changed place loses and gains, as runs of tokens. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from gitmem.diffs import ADDED, CONTEXT, REMOVED, FileDiff, Hunk
from gitmem.guards.tokens import SourceToken, is_import, tokens_of

_LENGTH: Final = 4
"""Tokens of a run: as many as tell a place from others, and few enough to stand on one line."""
_NEAR: Final = 3
"""Lines that may stand between two changes of one place."""

TokenRun = tuple[str, ...]
TokenRuns = Counter[TokenRun]


class ChangedPlace(NamedTuple):
    """One changed place of a file.

    Attributes:
        old, new: the file's names; empty where there is none.
        line: the first changed line, as the new file counts.
        lost, gained: runs of tokens that it had more of before, and after, seams included.
        removed, added: tokens of the removed and added lines alone.
        gained_at: the lines of runs that it gained.

    """

    old: str
    new: str
    line: int
    lost: TokenRuns
    gained: TokenRuns
    removed: tuple[str, ...]
    added: tuple[str, ...]
    gained_at: dict[TokenRun, int]

    @property
    def weight(self) -> int:
        """How much it changes."""
        return self.lost.total() + self.gained.total()


def grams(tokens: Sequence[str]) -> TokenRuns:
    """Count the runs of tokens."""
    return Counter(
        tuple(tokens[at : at + _LENGTH]) for at in range(max(len(tokens) - _LENGTH + 1, 0))
    )


def places_of(files: Iterable[FileDiff]) -> list[ChangedPlace]:
    """Give the changed places of a diff whose tokens differ."""
    return [
        place
        for file in files
        for hunk in file.hunks
        for part in _parts(hunk)
        if (place := _place(file, part)) is not None
    ]


def _parts(hunk: Hunk) -> list[Hunk]:
    """Cut a hunk where more lines stay than two changes share; each keeps the lines around it."""
    runs: list[list[int]] = []
    for at, (sign, _) in enumerate(hunk.lines):
        if sign == CONTEXT:
            continue
        if runs and at - runs[-1][1] <= _NEAR:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    starts = [0, *(last + 1 for _, last in runs)]
    ends = [*(first for first, _ in runs[1:]), len(hunk.lines)]
    return [hunk.part(first, last) for first, last in zip(starts, ends, strict=False)]


def _place(file: FileDiff, hunk: Hunk) -> ChangedPlace | None:
    changed = [text for sign, text in hunk.lines if sign != CONTEXT and text.strip()]
    if not changed or all(map(is_import, changed)):
        return None
    old = tokens_of(hunk.side(REMOVED), file.old or file.new)
    new = tokens_of(hunk.side(ADDED), file.new or file.old)
    before, after = grams(_texts(old)), grams(_texts(new))
    lost, gained = before - after, after - before
    if not lost and not gained:
        return None
    numbers = _line_numbers(new, hunk)
    first = next(at for at, (sign, _) in enumerate(hunk.lines) if sign != CONTEXT)
    line = max(hunk.new_start, 1) + sum(sign != REMOVED for sign, _ in hunk.lines[:first])
    gained_at = {gram: number for gram, number in numbers.items() if gram in gained}
    removed, added = _alone(hunk, REMOVED, file.old), _alone(hunk, ADDED, file.new)
    return ChangedPlace(file.old, file.new, line, lost, gained, removed, added, gained_at)


def _texts(tokens: Iterable[SourceToken]) -> list[str]:
    return [token.text for token in tokens]


def _line_numbers(tokens: Sequence[SourceToken], hunk: Hunk) -> dict[TokenRun, int]:
    """Give the number of the line that each run of tokens ends in."""
    texts = _texts(tokens)
    return {
        tuple(texts[at : at + _LENGTH]): max(hunk.new_start, 1) + tokens[at + _LENGTH - 1].line
        for at in reversed(range(max(len(texts) - _LENGTH + 1, 0)))
    }


def _alone(hunk: Hunk, sign: str, path: str) -> tuple[str, ...]:
    """Give the tokens of the lines with one sign, each run of lines read for itself."""
    tokens: list[str] = []
    for is_one, lines in groupby(hunk.lines, key=lambda line: line[0] == sign):
        if is_one:
            tokens += _texts(tokens_of([text for _, text in lines], path))
    return tuple(tokens)
