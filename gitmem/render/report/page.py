"""The report as one HTML page that loads nothing and escapes all text of records."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from gitmem.learning.confidence import Rate
from gitmem.plurals import counted
from gitmem.render.figures import duration, size
from gitmem.render.report import charts
from gitmem.render.report.cards import cards, link
from gitmem.render.report.style import CSS
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.answers.found import Shown
    from gitmem.learning.figures import Figures, Spread
    from gitmem.learning.overall import Overall
    from gitmem.learning.recurring import RecurringFailure
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend

_MONTHS: Final = 24
_LEAST_MONTHS: Final = 6
_LEAST: Final = 5
_LONGEST: Final = 160
_UNITS: Final = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
_DASH: Final = "\N{EN DASH}"
_NOTHING: Final = "<p class='soft'>Nothing yet.</p>"


def page(overall: "Overall", records: "Sequence[Shown]") -> str:
    """Write the page.

    Args:
        overall: what the memory answers.
        records: those that it names, for the cards that their ids lead to.

    Returns:
        A whole HTML document.

    """
    title = f"What {_text(overall.name)} remembers"
    ids = {shown.row.id for shown in records}
    sections = [
        _section("At a glance", "", _cards(overall)),
        _section("Week by week", "What was recorded in the last 26 weeks.", _weeks(overall)),
        _section(
            "Success", "Of attempts whose outcome is known, month by month.", _success(overall)
        ),
        _section("Frequent failures", "Recorded most often.", _hot(overall, ids)),
        _section(
            "Time to fix",
            "From the first record of a failure, or its return, to the fix that worked; "
            "the median of each month.",
            _time(overall),
        ),
        _section(
            "Success by approach",
            "Fixes that were tried more than once, and how often each worked.",
            _approaches(overall, ids),
        ),
        _section(
            "Fixes after which the failure came back",
            "It was recorded again after they had worked. A fix did not hold if it was in the "
            "code then.",
            _unheld(overall, ids),
        ),
        _section(
            "Trends",
            "The newest twenty outcomes of each category: the older half against the newer.",
            _trends(overall.trends),
        ),
        _section("Health of the memory", "", _health(overall)),
        *(
            [_section("Records", "The records named on this page.", cards(records))]
            if records
            else []
        ),
    ]
    return "\n".join(
        [
            "<!doctype html>",
            "<html lang='en'>",
            "<head>",
            "<meta charset='utf-8'>",
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            "<meta name='color-scheme' content='light dark'>",
            f"<title>{title}</title>",
            f"<style>{CSS}</style>",
            "</head>",
            "<body>",
            f"<header><h1>{title}</h1><p class='soft'>{overall.at:%Y-%m-%d %H:%M} UTC</p></header>",
            "<main>",
            *sections,
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _section(title: str, about: str, parts: Iterable[str]) -> str:
    introduction = f"<p class='soft'>{about}</p>" if about else ""
    return "\n".join([f"<section><h2>{title}</h2>{introduction}", *parts, "</section>"])


def _cards(overall: "Overall") -> Iterator[str]:
    total = overall.months.total
    cards = [
        (
            "errors",
            str(total.errors),
            f"{counted(total.failures, 'distinct failure')}, {total.open} open",
        ),
        ("attempts", str(total.attempts), f"{total.worked} worked, {total.unverified} unverified"),
        ("success", _share(total.rate), _support(total.rate)),
        ("time to fix", _spread(total.to_fix), f"median of {total.to_fix.support}"),
        ("came back", str(total.came_back), "after a fix that had worked"),
        (
            "seen again",
            str(total.unheld),
            f"after {counted(total.worked, 'fix', 'fixes')} that worked",
        ),
        ("sessions", _share(overall.sessions.rate), _support(overall.sessions.rate)),
        (
            "memory",
            str(sum(overall.months.records.values())),
            f"records, {size(overall.months.size)}",
        ),
    ]
    yield "<div class='cards'>"
    for name, value, aside in cards:
        yield (
            f"<div class='card'><span class='soft'>{name}</span><strong>{value}</strong>"
            f"<span class='soft'>{aside}</span></div>"
        )
    yield "</div>"


def _weeks(overall: "Overall") -> Iterator[str]:
    weeks = overall.months.weeks
    if not any(week.errors or week.attempts for week in weeks):
        yield _NOTHING
        return
    labels = [f"{week.start:%d %b}" for week in weeks]
    series = [
        charts.Series("errors", [week.errors for week in weeks]),
        charts.Series("attempts", [week.attempts for week in weeks]),
        charts.Series("worked", [week.worked for week in weeks]),
    ]
    yield _chart("Errors, attempts and fixes by week", charts.columns("weeks", labels, series))


def _success(overall: "Overall") -> Iterator[str]:
    if not any(group.figures.rate.tried for group in overall.by_month[-_MONTHS:]):
        yield _NOTHING
        return
    months = _calendar(overall)
    rates = [figures.rate if figures else Rate(0, 0) for figures in months.values()]
    yield _chart("Share of attempts that worked", charts.shares("success", list(months), rates))


def _hot(overall: "Overall", ids: Collection[str]) -> Iterator[str]:
    if not overall.hot:
        yield "<p class='soft'>No failure was recorded twice.</p>"
        return
    yield from _table(
        ("failure", "times", "came back", "worked", "best fix"),
        (_hot_row(failure, ids) for failure in overall.hot),
    )


def _hot_row(failure: "RecurringFailure", ids: Collection[str]) -> tuple[str, ...]:
    best = _way(failure.best, ids) if failure.best else _DASH
    state = "open" if failure.open else "fixed"
    name = f"{_quoted(failure.title)} {link(failure.error, ids)}"
    return (f"{name} <span class='{state}'>{state}</span>",
            str(failure.records), str(failure.came_back), _rate(failure.rate), best)  # fmt: skip


def _time(overall: "Overall") -> Iterator[str]:
    if not any(group.figures.to_fix.support for group in overall.by_month[-_MONTHS:]):
        yield "<p class='soft'>No failure was fixed yet.</p>"
        return
    months = _calendar(overall)
    seconds = [figures.to_fix.median if figures else None for figures in months.values()]
    longest = max(second for second in seconds if second is not None)
    unit, length = next((candidate for candidate in _UNITS if longest >= candidate[1]), _UNITS[-1])
    values = [None if second is None else round(second / length, 2) for second in seconds]
    svg = charts.columns("time", list(months), [charts.Series(f"median, in {unit}", values)], unit)
    yield _chart(f"Median time to fix, in {unit}", svg)


def _approaches(overall: "Overall", ids: Collection[str]) -> Iterator[str]:
    if not overall.approaches:
        yield "<p class='soft'>Nothing was tried more than once yet.</p>"
        return
    names = Counter(one_line(approach.approach) for approach in overall.approaches)
    shown = [
        charts.Share(name if names[name] == 1 else f"{approach.kind}: {name}", approach.rate)
        for approach in overall.approaches
        for name in [one_line(approach.approach)]
    ]
    yield _chart("Success by approach", charts.share_bars("approaches", shown))
    yield from _table(
        ("approach", "for", "worked"),
        (
            (_way(strategy, ids), _quoted(strategy.kind) or _DASH, _rate(strategy.rate))
            for strategy in overall.approaches
        ),
    )


def _way(strategy: "Strategy", ids: Collection[str]) -> str:
    verdict = f"<span class='soft'>{escape(strategy.verdict)}:</span> " if strategy.verdict else ""
    return f"{verdict}{_quoted(strategy.approach)} {link(strategy.best, ids)}"


def _unheld(overall: "Overall", ids: Collection[str]) -> Iterator[str]:
    if not overall.unheld:
        yield "<p class='soft'>No failure came back after a fix that worked.</p>"
        return
    months = _calendar(overall)
    series = [
        charts.Series("worked", [figures.worked if figures else 0 for figures in months.values()]),
        charts.Series(
            "seen again", [figures.unheld if figures else 0 for figures in months.values()]
        ),
    ]
    yield _chart(
        "Fixes that worked, and those after which the failure came back",
        charts.columns("unheld", list(months), series),
    )
    yield from _table(
        ("approach", "for", "seen again after"),
        (
            (
                _way(strategy, ids),
                _quoted(strategy.kind) or _DASH,
                f"{strategy.unheld} of {strategy.rate.worked}",
            )
            for strategy in overall.unheld
        ),
    )


def _calendar(overall: "Overall") -> "dict[str, Figures | None]":
    """Give the figures of each of the last months, also of those in which nothing was recorded.

    There are at least half a year of them: one column alone says nothing about time.
    """
    figures = {group.label[0]: group.figures for group in overall.by_month[-_MONTHS:]}
    last = max(_month(label) for label in figures)
    first = max(min(_month(label) for label in figures), last - _MONTHS + 1)
    labels = (
        f"{month // 12:04}-{month % 12 + 1:02}"
        for month in range(min(first, last - _LEAST_MONTHS + 1), last + 1)
    )
    return {label: figures.get(label) for label in labels}


def _month(label: str) -> int:
    year, _, month = label.partition("-")
    return int(year) * 12 + int(month) - 1


def _trends(trends: "Sequence[Trend]") -> Iterator[str]:
    if not trends:
        yield _NOTHING
        return
    yield from _table(
        ("what", "category", "trend", "older", "newer", "in all"),
        (
            (
                trend.of,
                _quoted(trend.label) or "(none)",
                _direction(trend),
                _of(trend.before),
                _of(trend.after),
                str(trend.total),
            )
            for trend in trends[:20]
        ),
    )


def _direction(trend: "Trend") -> str:
    sure = (
        "" if trend.sure or trend.chance is None or trend.direction == "stable" else " (not sure)"
    )
    return f"<span class='{trend.direction.split()[0]}'>{trend.direction}</span>{sure}"


def _health(overall: "Overall") -> Iterator[str]:
    health = overall.health
    problems = ", ".join(f"{count} {name}s" for name, count in health.problems) or "none"
    stale = "not checked: too many places" if health.stale is None else str(health.stale)
    rows = [
        ("problems found by gitmem check", problems),
        ("places in the code that are gone", stale),
        ("errors open for more than 90 days", str(health.old)),
        ("errors without a recorded attempt", str(health.without_fix)),
        ("attempts without verification", str(health.unverified)),
    ]
    yield from _table(("", ""), rows, head=False)
    kinds = overall.months.records
    if kinds:
        svg = charts.bars("kinds", list(kinds), [charts.Series("records", list(kinds.values()))])
        yield _chart("Records by kind", svg)


def _chart(name: str, svg: str) -> str:
    return f"<figure role='img' aria-label='{escape(name)}'>{svg}</figure>"


def _table(
    head_row: Sequence[str], rows: Iterable[Sequence[str]], *, head: bool = True
) -> Iterator[str]:
    yield "<div class='wide'><table>" if head else "<div class='wide'><table class='facts'>"
    if head:
        yield f"<tr>{''.join(f'<th>{title}</th>' for title in head_row)}</tr>"
    for row in rows:
        cells = zip(head_row, row, strict=True)
        written = (f"<td data-name='{name}'>{cell}</td>" for name, cell in cells)
        yield f"<tr>{''.join(written)}</tr>"
    yield "</table></div>"


def _text(text: str) -> str:
    return escape(one_line(text))


def _quoted(text: str) -> str:
    line = one_line(text)
    return escape(line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…")


def _share(rate: Rate) -> str:
    return f"{100 * rate.share:.0f}\N{NO-BREAK SPACE}%" if rate.share is not None else _DASH


def _support(rate: Rate) -> str:
    low, high = rate.interval
    if not rate.tried:
        return "nothing known yet"
    if rate.tried < _LEAST:
        return f"{rate.worked} of {rate.tried}: too little data"
    return f"{rate.worked} of {rate.tried}, 95 % CI {100 * low:.0f}{_DASH}{100 * high:.0f} %"


def _rate(rate: Rate) -> str:
    if not rate.tried:
        return _DASH
    counts = f"{rate.worked} of {rate.tried}"
    return f"{counts} ({_share(rate)})" if rate.tried >= _LEAST else counts


def _of(rate: Rate) -> str:
    return f"{rate.worked} of {rate.tried}" if rate.tried else _DASH


def _spread(durations: "Spread") -> str:
    return _DASH if durations.median is None else duration(durations.median)
