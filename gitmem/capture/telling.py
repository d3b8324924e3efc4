"""What came of the attempts on a failure: what worked, was it checked, did it hold. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from gitmem.capture.recognising import Match
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Origin
    from gitmem.records.kinds import Fix

VERIFIED: Final = "verified"
CLAIMED: Final = "claimed"
DID_NOT_HOLD: Final = "did not hold"
_ORDER: Final = (VERIFIED, CLAIMED, "partial", DID_NOT_HOLD, "unverified", "failed")
_SAME: Final = ("exact", "site")


class AttemptDetails(NamedTuple):
    """One fix attempt with what came of it.

    Attributes:
        row: as the catalog has it.
        fix: the whole record.
        badge: ``verified`` (a command failed before it and passed after it), ``claimed`` (it
            is only said to have worked), ``did not hold`` (it worked, and the error was
            recorded again later), or the outcome as it was written.
        origin: the commit that added the record; None while it is in none.

    """

    row: "Row"
    fix: "Fix"
    badge: str
    origin: "Origin | None"


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
        """The attempts that helped."""
        return tuple(one for one in self.attempts if one.badge in (VERIFIED, CLAIMED, "partial"))

    @property
    def failed(self) -> tuple[AttemptDetails, ...]:
        """The attempts that did not help, or not for long."""
        return tuple(one for one in self.attempts if one.badge in ("failed", DID_NOT_HOLD))


def badge(fix: "Fix", known: "Match", created: str) -> str:
    """Say what came of a fix.

    Args:
        fix: the record.
        known: the failure that it was tried on.
        created: when the fix was written, as the catalog writes times.

    """
    if fix.outcome != "worked":
        return str(fix.outcome)
    if known.level in _SAME and any(error.created > created for error in known.errors):
        return DID_NOT_HOLD
    checked = fix.verification
    if checked and checked.after and checked.after.result == "passed" and (
        checked.before is None or checked.before.result != "passed"
    ):  # fmt: skip
        return VERIFIED
    return CLAIMED


def in_order(attempts: Sequence[AttemptDetails]) -> list[AttemptDetails]:
    """Sort attempts: what helped and was checked first, of equal ones the newest."""
    newest = sorted(attempts, key=lambda one: (one.row.created, one.row.id), reverse=True)
    return sorted(newest, key=lambda one: _ORDER.index(one.badge))
