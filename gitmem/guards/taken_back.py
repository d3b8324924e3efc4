"""Whether a change takes a fix back: where it loses what the fix brought, and has the cause again.

Both are needed. Of a function that is deleted, of lines that move, and of a fix that is written in
another form, the cause does not come back, and nothing is told.
"""

from collections import Counter
from collections.abc import Sequence
from keyword import kwlist
from typing import Final, Literal, NamedTuple

from gitmem.guards.grams import ChangedPlace, TokenRuns, grams

How = Literal["back", "dropped", "again", "rule"]

_SURE: Final = 0.9
_LIKELY: Final = 0.65
_MOST_KEPT: Final = 0.4
"""Share of a fix's words that what replaces it may have; with more of them it keeps the fix."""
_OWN_SHARE: Final = 0.6
"""Share that a fix's tokens have in what is removed with them; with less a whole part goes."""
_FEW: Final = 8
"""Runs of tokens below which lines could be anybody's."""
_FEWEST: Final = 2
_FEWEST_APART: Final = 3
"""The same where a fix is gone from one place, and its cause is back in another."""
_FEWEST_TOKENS: Final = 6
"""Tokens of lines that are back as they were, however little of them the fix had changed."""
_MOST_OF_CHANGE: Final = 0.66
"""Share of a change to the files of a fix that must be the fix the other way round: where it is
less, the code was written anew, and whether it needs the fix only a reader can tell."""
_HALF_OF_CHANGE: Final = 0.5
"""The same where the code before the fix is back word for word."""
_MOST_GONE: Final = 2
"""Weight of what only goes, in weights of a fix that only adds: with more, a feature goes."""


class FixTakenBack(NamedTuple):
    """What a change does to a fix.

    Attributes:
        how: ``back``: the code is as it was before the fix. ``dropped``: what the fix added is
            gone, and the code around it stays. ``again``: the fix stays, and what it removed
            stands in another place. ``rule``: a rule that the fix is kept as matches what comes.
        path: the file, as it is called after the change.
        line: the first line that tells so, as the new file counts.
        places: how many places of the fix are taken back.
        of: how many it has.
        sureness: from 0 to 1: the share of the fix's tokens that the change loses, and of the
            former ones that it has again, whichever is less.

    """

    how: How
    path: str
    line: int
    places: int
    of: int
    sureness: float

    @property
    def is_sure(self) -> bool:
        """Whether nearly all tokens agree, and the cause is back; a rule matches or does not."""
        return self.how == "rule" or (self.how == "back" and self.sureness >= _SURE)


class _PlaceBack(NamedTuple):
    how: How
    path: str
    line: int
    sureness: float


