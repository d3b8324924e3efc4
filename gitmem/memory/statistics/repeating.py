"""Failures that are recorded again and again, subjects, and the ways that worked best."""

import os
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gitmem.errors import NotFoundError
from gitmem.learning.failures import Attempt, Sighting
from gitmem.learning.figures import figures, grouped
from gitmem.learning.rates import Rate
from gitmem.learning.recurring import Noted, Recurring, Subject
from gitmem.learning.rhythm import WINDOW, rhythms
from gitmem.learning.strategies import Strategy, Tried, strategies
from gitmem.memory.statistics.counting import Everything, chosen, everything, lessons
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.memory.view import View

_KNOWN = {"worked": 1, "failed": 0, "partial": 0}
_HISTORY = 10
_TYPES = 10
_EFFECTIVE = 5


def recurring(memory: "View", limit: int, filters: Filters) -> list[Recurring]:
    """List failures with more than one record; see ``Memory.recurring``."""
    asked = lessons(memory)
    read = everything(asked)
    errors, attempts = chosen(asked, read, filters)
    failure = read.course.failure
    seen = _by_failure(errors, failure)
    repeated = {key: some for key, some in seen.items() if len(some) > 1}
    order = sorted(repeated, key=lambda key: (repeated[key][-1].created, key), reverse=True)
    order.sort(key=lambda key: -len(repeated[key]))
    wanted = order[:limit] if limit >= 0 else order
    tried: dict[str, list[Attempt]] = {key: [] for key in wanted}
    for attempt in attempts:
        for key in {failure.get(target, "") for target in attempt.targets.split()}:
            if key in tried:
                tried[key].append(attempt)
    every = seen if errors is read.errors else _by_failure(read.errors, failure)
    times = {key: [one.created for one in some] for key, some in every.items()}
    found = rhythms(times, wanted, _changes(memory, read)) if wanted else {}
    ways = _best_ways(asked, read, tried)
    titles = asked.titles(repeated[key][-1].id for key in wanted)
    return [
        _recurring(key, repeated[key], tried[key], read)._replace(
            title=titles[repeated[key][-1].id], best=ways.get(key), rhythms=found.get(key, ())
        )
        for key in wanted
    ]


def _by_failure(
    errors: Iterable[Sighting], failure: Mapping[str, str]
) -> dict[str, list[Sighting]]:
    found: dict[str, list[Sighting]] = {}
    for one in errors:
        found.setdefault(failure[one.id], []).append(one)
    return found


def _recurring(
    key: str, errors: list[Sighting], attempts: list[Attempt], read: Everything
) -> Recurring:
    newest = errors[-1]
    known = [one for one in attempts if one.outcome in _KNOWN]
    return Recurring(
        fingerprint=next((one.print for one in reversed(errors) if one.print), ""),
        error=newest.id,
        title="",
        type=newest.type,
        category=newest.category,
        subject=newest.subject,
        records=len(errors),
        first=errors[0].created,
        last=newest.created,
        open=key in read.course.open,
        came_back=sum(one.id in read.course.came_back for one in errors),
        rate=Rate(sum(_KNOWN[one.outcome] for one in known), len(known)),
        attempts=len(attempts),
        best=None,
        rhythms=(),
    )


def _best_ways(
    asked: "Lessons", read: Everything, tried: dict[str, list[Attempt]]
) -> dict[str, Strategy]:
    """Give for each failure the way that worked best, where one did."""
    told = _told(asked, (one for some in tried.values() for one in some), read.attempts)
    ways = [told[one.id]._replace(kind=key) for key, attempts in tried.items() for one in attempts]
    found: dict[str, Strategy] = {}
    for way in strategies(ways, read.course.unheld, told):
        if way.rate.worked:
            found.setdefault(way.kind, way)
    return found


