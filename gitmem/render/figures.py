"""Statistics as text: tables, rates with what they rest on, durations in words."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.learning.confidence import Rate
from gitmem.learning.figures import LEAST, PEOPLE, FigureGroup, Figures, Spread
from gitmem.plurals import counted
from gitmem.render.charts import bar, sparkline
from gitmem.render.text import Painter, cut, one_line, width_of

if TYPE_CHECKING:
    from gitmem.answers.guard_tally import GuardTally
    from gitmem.learning.stats import Stats

_NONE: Final = "-"
TOO_LITTLE: Final = f"{_NONE}  too little data: fewer than {LEAST} attempts of known outcome"
_UNNAMED: Final = "(none)"
_MOST_LABEL: Final = 40
_LEAST_COLUMN: Final = 14
"""As wide as an id: half of one is of no use."""
_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"))
_KIB: Final = 1024


def stats(stats: "Stats", painter: Painter) -> Iterator[str]:
    """A memory in numbers, and its groups as a table."""
    if stats.by:
        yield from groups(stats.groups, stats.by, painter)
        return
    yield from totals(stats.total, painter)
    recent = [
        counted(stats.recent_errors, "error"), counted(stats.recent_attempts, "attempt"),
    ]  # fmt: skip
    named = [
        counted(stats.subjects, "subject"), counted(stats.types, "type"),
        counted(stats.categories, "category", "categories"),
    ]  # fmt: skip
    records = sum(stats.records.values())
    yield from _rows(
        painter,
        [
            ("last 7 days", ", ".join(recent)),
            ("sessions", rate(stats.sessions, "succeeded") if stats.sessions.tried else _NONE),
            ("named", ", ".join(named)),
            ("memory", f"{counted(records, 'record')}, {size(stats.size)}"),
            *(
                [("", ", ".join(f"{kind} {count}" for kind, count in stats.records.items()))]
                if stats.records
                else []
            ),
            *([("guards", _guards(stats.guards))] if stats.guards else []),
        ],
    )
    if painter.width and any(week.errors or week.attempts for week in stats.weeks):
        since = f"{len(stats.weeks)} weeks to now"
        yield from _rows(
            painter,
            [
                ("errors", f"{sparkline([week.errors for week in stats.weeks])}  {since}"),
                ("attempts", sparkline([week.attempts for week in stats.weeks])),
            ],
        )


def _guards(tally: "GuardTally") -> str:
    """Say what guards told, and what came of it."""
    back = f", of which {tally.came_back} came back" if tally.came_back else ""
    ends = [
        (tally.changed, "changed before the commit"),
        (tally.meant, "meant"),
        (tally.committed, f"committed all the same{back}"),
        (tally.waiting, "not committed yet"),
    ]
    return f"{tally.told} told: " + ", ".join(f"{number} {end}" for number, end in ends if number)


def totals(figures: Figures, painter: Painter) -> Iterator[str]:
    """The figures of one whole, a line each."""
    outcomes = ", ".join(
        f"{getattr(figures, name)} {name}"
        for name in ("worked", "partial", "failed", "unverified")
        if getattr(figures, name)
    )
    errors = counted(figures.errors, "record")
    failures = counted(figures.failures, "distinct failure")
    worked = counted(figures.worked, "fix", "fixes")
    yield from _rows(
        painter,
        [
            ("errors", f"{errors} of {failures}, {figures.open} open"),
            ("attempts", f"{figures.attempts}" + (f": {outcomes}" if outcomes else "")),
            ("success", rate(figures.rate)),
            ("time to fix", _spread(figures.to_fix, "fixed")),
            ("effort", _spread(figures.effort, "timed")),
            ("came back", f"{figures.came_back}" if figures.came_back else "0"),
            ("seen again", f"after {figures.unheld} of {worked} that worked"),
        ],
    )


def groups(
    figure_groups: Sequence[FigureGroup], by: Sequence[str], painter: Painter
) -> Iterator[str]:
    """Groups as a table; on a terminal with bars."""
    head = (
        *by,
        "errors",
        "open",
        "back",
        "attempts",
        "success",
        "of",
        "95 %",
        "to fix",
        "seen again",
    )
    rows = [head, *_group_rows(figure_groups, bars=bool(painter.width))]
    if painter.width and _columns(rows) > painter.width:
        rows = [head, *_group_rows(figure_groups, bars=False)]
    yield from table(rows, painter, text=range(len(by)))
    if any(not group.figures.enough for group in figure_groups):
        yield painter.paint(TOO_LITTLE, "dim")


def _columns(rows: Sequence[Sequence[str]]) -> int:
    """Count the columns of a terminal that a table takes."""
    widest = [max(width_of(row[at]) for row in rows) for at in range(len(rows[0]))]
    return sum(widest) + 2 * (len(widest) - 1)


def _group_rows(figure_groups: Sequence[FigureGroup], *, bars: bool) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for group in figure_groups:
        figures = group.figures
        share, interval = percent(figures.rate)
        if bars and figures.enough and figures.rate.share is not None:
            share = f"{bar(figures.rate.share, 5)} {share}"
        rows.append(
            (
                *(label(part) for part in group.label),
                str(figures.errors),
                str(figures.open),
                str(figures.came_back),
                str(figures.attempts),
                share,
                str(figures.rate.tried),
                interval,
                duration(figures.to_fix.median),
                str(figures.unheld),
            )
        )
    return rows


def fixers(figure_groups: Sequence[FigureGroup], painter: Painter) -> Iterator[str]:
    """Fixers as a table."""
    rows = [("fixer", "attempts", "success", "of", "95 %", "applied", "verified", "effort",
             "seen again")]  # fmt: skip
    for group in figure_groups:
        figures = group.figures
        share, interval = percent(figures.rate)
        rows.append(
            (
                label(group.label[0]),
                str(figures.attempts),
                share,
                str(figures.rate.tried),
                interval,
                str(figures.applied),
                str(figures.verified),
                duration(figures.effort.median),
                str(figures.unheld),
            )
        )
    yield from table(rows, painter, text=(0,))
    if any(not group.figures.enough for group in figure_groups):
        yield painter.paint(TOO_LITTLE, "dim")
    if any(group.label == (PEOPLE,) for group in figure_groups):
        yield painter.paint(f"{PEOPLE}: all people together, not ranked", "dim")


def table(
    rows: Sequence[Sequence[str]], painter: Painter, *, text: Collection[int]
) -> Iterator[str]:
    """Align columns: those of text to the left, numbers to the right; the first row is a head.

    Where the terminal is too narrow, the widest columns of text give way, then the gaps; a line
    that is too long all the same is cut.
    """
    widths = [max(width_of(row[at]) for row in rows) for at in range(len(rows[0]))]
    gap = "  "
    if painter.width:
        widths = _narrowed(widths, painter.width - 2 * (len(widths) - 1), text)
        if sum(widths) + 2 * (len(widths) - 1) > painter.width:
            gap = " "
    for number, row in enumerate(rows):
        cells = []
        for at, whole in enumerate(row):
            cell = cut(whole, widths[at])
            blanks = " " * (widths[at] - width_of(cell))
            cells.append(cell + blanks if at in text else blanks + cell)
        line = gap.join(cells).rstrip()
        line = cut(line, painter.width) if painter.width else line
        yield line if number else painter.paint(line, "bold")


def _narrowed(widths: list[int], room: int, text: Collection[int]) -> list[int]:
    """Take from the widest columns of text what is more than there is room for."""
    left = list(widths)
    over = sum(left) - room
    while over > 0:
        widest = max(text, key=lambda at: left[at], default=-1)
        if widest < 0 or left[widest] <= _LEAST_COLUMN:
            break
        second = max((left[at] for at in text if at != widest), default=0)
        take = min(over, left[widest] - max(min(second, left[widest] - 1), _LEAST_COLUMN))
        left[widest] -= take
        over -= take
    return left


def views(rows: Sequence[Sequence[object]], painter: Painter) -> Iterator[str]:
    """List views with their columns; none is cut, because people copy them."""
    widest = max((width_of(str(row[0])) for row in rows), default=0)
    for name, columns in rows:
        parts = [(f"{name:<{widest}}", ("bold",)), (one_line(str(columns)), ())]
        yield from painter.block(0, parts, widest + 2)


def answer(
    columns: Sequence[str], rows: Sequence[Sequence[object]], painter: Painter
) -> Iterator[str]:
    """An answer to a question in SQL."""
    texts = [
        at
        for at in range(len(columns))
        if not rows or any(not isinstance(row[at], int | float | None) for row in rows)
    ]
    yield from table(_table_rows(columns, rows), painter, text=texts)


def has_room(columns: Sequence[str], rows: Sequence[Sequence[object]], painter: Painter) -> bool:
    """Tell whether an answer fits on the terminal."""
    return not painter.width or _columns(_table_rows(columns, rows)) <= painter.width


def _table_rows(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[list[str]]:
    head = [one_line(name) for name in columns]
    return [head, *([_cell(value) for value in row] for row in rows)]


def _cell(value: object) -> str:
    if value is None:
        return _NONE
    if isinstance(value, float):
        return f"{value:.6g}"
    return one_line(value.hex() if isinstance(value, bytes) else str(value))


def label(text: str) -> str:
    """A label in a table: one safe line, not too long."""
    return cut(one_line(text), _MOST_LABEL) or _UNNAMED


def percent(share: Rate) -> tuple[str, str]:
    """A share and its interval in percent; dashes where there is too little data."""
    if share.share is None or share.tried < LEAST:
        return _NONE, _NONE
    low, high = share.interval
    return f"{100 * share.share:.0f} %", f"{100 * low:.0f}-{100 * high:.0f}"


def rate(success: Rate, what: str = "worked") -> str:
    """A rate in words, with its interval and support."""
    counts = f"{success.worked} of {success.tried} {what}"
    if success.tried < LEAST:
        return f"too little data: {counts}"
    share, interval = percent(success)
    return f"{share} (95 %: {interval}), {counts}"


def duration(seconds: float | None) -> str:
    """A duration in its largest unit: 2.5 h."""
    if seconds is None:
        return _NONE
    for unit, name in _UNITS:
        if seconds >= unit:
            return f"{_short(seconds / unit)} {name}"
    return f"{_short(seconds)} s"


def size(count: int) -> str:
    """Bytes in the largest unit."""
    value = float(count)
    for unit in ("B", "KiB", "MiB"):
        if value < _KIB:
            return f"{_short(value)} {unit}"
        value /= _KIB
    return f"{_short(value)} GiB"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"  # noqa: PLR2004


def _spread(durations: Spread, what: str) -> str:
    if durations.mean is None:
        return _NONE
    median, mean = duration(durations.median), duration(durations.mean)
    return f"median {median}, mean {mean}, {durations.support} {what}"


def _rows(painter: Painter, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in rows:
        yield painter.line(0, [(f"{name:<13}", ("dim",)), (text, ())])
