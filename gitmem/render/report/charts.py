"""Charts as SVG, in the page's own colours: columns and lines over time, bars below each other."""

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from gitmem.learning.rates import Rate

_WIDTH: Final = 680
_NARROW: Final = 340
_HEIGHT: Final = 250
_ROW: Final = 24
_TOP: Final = 12
_BOTTOM: Final = 32
_LEFT: Final = 48
_RIGHT: Final = 32
_LETTER: Final = 6.6
"""As wide as a letter of a label is on average."""
_CAP: Final = 5
"""Half the length of the line at the end of an interval."""
_LONGEST: Final = {_WIDTH: 40, _NARROW: 16}
"""Characters of a label beside a bar, by the width of the chart."""
_EVERY: Final = {_WIDTH: 10, _NARROW: 4}
"""How many labels have room below a chart, by its width."""
_SHARES: Final = (0.0, 25.0, 50.0, 75.0, 100.0)
_TICKS: Final = 6


class Series(NamedTuple):
    """Values that belong together.

    Attributes:
        name: what they are.
        values: one for each label; None: not known.

    """

    name: str
    values: Sequence[float | None]


class Share(NamedTuple):
    """A share of successes with what it rests on."""

    label: str
    rate: "Rate"


def columns(name: str, labels: Sequence[str], series: Sequence[Series], unit: str = "") -> str:
    """Draw columns side by side, over time; of counts there is no unit."""
    ticks = _ticks(series, whole=not unit)

    def drawn(width: int) -> Iterator[str]:
        yield from _over_time(width, labels, ticks, "")
        slot = _slot(width, labels)
        thick = slot * 0.8 / len(series)
        for number, counted in enumerate(series):
            for at, value in enumerate(counted.values):
                if value:
                    left, top = _LEFT + slot * (at + 0.1) + thick * number, _down(value, ticks)
                    size = (left, top, thick, _HEIGHT - _BOTTOM - top)
                    yield _rectangle(number, size, f"{labels[at]}: {value:g} {counted.name}")

    return _twice(name, drawn, [counted.name for counted in series])


def shares(name: str, labels: Sequence[str], rates: "Sequence[Rate]") -> str:
    """Draw shares of successes over time, each with its interval; none where nothing is known."""

    def drawn(width: int) -> Iterator[str]:
        yield from _over_time(width, labels, _SHARES, " %")
        slot = _slot(width, labels)
        before = ""
        for at, rate in enumerate(rates):
            x = _LEFT + slot * (at + 0.5)
            if rate.share is None:
                before = ""
                continue
            y, low, high = (_down(100 * part, _SHARES) for part in (rate.share, *rate.interval))
            here = f"{x:.1f} {y:.1f}"
            if before:
                yield _path("line", f"M{before}L{here}")
            yield _path("interval", f"M{x:.1f} {low:.1f}V{high:.1f}")
            for end in (low, high):
                yield _path("interval", f"M{x - _CAP:.1f} {end:.1f}h{2 * _CAP}")
            tip = f"{labels[at]}: {_percent(rate)}"
            yield f"<circle class='m1' cx='{x:.1f}' cy='{y:.1f}' r='3.5'>{_title(tip)}</circle>"
            before = here

    return _twice(name, drawn, ["worked, with 95 % intervals"])


def bars(name: str, labels: Sequence[str], counted: Series) -> str:
    """Draw bars below each other, the first on top."""
    ticks = _ticks([counted], whole=True)

    def drawn(width: int) -> Iterator[str]:
        left, scale = yield from _below_each_other(width, labels, ticks, "")
        for at, value in enumerate(counted.values):
            size = (left, _TOP + _ROW * at + 4, (value or 0) * scale, _ROW - 8)
            yield _rectangle(0, size, f"{labels[at]}: {value:g}")

    return _twice(name, drawn, [counted.name], _TOP + _ROW * len(labels) + _BOTTOM)


def share_bars(name: str, shares: Sequence[Share]) -> str:
    """Draw shares below each other, each with its interval."""
    labels = [share.label for share in shares]

    def drawn(width: int) -> Iterator[str]:
        left, scale = yield from _below_each_other(width, labels, _SHARES, " %")
        for at, share in enumerate(shares):
            if share.rate.share is None:
                continue
            y = _TOP + _ROW * at
            size = (left, y + 4, 100 * share.rate.share * scale, _ROW - 8)
            yield _rectangle(0, size, f"{share.label}: {_percent(share.rate)}")
            low, high = (left + 100 * end * scale for end in share.rate.interval)
            yield _path("interval", f"M{low:.1f} {y + _ROW / 2}H{high:.1f}")
            for end in (low, high):
                yield _path("interval", f"M{end:.1f} {y + _ROW / 2 - _CAP}v{2 * _CAP}")

    height = _TOP + _ROW * len(labels) + _BOTTOM
    return _twice(name, drawn, ["worked, with 95 % intervals"], height)


