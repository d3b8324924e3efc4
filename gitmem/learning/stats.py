"""Totals of a memory, and its weeks."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from gitmem.answers.guard_tally import GuardTally
from gitmem.learning.confidence import Rate
from gitmem.learning.figures import FigureGroup, Figures

WEEKS: Final = 26
RECENT: Final = 7
"""Days."""


class Week(NamedTuple):
    """What was written in a week.

    Attributes:
        start: its Monday.
        errors, attempts, worked: records; the last are those attempts that worked.

    """

    start: date
    errors: int
    attempts: int
    worked: int


class Stats(NamedTuple):
    """A memory in numbers.

    Attributes:
        total: of everything that was asked about.
        by: the dimensions of the groups; empty: none were asked for.
        groups: one for each label.
        sessions: how many succeeded, of those that say so.
        subjects, types, categories: how many different ones the errors name.
        recent_errors, recent_attempts: of the last seven days.
        weeks: the last 26, oldest first.
        records: how many of each kind the whole memory holds.
        size: bytes of all record files.
        folder: where they are.
        guards: what guards told in this clone; None: nothing, or a part was asked about.

    """

    total: Figures
    by: tuple[str, ...]
    groups: tuple[FigureGroup, ...]
    sessions: Rate
    subjects: int
    types: int
    categories: int
    recent_errors: int
    recent_attempts: int
    weeks: tuple[Week, ...]
    records: Mapping[str, int]
    size: int
    folder: str
    guards: GuardTally | None = None


def first_day(today: date) -> date:
    """Give the Monday of the first of the weeks that are counted."""
    return monday(today) - timedelta(weeks=WEEKS - 1)


def weeks(
    errors: Mapping[str, int], attempts: Mapping[str, tuple[int, int]], today: date
) -> tuple[Week, ...]:
    """Sum up what was written in each of the last weeks, today's included.

    Args:
        errors: how many were written on each day (ISO 8601), where some were.
        attempts: how many, and how many that worked.
        today: the last day.

    """
    series = []
    for number in range(WEEKS):
        begin = first_day(today) + timedelta(weeks=number)
        days = [(begin + timedelta(days=day)).isoformat() for day in range(7)]
        tried = [attempts.get(day, (0, 0)) for day in days]
        occurrences = sum(errors.get(day, 0) for day in days)
        series.append(
            Week(
                begin,
                occurrences,
                sum(counts[0] for counts in tried),
                sum(counts[1] for counts in tried),
            )
        )
    return tuple(series)


def monday(day: date) -> date:
    """Give the Monday of a day's week."""
    return day - timedelta(days=day.weekday())
