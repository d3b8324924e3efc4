"""The value behind ``gitmem stats report``: a memory's state at one moment."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.learning.figures import FigureGroup
    from gitmem.learning.performance import Performance
    from gitmem.learning.recurring import RecurringFailure
    from gitmem.learning.stats import Stats
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend


class Health(NamedTuple):
    """How a memory is.

    Attributes:
        problems: (severity, how many) of what ``check`` finds, secrets left out.
        stale: places that hold no more; None: there are too many to look at for this.
        old: open errors that were recorded more than ninety days ago.
        unverified: attempts of which nobody knows whether they worked.
        without_fix: errors that nobody wrote an attempt for.

    """

    problems: tuple[tuple[str, int], ...]
    stale: int | None
    old: int
    unverified: int
    without_fix: int


class Overall(NamedTuple):
    """A memory at one moment.

    Attributes:
        name: of the repository.
        at: when this was asked.
        months: figures with the months as groups, oldest first.
        hot: failures that were recorded most often.
        approaches: ways that were tried more than once, those tried most first.
        unheld: ways after which, although they had worked, the failure was recorded again; the
            most often first.
        trends: by category.
        sessions: all together.
        health: how it is.

    """

    name: str
    at: datetime
    months: "Stats"
    hot: "Sequence[RecurringFailure]"
    approaches: "Sequence[Strategy]"
    unheld: "Sequence[Strategy]"
    trends: "Sequence[Trend]"
    sessions: "Performance"
    health: Health

    @property
    def by_month(self) -> "Sequence[FigureGroup]":
        """The groups of ``months`` in the order of time."""
        return sorted(self.months.groups, key=lambda group: group.label)
