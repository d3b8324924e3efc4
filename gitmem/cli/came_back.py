"""What became of a fix that had worked: of failures that show now."""

from typing import TYPE_CHECKING

from gitmem.matching.labels import SAME_ERROR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers.places import Regression
    from gitmem.capture.observed import Match
    from gitmem.memory import Memory

_MOST = 3


def came_back(memory: "Memory", matches: "Sequence[Match]") -> "list[Regression]":
    """Give the first failures that had been fixed before, and did not show in the last run.

    It failed at the same place, or names none, and the fix is gone; or all of it is there, and the
    very same error shows in spite of it. Those of which the same is known count once.
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
        (match, memory.history.came_back(match.errors, match.attempts))
        for match in list(fixed.values())[:_MOST]
    )
    return [
        regression
        for match, regression in regressions
        if regression and (match.label == SAME_ERROR or _is_gone(regression))
    ]


def _is_gone(regression: "Regression") -> bool:
    """Tell whether the fix is in the code no more, or not all of it."""
    in_no_commit_here = bool(regression.commit) and not regression.held
    return in_no_commit_here or regression.alive < regression.lines
