"""Trends, sessions all together, and fixers compared."""

from typing import TYPE_CHECKING

from gitmem.errors import UsageError
from gitmem.learning.figures import PEOPLE, Group, grouped
from gitmem.learning.labels import Known, of_attempt
from gitmem.learning.performance import Performance, Worked, performance
from gitmem.learning.trends import Done, Trend, trends
from gitmem.memory.statistics.counting import everything, lessons

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.memory.view import View

_BY = {"category": 4, "type": 5}
"""Place of a session's label in the rows of the catalog."""
_ATTEMPTS = ("category", "type", "subject")
_KNOWN = {"worked": 1, "failed": 0, "partial": 0}


def trending(memory: "View", by: str) -> list[Trend]:
    """Tell what improves and what declines; see ``Memory.trends``."""
    if by not in _ATTEMPTS:
        raise UsageError(f"there are no trends by {by!r}", f"one of {', '.join(_ATTEMPTS)}")
    asked = lessons(memory)
    found = trends("attempts", _attempts(asked, by))
    if by in _BY:
        place = _BY[by]
        done = [Done(one[1], one[place], one[2], one[3], one[7]) for one in asked.sessions()]
        found += trends("sessions", done)
    return found


def _attempts(asked: "Lessons", by: str) -> list[Done]:
    read = everything(asked)
    known = Known({one.id: one for one in read.errors}, {}, frozenset())
    approach = {row[0]: row[2] or row[1] for row in asked.approaches()}
    return [
        Done(one.created, label[0], _KNOWN.get(one.outcome), one.seconds, approach[one.id])
        for one in read.attempts
        for label in of_attempt(one, (by,), known)
    ]


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


def fixers(memory: "View") -> list[Group]:
    """Compare who or what makes attempts; see ``Memory.fixers``."""
    asked = lessons(memory)
    read = everything(asked)
    known = Known({}, {}, frozenset(asked.people()))
    found = grouped(
        (), ((one, of_attempt(one, ("fixer",), known)) for one in read.attempts), read.course
    )
    return sorted(found, key=lambda one: (
        one.label == (PEOPLE,), -one.figures.rate.low, -one.figures.attempts, one.label
    ))  # fmt: skip
