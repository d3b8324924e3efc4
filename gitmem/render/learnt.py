"""What repeats, what works and how it develops: as text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.learning.figures import LEAST
from gitmem.learning.rates import Rate
from gitmem.learning.trends import DECLINING, IMPROVING
from gitmem.render.charts import sparkline
from gitmem.render.figures import TOO_LITTLE, duration, groups, label, percent, rate, table, totals
from gitmem.render.text import STATUS_COLOURS, Painter, first_paragraph, one_line

if TYPE_CHECKING:
    from datetime import date

    from gitmem.catalog.rows import Row
    from gitmem.learning.performance import Performance, PerformanceRemark
    from gitmem.learning.periodicity import Periodicity
    from gitmem.learning.recurring import RecordLine, RecurringFailure, Subject
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend

_MOVING: Final = (IMPROVING, DECLINING)


def recurring(found: "Iterable[RecurringFailure]", painter: Painter) -> Iterator[str]:
    """Failures that repeat: how often, what works, and when they show."""
    for number, one in enumerate(found):
        if number:
            yield ""
        yield painter.line(0, [
            (one.error, ("yellow",)),
            (f"{one.records} times", ()),
            ("open", ("yellow",)) if one.open else ("fixed", ("green",)),
            (one_line(one.title), ("bold",)),
        ])  # fmt: skip
        back = f"came back {one.came_back} times" if one.came_back > 1 else "came back once"
        yield painter.line(2, [
            (f"{one.first[:10]} to {one.last[:10]}", ("dim",)),
            (back if one.came_back else "", ("red",)),
            (rate(one.rate) if one.attempts else "nothing was tried", ("dim",)),
        ])  # fmt: skip
        if one.best:
            yield from painter.block(2, [
                ("best", ("green",)), (one.best.best, ("yellow",)),
                (first_paragraph(one.best.approach), ()),
                (_of(one.best), ("dim",)),
            ], 6)  # fmt: skip
        for rhythm in one.rhythms:
            yield from painter.block(2, [("when", ("cyan",)), (_when(rhythm), ())], 6)


def _of(one: "Strategy") -> str:
    said = f"worked {one.rate.worked} of {one.rate.tried}"
    return f"{said}, {one.unheld} did not hold" if one.unheld else said


def _when(one: "Periodicity") -> str:
    where = {
        "hour": f"between {one.at}:00 and {one.at}:59 UTC",
        "weekday": f"on {one.at}s (UTC)",
        "dependencies": "within a day after dependencies changed",
        "deploy": "within a day after a tag was made",
    }[one.when]
    chance = f"chance {one.p:.1g} after correction for {one.asked} questions"
    return (
        f"{one.there} of {one.occasions} occasions {where}, against {100 * one.share:.0f} % "
        f"of all ({chance})"
    )


def strategies(found: "Sequence[Strategy]", painter: Painter) -> Iterator[str]:
    """Ways that worked, as a table."""
    rows = [("type", "best", "success", "of", "95 %", "not held", "approach")]
    for one in found:
        share, interval = percent(one.rate)
        rows.append((
            label(one.kind), one.best, share, str(one.rate.tried), interval, str(one.unheld),
            first_paragraph(one.approach),
        ))  # fmt: skip
    yield from table(rows, painter, text=(0, 1, 6))
    if any(one.rate.tried < LEAST for one in found):
        yield painter.paint(TOO_LITTLE, "dim")


def trends(found: "Sequence[Trend]", by: str, painter: Painter) -> Iterator[str]:
    """Trends as a table."""
    rows = [("of", by, "trend", "older", "newer", "chance", "in all", "time", "best approach")]
    for one in found:
        chance = "-" if one.chance is None else f"{one.chance:.2f}"
        best = one.approaches[0][0] if one.approaches else ""
        rows.append((
            one.of, label(one.label), _direction(one), _halves(one.before), _halves(one.after),
            chance, str(one.total), duration(one.seconds.mean), label(best) if best else "",
        ))  # fmt: skip
    yield from table(rows, painter, text=(0, 1, 2, 8))


def _direction(one: "Trend") -> str:
    unsure = one.direction in _MOVING and not one.sure
    return f"{one.direction} (not sure)" if unsure else one.direction


def _halves(one: Rate) -> str:
    return f"{one.worked}/{one.tried}"


def performance(one: "Performance", painter: Painter) -> Iterator[str]:
    """Sessions all together: what to look at, and what made them succeed."""
    if not one.total:
        return
    yield painter.paint("sessions", "bold")
    took = f"mean {duration(one.seconds.mean)}" if one.seconds.mean is not None else ""
    yield painter.line(2, [(rate(one.rate, "succeeded"), ()), (took, ("dim",))])
    for remark in one.remarks:
        yield painter.line(2, [("look at", ("yellow",)), (_remark(remark), ())])
    if not one.enough:
        yield painter.line(2, [("too little data to tell what makes them succeed", ("dim",))])
    for approach, outcomes in one.approaches[:1]:
        yield painter.line(2, [("approach", ("cyan",)), (first_paragraph(approach), ()),
                               (rate(outcomes, "succeeded"), ("dim",))])  # fmt: skip
    for factor, count in one.factors:
        said = f"in {count} that succeeded"
        yield painter.line(2, [("factor", ("cyan",)), (one_line(factor), ()), (said, ("dim",))])


def _remark(one: "PerformanceRemark") -> str:
    tasks = label(one.category)
    if one.what == "slow":
        return f"{tasks}: {duration(one.value)} on average of {one.support}"
    said = "declining, now" if one.what == "declining" else "only"
    return f"{tasks}: {said} {100 * one.value:.0f} % succeed, of {one.support}"


def subject(one: "Subject", painter: Painter) -> Iterator[str]:
    """What is known about a subject."""
    yield painter.paint(", ".join(map(one_line, one.names)), "bold")
    yield from totals(one.total, painter)
    if one.types:
        yield ""
        yield from groups(one.types, ("type",), painter)
    if one.effective:
        yield ""
        yield from strategies(one.effective, painter)
    for title, notes in (("newest attempts", one.history), ("notes", one.notes)):
        if notes:
            yield ""
            yield painter.paint(title, "bold")
            yield from (_noted(note, painter) for note in notes)


def _noted(one: "RecordLine", painter: Painter) -> str:
    return painter.line(2, [
        (one.id, ("yellow",)), (one.stated or one.kind, (STATUS_COLOURS.get(one.stated, ""),)),
        (one_line(one.title), ()),
    ], (one.created[:10], ("dim",)))  # fmt: skip


def recent(found: "Sequence[Row]", days: int, today: "date", painter: Painter) -> Iterator[str]:
    """The attempts of the last days; on a terminal with how many there were on each."""
    from datetime import timedelta  # noqa: PLC0415  start-up

    if painter.width and found:
        counts = Counter(row.created[:10] for row in found)
        spans = [(today - timedelta(days=back)).isoformat() for back in range(days, -1, -1)]
        line = sparkline([counts[day] for day in spans])
        yield painter.line(0, [(line, ()), (f"{spans[0]} to {spans[-1]}", ("dim",))])
    for row in found:
        yield painter.line(0, [
            (row.created[:10], ("dim",)),
            (f"{row.verdict:<10}", (STATUS_COLOURS.get(row.verdict, ""),)),
            (row.id, ("yellow",)),
            (one_line(row.title), ()),
            (one_line(row.author), ("dim",)),
        ])  # fmt: skip
