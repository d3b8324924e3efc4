"""What a change teaches: for a terminal, and as Markdown for a comment on a pull request.

Both are made of the same parts: sections of entries, each a line with details below it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem import plurals
from gitmem.render.guarded import place, reason
from gitmem.render.hosted_markdown import quiet
from gitmem.render.lists import attempt_lines, problem_lines, row_line
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.answers.changes import (
        AttemptedError,
        ConcernedRecord,
        Differences,
        Review,
        StatusChange,
    )
    from gitmem.catalog.rows import Row
    from gitmem.records.problems import Problem
    from gitmem.render.text import Painter

_MOST: Final = 20
_MOST_KNOWN: Final = 5
_MOST_PATHS: Final = 3
_LONGEST: Final = 60_000
"""Characters of a comment; hosts take 65,536."""
_OPEN: Final = 3
_LEFT_OUT: Final = "There is more, which does not fit here: run gitmem review."
_NOTHING: Final = "This change adds no records, and nothing is recorded about its files."


class ReviewEntry(NamedTuple):
    """A record in a section.

    Attributes:
        row: the record.
        aside: what else there is to say of it, in some words; plain text.
        fixes: attempts shown below it.
        gist: show what it says, too.

    """

    row: "Row"
    aside: str = ""
    fixes: "Sequence[Row]" = ()
    gist: bool = False


class ReviewSection(NamedTuple):
    """Entries under a heading.

    Attributes:
        title: the heading.
        entries: what stands under it.
        most: the first so many are shown.
        aside: it was known before: in a comment, more than a few entries are folded.

    """

    title: str
    entries: Sequence[ReviewEntry]
    most: int = _MOST
    aside: bool = False


def _sections(review: "Review") -> Iterator[ReviewSection]:
    tried = [attempt for attempt in review.attempts if attempt.error.kind == "error"]
    loose = [attempt.error for attempt in review.attempts if attempt.error.kind == "fix"]
    back = [
        ReviewEntry(taken.fix, f"{place(taken)}, {reason(taken)}") for taken in review.taken_back
    ]
    yield ReviewSection("Fixes that this change takes back", back)
    yield ReviewSection(
        "New errors, and what was tried", [_attempted(error) for error in review.errors]
    )
    yield ReviewSection("New attempts on known errors", [_attempted(attempt) for attempt in tried])
    yield ReviewSection("Fixes without an error", [ReviewEntry(row, gist=True) for row in loose])
    yield ReviewSection("Decisions made", [ReviewEntry(row, gist=True) for row in review.decisions])
    yield ReviewSection("Status changes", [_turned(turn) for turn in review.turned])
    yield ReviewSection("Also recorded", [ReviewEntry(row) for row in review.others])
    yield ReviewSection("Changed by hand", [ReviewEntry(row) for row in review.edited])
    yield ReviewSection("Deleted", [ReviewEntry(row) for row in review.removed])
    governing = [_concerned(record, gist=True) for record in review.governing]
    yield ReviewSection("Decisions that govern these files", governing, aside=True)
    returned = [_concerned(record) for record in review.came_back]
    yield ReviewSection("Came back after a fix, in these files", returned)
    known_errors = [_concerned(record) for record in review.known]
    yield ReviewSection("Known errors in these files", known_errors, _MOST_KNOWN, aside=True)


def _attempted(attempted: "AttemptedError") -> ReviewEntry:
    return ReviewEntry(attempted.error, fixes=attempted.fixes, gist=True)


def _turned(turn: "StatusChange") -> ReviewEntry:
    return ReviewEntry(turn.row, f"was {turn.was}")


def _concerned(record: "ConcernedRecord", *, gist: bool = False) -> ReviewEntry:
    shown = ", ".join(record.paths[:_MOST_PATHS])
    more = len(record.paths) - _MOST_PATHS
    return ReviewEntry(record.row, shown + (f" and {more} more" if more > 0 else ""), gist=gist)


def counted(review: "Review") -> str:
    """Say in one line how much there is."""
    tried = sum(len(attempt.fixes) for attempt in (*review.errors, *review.attempts))
    parts = [
        _count(len(review.errors), "error"),
        _count(tried, "attempt"),
        _count(len(review.decisions), "decision"),
        _count(len(review.others), "other record"),
    ]
    counts = ", ".join(part for part in parts if part)
    changes = review.files or review.edited or review.removed or review.problems
    if not (counts or changes):
        return "nothing to review: no record and no other file changed"
    files = _count(review.files, "file") or "no file"
    return f"{counts or 'no new record'}; {files} changed outside the memory"


def left_out(review: "Review") -> str:
    """Say in one line what lies in the memory and is in no commit yet."""
    are = "is" if review.uncommitted == 1 else "are"
    count = _count(review.uncommitted, "changed record")
    return f"{count} {are} in no commit, and not in this review: gitmem review --worktree"


def _count(number: int, noun: str) -> str:
    return plurals.counted(number, noun) if number else ""


# For a terminal


def plain(review: "Review", painter: "Painter", folder: str) -> Iterator[str]:
    """Write a review as lines of text.

    Args:
        review: the review.
        painter: how to colour, and how wide.
        folder: the memory's folder, to be shown before paths in it.

    """
    yield from _plain(_sections(review), painter)
    if review.problems:
        yield ""
        yield painter.paint("Problems", "bold")
        yield from problem_lines(review.problems, painter, folder)
    if review.issues:
        yield ""
        yield "issues: " + ", ".join(issue.name for issue in review.issues)
    if review.passed_over:
        yield f"{_count(review.passed_over, 'more changed file')} not looked at"


def plain_differences(differences: "Differences", painter: "Painter") -> Iterator[str]:
    """Write what was learnt between two states as lines of text."""
    yield from _plain(_of_differences(differences), painter)


def _of_differences(differences: "Differences") -> Iterator[ReviewSection]:
    yield ReviewSection(
        "Added", [ReviewEntry(row) for row in differences.added], len(differences.added)
    )
    yield ReviewSection(
        "Turned", [_turned(turn) for turn in differences.turned], len(differences.turned)
    )
    yield ReviewSection(
        "Changed by hand", [ReviewEntry(row) for row in differences.edited], len(differences.edited)
    )
    yield ReviewSection(
        "Deleted", [ReviewEntry(row) for row in differences.removed], len(differences.removed)
    )


def _plain(sections: Iterable[ReviewSection], painter: "Painter") -> Iterator[str]:
    first = True
    for section in sections:
        if not section.entries:
            continue
        if not first:
            yield ""
        first = False
        yield painter.paint(section.title, "bold")
        for entry in section.entries[: section.most]:
            yield row_line(entry.row, painter, 2, entry.aside)
            if entry.gist and entry.row.gist:
                yield painter.line(4, [(one_line(entry.row.gist), ("dim",))])
            for fix in entry.fixes:
                yield from attempt_lines(fix, painter, 4)
        if len(section.entries) > section.most:
            yield f"  and {len(section.entries) - section.most} more"


# For a pull request


def markdown(review: "Review", title: str = "What this change teaches") -> str:
    """Write a review as Markdown; what records say is quoted, never markup."""
    parts = [f"### gitmem: {title}", counted(review) + "."]
    sections = [_section(section) for section in _sections(review) if section.entries]
    parts += sections
    if review.problems:
        parts.append("#### Problems\n\n" + "\n".join(map(problem_line, review.problems[:_MOST])))
    if review.issues:
        # As code: a comment must not make links at issues that a record names.
        parts.append("Issues: " + ", ".join(f"`{issue.name}`" for issue in review.issues) + ".")
    if review.passed_over:
        parts.append(f"{_count(review.passed_over, 'more changed file')} not looked at.")
    if not sections and not review.problems:
        parts[1:] = [_NOTHING]
    return bounded(parts, _LONGEST)


def bounded(parts: Sequence[str], most: int) -> str:
    """Join parts to a text of at most so many characters; at the end whole parts are left out.

    So no markup is cut in two.
    """
    lines: list[str] = []
    left = most - len(_LEFT_OUT) - 2
    for part in parts:
        left -= len(part) + 2
        if left < 0:
            lines.append(_LEFT_OUT)
            break
        lines.append(part)
    return "\n\n".join(lines) + "\n"


def _text(fix: "Row") -> str:
    """Give title and text of a fix, once where the title is the beginning of the text."""
    text = fix.gist
    if not text or text.startswith(fix.title.removesuffix("…").rstrip()):
        return text or fix.title
    return f"{fix.title}: {text}"


def _section(section: ReviewSection) -> str:
    count = len(section.entries)
    folded = section.aside and count > _OPEN
    # Renderers read Markdown in there only after an empty line.
    head = f"<details><summary><b>{section.title}</b> ({count})</summary>"
    lines = [head if folded else f"#### {section.title}", ""]
    for entry in section.entries[: section.most]:
        row = entry.row
        status = f", {row.shown_status}" if row.shown_status else ""
        line = f"- **{quiet(row.title)}** ({row.kind}{status}, {row.id}"
        line += f", {quiet(row.author)})"
        if entry.aside:
            line += f": {quiet(entry.aside)}"
        lines.append(line)
        if entry.gist and row.gist:
            lines.append(f"  <br>{quiet(row.gist)}")
        lines += [f"  - **{fix.verdict}** {quiet(_text(fix))} ({fix.id})" for fix in entry.fixes]
    if len(section.entries) > section.most:
        lines.append(f"- and {len(section.entries) - section.most} more")
    return "\n".join([*lines, "", "</details>"] if folded else lines)


def problem_line(problem: "Problem") -> str:
    """Write what is wrong with a file as an entry of a Markdown list."""
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return f"- **{problem.severity}** {quiet(where)}: {quiet(problem.message)}"
