"""What guards told in this clone, and what came of it."""

from typing import NamedTuple


class GuardTally(NamedTuple):
    """How many tellings there were, each of one fix at one commit, and how each ended.

    Attributes:
        told: all of them.
        changed: the file was committed without what was told.
        meant: somebody said that the fix may go, or the commit named it.
        committed: the file was committed as it was.
        came_back: of these, the error was recorded again since.
        waiting: the file was not committed yet.

    """

    told: int
    changed: int
    meant: int
    committed: int
    came_back: int
    waiting: int
