"""Approaches to a fix, and how often each worked."""

from functools import cache
from heapq import nsmallest
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from gitmem.learning.confidence import Rate, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.tallies import Way


class Strategy(NamedTuple):
    """One way to fix one kind of error.

    Attributes:
        kind: of the error: a type, or a failure.
        approach: in the words of its newest attempt that worked.
        rate: how often it worked.
        unheld: after how many that had worked the failure was recorded again.
        attempts: how many, of known outcome or not.
        best: id of the newest attempt that worked.
        last: when it was last tried.
        verdict: what is told of ``best``, where somebody looked whether it is in the code.

    """

    kind: str
    approach: str
    rate: Rate
    unheld: int
    attempts: int
    best: str
    last: str
    verdict: str = ""


def ranked(ways: "Iterable[Way]", most: int = -1) -> "list[Way]":
    """Put ways in order, the best first.

    The best is the one whose interval has the highest lower end, so that one lucky attempt does
    not beat nineteen of twenty; then the one that held; then the newest.

    Args:
        ways: in any order.
        most: how many are wanted; -1: all.

    """
    interval = cache(wilson)

    def rank(way: "Way") -> tuple[float, int]:
        return -interval(way.worked, way.tried)[0], way.unheld

    strategies = sorted(ways, key=attrgetter("last", "best"), reverse=True)
    return sorted(strategies, key=rank) if most < 0 else nsmallest(most, strategies, key=rank)


def strategy(way: "Way", approach: str) -> Strategy:
    """Tell what one way comes to; ``approach`` is that of its best attempt."""
    return Strategy(
        way.kind,
        approach,
        Rate(way.worked, way.tried),
        way.unheld,
        way.attempts,
        way.best,
        way.last,
    )
