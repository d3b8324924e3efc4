"""Where lines of a file are in a later text of it, or that nobody can tell. Pure.

A place that is given is right: what could be one of several is no place. Lines that occur once
in both texts fix how the texts run along each other; lines between them follow their neighbours,
where there is one way only. A line that was taken out and typed again is, to any text, one that
was moved.
"""

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.runs import common, rising

_TELLING: Final = 12
"""Letters and digits that a line must have, to be known by its text alone."""
_FIXING: Final = 4
"""The same, for a line to fix how two texts run along each other."""
_LETTER: Final = lazily(r"\w")
_LONGEST_QUOTE: Final = 200
_HASHED: Final = 16
_NEIGHBOURS: Final = 3
_ONCE: Final = ".once"
_SEEN: Final = ".seen"


class SoughtLines(NamedTuple):
    """What is looked for: lines as they were recorded.

    Attributes:
        first, last: numbers from 1, as they were; 0: the whole file is meant.
        digest: ``digest_of`` those lines; empty: not known.
        quote: text of one of them, without blanks around it; empty: not known.

    """

    first: int
    last: int
    digest: str = ""
    quote: str = ""

    @property
    def has_text(self) -> bool:
        """It is known what stood there."""
        return bool(self.digest or self.quote)

    @property
    def once(self) -> bool:
        """Nothing says that there were others like it when it was recorded."""
        return not self.digest or self.digest.endswith((_ONCE, _SEEN))


class LineRange(NamedTuple):
    """Lines that were found, numbers from 1; by ``quote`` it is one line only."""

    first: int
    last: int
    by_quote: bool = False


class LostLines(NamedTuple):
    """Lines that can't be placed: the reason, and how often the quote is there."""

    reason: str
    times: int = 0


CHANGED: Final = "changed"
SEVERAL: Final = "several"
UNKNOWN: Final = "unknown"
ALIKE: Final = "alike"


