"""What errors and attempts come to: numbers that statistics show, of all or of each group."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final, NamedTuple

from gitmem.learning.failures import Attempt, Course, Sighting
from gitmem.learning.rates import Rate

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


class Group(NamedTuple):
    """The figures of what has a label in common; a label has a part for each dimension."""

    label: tuple[str, ...]
    figures: Figures


def spread(values: Iterable[float]) -> Spread:
    """Sum up durations."""
    found = sorted(values)
    if not found:
        return Spread()
    middle = len(found) // 2
    median = found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2
    return Spread(len(found), fsum(found) / len(found), median)


def figures(errors: Sequence[Sighting], attempts: Sequence[Attempt], found: Course) -> Figures:
    """Count some errors and attempts.

    Args:
        errors: those to count.
        attempts: those to count.
        found: what became of all failures of the memory, not only of these.

    """
    outcomes = Counter([one.outcome for one in attempts])
    ids = {one.id for one in attempts}
    failures = {found.failure[one.id] for one in errors}
    return Figures(
        errors=len(errors),
        failures=len(failures),
        open=len(failures & found.open),
        came_back=len(found.came_back.intersection([one.id for one in errors])),
        attempts=len(attempts),
        worked=outcomes["worked"],
        partial=outcomes["partial"],
        failed=outcomes["failed"],
        unverified=outcomes["unverified"],
        unheld=len(ids & found.unheld),
        applied=sum(one.applied == 1 for one in attempts),
        verified=sum(one.verified == "passed" for one in attempts),
        to_fix=spread(seconds for fix, seconds in found.fixed if fix in ids),
        effort=spread(one.seconds for one in attempts if one.seconds is not None),
    )


def grouped(
    errors: Iterable[tuple[Sighting, Iterable[tuple[str, ...]]]],
    attempts: Iterable[tuple[Attempt, Iterable[tuple[str, ...]]]],
    found: Course,
) -> list[Group]:
    """Count each label by itself; the largest groups come first.

    Args:
        errors: each with its labels; one of several counts in several groups.
        attempts: each with its labels.
        found: what became of all failures.

    """
    parts: dict[tuple[str, ...], tuple[list[Sighting], list[Attempt]]] = {}
    for error, labels in errors:
        for label in labels:
            parts.setdefault(label, ([], []))[0].append(error)
    for attempt, labels in attempts:
        for label in labels:
            parts.setdefault(label, ([], []))[1].append(attempt)
    fixed: dict[str, list[tuple[str, float]]] = {}
    for fix, seconds in found.fixed:
        fixed.setdefault(fix, []).append((fix, seconds))
    groups = []
    for label, (some, tried) in parts.items():
        mine = [one for attempt in tried for one in fixed.get(attempt.id, ())]
        groups.append(Group(label, figures(some, tried, found._replace(fixed=mine))))
    return sorted(groups, key=_largest)


def _largest(group: Group) -> tuple[int, tuple[str, ...]]:
    return -group.figures.errors - group.figures.attempts, group.label
