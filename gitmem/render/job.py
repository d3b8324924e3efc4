"""The summary of a CI job: lines for its log, Markdown for its summary."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem import plurals
from gitmem.render import review as of_review
from gitmem.render.elsewhere import told
from gitmem.render.elsewhere_quoted import markdown as foreign_markdown
from gitmem.render.hosted_markdown import quiet
from gitmem.render.lists import problem_lines
from gitmem.render.match_markdown import match_text
from gitmem.render.run_report import recognised
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.capture.job import CiJob
    from gitmem.capture.observed import Match
    from gitmem.capture.telling import MatchDetails
    from gitmem.hub.messages import Elsewhere
    from gitmem.records.problems import Problem
    from gitmem.render.text import Painter

_MOST_NEW: Final = 20
_LONGEST: Final = 250_000
"""Characters of a summary; hosts take a megabyte."""


def plain(
    job: "CiJob", painter: "Painter", folder: str, elsewhere: "Sequence[Elsewhere]" = ()
) -> Iterator[str]:
    """Write what is known about a job as lines of text.

    Args:
        job: what there is to tell.
        painter: how to colour, and how wide.
        folder: the memory's folder, to be shown before paths in it.
        elsewhere: what a hub says of the failures.

    """
    yield from recognised(job.failures, painter, job.answer)
    yield from told(elsewhere, painter)
    for name, reason in job.unread:
        yield painter.paint(f"{one_line(name)} was not read: {one_line(reason)}", "red")
    for name in job.empty:
        yield painter.paint(f"{one_line(name)} tells of no test", "yellow")
    for name in job.green:
        yield f"{one_line(name)} tells of no failure: those above are from the other files"
    broken, rest = _problems(job)
    if broken:
        yield painter.paint("Problems of the memory", "bold")
        yield from problem_lines(broken, painter, folder)
    if rest:
        yield rest
    if job.unreviewed:
        yield f"not reviewed: {one_line(job.unreviewed)}"
    if job.review:
        yield ""
        yield from of_review.plain(job.review, painter, folder)


def counted(job: "CiJob") -> str:
    """Say in one line what there is."""
    number = len(job.failures)
    text = f"{plurals.counted(number, 'failure')}, {job.known} seen before"
    if job.unread:
        text += f", {len(job.unread)} of the reports not read"
    if job.empty:
        text += f", {len(job.empty)} of the reports without a test"
    broken = len(job.problems)
    return f"{text}; {plurals.counted(broken, 'problem')} in the memory"


def markdown(job: "CiJob", elsewhere: "Sequence[Elsewhere]" = ()) -> str:
    """Write what is known about a job as Markdown; what records and logs say is quoted."""
    parts: list[str] = []
    if job.failures:
        parts.append(f"### gitmem: {counted(job).partition(';')[0]}")
        parts += [_told(details) for details in job.told]
        parts += _new(job)
        if foreign := foreign_markdown(elsewhere, quiet):
            parts.append(f"#### In other repositories\n\n{foreign}")
    else:
        unsure = job.unread or job.empty
        parts.append("### gitmem: no failure" + (" that could be read" if unsure else ""))
    if job.unread:
        parts.append(
            "\n".join(
                f"- **{quiet(name)}** was not read: {quiet(reason)}" for name, reason in job.unread
            )
        )
    if job.empty or job.green:
        empty = [f"- **{quiet(name)}** tells of no test" for name in job.empty]
        green = [f"- **{quiet(name)}** tells of no failure" for name in job.green]
        parts.append("\n".join([*empty, *green]))
    broken, rest = _problems(job)
    if broken:
        lines = "\n".join(map(of_review.problem_line, broken))
        parts.append(f"#### Problems of the memory\n\n{lines}")
    if rest:
        parts.append(rest)
    if job.unreviewed:
        parts.append(f"Not reviewed: {quiet(job.unreviewed)}")
    if job.review:
        parts.append(of_review.markdown(job.review).rstrip("\n"))
    return of_review.bounded(parts, _LONGEST)


def _problems(job: "CiJob") -> "tuple[list[Problem], str]":
    """Give the errors that the review does not tell of, and a line about all other problems.

    Who changed something else can't do anything about a warning, and reads it with every job.
    """
    told_there = job.review.problems if job.review else []
    others = [problem for problem in job.problems if problem not in told_there]
    broken = [problem for problem in others if problem.severity == "error"]
    left = len(others) - len(broken)
    changed = " that this change does not touch" if job.review else ""
    rest = (
        f"{plurals.counted(left, 'warning')} in the memory{changed}: gitmem check" if left else ""
    )
    return broken, rest


def _new(job: "CiJob") -> Iterator[str]:
    new = [failure for failure in job.failures if not failure.label]
    if new:
        lines = [
            " · ".join(
                filter(None, (f"- {quiet(one_line(failure.seen.title)[:200])}", _where(failure)))
            )
            for failure in new[:_MOST_NEW]
        ]
        if len(new) > _MOST_NEW:
            lines.append(f"- and {len(new) - _MOST_NEW} more")
        yield "#### New failures\n\n" + "\n".join(lines)
    hidden = job.known - len(job.told)
    if hidden > 0:
        yield f"{hidden} more that {'was' if hidden == 1 else 'were'} seen before."


def _told(details: "MatchDetails") -> str:
    text = match_text(details, say=quiet)
    return f"{where}\n\n{text}" if (where := _where(details.known)) else text


def _where(failure: "Match") -> str:
    """Name the test and the line of a failure, as far as somebody said."""
    fields = failure.seen.fields
    test = str((fields.get("test") or {}).get("name", ""))
    place = fields.get("location") or {}
    line = f"{place['file']}:{place['line']}" if place.get("line") else str(place.get("file", ""))
    return " · ".join(quiet(one_line(each)[:200]) for each in (test, line) if each)
