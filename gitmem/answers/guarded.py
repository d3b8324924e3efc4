"""What a change does to fixes that worked."""

from typing import Final, Literal, NamedTuple

from gitmem.catalog.rows import Row
from gitmem.guards.taken_back import FixTakenBack

_SHORT: Final = 10
"""Letters of a date: the day."""


class TakenBack(NamedTuple):
    """A fix that a change takes back.

    Attributes:
        fix: the fix.
        error: what it fixed; None: it names no error.
        change: what the change does to it, and where.
        proof: the command or test that showed the fix to work; empty: none is recorded.
        rule: the rule of the fix, if that is what tells so.

    """

    fix: Row
    error: Row | None
    change: FixTakenBack
    proof: str = ""
    rule: str = ""

    @property
    def title(self) -> str:
        """What would come back, in a line."""
        return self.error.title if self.error else self.fix.title

    @property
    def seen(self) -> str:
        """The day on which the error was seen."""
        return (self.error or self.fix).created[:_SHORT]

    @property
    def sureness(self) -> str:
        """How sure it is: ``sure`` or ``likely``."""
        return "sure" if self.change.is_sure else "likely"

    @property
    def why(self) -> str:
        """What tells so, in some words."""
        change = self.change
        if change.how == "rule":
            more = f", and at {change.places - 1} more" if change.places > 1 else ""
            return f"its rule matches here{more}: {self.rule}"
        share = f"{change.places} of {change.of} places" if change.of > 1 else "the place"
        if change.how == "back":
            return (
                f"{share} of the fix as before it ({round(change.sureness * 100)} % of its tokens)"
            )
        if change.how == "dropped":
            return f"what the fix added in {share} is gone, and the code around it stays"
        return "what the fix removed stands in another place"

    @property
    def evidence(self) -> str:
        """What proves the fix, in some words."""
        if self.proof:
            return f"proved by: {self.proof}"
        return "its outcome was never checked" if self.fix.stated == "unverified" else "it worked"


class Proof(NamedTuple):
    """What came of running what had shown a fix to work.

    Attributes:
        result: ``back``: the command shows the error; ``unclear``: it fails, but not with that;
            ``not run``: nobody here ran it before, or agreed to it, or none is recorded.
        exit_code: as a shell counts it; None: it was not run.

    """

    result: Literal["still fixed", "back", "unclear", "not run"]
    exit_code: int | None = None


class GuardedLines(NamedTuple):
    """Lines that stand where they are because of a fix that worked.

    Attributes:
        path: the file, from the memory's own folder.
        first, last: lines, from 1.
        fix: the fix.
        error: what it fixed; None: it names no error.
        proof: the command or test that showed the fix to work; empty: none is recorded.

    """

    path: str
    first: int
    last: int
    fix: Row
    error: Row | None
    proof: str = ""

    @property
    def because(self) -> str:
        """Why they stand there, in a line."""
        is_single = self.first == self.last
        where = f"line {self.first} is" if is_single else f"lines {self.first} to {self.last} are"
        cause = self.error or self.fix
        proof = f"; proved by: {self.proof}" if self.proof else ""
        return f"{where} there because of {cause.id}: {cause.title}{proof}"


class Guarded(NamedTuple):
    """What a change does to fixes.

    Attributes:
        taken_back: the fixes that it takes back, the surest first.
        fixes: how many fixes were held against it.
        files: how many files it changes.
        cut: it is so large that its end was not looked at.
        rules: how many rules of fixes were looked for in it.

    """

    taken_back: list[TakenBack]
    fixes: int = 0
    files: int = 0
    cut: bool = False
    rules: int = 0
