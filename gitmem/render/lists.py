"""Rows, hits, the timeline and problems as lines of text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.answers.found import Branches, SearchHit, Standing
from gitmem.catalog.rows import Row
from gitmem.render.text import HANG, STATUS_COLOURS, Painter, Part, one_line

if TYPE_CHECKING:
    from gitmem.records.problems import Problem

# What made up a score is shown by its largest parts.
_TERMS = 8
_BRANCHES = 3


def _who(row: "Row") -> str:
    """Name who wrote a record, and the assistant or tool of theirs that did."""
    means = f" via {row.via} {one_line(row.tool)}".rstrip() if row.via != "human" else ""
    return one_line(row.author) + means


def row_line(row: Row, painter: Painter, indent: int = 0, aside: str = "") -> str:
    """One record in one line: id, kind, status, title, and what else there is to say."""
    return painter.line(indent, row_parts(row), (one_line(aside), ("dim",)))


def row_parts(row: Row) -> list[Part]:
    """Give the parts of a record's line: id, kind, status, title."""
    return [
        (row.id, ("yellow",)),
        (row.kind, ()),
        (row.shown_status, (STATUS_COLOURS.get(row.shown_status, ""),)),
        (one_line(row.title), ("bold",)),
    ]


def rows(
    records: Iterable[Row], painter: Painter, branches: Branches | None = None
) -> Iterator[str]:
    """List records, one a line; of those that are not here, the branches that have them.

    Of several that say the same, each says when it was written.
    """
    every = list(records)
    times = Counter((row.kind, row.title) for row in every)
    for row in every:
        having = branches.elsewhere(row.path) if branches else []
        shown = ", ".join(having[:_BRANCHES]) + (", …" if len(having) > _BRANCHES else "")
        written = f"{row.created[:10]} {row.created[11:19]} UTC"
        asides = [written] if times[row.kind, row.title] > 1 else []
        yield row_line(
            row, painter, aside=", ".join([*asides, *([f"on {shown}"] if shown else [])])
        )


def hits(search_hits: Sequence[SearchHit], painter: Painter, *, why: bool) -> Iterator[str]:
    """Search results: what it is, what is known about it, what worked and what did not."""
    for number, hit in enumerate(search_hits):
        if number and not (hit.is_advice and search_hits[number - 1].is_advice):
            yield ""
        if hit.is_advice:
            yield layered(hit, painter)
            continue
        yield row_line(hit.row, painter, aside=hit.layer)
        written = (f"{hit.row.created[:10]} {one_line(hit.row.author)}", ("dim",))
        yield painter.line(2, [(hit.label, ("cyan",)), (one_line(hit.row.gist), ())], written)
        for error in hit.errors:
            about = [("fixes", ("cyan",)), (error.id, ("yellow",)), (one_line(error.title), ())]
            yield painter.line(2, about)
        if hit.row.id in hit.standing:
            yield _standing_line(hit.standing[hit.row.id], painter)
        for approach in hit.approaches:
            yield from attempt_lines(approach.row, painter, tally=approach.tally)
            if approach.row.id in hit.standing:
                yield _standing_line(hit.standing[approach.row.id], painter, indent=13)
        if why and hit.parts:
            parts = "  ".join(f"{one_line(term)} {score:.2f}" for term, score in hit.parts[:_TERMS])
            if len(hit.parts) > _TERMS:
                parts += f"  and {len(hit.parts) - _TERMS} more"
            yield painter.line(2, [(f"score {hit.score:.2f} = {parts}", ("dim",))])


def layered(hit: SearchHit, painter: Painter, indent: int = 0) -> str:
    """A hit of a pack in one line: where it is from, what it is, what helps."""
    helps = [f"{fix.verdict}: {fix.title}" for fix in hit.ranked][:1]
    parts = [
        (one_line(hit.source), ("dim",)),
        (hit.row.id, ("yellow",)),
        (one_line(hit.row.title), ()),
        *((f"-> {one_line(title)}", ("green",)) for title in helps),
    ]
    return painter.line(indent, parts)


def _standing_line(standing: Standing, painter: Painter, indent: int = 2) -> str:
    """Say that the code is gone which a record speaks of; unsure is what git was not asked."""
    mark, colour = ("stale", "yellow") if standing.stale else ("place", "dim")
    return painter.line(indent, [(mark, (colour,)), (one_line(standing.reason), ())])


def attempt_lines(fix: Row, painter: Painter, indent: int = 2, tally: str = "") -> list[str]:
    """One fix attempt under its error, whole: what was done is what the reader came for.

    Args:
        fix: the attempt.
        painter: how to colour, and how wide.
        indent: blanks before it.
        tally: what came of it each time, where it was tried more than once.

    """
    return painter.block(
        indent,
        [
            (f"{fix.verdict:<10}", (STATUS_COLOURS.get(fix.verdict, ""),)),
            (one_line(fix.title), ()),
            *([(f"({tally})", ())] if tally else []),
            (f"{fix.id} {one_line(fix.author)} {fix.created[:10]}", ("dim",)),
        ],
        HANG,
    )


def numbered_lines(number: str, fix: Row, painter: Painter) -> list[str]:
    """One fix attempt behind a number and what follows on that."""
    first, *below = attempt_lines(fix, painter, len(number))
    return [number + first.lstrip(" "), *below]


def timeline(records: Iterable[Row], painter: Painter) -> Iterator[str]:
    """Records under the day they were written."""
    first = True
    for day, same_day in groupby(records, key=lambda row: row.created[:10]):
        if not first:
            yield ""
        first = False
        yield painter.paint(day, "bold")
        for row in same_day:
            parts = [
                (row.created[11:19], ("dim",)),
                (row.id, ("yellow",)),
                (row.kind, ()),
                (row.shown_status, (STATUS_COLOURS.get(row.shown_status, ""),)),
                (one_line(row.title), ()),
                (_who(row), ("dim",)),
            ]
            yield painter.line(2, parts)


def problem_lines(problems: "Iterable[Problem]", painter: Painter, folder: str) -> Iterator[str]:
    """Problems in the form that editors and CI recognise: ``path:line:column: severity: text``."""
    for problem in problems:
        position = f"{folder}/{one_line(problem.path)}"
        if problem.line:
            position += f":{problem.line}" + (f":{problem.column}" if problem.column else "")
        severity = painter.paint(problem.severity, STATUS_COLOURS[problem.severity])
        code = painter.paint(f"[{problem.code}]", "dim")
        yield f"{position}: {severity}: {one_line(problem.message)} {code}"
        if problem.hint:
            yield painter.paint(f"    {one_line(problem.hint)}", "dim")
