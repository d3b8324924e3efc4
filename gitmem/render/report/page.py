"""The report as one HTML page: nothing in it is loaded, and nothing in it is markup of a record."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from gitmem.learning.rates import Rate
from gitmem.render.figures import duration, size
from gitmem.render.report import charts
from gitmem.render.report.style import CSS
from gitmem.render.text import one_line

if TYPE_CHECKING:
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


def page(found: "Overall") -> str:
    """Write the page.

    Args:
        found: what the memory answers.

    Returns:
        A whole HTML document.

    """
    title = f"What {_text(found.name)} remembers"
    sections = [
        _section("At a glance", "", _cards(found)),
        _section("Week by week", "What was recorded in the last 26 weeks.", _weeks(found)),
        _section("Success", "Of attempts whose outcome is known, month by month.", _success(found)),
        _section("Hot failures", "Recorded most often; each bar is one failure.", _hot(found)),
        _section("Time to fix", "From the first record of a failure, or its coming back, to the "
                 "fix that worked; the median of each month.", _time(found)),
        _section("Success by approach", "Ways that were tried more than once, with what the share "
                 "rests on.", _approaches(found)),
        _section("Fixes that did not hold", "They had worked, and the failure was recorded again.",
                 _unheld(found)),
        _section("Trends", "The newest twenty outcomes of each category: the older half against "
                 "the newer.", _trends(found.trends)),
        _section("Health of the memory", "", _health(found)),
    ]  # fmt: skip
    return "\n".join([
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
        f"<header><h1>{title}</h1><p class='soft'>{found.at:%Y-%m-%d %H:%M} UTC</p></header>",
        "<main>",
        *sections,
        "</main>",
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def _section(title: str, about: str, parts: Iterable[str]) -> str:
    told = f"<p class='soft'>{about}</p>" if about else ""
    return "\n".join([f"<section><h2>{title}</h2>{told}", *parts, "</section>"])


def _cards(found: "Overall") -> Iterator[str]:
    total = found.months.total
    cards = [
        ("errors", str(total.errors), f"different failures: {total.failures}, open: {total.open}"),
        ("attempts", str(total.attempts), f"{total.worked} worked, {total.unverified} unverified"),
        ("success", _share(total.rate), _support(total.rate)),
        ("time to fix", _spread(total.to_fix), f"median of {total.to_fix.support}"),
        ("came back", str(total.came_back), "after a fix that had worked"),
        ("did not hold", str(total.unheld), f"of {total.worked} fixes that worked"),
        ("sessions", _share(found.sessions.rate), _support(found.sessions.rate)),
        ("memory", str(sum(found.months.records.values())), f"records, {size(found.months.size)}"),
    ]
    yield "<div class='cards'>"
    for name, value, aside in cards:
        yield (f"<div class='card'><span class='soft'>{name}</span><strong>{value}</strong>"
               f"<span class='soft'>{aside}</span></div>")  # fmt: skip
    yield "</div>"


def _weeks(found: "Overall") -> Iterator[str]:
    weeks = found.months.weeks
    if not any(one.errors or one.attempts for one in weeks):
        yield _NOTHING
        return
    labels = [f"{one.start:%d %b}" for one in weeks]
    series = [
        charts.Series("errors", [one.errors for one in weeks]),
        charts.Series("attempts", [one.attempts for one in weeks]),
        charts.Series("worked", [one.worked for one in weeks]),
    ]
    yield _chart("Errors, attempts and fixes by week", charts.columns("weeks", labels, series))


def _success(found: "Overall") -> Iterator[str]:
    if not any(one.figures.rate.tried for one in found.by_month[-_MONTHS:]):
        yield _NOTHING
        return
    months = _calendar(found)
    rates = [one.rate if one else Rate(0, 0) for one in months.values()]
    yield _chart("Share of attempts that worked", charts.shares("success", list(months), rates))


def _hot(found: "Overall") -> Iterator[str]:
    if not found.hot:
        yield "<p class='soft'>No failure was recorded twice.</p>"
        return
    labels = [f"{one.title}" for one in found.hot]
    series = [
        charts.Series("records", [one.records for one in found.hot]),
        charts.Series("came back", [one.came_back for one in found.hot]),
    ]
    yield _chart("Failures by how often they were recorded", charts.bars("hot", labels, series))
    yield from _table(
        ("failure", "times", "came back", "worked", "best fix"), map(_hot_row, found.hot)
    )


def _hot_row(one: "RecurringFailure") -> tuple[str, ...]:
    best = f"{_quoted(one.best.approach)} {_id(one.best.best)}" if one.best else _DASH
    state = "open" if one.open else "fixed"
    return (f"{_quoted(one.title)} {_id(one.error)} <span class='{state}'>{state}</span>",
            str(one.records), str(one.came_back), _rate(one.rate), best)  # fmt: skip


def _time(found: "Overall") -> Iterator[str]:
    if not any(one.figures.to_fix.support for one in found.by_month[-_MONTHS:]):
        yield "<p class='soft'>No failure was fixed yet.</p>"
        return
    months = _calendar(found)
    seconds = [one.to_fix.median if one else None for one in months.values()]
    longest = max(one for one in seconds if one is not None)
    unit, length = next((one for one in _UNITS if longest >= one[1]), _UNITS[-1])
    values = [None if one is None else round(one / length, 2) for one in seconds]
    drawn = charts.columns("time", list(months), [charts.Series("median", values)], unit)
    yield _chart(f"Median time to fix, in {unit}", drawn)


def _approaches(found: "Overall") -> Iterator[str]:
    if not found.approaches:
        yield "<p class='soft'>No way was tried more than once yet.</p>"
        return
    shown = [charts.Share(one_line(one.approach), one.rate) for one in found.approaches]
    yield _chart("Success by approach", charts.share_bars("approaches", shown))
    yield from _table(("approach", "for", "worked"), map(_approach_row, found.approaches))


def _approach_row(one: "Strategy") -> tuple[str, ...]:
    return f"{_quoted(one.approach)} {_id(one.best)}", _quoted(one.kind) or _DASH, _rate(one.rate)


def _unheld(found: "Overall") -> Iterator[str]:
    if not found.unheld:
        yield "<p class='soft'>Every fix that worked has held so far.</p>"
        return
    months = _calendar(found)
    series = [
        charts.Series("worked", [one.worked if one else 0 for one in months.values()]),
        charts.Series("did not hold", [one.unheld if one else 0 for one in months.values()]),
    ]
    yield _chart("Fixes that worked, and those that did not hold",
                 charts.columns("unheld", list(months), series))  # fmt: skip
    yield from _table(
        ("approach", "for", "did not hold"),
        ((f"{_quoted(one.approach)} {_id(one.best)}", _quoted(one.kind) or _DASH,
          f"{one.unheld} of {one.rate.worked}") for one in found.unheld),
    )  # fmt: skip


def _calendar(found: "Overall") -> "dict[str, Figures | None]":
    """Give the figures of each of the last months, also of those in which nothing was recorded.

    There are at least half a year of them: one column alone says nothing about time.
    """
    figures = {one.label[0]: one.figures for one in found.by_month[-_MONTHS:]}
    last = max(_month(label) for label in figures)
    first = max(min(_month(label) for label in figures), last - _MONTHS + 1)
    labels = (f"{one // 12:04}-{one % 12 + 1:02}"
              for one in range(min(first, last - _LEAST_MONTHS + 1), last + 1))  # fmt: skip
    return {label: figures.get(label) for label in labels}


def _month(label: str) -> int:
    year, _, month = label.partition("-")
    return int(year) * 12 + int(month) - 1


def _trends(found: "Sequence[Trend]") -> Iterator[str]:
    if not found:
        yield _NOTHING
        return
    yield from _table(
        ("what", "category", "trend", "older", "newer", "in all"),
        (
            (one.of, _quoted(one.label) or "(none)", _direction(one), _of(one.before),
             _of(one.after), str(one.total))
            for one in found[:20]
        ),
    )  # fmt: skip


def _direction(one: "Trend") -> str:
    sure = "" if one.sure or one.chance is None or one.direction == "stable" else " (not sure)"
    return f"<span class='{one.direction.split()[0]}'>{one.direction}</span>{sure}"


def _health(found: "Overall") -> Iterator[str]:
    health = found.health
    problems = ", ".join(f"{count} {name}s" for name, count in health.problems) or "none"
    stale = "not looked at: too many places" if health.stale is None else str(health.stale)
    rows = [
        ("problems that gitmem check finds", problems),
        ("places that records name and that hold no more", stale),
        ("errors open for more than 90 days", str(health.old)),
        ("errors that nobody wrote an attempt for", str(health.without_fix)),
        ("attempts that nobody verified", str(health.unverified)),
    ]
    yield from _table(("", ""), rows, head=False)
    kinds = found.months.records
    if kinds:
        drawn = charts.bars("kinds", list(kinds), [charts.Series("records", list(kinds.values()))])
        yield _chart("Records by kind", drawn)


def _chart(name: str, drawn: str) -> str:
    return f"<figure role='img' aria-label='{escape(name)}'>{drawn}</figure>"


def _table(
    head_row: Sequence[str], rows: Iterable[Sequence[str]], *, head: bool = True
) -> Iterator[str]:
    yield "<div class='wide'><table>" if head else "<div class='wide'><table class='facts'>"
    if head:
        yield f"<tr>{''.join(f'<th>{one}</th>' for one in head_row)}</tr>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{one}</td>' for one in row)}</tr>"
    yield "</table></div>"


def _text(text: str) -> str:
    return escape(one_line(text))


def _quoted(text: str) -> str:
    line = one_line(text)
    return escape(line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…")


def _id(record: str) -> str:
    return f"<code>{escape(record)}</code>"


def _share(rate: Rate) -> str:
    return f"{100 * rate.share:.0f} %" if rate.share is not None else _DASH


def _support(rate: Rate) -> str:
    low, high = rate.interval
    if not rate.tried:
        return "nothing known yet"
    if rate.tried < _LEAST:
        return f"{rate.worked} of {rate.tried}: too little data"
    return f"{rate.worked} of {rate.tried}, 95 %: {100 * low:.0f}{_DASH}{100 * high:.0f}"


def _rate(rate: Rate) -> str:
    if not rate.tried:
        return _DASH
    told = f"{rate.worked} of {rate.tried}"
    return f"{told} ({_share(rate)})" if rate.tried >= _LEAST else told


def _of(rate: Rate) -> str:
    return f"{rate.worked} of {rate.tried}" if rate.tried else _DASH


def _spread(found: "Spread") -> str:
    return _DASH if found.median is None else duration(found.median)
