"""One answer about failures: every face renders it, asks nothing more of it and orders nothing."""

from typing import TYPE_CHECKING, Final

from gitmem.capture.telling import LookUp
from gitmem.matching.labels import SAME_ERROR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gitmem.answers.places import Regression
    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.facade import Failures

    CameBack = Callable[[Iterable[Row], Iterable[Row]], Regression | None]

_MOST_RETURNED: Final = 3
"""Failures of which git is asked whether their fix held."""


def look_up(failures: "Failures", what: "str | Sequence[Match]", came_back: "CameBack") -> LookUp:
    """Tell what is known of failures.

    Args:
        failures: of the memory.
        what: an error text, or failures that were recognised already.
        came_back: as for ``returned``.

    """
    if not isinstance(what, str):
        return LookUp(tuple(what), (), returned(what, came_back))
    matches = failures.meant_by(what)
    recognised = any(match.label or match.similar for match in matches)
    wordless = not any(map(str.isalnum, what))
    alike = () if recognised or wordless else failures.resembling(what, matches)
    return LookUp(tuple(matches), alike, returned(matches, came_back))


def returned(matches: "Iterable[Match]", came_back: "CameBack") -> "tuple[Regression, ...]":
    """Give the first failures that had been fixed before, and did not show in the last run.

    It failed at the same place, or names none, and the fix is gone; or all of it is there, and the
    very same error shows in spite of it. Those of which the same is known count once.

    Args:
        matches: the failures.
        came_back: tells of an error's records and the attempts on it what became of its fix.

    """
    fixed = {
        tuple(row.id for row in match.errors): match
        for match in matches
        if match.may_have_returned
        and match.errors
        and not match.still
        and any(fix.stated == "worked" for fix in match.attempts)
    }
    regressions = (
        (match, came_back(match.errors, match.attempts))
        for match in list(fixed.values())[:_MOST_RETURNED]
    )
    return tuple(
        regression
        for match, regression in regressions
        if regression and (match.label == SAME_ERROR or _is_gone(regression))
    )


def _is_gone(regression: "Regression") -> bool:
    """Tell whether the fix is in the code no more, or not all of it."""
    in_no_commit_here = bool(regression.commit) and not regression.held
    return in_no_commit_here or regression.alive < regression.lines
