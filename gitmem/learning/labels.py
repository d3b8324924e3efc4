"""What errors and attempts are grouped by."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import product
from typing import Final, NamedTuple

from gitmem.learning.failures import Attempt, Sighting
from gitmem.learning.figures import PEOPLE, Group
from gitmem.learning.rhythm import DAYS
from gitmem.learning.stats import monday

Label = tuple[str, ...]
OF_ERRORS: Final = ("type", "category", "subject")
"""An attempt has that of the first error that it fixes."""
OF_ATTEMPTS: Final = ("fixer", "model")
"""Errors have none."""
SHARED: Final = ("tag", "file", "language")
"""Several each; an attempt also has those of the errors that it fixes."""
PERIODS: Final = ("day", "week", "month", "weekday", "hour")
DIMENSIONS: Final = (*OF_ERRORS, *SHARED, "via", *OF_ATTEMPTS, *PERIODS)


class Known(NamedTuple):
    """What labels are looked up in.

    Attributes:
        errors: all errors by id.
        shared: of each dimension in ``SHARED`` that is needed, the values by record id.
        people: names of persons, in small letters.

    """

    errors: Mapping[str, Sighting]
    shared: Mapping[str, Mapping[str, Sequence[str]]]
    people: frozenset[str]


def of_error(one: Sighting, by: Sequence[str], known: Known) -> Iterable[Label]:
    """Give the labels of an error, one for each mix of values."""
    return product(*(_of_error(one, dimension, known) for dimension in by))


def of_attempt(one: Attempt, by: Sequence[str], known: Known) -> Iterable[Label]:
    """Give the labels of an attempt."""
    return product(*(_of_attempt(one, dimension, known) for dimension in by))


def _of_error(one: Sighting, dimension: str, known: Known) -> Sequence[str]:
    if dimension in OF_ATTEMPTS:
        return ()
    if dimension in SHARED:
        return known.shared[dimension].get(one.id, ("",))
    if dimension in _PERIOD:
        return (_PERIOD[dimension](one.created),)
    return (str(getattr(one, dimension)),)


def _of_attempt(one: Attempt, dimension: str, known: Known) -> Sequence[str]:
    targets = [target for target in one.targets.split() if target in known.errors]
    if dimension in OF_ERRORS:
        return (str(getattr(known.errors[min(targets)], dimension)) if targets else "",)
    if dimension in SHARED:
        values = known.shared[dimension]
        found = {value for record in (one.id, *targets) for value in values.get(record, ())}
        return sorted(found) or ("",)
    if dimension in _PERIOD:
        return (_PERIOD[dimension](one.created),)
    if dimension == "fixer":
        return (fixer(one.fixer, known.people),)
    return (str(getattr(one, dimension)),)


def fixer(name: str, people: frozenset[str]) -> str:
    """Give the name that a fixer is shown under: a person's is never shown."""
    return PEOPLE if name.casefold() in people else name


def ordered(groups: Iterable[Group], by: Sequence[str]) -> tuple[Group, ...]:
    """Put groups in order: periods by time, fixers without a rank, others as they come."""
    places = [place for place, dimension in enumerate(by) if dimension in PERIODS]

    def key(group: Group) -> list[tuple[int, str]]:
        return [
            (DAYS.index(group.label[at]) if by[at] == "weekday" else 0, group.label[at])
            for at in places
        ]

    return tuple(sorted(groups, key=key))


def _week(created: str) -> str:
    return monday(date.fromisoformat(created[:10])).isoformat()


_PERIOD: Final[Mapping[str, Callable[[str], str]]] = {
    "day": lambda created: created[:10],
    "week": _week,
    "month": lambda created: created[:7],
    "weekday": lambda created: DAYS[date.fromisoformat(created[:10]).weekday()],
    "hour": lambda created: created[11:13],
}
