"""What continuous integration can tell at the end of a job: what is known about its failures."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.memory.knowing import Teller

if TYPE_CHECKING:
    from gitmem.capture.recognising import Recognised
    from gitmem.capture.telling import Told
    from gitmem.memory.memory import Memory
    from gitmem.memory.reviewing import Review
    from gitmem.records.problems import Problem

_MOST_TOLD: Final = 20


class Log(NamedTuple):
    """A log or a report of a job: its name, and its content in pieces of any size."""

    name: str
    pieces: Iterable[bytes | str]


class Job(NamedTuple):
    """What there is to tell at the end of a job.

    Attributes:
        told: the failures that were seen before, with what worked and what did not; at most 20.
        failures: all failures, in the order of the files.
        more: how many lines look like failures beyond those.
        problems: everything that is wrong with the memory's files.
        review: what the change teaches; None: it was not asked for.

    """

    told: "list[Told]"
    failures: "list[Recognised]"
    more: int
    problems: "list[Problem]"
    review: "Review | None"

    @property
    def known(self) -> int:
        """How many failures were seen before."""
        return sum(bool(one.label) for one in self.failures)

    @property
    def came_back(self) -> "list[Recognised]":
        """The failures that are known, and that a fix worked on before."""
        return [
            one for one in self.failures
            if one.is_known and any(fix.stated == "worked" for fix in one.attempts)
        ]  # fmt: skip


def job(memory: "Memory", logs: Iterable[Log], span: str | None) -> Job:
    """Read what a job left behind; nothing is written.

    Args:
        memory: the memory; its setting ``capture.mode`` is ``off``, so that no run is noted.
        logs: logs and reports.
        span: the commits to review, see ``View.review``; None: none.

    """
    found: list[Recognised] = []
    more = 0
    for log in logs:
        captured = memory.capture(log.pieces, source=log.name, ci=True)
        found += captured.found
        more += captured.more
    teller = Teller(memory)
    told = [teller.tell(one) for one in found if one.label][:_MOST_TOLD]
    review = None if span is None else memory.review(span)
    return Job(told, found, more, memory.check(), review)
