"""Recurring failures, strategies and trends, as text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gitmem.learning.confidence import Rate
from gitmem.learning.figures import LEAST
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


def recurring(failures: "Iterable[RecurringFailure]", painter: Painter) -> Iterator[str]:
    """Failures that repeat: how often, what works, and when they show."""
    for number, failure in enumerate(failures):
        if number:
            yield ""
        yield painter.line(
            0,
            [
                (failure.error, ("yellow",)),
                (f"{failure.records} times", ()),
                ("open", ("yellow",)) if failure.open else ("fixed", ("green",)),
                (one_line(failure.title), ("bold",)),
            ],
        )
        back = f"came back {failure.came_back} times" if failure.came_back > 1 else "came back once"
        yield painter.line(
            2,
            [
                (f"{failure.first[:10]} to {failure.last[:10]}", ("dim",)),
                (back if failure.came_back else "", ("red",)),
                (rate(failure.rate) if failure.attempts else "no fix was tried", ("dim",)),
            ],
        )
        if failure.best:
            yield from painter.block(
                2,
                [
                    ("best", ("green",)),
                    (failure.best.best, ("yellow",)),
                    (first_paragraph(failure.best.approach), ()),
                    (_of(failure.best), ("dim",)),
                ],
                6,
            )
        for rhythm in failure.rhythms:
            yield from painter.block(2, [("when", ("cyan",)), (_when(rhythm), ())], 6)


def _of(strategy: "Strategy") -> str:
    text = f"worked {strategy.rate.worked} of {strategy.rate.tried}"
    return f"{text}, seen again after {strategy.unheld}" if strategy.unheld else text


def _when(periodicity: "Periodicity") -> str:
    where = {
        "hour": f"between {periodicity.at}:00 and {periodicity.at}:59 UTC",
        "weekday": f"on {periodicity.at}s (UTC)",
        "dependencies": "within a day after dependencies changed",
        "deploy": "within a day after a tag was made",
    }[periodicity.when]
    chance = f"chance {periodicity.p:.1g} after correction for {periodicity.asked} questions"
    usual = f"{100 * periodicity.share:.0f} % of all"
    return (
        f"{periodicity.there} of {periodicity.occasions} occasions {where}, against {usual} "
        f"({chance})"
    )


def strategies(strategies: "Sequence[Strategy]", painter: Painter) -> Iterator[str]:
    """Ways that worked, as a table."""
    rows = [("type", "best", "success", "of", "95 %", "seen again", "approach")]
    for strategy in strategies:
        share, interval = percent(strategy.rate)
        rows.append(
            (
                label(strategy.kind),
                strategy.best,
                share,
                str(strategy.rate.tried),
                interval,
                str(strategy.unheld),
                first_paragraph(strategy.approach),
            )
        )
    yield from table(rows, painter, text=(0, 1, 6))
    if any(strategy.rate.tried < LEAST for strategy in strategies):
        yield painter.paint(TOO_LITTLE, "dim")


def trends(trends: "Sequence[Trend]", by: str, painter: Painter) -> Iterator[str]:
    """Trends as a table."""
    rows = [("of", by, "trend", "older", "newer", "chance", "in all", "time", "best approach")]
    for trend in trends:
        chance = "-" if trend.chance is None else f"{trend.chance:.2f}"
        best = trend.approaches[0][0] if trend.approaches else ""
        rows.append(
            (
                trend.of,
                label(trend.label),
                _direction(trend),
                _halves(trend.before),
                _halves(trend.after),
                chance,
                str(trend.total),
                duration(trend.seconds.mean),
                label(best) if best else "",
            )
        )
    yield from table(rows, painter, text=(0, 1, 2, 8))


def _direction(trend: "Trend") -> str:
    unsure = trend.direction in _MOVING and not trend.sure
    return f"{trend.direction} (not sure)" if unsure else trend.direction


def _halves(rate: Rate) -> str:
    return f"{rate.worked}/{rate.tried}"


def performance(performance: "Performance", painter: Painter) -> Iterator[str]:
    """Sessions all together: what to look at, and what made them succeed."""
    if not performance.total:
        return
    yield painter.paint("sessions", "bold")
    took = (
        f"mean {duration(performance.seconds.mean)}" if performance.seconds.mean is not None else ""
    )
    yield painter.line(2, [(rate(performance.rate, "succeeded"), ()), (took, ("dim",))])
    for remark in performance.remarks:
        yield painter.line(2, [("look at", ("yellow",)), (_remark(remark), ())])
    if not performance.enough:
        yield painter.line(2, [("too little data to say what makes them succeed", ("dim",))])
    for approach, outcomes in performance.approaches[:1]:
        yield painter.line(
            2,
            [
                ("approach", ("cyan",)),
                (first_paragraph(approach), ()),
                (rate(outcomes, "succeeded"), ("dim",)),
            ],
        )
    for factor, count in performance.factors:
        occurrences = f"in {count} that succeeded"
        yield painter.line(
            2, [("factor", ("cyan",)), (one_line(factor), ()), (occurrences, ("dim",))]
        )


def _remark(remark: "PerformanceRemark") -> str:
    tasks = label(remark.category)
    if remark.what == "slow":
        return f"{tasks}: {duration(remark.value)} on average of {remark.support}"
    text = "declining, now" if remark.what == "declining" else "only"
    return f"{tasks}: {text} {100 * remark.value:.0f} % succeed, of {remark.support}"


def subject(subject: "Subject", painter: Painter) -> Iterator[str]:
    """What is known about a subject."""
    yield painter.paint(", ".join(map(one_line, subject.names)), "bold")
    yield from totals(subject.total, painter)
    if subject.types:
        yield ""
        yield from groups(subject.types, ("type",), painter)
    if subject.effective:
        yield ""
        yield from strategies(subject.effective, painter)
    for title, notes in (("newest attempts", subject.history), ("notes", subject.notes)):
        if notes:
            yield ""
            yield painter.paint(title, "bold")
            yield from (_noted(note, painter) for note in notes)


def _noted(line: "RecordLine", painter: Painter) -> str:
    return painter.line(
        2,
        [
            (line.id, ("yellow",)),
            (line.stated or line.kind, (STATUS_COLOURS.get(line.stated, ""),)),
            (one_line(line.title), ()),
        ],
        (line.created[:10], ("dim",)),
    )


def recent(records: "Sequence[Row]", days: int, today: "date", painter: Painter) -> Iterator[str]:
    """The attempts of the last days; on a terminal with how many there were on each."""
    if painter.width and records:
        counts = Counter(row.created[:10] for row in records)
        spans = [(today - timedelta(days=back)).isoformat() for back in range(days, -1, -1)]
        line = sparkline([counts[day] for day in spans])
        yield painter.line(0, [(line, ()), (f"{spans[0]} to {spans[-1]}", ("dim",))])
    for row in records:
        yield painter.line(
            0,
            [
                (row.created[:10], ("dim",)),
                (f"{row.verdict:<10}", (STATUS_COLOURS.get(row.verdict, ""),)),
                (row.id, ("yellow",)),
                (one_line(row.title), ()),
                (one_line(row.author), ("dim",)),
            ],
        )
