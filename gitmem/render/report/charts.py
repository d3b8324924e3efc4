"""Charts as SVG, in the page's own colours. The only user of pygal."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from gitmem.learning.rates import Rate

_SCRIPT: Final = re.compile(r"<script\b.*?</script>", re.DOTALL)
_WIDTH: Final = 680
_HEIGHT: Final = 250
_ROW: Final = 24
_LONGEST: Final = 40
_EVERY: Final = 10
"""Labels below a chart have room for so many."""
_TICKS: Final = 6


class Series(NamedTuple):
    """Values that belong together.

    Attributes:
        name: what they are.
        values: one for each label; None: not known.

    """

    name: str
    values: "Sequence[float | Mapping[str, Any] | None]"


class Share(NamedTuple):
    """A share of successes with what it rests on."""

    label: str
    rate: "Rate"


def columns(name: str, labels: Sequence[str], series: Sequence[Series], unit: str = "") -> str:
    """Draw columns side by side, over time; counts without a unit."""
    import pygal

    return _render(pygal.Bar(**_settings()), name, labels, series, unit)


def shares(name: str, labels: Sequence[str], rates: "Sequence[Rate]") -> str:
    """Draw shares of successes over time, each with its interval; none where nothing is known."""
    import pygal

    chart = pygal.Line(**_settings(), range=(0, 100), dots_size=3, stroke_style={"width": 2})
    series = [Series("worked, with 95 % intervals", [_interval(rate) for rate in rates])]
    return _render(chart, name, labels, series, "%")


def bars(name: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Draw bars below each other, the first on top."""
    import pygal

    shown = [_short(label) for label in reversed(labels)]
    height = 90 + _ROW * len(labels) * max(1, len(series))
    chart = pygal.HorizontalBar(**{**_settings(), "height": height})
    turned = [Series(one_series.name, list(reversed(one_series.values))) for one_series in series]
    return _render(chart, name, shown, turned)


def share_bars(name: str, shares: Sequence[Share]) -> str:
    """Draw shares below each other, each with its interval and support."""
    import pygal

    shown = [f"{_short(share.label)} ({share.rate.tried})" for share in reversed(shares)]
    settings = {**_settings(), "height": 90 + _ROW * len(shares), "range": (0, 100)}
    chart = pygal.HorizontalBar(**settings)
    rates = [_interval(share.rate) for share in reversed(shares)]
    return _render(chart, name, shown, [Series("worked (of how many)", rates)], "%")


def _interval(rate: "Rate") -> dict[str, Any] | None:
    if rate.share is None:
        return None
    low, high = rate.interval
    return {
        "value": round(100 * rate.share, 1),
        "ci": {"low": round(100 * low, 1), "high": round(100 * high, 1)},
    }


def _settings() -> dict[str, Any]:
    from pygal.style import Style

    style = Style(
        background="transparent",
        plot_background="transparent",
        foreground="var(--ink)",
        foreground_strong="var(--ink)",
        foreground_subtle="var(--soft)",
        guide_stroke_color="var(--line)",
        major_guide_stroke_color="var(--line)",
        colors=("var(--c1)", "var(--c2)", "var(--c3)"),
        font_family="inherit",
        label_font_size=12,
        major_label_font_size=12,
        opacity=".85",
        opacity_hover="1",
        transition="0ms",
        ci_colors=("var(--ink)",) * 3,
    )
    return {
        "style": style, "js": (), "disable_xml_declaration": True, "width": _WIDTH,
        "height": _HEIGHT, "show_legend": False,
        "truncate_label": -1, "x_label_rotation": 0, "margin": 8,
        "no_data_text": "nothing yet", "include_x_axis": True, "spacing": 14,
    }  # fmt: skip


def _render(
    chart: Any,  # noqa: ANN401  pygal has no types
    name: str,
    labels: Sequence[str],
    series: Sequence[Series],
    unit: str = "",
) -> str:
    for one_series in series:
        chart.add(one_series.name, list(one_series.values))
    if unit:
        chart.value_formatter = lambda value: f"{value:g} {unit}"
    else:
        chart.y_labels = _whole_ticks(
            [value for one_of_series in series for value in one_of_series.values]
        )
        chart.value_formatter = lambda value: f"{value:g}"
    return _rendered(chart, name, labels) + _key(series)


def _key(series: Sequence[Series]) -> str:
    """Tell which colour is what: as text beside the drawing, so that it wraps on a phone."""
    parts = (
        f"<span class='c{number}'>{escape(one_series.name)}</span>"
        for number, one_series in enumerate(series, 1)
    )
    return f"<figcaption>{''.join(parts)}</figcaption>"


def _whole_ticks(values: "Sequence[float | Mapping[str, Any] | None]") -> list[int]:
    """Give whole numbers for the axis of counts: there is no fifth of an error."""
    most = max((int(value) for value in values if isinstance(value, int | float)), default=0)
    step = next(
        size * ten
        for ten in (10**power for power in range(12))
        for size in (1, 2, 5)
        if most <= size * ten * _TICKS
    )
    return list(range(0, most + step, step))


def _rendered(chart: Any, name: str, labels: Sequence[str]) -> str:  # noqa: ANN401  pygal has no types
    chart.uuid = name  # else a random one: the same memory gives the same page
    chart.x_labels = list(labels)
    if len(labels) > _EVERY and not getattr(chart, "horizontal", False):
        step = -(-len(labels) // _EVERY)
        chart.x_labels_major = list(labels)[::step]
        chart.show_minor_x_labels = False
    svg: str = chart.render(is_unicode=True)
    # The first comments say on which day it was drawn, and a script has settings for tooltips.
    # In the text of a record both are escaped.
    start = svg.index("<!--")
    return _SCRIPT.sub("", svg[:start] + svg[svg.index("<defs>") :])


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1].rstrip() + "…"
