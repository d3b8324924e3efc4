"""What became of a fix that had worked: of failures that show now."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers import Regression
    from gitmem.capture.recognising import Match
    from gitmem.memory import Memory

_MOST = 3


def came_back(memory: "Memory", matches: "Sequence[Match]") -> "list[Regression]":
    """Give the first failures that had been fixed before, and did not show in the last run.

    Those of which the same is known count once.
    """
    fixed = {
        tuple(row.id for row in match.errors): match
        for match in matches
        if match.is_known and not match.still and any(fix.helped for fix in match.attempts)
    }
    regressions = (
        memory.history.came_back(match.errors, match.attempts)
        for match in list(fixed.values())[:_MOST]
    )
    return [regression for regression in regressions if regression]
