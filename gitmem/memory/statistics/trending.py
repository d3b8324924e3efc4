"""Trends, sessions all together, and fixers compared."""

from typing import TYPE_CHECKING

from gitmem.catalog.tallies import Chosen
from gitmem.errors import UsageError
from gitmem.learning.figures import PEOPLE, FigureGroup, grouped
from gitmem.learning.labels import shown
from gitmem.learning.performance import Performance, Worked, performance
from gitmem.learning.trends import WINDOW, Done, Trend, in_order, trend, trends
from gitmem.memory.statistics.counting import lessons

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.memory.view import View

_BY = {"category": 4, "type": 5}
"""Place of a session's label in the rows of the catalog."""
_ATTEMPTS = ("category", "type", "subject")


def trending(memory: "View", by: str) -> list[Trend]:
    """Tell what improves and what declines; see ``Memory.trends``."""
    if by not in _ATTEMPTS:
        raise UsageError(f"there are no trends by {by!r}", f"one of {', '.join(_ATTEMPTS)}")
    asked = lessons(memory)
    found = _of_attempts(asked, by)
    if by in _BY:
        place = _BY[by]
        done = [Done(one[1], one[place], one[2], one[3], one[7]) for one in asked.sessions()]
        found += trends("sessions", done)
    return found


def _of_attempts(asked: "Lessons", by: str) -> list[Trend]:
    rows = asked.newest(by, WINDOW)
    approaches = asked.approaches(row[4] for row in rows)
    newest: dict[str, list[Done]] = {}
    for label, created, worked, seconds, file in rows:
        one = Done(created, label, worked, seconds, approaches[file])
        newest.setdefault(label, []).append(one)
    return in_order(
        trend("attempts", label, newest.get(label, ()), total, last)
        for label, (total, last) in asked.totals(by).items()
    )


def sessions_together(memory: "View") -> Performance:
    """Sum up all sessions; see ``Memory.performance``."""
    asked = lessons(memory)
    factors: dict[str, list[str]] = {}
    for session, factor in asked.factors():
        factors.setdefault(session, []).append(factor)
    return performance([
        Worked(one[1], one[4], one[2], one[3], one[7], tuple(factors.get(one[0], ())))
        for one in asked.sessions()
    ])  # fmt: skip


def fixers(memory: "View") -> list[FigureGroup]:
    """Compare who or what makes attempts; see ``Memory.fixers``."""
    asked = lessons(memory)
    by = ("fixer",)
    people = asked.people()
    found = grouped(asked.tally(by, Chosen()), lambda label: shown(label, by, people))
    return sorted(found, key=lambda one: (
        one.label == (PEOPLE,), -one.figures.rate.low, -one.figures.attempts, one.label
    ))  # fmt: skip
