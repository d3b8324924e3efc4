"""A failure over time: when it was fixed, and whether that held.

A failure is all error records with the same fingerprint of level ``site``, and those that are
said to be the same; an error without a fingerprint is a failure of its own. It is open from its
first record to the next fix that worked. If it is recorded again after that, it came back, and
the fixes that had worked did not hold.
"""

from collections.abc import Iterable
from datetime import datetime

from gitmem.catalog.stats_refresh import ErrorOccurrence, FailureCourse, WorkedFix


def follow(errors: Iterable[ErrorOccurrence], fixes: Iterable[WorkedFix]) -> FailureCourse:
    """Follow one failure through time.

    A fix comes after the errors that it names, whatever the clocks said; a negative time to a
    fix tells nothing and is left out. A failure was open for as long as the work on its fix took,
    at least: who writes down both when all is green again, as ``gitmem run`` does, has no other
    time to tell. Of what was at once errors come first, then ids decide.

    Args:
        errors: all its errors, in any order.
        fixes: all fixes of it that worked, in any order.

    """
    events = sorted([
        *((error.created, 0, error.id, error.file, error.created, 0.0) for error in errors),
        *((fix.after, 1, fix.id, fix.file, fix.created, fix.seconds or 0.0) for fix in fixes),
    ])  # fmt: skip
    start = ""  # of its being open now
    standing: list[int] = []  # fixes that hold up to now
    returns: list[int] = []
    unheld: set[int] = set()
    took: dict[int, float | None] = {}
    for when, is_fix, _, file, at, worked in events:
        if is_fix:
            took[file] = max(_seconds(start, at), worked) if start and at >= start else None
            start = ""
            standing.append(file)
        elif not start:
            start = when
            if standing:
                returns.append(file)
                unheld.update(standing)
                standing.clear()
    fixed = [(file, seconds, file in unheld) for file, seconds in took.items()]
    return FailureCourse(bool(start), returns, fixed)


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
