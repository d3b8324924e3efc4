"""What continuous integration can tell at the end of a job: what is known about its failures."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gitmem.capture.job import CiJob, Log
from gitmem.errors import InvalidError

if TYPE_CHECKING:
    from gitmem.capture.recognising import Match
    from gitmem.memory.memory import Memory

_MOST_TOLD: Final = 20


def job(memory: "Memory", logs: Iterable[Log], span: str | None) -> CiJob:
    """Read what a job left behind; nothing is written.

    Args:
        memory: the memory; its setting ``capture.mode`` is ``off``, so that no run is noted.
        logs: logs and reports.
        span: the commits to review, see ``View.review``; None: none.

    """
    found: list[Match] = []
    unread = []
    more = 0
    for log in logs:
        try:
            captured = memory.failures.capture(log.pieces, source=log.name, ci=True)
        except InvalidError as error:
            # As a runner leaves it that was stopped. The others have something to tell.
            unread.append((log.name, error.message))
            continue
        found += captured.found
        more += captured.more
    teller = memory.failures.attempt_reader()
    told = [teller.tell(one) for one in found if one.label][:_MOST_TOLD]
    review = None if span is None else memory.review(span)
    return CiJob(told, found, more, memory.check(), review, tuple(unread))
