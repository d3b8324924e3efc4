"""What repeats, what works and how it develops: as JSON, and as rows of tables."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.learning.figures import FigureGroup, Figures
    from gitmem.learning.performance import Performance
    from gitmem.learning.rates import Rate
    from gitmem.learning.recurring import RecurringFailure, Subject
    from gitmem.learning.stats import Stats
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend

_DIGITS = 4


def cells(row: Iterable[object]) -> list[object]:
    """One row of an answer; bytes, which JSON does not know, in hex."""
    return [value.hex() if isinstance(value, bytes) else value for value in row]


def rate(one: "Rate") -> dict[str, Any]:
    """A share with its interval and support."""
    low, high = one.interval
    share = None if one.share is None else round(one.share, _DIGITS)
    return {"worked": one.worked, "tried": one.tried, "share": share,
            "low": round(low, _DIGITS), "high": round(high, _DIGITS)}  # fmt: skip


def chance(value: float | None) -> float | None:
    """A probability to six digits that count: what lies behind them is rounding."""
    return None if value is None else float(f"{value:.6g}")


def figures(one: "Figures") -> dict[str, Any]:
    """Numbers of some errors and attempts."""
    said = one._asdict()
    return {
        **{name: value for name, value in said.items() if name not in {"to_fix", "effort"}},
        "rate": rate(one.rate),
        "enough": one.enough,
        "to_fix": one.to_fix._asdict(),
        "effort": one.effort._asdict(),
    }


def groups(found: "Iterable[FigureGroup]") -> list[dict[str, Any]]:
    """Groups with their labels."""
    return [{"label": list(one.label), **figures(one.figures)} for one in found]


def stats(one: "Stats") -> dict[str, Any]:
    """A memory in numbers."""
    return {
        "total": figures(one.total),
        "by": list(one.by),
        "groups": groups(one.groups),
        "sessions": rate(one.sessions),
        "subjects": one.subjects,
        "types": one.types,
        "categories": one.categories,
        "recent": {"days": 7, "errors": one.recent_errors, "attempts": one.recent_attempts},
        "weeks": [week._asdict() | {"start": week.start.isoformat()} for week in one.weeks],
        "records": dict(one.records),
        "size": one.size,
        "folder": one.folder,
    }


def strategy(one: "Strategy") -> dict[str, Any]:
    """A way to fix something."""
    return one._asdict() | {"rate": rate(one.rate)}


def recurring(one: "RecurringFailure") -> dict[str, Any]:
    """A failure that repeats."""
    return one._asdict() | {
        "rate": rate(one.rate),
        "confidence": one.confidence,
        "best": strategy(one.best) if one.best else None,
        "rhythms": [rhythm._asdict() | {"p": chance(rhythm.p)} for rhythm in one.rhythms],
    }


def trend(one: "Trend") -> dict[str, Any]:
    """How a group develops."""
    return one._asdict() | {
        "before": rate(one.before),
        "after": rate(one.after),
        "rate": rate(one.rate),
        "chance": chance(one.chance),
        "sure": one.sure,
        "seconds": one.seconds._asdict(),
        "approaches": [list(pair) for pair in one.approaches],
    }


def performance(one: "Performance") -> dict[str, Any]:
    """Sessions all together; their trends stand elsewhere."""
    said = {
        **one._asdict(),
        "rate": rate(one.rate),
        "seconds": one.seconds._asdict(),
        "categories": [list(pair) for pair in one.categories],
        "remarks": [remark._asdict() for remark in one.remarks],
        "approaches": [
            {"approach": name, "rate": rate(outcomes)} for name, outcomes in one.approaches
        ],
        "factors": [list(pair) for pair in one.factors],
    }
    del said["trends"]
    return said


def subject(one: "Subject") -> dict[str, Any]:
    """What is known about a subject."""
    return one._asdict() | {
        "names": list(one.names),
        "total": figures(one.total),
        "types": groups(one.types),
        "effective": [strategy(way) for way in one.effective],
        "history": [note._asdict() for note in one.history],
        "notes": [note._asdict() for note in one.notes],
    }


Table = tuple[tuple[str, ...], list[tuple[Any, ...]]]
_FIGURES = ("errors", "failures", "open", "came_back", "attempts", "worked", "partial", "failed",
            "unverified", "unheld", "applied", "verified")  # fmt: skip
_RATE = ("tried", "share", "low", "high")
_SPREADS = ("to_fix_support", "to_fix_mean", "to_fix_median", "effort_support", "effort_mean",
            "effort_median")  # fmt: skip


def figures_table(found: "Iterable[FigureGroup]", by: Sequence[str]) -> Table:
    """Groups as rows."""
    rows = [
        (*one.label, *(getattr(one.figures, name) for name in _FIGURES), *_rate(one.figures.rate),
         *one.figures.to_fix, *one.figures.effort)
        for one in found
    ]  # fmt: skip
    return (*by, *_FIGURES, *_RATE, *_SPREADS), rows


def strategies_table(found: "Iterable[Strategy]") -> Table:
    """Ways to fix something as rows."""
    columns = ("type", "approach", "worked", *_RATE, "unheld", "attempts", "best", "last")
    return columns, [
        (one.kind, one.approach, one.rate.worked, *_rate(one.rate), one.unheld, one.attempts,
         one.best, one.last)
        for one in found
    ]  # fmt: skip


def recurring_table(found: "Iterable[RecurringFailure]") -> Table:
    """Failures that repeat as rows."""
    plain = ("fingerprint", "error", "title", "type", "category", "subject", "records", "first",
             "last", "open", "came_back", "attempts")  # fmt: skip
    columns = (*plain, "worked", *_RATE, "best", "best_approach", "rhythms")
    return columns, [
        (*(getattr(one, name) for name in plain), one.rate.worked, *_rate(one.rate),
         one.best.best if one.best else None, one.best.approach if one.best else None,
         " ".join(f"{each.when}:{each.at}".rstrip(":") for each in one.rhythms))
        for one in found
    ]  # fmt: skip


def trends_table(found: "Iterable[Trend]") -> Table:
    """Trends as rows."""
    columns = ("of", "label", "direction", "before_worked", "before_tried", "after_worked",
               "after_tried", "chance", "total", "seconds_mean", "approach", "last")  # fmt: skip
    return columns, [
        (one.of, one.label, one.direction, *one.before, *one.after, chance(one.chance), one.total,
         one.seconds.mean, one.approaches[0][0] if one.approaches else None, one.last)
        for one in found
    ]  # fmt: skip


def rows_table(found: "Iterable[Row]") -> Table:
    """Records as rows."""
    columns = ("id", "created", "status", "title", "author", "via", "gist")
    return columns, [tuple(getattr(one, name) for name in columns) for one in found]


def _rate(one: "Rate") -> tuple[Any, ...]:
    said = rate(one)
    return tuple(said[name] for name in _RATE)