class ChangedCode:
    """A change that fixes are held against.

    Args:
        places: its changed places, of all its files: what one loses another may gain.

    """

    def __init__(self, places: Sequence[ChangedPlace]) -> None:
        self._places = places
        lost, gained = TokenRuns(), TokenRuns()
        for place in places:
            lost.update(place.lost)
            gained.update(place.gained)
        self._runs = lost | gained
        self._lost, self._gained = lost - gained, gained - lost
        self._words_lost: Counter[str] = Counter()
        for place in places:
            self._words_lost.update(_words(place.removed))
            self._words_lost.subtract(_words(place.added))

    def takes_back(
        self, fix: Sequence[ChangedPlace], files: "frozenset[str]"
    ) -> FixTakenBack | None:
        """Tell what the change does to a fix; None: nothing that anybody must know.

        Args:
            fix: the places that the fix changed.
            files: the names of its files, those of now included.

        """
        brought, cause = TokenRuns(), TokenRuns()
        for place in fix:
            brought.update(place.gained)
            cause.update(place.lost)
        if self._runs.keys().isdisjoint(brought) and self._runs.keys().isdisjoint(cause):
            return None
        here = [place for place in self._places if not files.isdisjoint((place.old, place.new))]
        back = None if self._keeps_words_of(fix) else _reverse(brought, cause, here)
        if back:
            return FixTakenBack(*back[:3], len(fix), len(fix), back.sureness)
        weights = brought.total() + cause.total()
        backs = [(place, back) for place in fix if (back := self._back(place, here))]
        heavy = sum(place.weight for place, _ in backs)
        if not backs or heavy < _LIKELY * weights:
            return None
        sureness = sum(place.weight * back.sureness for place, back in backs) / heavy
        beside = {back.path for _, back in backs} - files
        here += [place for place in self._places if place.new in beside]
        adds = not any(place.removed for place in fix)
        exact = min(sureness, heavy / weights) >= _SURE
        share = self._share_of_change(brought, cause, here, adds=adds, exact=exact)
        if share < (_HALF_OF_CHANGE if exact and not adds else _MOST_OF_CHANGE):
            return None
        first = min(
            (back for _, back in backs), key=lambda back: (_ORDER[back.how], -back.sureness)
        )
        same = [back for _, back in backs if back.how == first.how]
        return FixTakenBack(first.how, first.path, first.line, len(same), len(fix), sureness)

    def _share_of_change(
        self,
        brought: TokenRuns,
        cause: TokenRuns,
        here: Sequence[ChangedPlace],
        *,
        adds: bool,
        exact: bool,
    ) -> float:
        """Give the share of what changes in some places that is a fix the other way round.

        What is only new or only gone stands beside it, and where the code before the fix is back
        exactly, what has no new words. But a fix that only adds may be a part of what goes.
        """
        own = total = gone = 0
        for place in here:
            lost, gained = place.lost & self._lost, place.gained & self._gained
            back = (lost & brought).total() + (gained & cause).total()
            beside = not (place.removed and place.added) or (exact and not _new_words(place))
            if back or not beside:
                own += back
                total += lost.total() + gained.total()
            elif not place.added:
                gone += lost.total()
        if adds and gone > _MOST_GONE * own:
            total += gone
        return own / total if total else 0.0

    def _back(self, fixed: ChangedPlace, here: Sequence[ChangedPlace]) -> _PlaceBack | None:
        """Tell what the change does to one place of a fix."""
        keeps = self._keeps_words_of([fixed])
        for judge in (self._again,) if keeps else (self._reverted, self._dropped, self._again):
            for place in here:
                if back := judge(fixed, place):
                    return back
        return self._moved_and_reverted(fixed) if self._places and not keeps else None

    def _reverted(self, fixed: ChangedPlace, place: ChangedPlace) -> _PlaceBack | None:
        """Hold the two sides of a fix against one place of the change."""
        if not _is_telling(fixed, _FEWEST) and not _is_inverse(fixed, place):
            return None
        gone = _share(fixed.gained, place.lost, self._lost)
        back = _share(fixed.lost, place.gained, self._gained)
        share = min(gone, back)
        # Of a fix that only adds, what is back is no more than that its neighbours meet again.
        if share < (_LIKELY if fixed.removed else _SURE):
            return None
        if share < _SURE and _new_words(place, fixed.removed):
            return None
        return _PlaceBack("back", place.new, _line(place, fixed.lost), share)

    def _dropped(self, fixed: ChangedPlace, place: ChangedPlace) -> _PlaceBack | None:
        """Tell whether what a fix added is gone and nothing stands for it; around it all stays."""
        own = grams(fixed.added)
        if fixed.removed or own.total() < _FEW or not place.new:
            return None
        gone = _share(own, place.lost, self._lost)
        if gone < _SURE or len(fixed.added) < _OWN_SHARE * len(place.removed):
            return None
        words = set(_words(fixed.added))
        if words and len(words & set(_words(place.added))) > _MOST_KEPT * len(words):
            return None
        if len(place.added) > len(fixed.added):
            return None
        return _PlaceBack("dropped", place.new, place.line, gone * _LIKELY)

    def _keeps_words_of(self, fix: Sequence[ChangedPlace]) -> bool:
        """Tell whether most words that a fix brought stay: they only stand elsewhere."""
        brought = sum((_words(place.added) for place in fix), Counter())
        brought -= sum((_words(place.removed) for place in fix), Counter())
        staying = sum(self._words_lost[word] < count for word, count in brought.items())
        return staying > _MOST_KEPT * len(brought)

    def _again(self, fixed: ChangedPlace, place: ChangedPlace) -> _PlaceBack | None:
        """Tell whether a change puts in another place what a fix removed as the cause."""
        own = grams(fixed.removed) - grams(fixed.added)
        if own.total() < _FEW or place.removed:
            return None
        back = _share(own, place.gained, self._gained)
        if back < _SURE:
            return None
        return _PlaceBack("again", place.new, _line(place, own), back * _LIKELY)

    def _moved_and_reverted(self, fixed: ChangedPlace) -> _PlaceBack | None:
        """Hold a fix against two places: its code went from one to another, without the fix."""
        if not _is_telling(fixed, _FEWEST_APART):
            return None
        gone = max(_share(fixed.gained, place.lost, self._lost) for place in self._places)
        if gone < _SURE:
            return None
        shares = [_share(fixed.lost, place.gained, self._gained) for place in self._places]
        back = max(shares)
        if back < _SURE:
            return None
        place = self._places[shares.index(back)]
        return _PlaceBack("back", place.new, _line(place, fixed.lost), min(gone, back) * _SURE)


