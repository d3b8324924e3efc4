"""Failures that are recorded again and again, subjects, and the ways that worked best."""

import os
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gitmem.catalog.dimensions import KIND
from gitmem.catalog.tallies import Chosen
from gitmem.errors import NotFoundError
from gitmem.learning.figures import grouped, together
from gitmem.learning.periodicity import WINDOW, Activity, periodicities, weekday
from gitmem.learning.rates import Rate
from gitmem.learning.recurring import RecordLine, RecurringFailure, Subject
from gitmem.learning.strategies import Strategy, ranked, strategy
from gitmem.memory.statistics.counting import chosen, lessons
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons, Sighting
    from gitmem.memory.view import View

_HISTORY = 10
_TYPES = 10
_EFFECTIVE = 5


def recurring(memory: "View", limit: int, filters: Filters) -> list[RecurringFailure]:
    """List failures with more than one record; see ``Memory.recurring``."""
    asked = lessons(memory)
    key = ("recurring", limit, filters)

    def choice() -> tuple[Chosen, list[int]]:
        picked = chosen(asked, filters)
        return picked, asked.repeated(picked, limit)

    picked, wanted = asked.once(key, choice)
    if not wanted:
        return []
    changes = _changes(memory, asked)
    moments = tuple((sort, *some) for sort, some in changes.items())
    found: list[RecurringFailure] = asked.once(
        (*key, moments), lambda: _repeating(asked, picked, wanted, changes)
    )
    return list(found)


def _repeating(
    asked: "Lessons", picked: Chosen, wanted: list[int], changes: Mapping[str, list[float]]
) -> list[RecurringFailure]:
    seen: dict[int, list[Sighting]] = {key: [] for key in wanted}
    for one in asked.sightings(wanted, picked):
        seen[one.failure].append(one)
    tried = asked.tried_on(wanted, picked)
    found = periodicities(asked.times(wanted), _activity(asked), changes)
    named = asked.failures(wanted)
    ways = _best_ways(asked, named, picked)
    titles = asked.titles(seen[key][-1].id for key in wanted)
    return [
        _recurring(seen[key], tried.get(key, (0, 0, 0)))._replace(
            title=titles[seen[key][-1].id], open=named[key][1], best=ways.get(key),
            rhythms=found.get(key, ()),
        )
        for key in wanted
    ]  # fmt: skip


def _recurring(errors: "list[Sighting]", tried: tuple[int, int, int]) -> RecurringFailure:
    newest = errors[-1]
    worked, known, attempts = tried
    return RecurringFailure(
        fingerprint=next((one.site for one in reversed(errors) if one.site), ""),
        error=newest.id,
        title="",
        type=newest.type,
        category=newest.category,
        subject=newest.subject,
        records=len(errors),
        first=errors[0].created,
        last=newest.created,
        open=False,
        came_back=sum(one.came_back for one in errors),
        rate=Rate(worked, known),
        attempts=attempts,
        best=None,
        rhythms=(),
    )


def _activity(asked: "Lessons") -> Activity:
    hours, days = asked.occasions()
    weekdays: Counter[str] = Counter()
    for day, count in days:
        weekdays[weekday(day)] += count
    return Activity(Counter(dict(hours)), weekdays, asked.firsts)


def _best_ways(
    asked: "Lessons", named: Mapping[int, tuple[str, bool]], picked: Chosen
) -> dict[int, Strategy]:
    best = {way.kind: way for way in reversed(ranked(asked.ways_of(named, picked)))}
    said = asked.said(way.best for way in best.values())
    return {
        key: strategy(way._replace(kind=named[key][0]), said[way.best]) for key, way in best.items()
    }


def _changes(memory: "View", asked: "Lessons") -> dict[str, list[float]]:
    """Ask git for changed dependencies and releases since the first error; none without git."""
    places = memory.site.git_dirs
    if places is None:
        return {}
    from gitmem.git.events import dependency_changes, releases  # noqa: PLC0415  start-up

    first = datetime.fromisoformat(asked.oldest()).astimezone(UTC)
    since = (first - timedelta(seconds=WINDOW)).isoformat(timespec="seconds")
    folder = os.path.relpath(memory.site.folder, places.root).replace(os.sep, "/")
    return {
        "dependencies": dependency_changes(places, since, folder),
        "deploy": releases(places, since),
    }


def successful(memory: "View", limit: int, filters: Filters) -> list[Strategy]:
    """List the ways that worked for each kind of error; see ``Memory.successful``."""
    asked = lessons(memory)
    return _ways(asked, chosen(asked, filters), limit)


def _ways(asked: "Lessons", picked: Chosen, limit: int) -> list[Strategy]:
    found = ranked(asked.ways(picked), limit)
    said = asked.said(way.best for way in found)
    return [strategy(way, said[way.best]) for way in found]


def subject(memory: "View", name: str) -> Subject:
    """Tell what is known about a subject; see ``Memory.subject``."""
    asked = lessons(memory)
    names = asked.subjects()
    meant = set(_meant(name, names))
    if not meant:
        from difflib import get_close_matches  # noqa: PLC0415  only for a message

        near = get_close_matches(name, sorted(names), 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "see: gitmem stats --by subject"
        raise NotFoundError(f"no error is about {name}", hint)
    picked = asked.about(meant)
    types = grouped(asked.tally((KIND,), picked), lambda label: label)
    newest, last = asked.newest_of(picked, _HISTORY)
    return Subject(
        name=name,
        names=tuple(sorted(meant)),
        total=together(asked.tally((), picked)),
        types=tuple(types[:_TYPES]),
        effective=tuple(_ways(asked, picked, _EFFECTIVE)),
        history=tuple(map(RecordLine._make, asked.noted(newest))),
        notes=tuple(map(RecordLine._make, asked.tagged(meant | {name}))),
        last=last,
    )


def _meant(name: str, names: Collection[str]) -> list[str]:
    """Give the subjects of a name: the same in any case, or of that family (``name:…``)."""
    wanted = name.casefold()
    return [one for one in names if wanted in (one.casefold(), one.casefold().partition(":")[0])]
