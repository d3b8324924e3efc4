"""Failures over time: which errors are one, when it was fixed, and whether that held.

A failure is all error records with the same fingerprint of level ``site``, and those that are
said to be the same; an error without a fingerprint is a failure of its own. It is open from its
first record to the next fix that worked. If it is recorded again after that, it came back, and
the fixes that had worked did not hold.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple


class Sighting(NamedTuple):
    """An error record.

    Attributes:
        id: its id.
        created: when it was written: RFC 3339 in UTC, milliseconds, so that text order is time
            order.
        print: its fingerprint of level ``site``; None if it has none.
        type: the error's type or code.
        category, subject: as recorded.
        via: who wrote it: human, agent or tool.

    """

    id: str
    created: str
    print: str | None
    type: str
    category: str
    subject: str
    via: str


class Attempt(NamedTuple):
    """A fix attempt.

    Attributes:
        id: its id.
        created: as of a sighting.
        outcome: worked, partial, failed or unverified.
        seconds: how long it took; None if nobody said.
        applied: 1 or 0: whether it was put into the code; None if nobody said.
        verified: what the check after it said, such as ``passed``; empty without one.
        fixer: who or what made it.
        model: the language model, if one did.
        via: human, agent or tool.
        targets: ids of the errors that it fixes, ascending, with blanks between.

    """

    id: str
    created: str
    outcome: str
    seconds: float | None
    applied: int | None
    verified: str
    fixer: str
    model: str
    via: str
    targets: str


class Course(NamedTuple):
    """What became of all failures.

    Attributes:
        failure: by error id, the failure that it belongs to.
        open: failures that are not fixed, or came back and were not fixed again.
        came_back: ids of the errors that were the first after a fix that had worked.
        unheld: ids of the fixes that had worked, and the failure was recorded again.
        fixed: (fix id, seconds that the failure had been open) of each time that it was fixed.

    """

    failure: dict[str, str]
    open: set[str]
    came_back: set[str]
    unheld: set[str]
    fixed: list[tuple[str, float]]


def course(
    errors: Sequence[Sighting], attempts: Iterable[Attempt], same: Iterable[tuple[str, str]]
) -> Course:
    """Follow every failure through time.

    A fix comes after the errors that it names, whatever the clocks said; a negative time to a
    fix tells nothing and is left out.

    Args:
        errors: all of the memory.
        attempts: all of the memory.
        same: pairs of error ids that are said to be the same; others are passed over.

    """
    failure = _grouped(errors, same)
    created = {one[0]: one[1] for one in errors}
    latest: dict[tuple[str, str], tuple[str, str]] = {}
    for attempt in attempts:
        if attempt.outcome != "worked":
            continue
        for target in attempt.targets.split():
            if key := failure.get(target):
                place = (attempt.id, key)
                after = max(attempt.created, created[target])
                if place not in latest or after > latest[place][0]:
                    latest[place] = (after, attempt.created)
    fixes = [(after, 1, fix, key, at) for (fix, key), (after, at) in latest.items()]
    fixed = {fix[3] for fix in fixes}
    seen = [(one[1], 0, one[0], key, one[1]) for one in errors if (key := failure[one[0]]) in fixed]
    found = Course(failure, set(failure.values()) - fixed, set(), set(), [])
    _follow(sorted([*seen, *sorted(fixes)]), found)
    return found


def _follow(events: Iterable[tuple[str, int, str, str, str]], found: Course) -> None:
    """Go through time.

    Args:
        events: (place in time, 1 for a fix and 0 for an error, id, failure, when written), in
            order, so that of those at once errors come first.
        found: is filled.

    """
    since: dict[str, str] = {}  # of the failures that are open now
    standing: dict[str, list[str]] = {}  # fixes that hold up to now
    for place, is_fix, record, key, at in events:
        start = since.get(key)
        if is_fix:
            if start:
                if at >= start:
                    found.fixed.append((record, _seconds(start, at)))
                del since[key]
            standing.setdefault(key, []).append(record)
        elif not start:
            since[key] = place
            if held := standing.pop(key, None):
                found.came_back.add(record)
                found.unheld.update(held)
    found.open.update(since)


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _grouped(errors: Sequence[Sighting], same: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Give the failure of every error: its fingerprint, or the id of one of its errors."""
    failure = {one[0]: one[2] or one[0] for one in errors}
    leader: dict[str, str] = {}

    def led(key: str) -> str:
        while key in leader:
            key = leader[key]
        return key

    for one, other in same:
        if one in failure and other in failure:
            first, second = sorted((led(failure[one]), led(failure[other])))
            if first != second:
                leader[second] = first
    return {id_: led(key) for id_, key in failure.items()} if leader else failure
