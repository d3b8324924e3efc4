"""A failure over time: when it was fixed, and whether the fix held.

A failure is all error records with the same fingerprint of level ``site``, and those that are
said to be the same; an error without a fingerprint is a failure of its own. It is open from its
first record to the next fix that worked. If it is recorded again after that, or something is
tried again after it, it came back: each error record and each such attempt is an
occurrence. Only what did not work and was written down soon after the fix tells of no coming back:
it was tried before.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from operator import itemgetter
from typing import Final

from gitmem.catalog.sightings import AttemptMade, ErrorOccurrence
from gitmem.catalog.stats_refresh import FailureCourse
from gitmem.catalog.stats_schema import AFTERWARDS_DAYS

_AFTERWARDS: Final = AFTERWARDS_DAYS * 86_400.0


def follow(errors: Iterable[ErrorOccurrence], attempts: Iterable[AttemptMade]) -> FailureCourse:
    """Follow one failure through time.

    An attempt comes after the errors that it names, whatever the clocks said; a negative time to
    a fix tells nothing and is left out. A failure was open for as long as the work on its fix
    took, at least: who writes down both when all is green again, as ``gitmem run`` does, has no
    other time to tell. Of what was at once errors come first, then what was written first, then
    what did not work; then ids decide.

    Args:
        errors: all its errors, in any order.
        attempts: all attempts on it, in any order.

    """
    events: list[tuple[tuple[str, int, str, bool, str], ErrorOccurrence | AttemptMade]] = [
        ((error.created, 0, error.created, False, error.id), error) for error in errors
    ]
    events += [
        ((attempt.after, 1, attempt.created, attempt.helped, attempt.id), attempt)
        for attempt in attempts
    ]
    events.sort(key=itemgetter(0))
    start = ""  # of its being open now
    fixed_by: AttemptMade | None = None  # what ended it last, while nothing was seen since
    returns: list[int] = []
    repeats: list[AttemptMade] = []
    unheld: set[int] = set()
    fixed_errors: set[str] = set()
    took: dict[int, float | None] = {}
    for (place, *_), event in events:
        again = isinstance(event, ErrorOccurrence) or _tells_again(event, fixed_by, fixed_errors)
        came_back = again and fixed_by is not None
        if fixed_by and came_back:
            unheld.add(fixed_by.file)
        if isinstance(event, ErrorOccurrence):
            returns += [event.file] * came_back
            start, fixed_by = start or place, None
            continue
        repeats += [event] * came_back
        if event.helped:
            # When it was claimed says nothing of when it was fixed.
            took[event.file] = _open_for(start, event) if event.outcome == "worked" else None
            start, fixed_by = "", event
            if event.outcome == "worked":
                fixed_errors.add(event.error)
        elif came_back or fixed_by is None:
            start, fixed_by = start or place, None
    fixed = [(file, seconds, file in unheld) for file, seconds in took.items()]
    return FailureCourse(bool(start), returns, repeats, fixed)


def _tells_again(
    attempt: AttemptMade, fixed_by: AttemptMade | None, fixed_errors: Collection[str]
) -> bool:
    """Tell whether an attempt shows that its error was seen again after it had been fixed.

    The first fix of an error is no further occurrence: the error itself is one. What did not help,
    long after another record of it was fixed, is. Who only claims a fix has seen nothing.
    """
    if attempt.helped:
        return attempt.outcome == "worked" and attempt.error in fixed_errors
    return fixed_by is None or _seconds(fixed_by.created, attempt.created) > _AFTERWARDS


def _open_for(start: str, fix: AttemptMade) -> float | None:
    """Give how many seconds a failure had been open; None: unknown."""
    if not start:
        return fix.seconds  # only the work tells of it
    return max(_seconds(start, fix.created), fix.seconds or 0.0) if fix.created >= start else None


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
