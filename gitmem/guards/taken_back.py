"""Whether a change takes a fix back: where it loses what the fix brought, and has the cause again.

Both are needed. Of a function that is deleted, of lines that move, and of a fix that is written in
another form, the cause does not come back, and nothing is told.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from gitmem.guards.grams import ChangedPlace, TokenRuns, grams

How = Literal["back", "dropped", "again"]

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
_SHARE_OF_FIX: Final = 0.3


class FixTakenBack(NamedTuple):
    """What a change does to a fix.

    Attributes:
        how: ``back``: the code is as it was before the fix. ``dropped``: what the fix added is
            gone, and the code around it stays. ``again``: the fix stays, and what it removed
            stands in another place.
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
        """Whether nearly all tokens agree, and the cause is back."""
        return self.how == "back" and self.sureness >= _SURE


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
        self._lost, self._gained = lost - gained, gained - lost

    def takes_back(
        self, fix: Sequence[ChangedPlace], files: "frozenset[str]"
    ) -> FixTakenBack | None:
        """Tell what the change does to a fix; None: nothing that anybody must know.

        Args:
            fix: the places that the fix changed.
            files: the names of its files, those of now included.

        """
        weights = sum(place.weight for place in fix)
        backs = [(place, back) for place in fix if (back := self._back(place, files))]
        heavy = sum(place.weight for place, _ in backs)
        if not backs or heavy < _SHARE_OF_FIX * weights:
            return None
        first = min(
            (back for _, back in backs), key=lambda back: (_ORDER[back.how], -back.sureness)
        )
        sureness = sum(place.weight * back.sureness for place, back in backs) / heavy
        same = [back for _, back in backs if back.how == first.how]
        return FixTakenBack(first.how, first.path, first.line, len(same), len(fix), sureness)

    def _back(self, fixed: ChangedPlace, files: frozenset[str]) -> _PlaceBack | None:
        """Tell what the change does to one place of a fix."""
        here = [place for place in self._places if not files.isdisjoint((place.old, place.new))]
        for judge in (self._reverted, self._dropped, self._again):
            for place in here:
                if back := judge(fixed, place):
                    return back
        return self._moved_and_reverted(fixed) if self._places else None

    def _reverted(self, fixed: ChangedPlace, place: ChangedPlace) -> _PlaceBack | None:
        """Hold the two sides of a fix against one place of the change."""
        if not _is_telling(fixed, _FEWEST):
            return None
        gone = _share(fixed.gained, place.lost, self._lost)
        back = _share(fixed.lost, place.gained, self._gained)
        if min(gone, back) < _LIKELY:
            return None
        return _PlaceBack("back", place.new, _line(place, fixed.lost), min(gone, back))

    def _dropped(self, fixed: ChangedPlace, place: ChangedPlace) -> _PlaceBack | None:
        """Tell whether what a fix added is gone and nothing stands for it; around it all stays."""
        own = grams(fixed.added)
        if fixed.removed or own.total() < _FEW or not place.new:
            return None
        gone = _share(own, place.lost, self._lost)
        if gone < _SURE or len(fixed.added) < _OWN_SHARE * len(place.removed):
            return None
        words = _words(fixed.added)
        if words and len(words & _words(place.added)) > _MOST_KEPT * len(words):
            return None
        if len(place.added) > len(fixed.added):
            return None
        return _PlaceBack("dropped", place.new, place.line, gone * _LIKELY)

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


_ORDER: Final = {"back": 0, "dropped": 1, "again": 2}


def _is_telling(fixed: ChangedPlace, fewest: int) -> bool:
    """Tell whether a place of a fix is like no other: both sides say enough, or one says much."""
    sizes = sorted((fixed.gained.total(), fixed.lost.total()))
    return sizes[0] >= fewest or (sizes[0] > 0 and sizes[1] >= _FEW)


def _share(wanted: TokenRuns, there: TokenRuns, overall: TokenRuns) -> float:
    """Give the share of runs that a place has and that the whole change does not make up for."""
    total = wanted.total()
    common = sum(min(count, there[gram], overall[gram]) for gram, count in wanted.items())
    return common / total if total else 0.0


def _line(place: ChangedPlace, wanted: TokenRuns) -> int:
    """Give the first line of a place that has one of some runs of tokens."""
    lines = [place.gained_at[gram] for gram in wanted if gram in place.gained_at]
    return min(lines, default=place.line)


def _words(tokens: Sequence[str]) -> set[str]:
    return {
        token for token in tokens if len(token) > 1 and (token[0].isalnum() or token[0] in "_\"'")
    }
