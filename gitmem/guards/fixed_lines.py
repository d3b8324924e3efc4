"""Where the lines that a fix brought stand now, found by their tokens. Pure."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from gitmem.diffs import ADDED, CONTEXT, REMOVED, FileDiff, Hunk
from gitmem.guards.tokens import SourceToken, tokens_of

_FEWEST: Final = 4
"""Tokens that tell a line from others; fewer could be anybody's."""


class FixedLines(NamedTuple):
    """Lines of a file as it is, from 1."""

    first: int
    last: int


class SourceText:
    """A file as it is, read once for all fixes.

    Args:
        path: its name, whose ending tells how comments begin.
        text: what it says.

    """

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._tokens = tokens_of(text.splitlines(), path)
        self._at: dict[str, list[int]] = {}
        for at, token in enumerate(self._tokens):
            self._at.setdefault(token.text, []).append(at)

    def lines_of(self, files: Sequence[FileDiff]) -> list[FixedLines]:
        """Give the lines that the patches of a fix brought and that stand here, and only once.

        What stands here several times is told by the lines around it; if these do not tell it
        either, it is left out.
        """
        places = (
            self._lines_of(run)
            for file in files
            for hunk in file.hunks
            for run in _runs(hunk, self._path)
        )
        return sorted({lines for lines in places if lines})

    def _lines_of(self, run: "_AddedRun") -> FixedLines | None:
        starts = self._starts(run.added)
        if len(starts) > 1 or len(run.added) < _FEWEST:
            around = self._starts((*run.above, *run.added, *run.below))
            starts = [at + len(run.above) for at in around]
        if len(starts) != 1:
            return None
        first, last = starts[0], starts[0] + len(run.added) - 1
        return FixedLines(self._tokens[first].line + 1, self._tokens[last].line + 1)

    def _starts(self, wanted: Sequence[str]) -> list[int]:
        """Give where tokens stand one after the other, looked for at the rarest of them."""
        if not wanted:
            return []
        rarest = min(range(len(wanted)), key=lambda at: len(self._at.get(wanted[at], ())))
        starts = (at - rarest for at in self._at.get(wanted[rarest], ()))
        return [
            start
            for start in starts
            if start >= 0
            and len(self._tokens) >= start + len(wanted)
            and all(self._tokens[start + at].text == text for at, text in enumerate(wanted))
        ]


class _AddedRun(NamedTuple):
    """Tokens of lines that a patch adds one below the other, and of those around them."""

    above: tuple[str, ...]
    added: tuple[str, ...]
    below: tuple[str, ...]


def _runs(hunk: Hunk, path: str) -> Iterator[_AddedRun]:
    lines = [(sign, text) for sign, text in hunk.lines if sign != REMOVED]
    groups = [
        (sign, tuple(text for _, text in group))
        for sign, group in groupby(lines, key=lambda line: line[0])
    ]
    for at, (sign, texts) in enumerate(groups):
        if sign != ADDED or not (added := _texts(tokens_of(texts, path))):
            continue
        above = groups[at - 1][1] if at and groups[at - 1][0] == CONTEXT else ()
        below = groups[at + 1][1] if at + 1 < len(groups) else ()
        yield _AddedRun(_texts(tokens_of(above, path)), added, _texts(tokens_of(below, path)))


def _texts(tokens: Sequence[SourceToken]) -> tuple[str, ...]:
    return tuple(token.text for token in tokens)
