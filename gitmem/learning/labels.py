"""The dimensions that errors and attempts are grouped by; names and order of the groups."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from gitmem.learning.figures import PEOPLE, FigureGroup
from gitmem.learning.periodicity import DAYS

Label = tuple[str, ...]
OF_ERRORS: Final = ("type", "category", "subject")
"""An attempt has that of the first error that it fixes."""
OF_ATTEMPTS: Final = ("fixer", "model")
"""Errors have none."""
SHARED: Final = ("tag", "file", "language")
"""Several each; an attempt also has those of the errors that it fixes."""
PERIODS: Final = ("day", "week", "month", "weekday", "hour")
DIMENSIONS: Final = (*OF_ERRORS, *SHARED, "via", *OF_ATTEMPTS, *PERIODS)


def display_name(label: Sequence[str], by: Sequence[str], people: Collection[str]) -> Label:
    """Name a group as people read it: weekdays by their names, persons by none.

    Args:
        label: a part for each dimension, as the catalog counts.
        by: the dimensions.
        people: names of persons, in small letters.

    """
    return tuple(
        DAYS[int(part) - 1]
        if dimension == "weekday"  # the catalog's Sunday is 0
        else fixer(part, people)
        if dimension == "fixer"
        else part
        for part, dimension in zip(label, by, strict=True)
    )


def fixer(name: str, people: Collection[str]) -> str:
    """Give the name that a fixer is shown under: a person's is never shown."""
    return PEOPLE if name.casefold() in people else name


def ordered(groups: Iterable[FigureGroup], by: Sequence[str]) -> tuple[FigureGroup, ...]:
    """Put groups in order: periods by time, fixers without a rank, others as they come."""
    positions = [position for position, dimension in enumerate(by) if dimension in PERIODS]

    def key(group: FigureGroup) -> list[tuple[int, str]]:
        return [
            (DAYS.index(group.label[at]) if by[at] == "weekday" else 0, group.label[at])
            for at in positions
        ]

    return tuple(sorted(groups, key=key))
