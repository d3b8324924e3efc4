"""Failures that are recorded again and again, with their periodicity and what worked best."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gitmem.catalog.tallies import Chosen
from gitmem.git.events import dependency_changes, releases
from gitmem.learning.confidence import Rate
from gitmem.learning.periodicity import WINDOW, Activity, periodicities, weekday
from gitmem.learning.recurring import RecurringFailure
from gitmem.learning.strategies import Strategy, ranked, strategy
from gitmem.memory.statistics.lessons import chosen

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons, Sighting
    from gitmem.memory.core.site import Site
    from gitmem.query import Filters


def recurring(
    lessons: "Lessons", site: "Site", limit: int, filters: "Filters"
) -> list[RecurringFailure]:
    """List failures with more than one record; see ``Statistics.recurring``.

    Args:
        lessons: the questions to ask.
        site: of the memory: git is asked what changed when they came.
        limit: how many at most; -1: all.
        filters: which errors are counted.

    """
    key = ("recurring", limit, filters)

    def choice() -> tuple[Chosen, list[int]]:
        picked = chosen(lessons, filters)
        return picked, lessons.repeated(picked, limit)

    picked, failures = lessons.once(key, choice)
    if not failures:
        return []
    changes = _changes(lessons, site)
    moments = tuple((sort, *times) for sort, times in changes.items())
    repeated: list[RecurringFailure] = lessons.once(
        (*key, moments), lambda: _repeated(lessons, picked, failures, changes)
    )
    return list(repeated)


def _repeated(
    lessons: "Lessons", picked: Chosen, failures: list[int], changes: Mapping[str, list[float]]
) -> list[RecurringFailure]:
    sightings: dict[int, list[Sighting]] = {failure: [] for failure in failures}
    for sighting in lessons.sightings(failures, picked):
        sightings[sighting.failure].append(sighting)
    tried = lessons.tried_on(failures, picked)
    rhythms = periodicities(lessons.times(failures), _activity(lessons), changes)
    names = lessons.failures(failures)
    ways = _best_ways(lessons, names, picked)
    titles = lessons.titles(sightings[failure][-1].id for failure in failures)
    return [
        _recurring(sightings[failure], tried.get(failure, (0, 0, 0)))._replace(
            title=titles[sightings[failure][-1].id],
            open=names[failure][1],
            best=ways.get(failure),
            rhythms=rhythms.get(failure, ()),
        )
        for failure in failures
    ]


def _recurring(sightings: "list[Sighting]", tried: tuple[int, int, int]) -> RecurringFailure:
    newest = sightings[-1]
    worked, judged, attempts = tried
    return RecurringFailure(
        fingerprint=next((sighting.site for sighting in reversed(sightings) if sighting.site), ""),
        error=newest.id,
        title="",
        type=newest.type,
        category=newest.category,
        subject=newest.subject,
        records=len(sightings),
        first=sightings[0].created,
        last=newest.created,
        open=False,
        came_back=sum(sighting.came_back for sighting in sightings),
        rate=Rate(worked, judged),
        attempts=attempts,
        best=None,
        rhythms=(),
    )


def _activity(lessons: "Lessons") -> Activity:
    hours, days = lessons.occasions()
    weekdays: Counter[str] = Counter()
    for day, count in days.items():
        weekdays[weekday(day)] += count
    return Activity(hours, weekdays, lessons.firsts)


def _best_ways(
    lessons: "Lessons", names: Mapping[int, tuple[str, bool]], picked: Chosen
) -> dict[int, Strategy]:
    best = {way.kind: way for way in reversed(ranked(lessons.ways_of(names, picked)))}
    words = lessons.said(way.best for way in best.values())
    return {
        failure: strategy(way._replace(kind=names[failure][0]), words[way.best])
        for failure, way in best.items()
    }


def _changes(lessons: "Lessons", site: "Site") -> dict[str, list[float]]:
    """Ask git for changed dependencies and releases since the first error; none without git."""
    if site.git_dirs is None:
        return {}
    first = datetime.fromisoformat(lessons.oldest()).astimezone(UTC)
    since = (first - timedelta(seconds=WINDOW)).isoformat(timespec="seconds")
    return {
        "dependencies": dependency_changes(site.git_dirs, since, site.folder_in_repository),
        "deploy": releases(site.git_dirs, since),
    }