def _over_time(
    width: int, labels: Sequence[str], ticks: Sequence[float], unit: str
) -> Iterator[str]:
    """Draw the frame of a chart over time; the newest has a label, others as they have room."""
    for tick in ticks:
        y = _down(tick, ticks)
        yield _path("axis" if tick == ticks[0] else "grid", f"M{_LEFT} {y:.1f}H{width - _RIGHT}")
        yield _text(_LEFT - 6, y + 4, f"{tick:.10g}{unit}", "end")
    step = -(-len(labels) // _EVERY[width])
    for at in range(len(labels) - 1, -1, -step):
        x = _LEFT + _slot(width, labels) * (at + 0.5)
        yield _text(x, _HEIGHT - _BOTTOM + 20, labels[at], "middle")


def _below_each_other(
    width: int, labels: Sequence[str], ticks: Sequence[float], unit: str
) -> Generator[str, None, tuple[float, float]]:
    """Draw the frame of bars; give where they begin, and how wide one of what they count is."""
    shown = [_short(label, _LONGEST[width]) for label in labels]
    left = 12 + _LETTER * max(map(len, shown))
    scale = (width - _RIGHT - left) / ticks[-1]
    low = _TOP + _ROW * len(labels)
    for tick in ticks:
        x = left + tick * scale
        yield _path("axis" if tick == ticks[0] else "grid", f"M{x:.1f} {_TOP}V{low}")
        if tick in ticks[:: 1 if width > _NARROW else 2]:
            yield _text(x, low + 20, f"{tick:.10g}{unit}", "middle")
    for at, label in enumerate(shown):
        yield _text(left - 6, _TOP + _ROW * (at + 0.5) + 4, label, "end")
    return left, scale


def _slot(width: int, labels: Sequence[str]) -> float:
    return (width - _LEFT - _RIGHT) / len(labels)


def _down(value: float, ticks: Sequence[float]) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / ticks[-1]


def _rectangle(number: int, size: tuple[float, float, float, float], tip: str) -> str:
    x, y, width, height = size
    return (
        f"<rect class='m{number + 1}' x='{x:.1f}' y='{y:.1f}' width='{width:.1f}'"
        f" height='{height:.1f}'>{_title(tip)}</rect>"
    )


def _path(kind: str, way: str) -> str:
    return f"<path class='{kind}' d='{way}'/>"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{escape(text)}</text>"


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _percent(rate: "Rate") -> str:
    return f"{rate.worked} of {rate.tried}"


def _twice(
    name: str, drawn: Callable[[int], Iterator[str]], keys: Sequence[str], height: int = _HEIGHT
) -> str:
    """Draw a chart twice, for a page as wide as usual and for a phone; tell which colour is what.

    The key is text beside the drawing, so that it wraps on a phone.
    """
    wide, narrow = (
        f"<svg xmlns='http://www.w3.org/2000/svg' id='chart-{name}{end}' viewBox='0 0 {width}"
        f" {height}'>{''.join(drawn(width))}</svg>"
        for width, end in ((_WIDTH, ""), (_NARROW, "-narrow"))
    )
    key = "".join(f"<span class='c{at}'>{escape(text)}</span>" for at, text in enumerate(keys, 1))
    shown = f"<div class='broad'>{wide}</div><div class='narrow'>{narrow}</div>"
    return f"{shown}<figcaption>{key}</figcaption>"


def _ticks(series: Sequence[Series], *, whole: bool) -> list[float]:
    """Give the numbers of an axis; whole ones for counts: there is no fifth of an error."""
    most = max(
        (value for counted in series for value in counted.values if value is not None), default=0
    )
    step = next(
        size * ten
        for ten in (10.0**power for power in range(0 if whole else -2, 12))
        for size in (1, 2, 5)
        if most <= size * ten * _TICKS
    )
    return [round(number * step, 2) for number in range(max(1, math.ceil(most / step)) + 1)]


def _short(label: str, longest: int) -> str:
    return label if len(label) <= longest else label[: longest - 1].rstrip() + "…"
