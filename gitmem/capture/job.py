"""A job of continuous integration: what it left behind, and what there is to tell of it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.telling import LookUp

if TYPE_CHECKING:
    from gitmem.answers.changes import Review
    from gitmem.answers.places import Regression
    from gitmem.capture.observed import Match
    from gitmem.capture.telling import MatchDetails
    from gitmem.records.problems import Problem


class Log(NamedTuple):
    """A log or a report of a job: its name, and its content in pieces of any size."""

    name: str
    pieces: Iterable[bytes | str]


class CiJob(NamedTuple):
    """What there is to tell at the end of a job.

    Attributes:
        told: the failures that were seen before, with what worked and what did not; at most 20.
        failures: all failures, in the order of the files.
        more: how many lines look like failures beyond those.
        problems: everything that is wrong with the memory's files.
        review: what the change teaches; None: it was not asked for.
        unread: for each report that could not be read, its name and the reason.
        unreviewed: why there is no review, although it was asked for.
        empty: names of reports that tell of no test, as runners leave them that could not begin.
        green: names of reports without a failure, where another file of the job shows one.
        came_back: of failures that a fix had ended, what became of it.

    """

    told: "list[MatchDetails]"
    failures: "list[Match]"
    more: int
    problems: "list[Problem]"
    review: "Review | None"
    unread: tuple[tuple[str, str], ...] = ()
    unreviewed: str = ""
    empty: tuple[str, ...] = ()
    green: tuple[str, ...] = ()
    came_back: "tuple[Regression, ...]" = ()

    @property
    def known(self) -> int:
        """How many failures were seen before."""
        return sum(bool(failure.label) for failure in self.failures)

    def with_returned(self, came_back: "tuple[Regression, ...]") -> "CiJob":
        """Add what became of the fixes of failures that came back."""
        job = self._replace(came_back=came_back)
        answer = job.answer
        details = [each._replace(returned=answer.returned(each.known)) for each in self.told]
        return job._replace(told=details)

    @property
    def answer(self) -> LookUp:
        """What is known of its failures, in one value."""
        return LookUp(tuple(self.failures), (), self.came_back)

    @property
    def once_fixed(self) -> "list[Match]":
        """The failures that show where they did before, and that a fix worked on."""
        return [
            failure
            for failure in self.failures
            if failure.same_place and any(fix.helped for fix in failure.attempts)
        ]
