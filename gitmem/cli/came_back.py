"""What became of a fix that had worked: of failures that show now."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers import Regression
    from gitmem.capture.recognising import Match
    from gitmem.memory import Memory

_MOST = 3


def came_back(memory: "Memory", found: "Sequence[Match]") -> "list[Regression]":
    """Give the first failures that had been fixed before, and did not show in the last run.

    Those of which the same is known count once.
    """
    known = {
        tuple(row.id for row in one.errors): one
        for one in found
        if one.is_known and not one.still and any(fix.helped for fix in one.attempts)
    }
    told = (
        memory.history.came_back(one.errors, one.attempts) for one in list(known.values())[:_MOST]
    )
    return [one for one in told if one]
