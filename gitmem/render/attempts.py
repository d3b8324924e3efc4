"""What was tried, and how a text is understood: as text."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gitmem.plurals import counted
from gitmem.render.lists import attempt_lines, numbered_lines
from gitmem.render.text import HANG, STATUS_COLOURS, Painter, cut, one_line, safe

if TYPE_CHECKING:
    from gitmem.capture.looking import LiveFailure
    from gitmem.catalog.rows import Row
    from gitmem.matching.explained import Explained
    from gitmem.output.failure import Failure

_COLOURS = {"taken back": "red", "still there": "yellow", "unclear": "dim"}

_LONGEST_MESSAGE = 300


def live(failures: "Iterable[LiveFailure]", painter: Painter) -> Iterator[str]:
    """List live failures: since when, what was tried, what the memory knows."""
    for failure in failures:
        reds = failure.episode.reds
        since = f"red since {reds[0].at:%Y-%m-%d %H:%M}, {counted(len(reds), 'run')}"
        title = one_line(failure.episode.seen.name)
        yield from painter.block(0, [(title, ("bold",)), (since, ("dim",))])
        yield painter.line(2, [(f"$ {one_line(shlex.join(failure.command))}", ("dim",))])
        for edit in failure.edits:
            yield from painter.block(
                2,
                [
                    (f"{edit.at:%H:%M}", ("dim",)),
                    (f"{edit.state:<11}", (_COLOURS[edit.state],)),
                    (one_line(edit.what), ()),
                ],
                7,
            )
        if not failure.edits:
            yield painter.line(2, [("no edits since it began to fail", ("dim",))])
        for approach in failure.known.approaches:
            yield from attempt_lines(approach.row, painter, tally=approach.tally)
        for draft in failure.known.drafts:
            for attempt in draft.fixes[-1:]:
                outcome = str(attempt.get("outcome", ""))
                yield from painter.block(
                    2,
                    [
                        (f"{outcome:<10}", (STATUS_COLOURS.get(outcome, ""),)),
                        (one_line(str(attempt.get("title", ""))), ()),
                        (f"draft {draft.id}", ("dim",)),
                    ],
                    HANG,
                )


def numbered(fixes: "Sequence[Row]", painter: Painter) -> Iterator[str]:
    """List the fix attempts of an error in order, with their numbers."""
    for number, fix in enumerate(fixes, 1):
        yield from numbered_lines(f"{number:>3}. ", fix, painter)


def explained(explanation: "Explained", painter: Painter) -> Iterator[str]:
    """Show how a text is understood, and how it compares."""
    yield painter.paint(
        "failure" if explanation.understood else "failure (the text itself)", "bold"
    )
    yield from _failure(explanation.failure, painter)
    yield painter.paint("fingerprints", "bold")
    for line in explanation.explanation.lines():
        yield painter.line(2, [(safe(line.replace("\n", " ")), ())])
    if not explanation.explanation.masked:
        yield painter.line(2, [("masked    nothing", ("dim",))])
    if explanation.against and explanation.comparison:
        yield painter.paint("against", "bold")
        yield from _failure(explanation.against, painter)
        same = explanation.comparison.level in {"exact", "site"}
        colour = "green" if same else "yellow"
        yield painter.line(0, [(explanation.comparison.verdict, (colour,))])
        for reason in explanation.comparison.reasons:
            yield painter.line(2, [(one_line(reason), ())])


def _failure(failure: "Failure", painter: Painter) -> Iterator[str]:
    location = failure.location
    where = (
        f"{location.file}:{location.line}"
        if location and location.line
        else location.file
        if location
        else ""
    )
    for name, value in (
        ("tool", failure.tool),
        ("language", failure.language),
        ("type", failure.error_type),
        ("code", failure.code),
        ("message", cut(one_line(failure.message), _LONGEST_MESSAGE)),
        ("place", where),
        ("test", failure.test.name if failure.test else ""),
    ):
        if value:
            yield painter.line(2, [(f"{name:<8}", ("dim",)), (one_line(value), ())])
