"""Trends of attempts and sessions, sessions all together, and fixers compared."""

from typing import TYPE_CHECKING

from gitmem.catalog.tallies import Chosen
from gitmem.errors import UsageError
from gitmem.learning import trends as trend_rules
from gitmem.learning.figures import PEOPLE, FigureGroup, grouped
from gitmem.learning.labels import display_name
from gitmem.learning.performance import Performance, Worked, performance
from gitmem.learning.trends import WINDOW, Done, Trend, in_order, trend

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.query import Filters

_BY = {"category": 4, "type": 5}
"""Place of a session's label in the rows of the catalog."""
_ATTEMPTS = ("category", "type", "subject")


def trends(lessons: "Lessons", by: str) -> list[Trend]:
    """Tell what improves and what declines, of attempts and of sessions.

    Args:
        lessons: the questions to ask.
        by: category, type or subject; sessions have no subject.

    Raises:
        UsageError: ``by`` is something else.

    """
    if by not in _ATTEMPTS:
        raise UsageError(f"there are no trends by {by!r}", f"one of {', '.join(_ATTEMPTS)}")
    every = _of_attempts(lessons, by)
    if by in _BY:
        place = _BY[by]
        sessions = [Done(row[1], row[place], row[2], row[3], row[7]) for row in lessons.sessions()]
        every += trend_rules.trends("sessions", sessions)
    return every


def _of_attempts(lessons: "Lessons", by: str) -> list[Trend]:
    rows = lessons.newest(by, WINDOW)
    approaches = lessons.approaches(row[4] for row in rows)
    newest: dict[str, list[Done]] = {}
    for label, created, worked, seconds, file in rows:
        attempt = Done(created, label, worked, seconds, approaches[file])
        newest.setdefault(label, []).append(attempt)
    return in_order(
        trend("attempts", label, newest.get(label, ()), total, last)
        for label, (total, last) in lessons.totals(by).items()
    )


def sessions_together(lessons: "Lessons", filters: "Filters | None" = None) -> Performance:
    """Sum up sessions, all or those that meet filters."""
    chosen = lessons.meeting_ids("session", filters) if filters else None
    factors: dict[str, list[str]] = {}
    for session, factor in lessons.factors():
        factors.setdefault(session, []).append(factor)
    return performance(
        [
            Worked(row[1], row[4], row[2], row[3], row[7], tuple(factors.get(row[0], ())))
            for row in lessons.sessions()
            if chosen is None or row[0] in chosen
        ]
    )


def fixers(lessons: "Lessons") -> list[FigureGroup]:
    """Compare assistants and tools by their attempts; all persons are one group, the last."""
    by = ("fixer",)
    people = lessons.people()
    groups = grouped(lessons.tally(by, Chosen()), lambda label: display_name(label, by, people))
    return sorted(
        groups,
        key=lambda group: (
            group.label == (PEOPLE,),
            -group.figures.rate.low,
            -group.figures.attempts,
            group.label,
        ),
    )
