"""Statistics: what errors and attempts come to, of all that is there or of each group."""

from datetime import timedelta
from typing import TYPE_CHECKING

from gitmem.errors import UsageError
from gitmem.learning.confidence import Rate
from gitmem.learning.figures import grouped, together
from gitmem.learning.labels import DIMENSIONS, display_name, ordered
from gitmem.learning.stats import RECENT, Stats, first_day, weeks
from gitmem.memory.statistics.lessons import chosen
from gitmem.query import Filters

if TYPE_CHECKING:
    from datetime import datetime

    from gitmem.catalog.lessons import Lessons

_MOST_DIMENSIONS = 2


def stats(lessons: "Lessons", by: str, filters: Filters, at: "datetime", folder: str) -> Stats:
    """Count errors, attempts and sessions; see ``Statistics.stats``.

    Args:
        lessons: the questions to ask.
        by: the dimensions to group by.
        filters: what is counted.
        at: the present, in UTC.
        folder: the memory's, to be named beside the figures.

    Raises:
        UsageError: there is no such dimension, or there are more than two.

    """
    dimensions = _dimensions(by)
    picked = chosen(lessons, filters)
    sessions = lessons.sessions()
    if filters != Filters():
        ids = lessons.meeting_ids("session", filters)
        sessions = [session for session in sessions if session[0] in ids]
    successes = [session[2] for session in sessions if session[2] is not None]
    recent = lessons.since(picked, (at - timedelta(days=RECENT)).isoformat())
    sightings, tried = lessons.days(picked, first_day(at.date()).isoformat())
    people = lessons.people() if "fixer" in dimensions else set()
    groups = (
        grouped(
            lessons.tally(dimensions, picked), lambda label: display_name(label, dimensions, people)
        )
        if dimensions
        else []
    )
    subjects, types, categories = lessons.named(picked)
    return Stats(
        total=together(lessons.tally((), picked)),
        by=dimensions,
        groups=ordered(groups, dimensions),
        sessions=Rate(sum(successes), len(successes)),
        subjects=subjects,
        types=types,
        categories=categories,
        recent_errors=recent[0],
        recent_attempts=recent[1],
        weeks=weeks(
            dict(sightings), {day: (count, int(worked)) for day, count, worked in tried}, at.date()
        ),
        records=dict(sorted(lessons.kinds().items())),
        size=lessons.bytes(),
        folder=folder,
    )


def _dimensions(by: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in by.split(",")) if by.strip() else ()
    for name in names:
        if name not in DIMENSIONS:
            raise UsageError(f"can't group by {name!r}", f"one of {', '.join(DIMENSIONS)}")
    if len(names) > _MOST_DIMENSIONS or len(set(names)) < len(names):
        raise UsageError(f"can't group by {by}", "name one dimension, or two different ones")
    return names