class FileText:
    """A file's text, as lines without their ends; a carriage return belongs to the end."""

    def __init__(self, text: str | Sequence[str]) -> None:
        lines = text.split("\n") if isinstance(text, str) else text
        if isinstance(text, str) and not lines[-1]:
            lines = lines[:-1]
        self.lines: tuple[str, ...] = tuple(line.removesuffix("\r") for line in lines)
        self._onto: LineMap | None = None

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each line occurs."""
        return Counter(self.lines)

    @cached_property
    def stripped(self) -> Counter[str]:
        """How often each line occurs, blanks around it left out."""
        return Counter(line.strip() for line in self.lines)

    def onto(self, new: "FileText") -> "LineMap":
        """Give how these lines run along those of a later text; the last answer is kept."""
        if self._onto is None or self._onto.new is not new:
            self._onto = LineMap(self, new)
        return self._onto

    def starts_of(self, wanted: Sequence[str]) -> Iterator[int]:
        """Give the places (from 0) at which a run of lines stands."""
        at, size = -1, len(wanted)
        if not wanted or wanted[0] not in self.counts:
            return
        while True:
            try:
                at = self.lines.index(wanted[0], at + 1)
            except ValueError:
                return
            if self.lines[at : at + size] == tuple(wanted):
                yield at


def telling(line: str, least: int = _TELLING) -> bool:
    """Say whether a line is likely to mean itself wherever it stands, as ``}`` is not."""
    return _letters(line) >= least


@lru_cache(maxsize=1 << 16)
def _letters(line: str) -> int:
    return len(_LETTER.findall(line))


def digest_of(text: FileText, first: int, last: int) -> str:
    """Give the hash that an anchor keeps of lines; blanks at line ends do not count.

    It has two parts: of the lines themselves, and of them with three lines on each side, which
    tells them from others that are the same. ``once`` behind it says that there were none.

    Args:
        text: the file's.
        first: number of the first line, from 1.
        last: number of the last.

    """
    inner = text.lines[first - 1 : last]
    once = text.stripped[quote_of(inner)] == 1 == len(list(text.starts_of(inner)))
    return _digest(text, first - 1, last) + (_ONCE if once else "")


def digest_seen(around: Sequence[str], at: int) -> str:
    """Give such a hash of a line that was seen with its neighbours; not whether it was there once.

    Args:
        around: the line with up to three on each side, as many as there were.
        at: which of them it is, from 0.

    """
    return f"sha256:{_hash(around[at : at + 1])}.{_hash(around)}{_SEEN}"


def _digest(text: FileText, start: int, end: int) -> str:
    around = text.lines[max(0, start - _NEIGHBOURS) : end + _NEIGHBOURS]
    return f"sha256:{_hash(text.lines[start:end])}.{_hash(around)}"


def _hash(lines: Sequence[str]) -> str:
    data = "\n".join(line.rstrip() for line in lines).encode(errors="replace")
    return hashlib.sha256(data).hexdigest()[:_HASHED]


def quote_of(lines: Sequence[str]) -> str:
    """Give the line that an anchor keeps as its quote; empty if none says anything."""
    for least in (_TELLING, 1):
        for line in lines:
            if telling(line, least) and len(line.strip()) <= _LONGEST_QUOTE:
                return line.strip()
    return ""


def in_base(target: SoughtLines, base: FileText) -> tuple[int, int] | None:
    """Find recorded lines in a text that they may have been recorded from (from 0, inclusive).

    Numbers alone say nothing: a rebase or a squash puts the record beside another text. At its
    numbers the text has to have the recorded lines and neighbours, or the lines have to be there
    once. None: they are not.
    """
    first, last = target.first - 1, target.last - 1
    if target.digest:
        fits = 0 <= first <= last < len(base)
        if fits and _digest(base, first, last + 1) == _hashes(target.digest):
            return first, last
        starts = list(_windows(base, target))
        there = (starts[0], starts[0] + last - first) if len(starts) == 1 else None
        return there if there and any(map(telling, base.lines[there[0] : there[1] + 1])) else None
    if target.quote and telling(target.quote):
        starts = _quoted(base, target.quote)
        if len(starts) == 1:
            inside = first <= starts[0] <= last < len(base)
            return (first, last) if inside else (starts[0], starts[0])
    return None


def _hashes(digest: str) -> str:
    return digest.removesuffix(_ONCE).removesuffix(_SEEN)


def _windows(text: FileText, target: SoughtLines) -> Iterator[int]:
    """Give the places (from 0) of runs of lines that have the recorded hash."""
    size = target.last - target.first + 1
    wanted = target.digest.removeprefix("sha256:").partition(".")[0]
    starts: Iterator[int] | range = range(len(text) - size + 1)
    if target.quote:  # one of the lines is known, and few places have it
        near = {at - back for at in _quoted(text, target.quote) for back in range(size)}
        starts = iter(sorted(at for at in near if 0 <= at <= len(text) - size))
    for at in starts:
        if _hash(text.lines[at : at + size]) == wanted:
            yield at


def _quoted(text: FileText, quote: str) -> list[int]:
    if quote not in text.stripped:
        return []
    return [at for at, line in enumerate(text.lines) if line.strip() == quote]


def locate(target: SoughtLines, base: FileText | None, now: FileText) -> LineRange | LostLines:
    """Find recorded lines in a text as it is now.

    Args:
        target: what was recorded.
        base: the text of the same file that it was recorded from; None: it is not known.
        now: the text.

    """
    at = in_base(target, base) if base is not None else None
    if base is None or at is None:
        return _without_base(target, base, now)
    return along(base, now, *at, target.quote)


def along(
    base: FileText, now: FileText, first: int, last: int, quote: str = ""
) -> LineRange | LostLines:
    """Find lines of a text in a later one.

    Args:
        base: the former text.
        now: the later one.
        first: number of the first line, from 0.
        last: number of the last.
        quote: one of them, if several are meant; empty: the first that says something.

    """
    if base.lines == now.lines:
        return LineRange(first + 1, last + 1)
    start = _by_text(base, now, first, last)
    if start is None:
        start = base.onto(now).run(first, last)
    if start is not None:
        return LineRange(start + 1, start + 1 + last - first)
    # A single line that is not there any more has no other line to be known by.
    quote = quote or (quote_of(base.lines[first : last + 1]) if last > first else "")
    return _by_quote(quote, base, now)


def _without_base(
    target: SoughtLines, base: FileText | None, now: FileText
) -> LineRange | LostLines:
    """Find lines by their text alone; ``base`` may say that there were others like it."""
    if not target.has_text:
        return LostLines(UNKNOWN)
    if not target.once:
        return LostLines(ALIKE)
    if target.digest:
        starts = list(_windows(now, target))
        size = target.last - target.first
        lines = now.lines[starts[0] : starts[0] + size + 1] if starts else ()
        others = base is not None and len(list(_windows(base, target))) > 1
        if len(starts) == 1 and any(map(telling, lines)) and not others:
            return LineRange(starts[0] + 1, starts[0] + size + 1)
        if len(starts) > 1:
            return LostLines(SEVERAL, len(starts))
    if base is not None and base.stripped[target.quote] > 1:
        return LostLines(ALIKE)
    return _by_quote(target.quote, None, now)


def _by_text(base: FileText, now: FileText, first: int, last: int) -> int | None:
    """Find a run of lines whose first and last one stand once in both texts, and say something."""
    # With other lines at its ends, one could have come away and its like stand there now.
    edges = {base.lines[first], base.lines[last]}
    alone = all(base.counts[edge] == 1 == now.counts[edge] and telling(edge) for edge in edges)
    there = list(now.starts_of(base.lines[first : last + 1])) if alone else []
    return there[0] if len(there) == 1 else None


def _by_quote(quote: str, base: FileText | None, now: FileText) -> LineRange | LostLines:
    times = now.stripped[quote] if quote else 0
    if times > 1:
        return LostLines(SEVERAL, times)
    once = base is None or base.stripped[quote] == 1
    if times == 1 and once and telling(quote):
        at = _quoted(now, quote)[0] + 1
        return LineRange(at, at, by_quote=True)
    return LostLines(CHANGED)


class LineMap:
    """How the lines of one text run along those of a later one.

    Args:
        old: the former text.
        new: the later one.

    """

    def __init__(self, old: FileText, new: FileText) -> None:
        self._old, self.new = old, new
        self._gaps: dict[tuple[tuple[int, int], tuple[int, int]], bool] = {}

    def run(self, first: int, last: int) -> int | None:
        """Give where a run of lines (from 0) stands now, in one piece and unchanged."""
        start = self.line(first)
        if start is None or start + last - first >= len(self.new):
            return None
        inside = range(first, last + 1)
        return start if all(self.line(at) == start + at - first for at in inside) else None

    def line(self, at: int) -> int | None:
        """Give where a line (from 0) stands now; None: nowhere, or it can't be told."""
        olds, news = self._fixed
        left = bisect_left(olds, at)
        if left < len(olds) and olds[left] == at:
            return news[left]
        # The gap between two fixed lines; the ends of both texts are fixed, too.
        low, up = (olds[left - 1], news[left - 1]) if left else (-1, -1)
        high, down = (
            (olds[left], news[left]) if left < len(olds) else (len(self._old), len(self.new))
        )
        return self._in_gap(at, (low + 1, high), (up + 1, down))

    def _in_gap(self, at: int, old: tuple[int, int], new: tuple[int, int]) -> int | None:
        before, after = self._old.lines[slice(*old)], self.new.lines[slice(*new)]
        here, grown = at - old[0], len(after) - len(before)
        prefix = common(before, after)
        suffix = common(before[::-1], after[::-1])
        # From which of both ends it can be reached, and what else could be reached there.
        there = {here} if here < prefix else set()
        there |= {here + grown} if here >= len(before) - suffix else set()
        if len(there) != 1:
            return None
        (place,) = there
        if place < prefix and place >= len(after) - suffix and grown:
            return None
        # Where something changed between, one that is the same could stand in its place.
        text = before[here]
        if before == after:
            return new[0] + place
        alone = before.count(text) == 1 == after.count(text)
        return new[0] + place if alone and not self._mixed(old, new) else None

    def _mixed(self, old: tuple[int, int], new: tuple[int, int]) -> bool:
        """Tell whether a known line went out of a gap or came into it: others may have, with it."""
        if (old, new) not in self._gaps:
            before, after = {*self._old.lines[slice(*old)]}, {*self.new.lines[slice(*new)]}
            here, there = self._old.counts, self.new.counts
            gone = (line for line in before - after if here[line] == 1 and there[line])
            come = (line for line in after - before if there[line] == 1 and here[line])
            self._gaps[old, new] = any(telling(line, _FIXING) for line in chain(gone, come))
        return self._gaps[old, new]

    @cached_property
    def _fixed(self) -> tuple[list[int], list[int]]:
        """Give the lines that occur once in both texts and stand in the same order in both."""
        here = {
            line: at
            for at, line in enumerate(self.new.lines)
            if self.new.counts[line] == 1 and telling(line, _FIXING)
        }
        pairs = [
            (at, here[line])
            for at, line in enumerate(self._old.lines)
            if line in here and self._old.counts[line] == 1
        ]
        numbers = rising([new for _, new in pairs])
        return [pairs[number][0] for number in numbers], [pairs[number][1] for number in numbers]