def _reverse(
    brought: TokenRuns, cause: TokenRuns, here: Sequence[ChangedPlace]
) -> _PlaceBack | None:
    """Tell whether all that changes is a fix the other way round, whatever it consists of."""
    lost, gained = TokenRuns(), TokenRuns()
    for place in here:
        lost.update(place.lost)
        gained.update(place.gained)
    own = (lost & brought).total() + (gained & cause).total()
    most = max(brought.total() + cause.total(), lost.total() + gained.total(), _FEW)
    if own < _SURE * most or not here[0].new:
        return None
    return _PlaceBack("back", here[0].new, _line(here[0], cause), own / most)


_ANYBODYS: Final = frozenset({
    *kwlist, "self", "this", "null", "nil", "true", "false", "undefined", "var", "let", "const",
    "func", "function", "fn", "new", "switch", "case", "end", "then", "do", "fi", "int", "static",
    "public", "private", "void", "elsif", "unless", "NULL", "default", "throw", "catch", "mut",
})  # fmt: skip
_ORDER: Final = {"back": 0, "dropped": 1, "again": 2}


def _is_telling(fixed: ChangedPlace, fewest: int) -> bool:
    """Tell whether a place of a fix is like no other: both sides say enough, or one says much."""
    sizes = sorted((fixed.gained.total(), fixed.lost.total()))
    return sizes[0] >= fewest or (sizes[0] > 0 and sizes[1] >= _FEW)


def _is_inverse(fixed: ChangedPlace, place: ChangedPlace) -> bool:
    """Tell whether a place changes the very lines of a fix back, and they say something."""
    lines = fixed.removed, fixed.added
    return lines == (place.added, place.removed) and min(map(len, lines)) >= _FEWEST_TOKENS


def _share(wanted: TokenRuns, there: TokenRuns, overall: TokenRuns) -> float:
    """Give the share of runs that a place has and that the whole change does not make up for."""
    total = wanted.total()
    common = sum(min(count, there[gram], overall[gram]) for gram, count in wanted.items())
    return common / total if total else 0.0


def _new_words(place: ChangedPlace, also: Sequence[str] = ()) -> set[str]:
    """Give words of a place that it had not before, and that some other tokens have not."""
    words = _words(place.added).keys() - _words(place.removed).keys() - _words(also).keys()
    return {word for word in words if not word[0].isdigit()}


def _line(place: ChangedPlace, wanted: TokenRuns) -> int:
    """Give the first line of a place that has one of some runs of tokens."""
    lines = [place.gained_at[gram] for gram in wanted if gram in place.gained_at]
    return min(lines, default=place.line)


def _words(tokens: Sequence[str]) -> Counter[str]:
    """Count the names and texts, but for words that stand in any code."""
    return Counter(
        token
        for token in tokens
        if len(token) > 1 and (token[0].isalnum() or token[0] in "_\"'") and token not in _ANYBODYS
    )
