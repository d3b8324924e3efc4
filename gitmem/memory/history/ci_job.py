"""Summary of a CI job: what is known about its failures."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gitmem.capture.job import CiJob, Log
from gitmem.capture.looking import EMPTY, GREEN
from gitmem.errors import InvalidError

if TYPE_CHECKING:
    from gitmem.answers.changes import Review
    from gitmem.capture.observed import Match
    from gitmem.memory.failures.facade import Failures
    from gitmem.records.problems import Problem

_MOST_DETAILED: Final = 20


def ci_job(
    failures: "Failures",
    logs: Iterable[Log],
    problems: "list[Problem]",
    review: "Review | None",
    unreviewed: str,
) -> CiJob:
    """Read what a job left behind; nothing is written.

    Args:
        failures: of the memory, whose setting ``capture.mode`` is ``off``: no run is noted.
        logs: logs and reports.
        problems: what is wrong with the memory's files.
        review: of the commits that the job ran for; None: none was asked for.
        unreviewed: why there is none, although it was asked for.

    """
    matches: list[Match] = []
    unread = []
    more = 0
    quiet: dict[str, list[str]] = {EMPTY: [], GREEN: [], "": []}
    for log in logs:
        try:
            captured = failures.capture(log.pieces, source=log.name, ci=True)
        except InvalidError as error:
            # As a runner leaves it that was stopped. The others have something to tell.
            unread.append((log.name, error.message))
            continue
        matches += captured.found
        more += captured.more
        quiet[captured.quiet].append(log.name)
    known_matches = [match for match in matches if match.label][:_MOST_DETAILED]
    attempts = failures.attempt_reader()
    details = [attempts.tell(match) for match in known_matches]
    return CiJob(
        details,
        matches,
        more,
        problems,
        review,
        tuple(unread),
        unreviewed,
        tuple(quiet[EMPTY]),
        tuple(quiet[GREEN] if matches else ()),
    )
