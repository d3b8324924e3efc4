"""Summary of a CI job: what is known about its failures."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.capture.job import CiJob, Log
from gitmem.capture.looking import EMPTY, GREEN
from gitmem.errors import InvalidError, NoMemoryThenError, NotFoundError
from gitmem.git.log import is_shallow
from gitmem.lazy_pattern import lazily

if TYPE_CHECKING:
    from gitmem.answers.changes import Review
    from gitmem.capture.observed import Match
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.failures.facade import Failures
    from gitmem.records.problems import Problem

_MOST_DETAILED: Final = 20
_FILE_ENDS: Final = frozenset({"py", "js", "ts", "jsx", "tsx", "mjs", "cjs", "rb", "php"})
_PARTS: Final = lazily(r"::|[/\\.#>]|\s\u203a\s")


def why_unreviewed(error: NotFoundError, git_dirs: "GitDirs | None") -> str:
    """Say why commits can't be reviewed; a name that this clone should know is an error.

    Args:
        error: what their review raised.
        git_dirs: the repository.

    """
    if isinstance(error, NoMemoryThenError):  # a branch from before it
        return error.message
    if git_dirs and is_shallow(git_dirs):
        return f"{error.message}: {error.hint}"
    raise error


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
        matches += [each for each in captured.found if not _is_there(each, matches)]
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


def _is_there(failure: "Match", before: "Sequence[Match]") -> bool:
    """Tell whether another file of the job shows a failure: a report and a log are of one run.

    They name a test each in its own way; what they say of it is the same.
    """
    shown, tests = failure.seen, _tests(failure)
    return any(
        _names_one(tests, _tests(each))
        if tests and _tests(each)
        else bool(shown.site) and each.seen.site == shown.site
        for each in before
        if each.seen.site == shown.site or each.seen.is_titled(shown.title)
    )


def _names_one(tests: "list[list[str]]", others: "list[list[str]]") -> bool:
    """Tell whether a test has two names: the last part agrees, and one names no more than both."""
    return any(
        test[-1] == other[-1] and (set(test) <= set(other) or set(other) <= set(test))
        for test in tests
        for other in others
    )


def _tests(failure: "Match") -> list[list[str]]:
    """Give the parts of the names of a failure's tests, without the ends of files."""
    names = (
        [part for part in _PARTS.split(place) if part and part not in _FILE_ENDS]
        for place in failure.seen.places
    )
    return [name for name in names if name]
