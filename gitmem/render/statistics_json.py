"""Recurring failures, strategies and trends, as JSON and as table rows."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.learning.confidence import Rate
    from gitmem.learning.figures import FigureGroup, Figures
    from gitmem.learning.performance import Performance
    from gitmem.learning.recurring import RecurringFailure, Subject
    from gitmem.learning.stats import Stats
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend

_DIGITS = 4


def cells(row: Iterable[object]) -> list[object]:
    """One row of an answer; bytes, which JSON does not know, in hex."""
    return [value.hex() if isinstance(value, bytes) else value for value in row]


def rate(success: "Rate") -> dict[str, Any]:
    """A share with its interval and support."""
    low, high = success.interval
    share = None if success.share is None else round(success.share, _DIGITS)
    return {"worked": success.worked, "tried": success.tried, "share": share,
            "low": round(low, _DIGITS), "high": round(high, _DIGITS)}  # fmt: skip


def chance(value: float | None) -> float | None:
    """A probability to six digits that count: what lies behind them is rounding."""
    return None if value is None else float(f"{value:.6g}")


def figures(group_figures: "Figures") -> dict[str, Any]:
    """Numbers of some errors and attempts."""
    fields = group_figures._asdict()
    return {
        **{name: value for name, value in fields.items() if name not in {"to_fix", "effort"}},
        "rate": rate(group_figures.rate),
        "enough": group_figures.enough,
        "to_fix": group_figures.to_fix._asdict(),
        "effort": group_figures.effort._asdict(),
    }


def groups(figure_groups: "Iterable[FigureGroup]") -> list[dict[str, Any]]:
    """Groups with their labels."""
    return [{"label": list(group.label), **figures(group.figures)} for group in figure_groups]


def stats(stats: "Stats") -> dict[str, Any]:
    """A memory in numbers."""
    return {
        "total": figures(stats.total),
        "by": list(stats.by),
        "groups": groups(stats.groups),
        "sessions": rate(stats.sessions),
        "subjects": stats.subjects,
        "types": stats.types,
        "categories": stats.categories,
        "recent": {"days": 7, "errors": stats.recent_errors, "attempts": stats.recent_attempts},
        "weeks": [week._asdict() | {"start": week.start.isoformat()} for week in stats.weeks],
        "records": dict(stats.records),
        "size": stats.size,
        "folder": stats.folder,
        "guards": stats.guards._asdict() if stats.guards else None,
    }


def strategy(strategy: "Strategy") -> dict[str, Any]:
    """A way to fix something."""
    return strategy._asdict() | {"rate": rate(strategy.rate)}


def recurring(failure: "RecurringFailure") -> dict[str, Any]:
    """A failure that repeats."""
    return failure._asdict() | {
        "rate": rate(failure.rate),
        "confidence": failure.confidence,
        "best": strategy(failure.best) if failure.best else None,
        "rhythms": [rhythm._asdict() | {"p": chance(rhythm.p)} for rhythm in failure.rhythms],
    }


def trend(trend: "Trend") -> dict[str, Any]:
    """How a group develops."""
    return trend._asdict() | {
        "before": rate(trend.before),
        "after": rate(trend.after),
        "rate": rate(trend.rate),
        "chance": chance(trend.chance),
        "sure": trend.sure,
        "seconds": trend.seconds._asdict(),
        "approaches": [list(pair) for pair in trend.approaches],
    }


def performance(performance: "Performance") -> dict[str, Any]:
    """Sessions all together; their trends stand elsewhere."""
    data = {
        **performance._asdict(),
        "rate": rate(performance.rate),
        "seconds": performance.seconds._asdict(),
        "categories": [list(pair) for pair in performance.categories],
        "remarks": [remark._asdict() for remark in performance.remarks],
        "approaches": [
            {"approach": name, "rate": rate(outcomes)} for name, outcomes in performance.approaches
        ],
        "factors": [list(pair) for pair in performance.factors],
    }
    del data["trends"]
    return data


def subject(subject: "Subject") -> dict[str, Any]:
    """What is known about a subject."""
    return subject._asdict() | {
        "names": list(subject.names),
        "total": figures(subject.total),
        "types": groups(subject.types),
        "effective": [strategy(way) for way in subject.effective],
        "history": [note._asdict() for note in subject.history],
        "notes": [note._asdict() for note in subject.notes],
    }


Table = tuple[tuple[str, ...], list[tuple[Any, ...]]]
_FIGURES = ("errors", "failures", "open", "came_back", "attempts", "worked", "partial", "failed",
            "unverified", "unheld", "applied", "verified")  # fmt: skip
_RATE = ("tried", "share", "low", "high")
_SPREADS = ("to_fix_support", "to_fix_mean", "to_fix_median", "effort_support", "effort_mean",
            "effort_median")  # fmt: skip


def figures_table(figure_groups: "Iterable[FigureGroup]", by: Sequence[str]) -> Table:
    """Groups as rows."""
    rows = [
        (
            *group.label,
            *(getattr(group.figures, name) for name in _FIGURES),
            *_rate(group.figures.rate),
            *group.figures.to_fix,
            *group.figures.effort,
        )
        for group in figure_groups
    ]
    return (*by, *_FIGURES, *_RATE, *_SPREADS), rows


def strategies_table(strategies: "Iterable[Strategy]") -> Table:
    """Ways to fix something as rows."""
    columns = ("type", "approach", "worked", *_RATE, "unheld", "attempts", "best", "last")
    return columns, [
        (
            strategy.kind,
            strategy.approach,
            strategy.rate.worked,
            *_rate(strategy.rate),
            strategy.unheld,
            strategy.attempts,
            strategy.best,
            strategy.last,
        )
        for strategy in strategies
    ]


def recurring_table(failures: "Iterable[RecurringFailure]") -> Table:
    """Failures that repeat as rows."""
    plain = ("fingerprint", "error", "title", "type", "category", "subject", "records", "first",
             "last", "open", "came_back", "attempts")  # fmt: skip
    columns = (*plain, "worked", *_RATE, "best", "best_approach", "rhythms")
    return columns, [
        (
            *(getattr(failure, name) for name in plain),
            failure.rate.worked,
            *_rate(failure.rate),
            failure.best.best if failure.best else None,
            failure.best.approach if failure.best else None,
            " ".join(f"{each.when}:{each.at}".rstrip(":") for each in failure.rhythms),
        )
        for failure in failures
    ]


def trends_table(trends: "Iterable[Trend]") -> Table:
    """Trends as rows."""
    columns = ("of", "label", "direction", "before_worked", "before_tried", "after_worked",
               "after_tried", "chance", "total", "seconds_mean", "approach", "last")  # fmt: skip
    return columns, [
        (
            trend.of,
            trend.label,
            trend.direction,
            *trend.before,
            *trend.after,
            chance(trend.chance),
            trend.total,
            trend.seconds.mean,
            trend.approaches[0][0] if trend.approaches else None,
            trend.last,
        )
        for trend in trends
    ]


def rows_table(records: "Iterable[Row]") -> Table:
    """Records as rows."""
    columns = ("id", "created", "status", "title", "author", "via", "gist")
    return columns, [tuple(getattr(record, name) for name in columns) for record in records]


def _rate(success: "Rate") -> tuple[Any, ...]:
    data = rate(success)
    return tuple(data[name] for name in _RATE)
