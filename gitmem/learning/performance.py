"""Performance over all sessions: success rate, remarks, factors of success. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.learning.confidence import Rate
from gitmem.learning.figures import Spread, spread
from gitmem.learning.trends import DECLINING, Done, Trend, trends

WEAK: Final = 0.7
"""Share of successes below which a category is to be looked at."""
SLOW: Final = 300.0
"""Seconds on average above which it is."""
LEAST: Final = 10
"""Sessions of known outcome below which nothing is said about what makes them succeed."""
_SUPPORT: Final = 5
_MOST: Final = 3


class Worked(NamedTuple):
    """A session.

    Attributes:
        created: RFC 3339 in UTC; text order is time order.
        category: of its task; may be empty.
        success: 1 or 0; None if it only ended.
        seconds: how long it took; None or 0 if nobody said.
        approach: in one line; may be empty.
        factors: what made it succeed, as it says.

    """

    created: str
    category: str
    success: int | None
    seconds: float | None
    approach: str
    factors: tuple[str, ...]


class PerformanceRemark(NamedTuple):
    """Something to look at.

    Attributes:
        what: ``weak``, ``declining`` or ``slow``.
        category: of the tasks; may be empty.
        value: share of successes; of what is slow, seconds on average.
        support: how many sessions that rests on.

    """

    what: str
    category: str
    value: float
    support: int


class Performance(NamedTuple):
    """All sessions together.

    Attributes:
        total: how many there are.
        rate: how many succeeded, of those that say so.
        seconds: how long they took.
        categories: (category, how many), the most frequent first.
        remarks: what to look at.
        approaches: (approach, outcomes), the surest first; at most three.
        factors: (what made them succeed, in how many that did), at most three.
        trends: how each category develops.

    """

    total: int
    rate: Rate
    seconds: Spread
    categories: tuple[tuple[str, int], ...]
    remarks: tuple[PerformanceRemark, ...]
    approaches: tuple[tuple[str, Rate], ...]
    factors: tuple[tuple[str, int], ...]
    trends: tuple[Trend, ...]

    @property
    def enough(self) -> bool:
        """Whether there are enough to tell what makes them succeed."""
        return self.rate.tried >= LEAST


def performance(sessions: Sequence[Worked]) -> Performance:
    """Sum up sessions, in any order."""
    rated = [session for session in sessions if session.success is not None]
    won = [session for session in rated if session.success]
    rate = Rate(len(won), len(rated))
    session_trends = trends(
        "sessions",
        (
            Done(
                session.created,
                session.category,
                session.success,
                session.seconds,
                session.approach,
            )
            for session in sessions
        ),
    )
    enough = rate.tried >= LEAST
    return Performance(
        total=len(sessions),
        rate=rate,
        seconds=spread(session.seconds for session in sessions if session.seconds),
        categories=_counted(session.category for session in sessions),
        remarks=tuple(remark for trend in session_trends for remark in _remarks(trend)),
        approaches=_approaches(rated)[:_MOST] if enough else (),
        factors=_counted(name for session in won for name in dict.fromkeys(session.factors))[:_MOST]
        if enough
        else (),
        trends=tuple(session_trends),
    )


def _remarks(trend: Trend) -> Iterable[PerformanceRemark]:
    share, tried = trend.rate.share, trend.rate.tried
    if share is not None and tried >= _SUPPORT and share < WEAK:
        yield PerformanceRemark("weak", trend.label, share, tried)
    if trend.direction == DECLINING and trend.after.share is not None:
        yield PerformanceRemark("declining", trend.label, trend.after.share, trend.after.tried)
    if (
        trend.seconds.mean is not None
        and trend.seconds.mean > SLOW
        and trend.seconds.support >= _SUPPORT
    ):
        yield PerformanceRemark("slow", trend.label, trend.seconds.mean, trend.seconds.support)


def _approaches(sessions: Iterable[Worked]) -> tuple[tuple[str, Rate], ...]:
    outcomes: dict[str, list[int]] = {}
    for session in sessions:
        if session.approach:
            outcomes.setdefault(session.approach, []).append(session.success or 0)
    rates = [(name, Rate(sum(results), len(results))) for name, results in outcomes.items()]
    won = [pair for pair in rates if pair[1].worked]
    return tuple(sorted(won, key=lambda pair: (-pair[1].low, pair[0])))


def _counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts = Counter(name for name in names if name)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
