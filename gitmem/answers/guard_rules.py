"""A rule that finds what a fix fixed, and how it fares in the history."""

from typing import NamedTuple

from gitmem.catalog.rows import Row
from gitmem.guards.rules import Rule


class PlaceOfCode(NamedTuple):
    """A line of a file; ``commit`` is the short id of who brought it, where that was asked."""

    path: str
    line: int
    commit: str = ""


class Proposal(NamedTuple):
    """A rule for a fix.

    Attributes:
        fix: the fix.
        rule: the rule.
        is_recorded: the record has it already.
        before, after: where it matches in the files of the fix, before and after that.
        today: where it matches in the files that git tracks, as they are.
        commits: how many commits it was held against, the newest that change such files.
        told: what it would have told of these.

    """

    fix: Row
    rule: Rule
    is_recorded: bool
    before: list[PlaceOfCode]
    after: list[PlaceOfCode]
    today: list[PlaceOfCode]
    commits: int
    told: list[PlaceOfCode]

    @property
    def holds(self) -> bool:
        """Whether it matches the code before the fix, and not the code after it."""
        return bool(self.before) and not self.after
