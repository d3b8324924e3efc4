"""Charts as SVG, in the page's own colours. The only user of pygal."""

import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from gitmem.learning.confidence import Rate

_SCRIPT: Final = re.compile(r"<script\b.*?</script>", re.DOTALL)
_WIDTH: Final = 680
_NARROW: Final = 340
_HEIGHT: Final = 250
_ROW: Final = 24
_LONGEST: Final = {_WIDTH: 40, _NARROW: 16}
"""Characters of a label beside a bar, by the width of the chart."""
_EVERY: Final = {_WIDTH: 10, _NARROW: 4}
"""How many labels have room below a chart, by its width."""
_SHARES: Final = (0, 25, 50, 75, 100)
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
    """Draw columns side by side, over time; of counts there is no unit."""
    import pygal

    return _drawn(pygal.Bar, name, labels, series, unit)


def shares(name: str, labels: Sequence[str], rates: "Sequence[Rate]") -> str:
    """Draw shares of successes over time, each with its interval; none where nothing is known."""
    import pygal

    series = [Series("worked, with 95 % intervals", [_interval(rate) for rate in rates])]
    more = {"range": (0, 100), "dots_size": 3, "stroke_style": {"width": 2}}
    return _drawn(pygal.Line, name, labels, series, "%", more)


def bars(name: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Draw bars below each other, the first on top."""
    import pygal

    turned = [Series(row.name, list(reversed(row.values))) for row in series]
    more = {"height": 90 + _ROW * len(labels) * max(1, len(series))}
    return _drawn(pygal.HorizontalBar, name, list(reversed(labels)), turned, "", more)


def share_bars(name: str, shares: Sequence[Share]) -> str:
    """Draw shares below each other, each with its interval."""
    import pygal

    series = [Series("worked, with 95 % intervals", [_interval(s.rate) for s in reversed(shares)])]
    labels = [share.label for share in reversed(shares)]
    more = {"height": 90 + _ROW * len(shares), "range": (0, 100)}
    return _drawn(pygal.HorizontalBar, name, labels, series, "%", more)


def _drawn(
    kind: Any,  # noqa: ANN401  pygal has no types
    name: str,
    labels: Sequence[str],
    series: Sequence[Series],
    unit: str = "",
    more: "Mapping[str, Any] | None" = None,
) -> str:
    """Draw a chart twice: for a page as wide as usual, and for a phone."""
    wide, narrow = (
        _render(kind(**{**_settings(width), **(more or {})}), title, labels, series, unit, width)
        for width, title in ((_WIDTH, name), (_NARROW, f"{name}-narrow"))
    )
    shown = f"<div class='broad'>{wide}</div><div class='narrow'>{narrow}</div>"
    return shown + _key(series)


def _interval(rate: "Rate") -> dict[str, Any] | None:
    if rate.share is None:
        return None
    low, high = rate.interval
    return {
        "value": round(100 * rate.share, 1),
        "ci": {"low": round(100 * low, 1), "high": round(100 * high, 1)},
    }


def _settings(width: int) -> dict[str, Any]:
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
        "style": style, "js": (), "disable_xml_declaration": True, "width": width,
        "height": _HEIGHT, "show_legend": False,
        "truncate_label": -1, "x_label_rotation": 0, "margin": 8, "margin_right": 32,
        "no_data_text": "nothing yet", "include_x_axis": True, "spacing": 14,
    }  # fmt: skip


def _render(
    chart: Any,  # noqa: ANN401  pygal has no types
    name: str,
    labels: Sequence[str],
    series: Sequence[Series],
    unit: str,
    width: int,
) -> str:
    for values in series:
        chart.add(values.name, list(values.values))
    if unit == "%":
        chart.y_labels = _SHARES
    else:
        values_of_all = [value for item in series for value in item.values]
        chart.y_labels = _ticks(values_of_all, whole=not unit)
    chart.value_formatter = lambda value: f"{value:g} %" if unit == "%" else f"{value:g}"
    return _rendered(chart, name, labels, width)


def _key(series: Sequence[Series]) -> str:
    """Tell which colour is what: as text beside the drawing, so that it wraps on a phone."""
    parts = (
        f"<span class='c{number}'>{escape(one_series.name)}</span>"
        for number, one_series in enumerate(series, 1)
    )
    return f"<figcaption>{''.join(parts)}</figcaption>"


def _ticks(values: "Sequence[float | Mapping[str, Any] | None]", *, whole: bool) -> list[float]:
    """Give the numbers of an axis; whole ones for counts: there is no fifth of an error."""
    most = max((value for value in values if isinstance(value, int | float)), default=0)
    step = next(
        size * ten
        for ten in (10.0**power for power in range(0 if whole else -2, 12))
        for size in (1, 2, 5)
        if most <= size * ten * _TICKS
    )
    return [round(number * step, 2) for number in range(math.ceil(most / step) + 1)]


def _rendered(chart: Any, name: str, labels: Sequence[str], width: int) -> str:  # noqa: ANN401  pygal has no types
    chart.uuid = name  # else a random one: the same memory gives the same page
    horizontal = getattr(chart, "horizontal", False)
    chart.x_labels = [_short(label, _LONGEST[width]) if horizontal else label for label in labels]
    if len(labels) > _EVERY[width] and not horizontal:
        step = -(-len(labels) // _EVERY[width])
        chart.x_labels_major = list(labels)[::-1][::step]  # the newest one has a label
        chart.show_minor_x_labels = False
    svg: str = chart.render(is_unicode=True)
    # The first comments say on which day it was drawn, and a script has settings for tooltips.
    # In the text of a record both are escaped.
    start = svg.index("<!--")
    return _SCRIPT.sub("", svg[:start] + svg[svg.index("<defs>") :])


def _short(label: str, longest: int) -> str:
    return label if len(label) <= longest else label[: longest - 1].rstrip() + "…"
