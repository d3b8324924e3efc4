"""What a memory holds in numbers, and how its weeks went."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from gitmem.learning.failures import Attempt, Sighting
from gitmem.learning.figures import Figures, Group
from gitmem.learning.rates import Rate

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

    """

    total: Figures
    by: tuple[str, ...]
    groups: tuple[Group, ...]
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


def weeks(errors: Iterable[Sighting], attempts: Iterable[Attempt], today: date) -> tuple[Week, ...]:
    """Count what was written in each of the last weeks, today's included."""
    last = monday(today)
    first = last - timedelta(weeks=WEEKS - 1)
    start = first.isoformat()
    seen = Counter(one.created[:10] for one in errors if one.created >= start)
    tried: Counter[str] = Counter()
    worked: Counter[str] = Counter()
    for one in attempts:
        if one.created >= start:
            tried[one.created[:10]] += 1
            worked[one.created[:10]] += one.outcome == "worked"
    made = []
    for number in range(WEEKS):
        begin = first + timedelta(weeks=number)
        days = [(begin + timedelta(days=day)).isoformat() for day in range(7)]
        numbers = (sum(counts[day] for day in days) for counts in (seen, tried, worked))
        made.append(Week(begin, *numbers))
    return tuple(made)


def monday(day: date) -> date:
    """Give the Monday of a day's week."""
    return day - timedelta(days=day.weekday())
