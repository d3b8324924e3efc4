"""Figures of errors and attempts, for all of them or for each group."""

from collections.abc import Callable, Iterable
from math import fsum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.learning.confidence import Rate

if TYPE_CHECKING:
    from gitmem.catalog.tallies import OutcomeTally

Label = tuple[str, ...]

_OF_ERRORS: Final = 4
_OF_ATTEMPTS: Final = 8
"""Counts behind a label."""

LEAST: Final = 5
"""Attempts of known outcome below which a rate is too little data for a verdict."""
PEOPLE: Final = "people"
"""The one name that all persons have among fixers: nobody is ranked."""


class Spread(NamedTuple):
    """Some durations.

    Attributes:
        support: how many.
        mean: arithmetic mean in seconds; None without any.
        median: half of them took no longer; None without any.

    """

    support: int = 0
    mean: float | None = None
    median: float | None = None


class Figures(NamedTuple):
    """Numbers of some errors and attempts.

    Attributes:
        errors: error records.
        failures: how many different failures these are of.
        open: of those, the ones not fixed, or come back and not fixed again.
        came_back: errors that were the first after a fix that had worked (regressions).
        attempts: fix attempts; the next four are their outcomes.
        worked, partial, failed, unverified: how many.
        unheld: attempts that worked, and the failure was recorded again.
        applied: attempts that were put into the code, as far as somebody said so.
        verified: attempts whose check passed.
        to_fix: from the first record of a failure, or its coming back, to the fix that worked.
        effort: how long attempts took, as far as somebody said so.

    """

    errors: int
    failures: int
    open: int
    came_back: int
    attempts: int
    worked: int
    partial: int
    failed: int
    unverified: int
    unheld: int
    applied: int
    verified: int
    to_fix: Spread
    effort: Spread

    @property
    def rate(self) -> Rate:
        """Share of the attempts that worked, of those whose outcome is known."""
        return Rate(self.worked, self.worked + self.partial + self.failed)

    @property
    def enough(self) -> bool:
        """Whether the rate rests on enough attempts to say something."""
        return self.rate.tried >= LEAST


class FigureGroup(NamedTuple):
    """The figures of what has a label in common; a label has a part for each dimension."""

    label: tuple[str, ...]
    figures: Figures


def spread(values: Iterable[float]) -> Spread:
    """Sum up durations."""
    ordered = sorted(values)
    if not ordered:
        return Spread()
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return Spread(len(ordered), fsum(ordered) / len(ordered), median)


def grouped(tally: "OutcomeTally", name: Callable[[Label], Label]) -> list[FigureGroup]:
    """Give the figures of each label; the largest groups come first.

    Args:
        tally: what was counted, by the labels of the catalog.
        name: gives the label that is shown; what gets the same one is counted together, which
            only labels without errors may do.

    """
    occurrences = {name(row[:-_OF_ERRORS]): row[-_OF_ERRORS:] for row in tally.errors}
    tried: dict[Label, list[int]] = {}
    for row in tally.attempts:
        counts = tried.setdefault(name(row[:-_OF_ATTEMPTS]), [0] * _OF_ATTEMPTS)
        for column, count in enumerate(row[-_OF_ATTEMPTS:]):
            counts[column] += int(count)
    fixed, took = _by_label(tally.fixed, name), _by_label(tally.efforts, name)
    groups = []
    for label in dict.fromkeys((*occurrences, *tried)):
        errors = occurrences.get(label, (0,) * _OF_ERRORS)
        attempts = tried.get(label, (0,) * _OF_ATTEMPTS)
        times = (spread(fixed.get(label, ())), spread(took.get(label, ())))
        groups.append(FigureGroup(label, Figures._make((*errors, *attempts, *times))))
    return sorted(groups, key=_largest)


def together(tally: "OutcomeTally") -> Figures:
    """Give the figures of what was counted without any label."""
    return grouped(tally, lambda label: label)[0].figures


def _by_label(
    rows: Iterable[tuple[Any, ...]], name: Callable[[Label], Label]
) -> dict[Label, list[float]]:
    names: dict[Label, Label] = {}
    durations: dict[Label, list[float]] = {}
    for *label, seconds in rows:
        key = tuple(label)
        if key not in names:
            names[key] = name(key)
        durations.setdefault(names[key], []).append(seconds)
    return durations


def _largest(group: FigureGroup) -> tuple[int, tuple[str, ...]]:
    return -group.figures.errors - group.figures.attempts, group.label