def _told(
    asked: "Lessons", wanted: Iterable[Attempt], every: Iterable[Attempt]
) -> dict[str, Tried]:
    """Give attempts by id as strategies want them, with those that they apply again."""
    by_id = {one.id: one for one in every}
    left = {one.id for one in wanted}
    found: dict[str, Tried] = {}
    while left:
        rows = asked.approaches(left)
        for id_, title, approach, reuses in rows:
            one = by_id[id_]
            success = _KNOWN.get(one.outcome)
            found[id_] = Tried(id_, one.created, success, title, approach, reuses, "")
        left = {row[3] for row in rows if row[3] in by_id} - found.keys()
    return found


def _changes(memory: "View", read: Everything) -> dict[str, list[float]]:
    """Ask git for changed dependencies and releases since the first error; none without git."""
    places = memory.site.places
    if places is None or not read.errors:
        return {}
    from gitmem.git.events import dependency_changes, releases  # noqa: PLC0415  start-up

    first = datetime.fromisoformat(read.errors[0].created).astimezone(UTC)
    since = (first - timedelta(seconds=WINDOW)).isoformat(timespec="seconds")
    folder = os.path.relpath(memory.site.folder, places.root).replace(os.sep, "/")
    return {
        "dependencies": dependency_changes(places, since, folder),
        "deploy": releases(places, since),
    }


def successful(memory: "View", limit: int, filters: Filters) -> list[Strategy]:
    """List the ways that worked for each kind of error; see ``Memory.successful``."""
    asked = lessons(memory)
    read = everything(asked)
    _, attempts = chosen(asked, read, filters)
    return _ways(asked, read, attempts)[: limit if limit >= 0 else None]


def _ways(asked: "Lessons", read: Everything, attempts: list[Attempt]) -> list[Strategy]:
    errors = {one.id: one for one in read.errors}
    told = _told(asked, attempts, read.attempts)
    tried = [told[one.id]._replace(kind=_kind(one, errors)) for one in attempts]
    return [one for one in strategies(tried, read.course.unheld, told) if one.rate.worked]


def _kind(one: Attempt, errors: dict[str, Sighting]) -> str:
    """Give the type of the first error that it fixes, or its category where it has none."""
    targets = [target for target in one.targets.split() if target in errors]
    if not targets:
        return ""
    first = errors[min(targets)]
    return first.type or first.category


def subject(memory: "View", name: str) -> Subject:
    """Tell what is known about a subject; see ``Memory.subject``."""
    asked = lessons(memory)
    read = everything(asked)
    names = {one.subject for one in read.errors if one.subject}
    meant = set(_meant(name, names))
    if not meant:
        from difflib import get_close_matches  # noqa: PLC0415  only for a message

        near = get_close_matches(name, sorted(names), 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "see: gitmem stats --by subject"
        raise NotFoundError(f"no error is about {name}", hint)
    errors = [one for one in read.errors if one.subject in meant]
    ids = {one.id for one in errors}
    attempts = [one for one in read.attempts if not ids.isdisjoint(one.targets.split())]
    by_id = {one.id: one for one in read.errors}
    types = grouped(
        ((one, [(one.type or one.category,)]) for one in errors),
        ((one, [(_kind(one, by_id),)]) for one in attempts),
        read.course,
    )
    newest = [one.id for one in reversed(attempts[-_HISTORY:])]
    return Subject(
        name=name,
        names=tuple(sorted(meant)),
        total=figures(errors, attempts, read.course),
        types=tuple(types[:_TYPES]),
        effective=tuple(_ways(asked, read, attempts)[:_EFFECTIVE]),
        history=tuple(map(Noted._make, asked.noted(newest))),
        notes=tuple(map(Noted._make, asked.tagged(meant | {name}))),
        last=max([one.created for one in errors] + [one.created for one in attempts]),
    )


def _meant(name: str, names: Collection[str]) -> list[str]:
    """Give the subjects of a name: the same in any case, or of that family (``name:…``)."""
    wanted = name.casefold()
    return [one for one in names if wanted in (one.casefold(), one.casefold().partition(":")[0])]
