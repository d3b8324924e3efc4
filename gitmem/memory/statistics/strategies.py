"""The ways that worked for each kind of error."""

from typing import TYPE_CHECKING

from gitmem.learning.strategies import Strategy, ranked, strategy
from gitmem.memory.statistics.lessons import chosen

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.catalog.tallies import Chosen
    from gitmem.query import Filters


def successful(lessons: "Lessons", limit: int, filters: "Filters") -> list[Strategy]:
    """List the ways that worked for each kind of error; see ``Statistics.successful``."""
    return strategies(lessons, chosen(lessons, filters), limit)


def strategies(lessons: "Lessons", picked: "Chosen", limit: int) -> list[Strategy]:
    """Rank the ways of the picked attempts, the surest first; at most ``limit``, -1: all."""
    ways = ranked(lessons.ways(picked), limit)
    words = lessons.said(way.best for way in ways)
    return [strategy(way, words[way.best]) for way in ways]
