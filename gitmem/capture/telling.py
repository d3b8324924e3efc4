"""What came of the attempts on a failure: what worked, was it checked, did it hold. Pure."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Origin
    from gitmem.records.kinds import Fix


class AttemptDetails(NamedTuple):
    """One fix attempt with what came of it.

    Attributes:
        row: as the catalog has it.
        fix: the whole record.
        origin: the commit that added the record; None while it is in none.

    """

    row: "Row"
    fix: "Fix"
    origin: "Origin | None"

    @property
    def verdict(self) -> str:
        """What is told of it; see ``Row``."""
        return self.row.verdict


class MatchDetails(NamedTuple):
    """A failure with everything a reader at the place wants to know.

    Attributes:
        known: what it was recognised as.
        attempts: what was tried, what helped most first.
        more: how many attempts there are beyond those.

    """

    known: "Match"
    attempts: tuple[AttemptDetails, ...]
    more: int = 0

    @property
    def worked(self) -> tuple[AttemptDetails, ...]:
        """The attempts that helped, at least in part."""
        return tuple(
            attempt
            for attempt in self.attempts
            if attempt.row.helped or attempt.verdict == "partial"
        )

    @property
    def failed(self) -> tuple[AttemptDetails, ...]:
        """The attempts that did not help, or not for long."""
        return tuple(
            attempt for attempt in self.attempts if attempt.verdict in ("failed", "did not hold")
        )
