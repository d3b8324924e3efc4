"""When a failure was recorded, and what was tried on it, as statistics and answers read it."""

from typing import NamedTuple

from gitmem.catalog.rows import HELPED


class ErrorOccurrence(NamedTuple):
    """An error of a failure: the failure, when and as which record it was written, its file."""

    failure: int
    created: str
    id: str
    file: int


class AttemptMade(NamedTuple):
    """An attempt to fix a failure.

    Attributes:
        failure: the failure.
        after: its place in time: behind all errors that it names, whatever the clocks said.
        id: of its record.
        file: of its record.
        created: when it was written.
        seconds: how long the work took, as it says itself; None: it does not.
        outcome: the verdict that its record allows.
        error: id of the first error of the failure that it names.

    """

    failure: int
    after: str
    id: str
    file: int
    created: str
    seconds: float | None
    outcome: str
    error: str

    @property
    def helped(self) -> bool:
        """The failure was fixed by it, as far as anybody knows."""
        return self.outcome in HELPED
