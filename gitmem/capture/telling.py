"""What came of the attempts on a failure: what worked, was it checked, did it hold. Pure."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.answers.places import Regression
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
        tally: what came of it each time, where it was tried more than once.
        applies: its patch can be carried out on the texts as they are; false as long as nobody
            has looked.

    """

    row: "Row"
    fix: "Fix"
    origin: "Origin | None"
    tally: str = ""
    applies: bool = False

    @property
    def verdict(self) -> str:
        """What is told of it; see ``Row``."""
        return self.row.verdict


class MatchDetails(NamedTuple):
    """A failure with everything a reader at the place wants to know.

    Attributes:
        known: what it was recognised as.
        attempts: what was tried, what helped most first.
        more: how many approaches there are beyond those.
        returned: what became of the fix that had worked, where it came back.
        reading: the memory is still being read: what is not told may be recorded all the same.

    """

    known: "Match"
    attempts: tuple[AttemptDetails, ...]
    more: int = 0
    returned: "Regression | None" = None
    reading: bool = False

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


class LookUp(NamedTuple):
    """What is known of the failures that somebody asked about.

    Attributes:
        matches: the failures in their order, each with its records, the approaches in the order
            in which they are told, drafts, and what looks like it.
        alike: what search finds for the text, where no failure in it was recognised.
        came_back: of failures that a fix had ended, what became of it.

    """

    matches: "tuple[Match, ...]"
    alike: "tuple[SearchHit, ...]" = ()
    came_back: "tuple[Regression, ...]" = ()

    @property
    def recognised(self) -> bool:
        """Something is known of one of them, or of one like it."""
        return any(match.label or match.similar for match in self.matches)

    def returned(self, match: "Match") -> "Regression | None":
        """Give what became of the fix of a failure that came back; None: it did not.

        What says the same elsewhere has the same records, and did not.
        """
        if not match.may_have_returned or match.still:
            return None
        ids = {row.id for row in match.errors}
        return next((each for each in self.came_back if each.error.id in ids), None)
