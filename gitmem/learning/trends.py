"""Whether success improves: the newest twenty outcomes, first half against second half."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from gitmem.learning.chance import differ
from gitmem.learning.confidence import Rate
from gitmem.learning.figures import Spread, spread

WINDOW: Final = 20
LEAST: Final = 10
"""Known outcomes below which there is too little data."""
STEP: Final = 0.1
"""Difference of the two halves' shares from which on something improves or declines."""
SURE: Final = 0.05
_BEST: Final = 3

IMPROVING: Final = "improving"
DECLINING: Final = "declining"
STABLE: Final = "stable"
INSUFFICIENT: Final = "insufficient data"


class Done(NamedTuple):
    """An attempt or a session.

    Attributes:
        created: RFC 3339 in UTC; text order is time order.
        label: what it is grouped by.
        success: 1 or 0; None if nobody knows.
        seconds: how long it took; None or 0 if nobody said.
        approach: in one line; may be empty.

    """

    created: str
    label: str
    success: int | None
    seconds: float | None
    approach: str


class Trend(NamedTuple):
    """How one group develops.

    Attributes:
        of: ``attempts`` or ``sessions``.
        label: the category, type or subject; empty if none was said.
        direction: ``improving``, ``declining``, ``stable`` or ``insufficient data``.
        before, after: outcomes in the two halves of the window, the older first.
        chance: of so large a difference between them if nothing changed; None without a
            direction. Twenty outcomes seldom prove one: below 0.05 it is sure.
        total: how many there are, of known outcome or not.
        seconds: how long those in the window took, as far as somebody said so.
        approaches: (approach, successes in the window), at most three, the most used first.
        last: when the newest was written.

    """

    of: str
    label: str
    direction: str
    before: Rate
    after: Rate
    chance: float | None
    total: int
    seconds: Spread
    approaches: tuple[tuple[str, int], ...]
    last: str

    @property
    def rate(self) -> Rate:
        """Outcomes in the window."""
        return Rate(self.before.worked + self.after.worked, self.before.tried + self.after.tried)

    @property
    def sure(self) -> bool:
        """Whether the difference is more than chance."""
        return self.chance is not None and self.chance < SURE


def trends(of: str, done: Iterable[Done]) -> list[Trend]:
    """Tell how each group develops; the largest groups come first.

    Args:
        of: what these are, ``attempts`` or ``sessions``.
        done: all of them, in any order.

    """
    groups: dict[str, list[Done]] = {}
    for task in sorted(done, key=attrgetter("created")):
        groups.setdefault(task.label, []).append(task)
    return in_order(
        trend(of, label, tasks, len(tasks), tasks[-1].created) for label, tasks in groups.items()
    )


def in_order(all_trends: Iterable[Trend]) -> list[Trend]:
    """Put trends in order: the largest groups come first."""
    return sorted(all_trends, key=lambda item: (-item.total, item.label))


def trend(of: str, label: str, done: Sequence[Done], total: int, last: str) -> Trend:
    """Tell how one group develops.

    Args:
        of: as of ``trends``.
        label: of the group.
        done: oldest first; at least the newest ``WINDOW`` whose outcome is known.
        total: how many there are.
        last: when the newest was written.

    """
    rated = [task for task in done if task.success is not None][-WINDOW:]
    middle = len(rated) // 2
    before, after = _rate(rated[:middle]), _rate(rated[middle:])
    approaches = Counter(task.approach for task in rated if task.success and task.approach)
    chance = None
    direction = INSUFFICIENT
    if len(rated) >= LEAST:
        chance = differ(before.worked, before.tried, after.worked, after.tried)
        direction = _direction(before, after)
    return Trend(
        of,
        label,
        direction,
        before,
        after,
        chance,
        total,
        spread(task.seconds for task in rated if task.seconds),
        tuple(sorted(approaches.items(), key=lambda item: (-item[1], item[0]))[:_BEST]),
        last,
    )


def _rate(done: Sequence[Done]) -> Rate:
    return Rate(sum(task.success == 1 for task in done), len(done))


def _direction(before: Rate, after: Rate) -> str:
    # In whole numbers: 0.6 - 0.5 is a little less than 0.1 to a computer.
    difference = after.worked * before.tried - before.worked * after.tried
    step = STEP * before.tried * after.tried
    if abs(difference) <= round(step, 6):
        return STABLE
    return IMPROVING if difference > 0 else DECLINING
