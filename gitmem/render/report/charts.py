"""Charts as SVG. The only user of pygal; colours are the page's own, so that they turn dark."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from gitmem.learning.rates import Rate

_SCRIPT: Final = re.compile(r"<script\b.*?</script>", re.DOTALL)
_WIDTH: Final = 860
_HEIGHT: Final = 280
_ROW: Final = 26
_LONGEST: Final = 46
_EVERY: Final = 14
"""Labels below a chart have room for so many."""


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


def columns(name: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Draw columns side by side, over time."""
    import pygal  # noqa: PLC0415  not for every command

    return _drawn(pygal.Bar(**_settings()), name, labels, series)


def line(name: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Draw lines over time; what is not known is a gap."""
    import pygal  # noqa: PLC0415  not for every command

    chart = pygal.Line(**_settings(), dots_size=2.5, stroke_style={"width": 2})
    return _drawn(chart, name, labels, series)


def shares(name: str, labels: Sequence[str], rates: "Sequence[Rate]") -> str:
    """Draw shares of successes over time, each with its interval; none where nothing is known."""
    import pygal  # noqa: PLC0415  not for every command

    chart = pygal.Line(**_settings(), range=(0, 100), dots_size=3, stroke_style={"width": 2})
    chart.add("worked, in percent, with 95 % intervals", [_interval(rate) for rate in rates])
    return _rendered(chart, name, labels)


def bars(name: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Draw bars below each other, the first on top."""
    import pygal  # noqa: PLC0415  not for every command

    shown = [_short(label) for label in reversed(labels)]
    height = 90 + _ROW * len(labels) * max(1, len(series))
    chart = pygal.HorizontalBar(**{**_settings(), "height": height})
    turned = [Series(one.name, list(reversed(one.values))) for one in series]
    return _drawn(chart, name, shown, turned)


def share_bars(name: str, found: Sequence[Share]) -> str:
    """Draw shares below each other, each with its interval and support."""
    import pygal  # noqa: PLC0415  not for every command

    shown = [f"{_short(one.label)} ({one.rate.tried})" for one in reversed(found)]
    settings = {**_settings(), "height": 90 + _ROW * len(found), "range": (0, 100)}
    chart = pygal.HorizontalBar(**settings)
    chart.add("worked, in percent (of how many)",
              [_interval(one.rate) for one in reversed(found)])  # fmt: skip
    return _rendered(chart, name, shown)


def _interval(rate: "Rate") -> dict[str, Any] | None:
    if rate.share is None:
        return None
    low, high = rate.interval
    return {
        "value": round(100 * rate.share, 1),
        "ci": {"low": round(100 * low, 1), "high": round(100 * high, 1)},
    }


def _settings() -> dict[str, Any]:
    from pygal.style import Style  # noqa: PLC0415  not for every command

    style = Style(
        background="transparent", plot_background="transparent", foreground="var(--ink)",
        foreground_strong="var(--ink)", foreground_subtle="var(--soft)",
        guide_stroke_color="var(--line)", major_guide_stroke_color="var(--line)",
        colors=("var(--c1)", "var(--c2)", "var(--c3)"), font_family="inherit",
        label_font_size=12, major_label_font_size=12, legend_font_size=13, opacity=".85",
        opacity_hover="1", transition="0ms", ci_colors=("var(--ink)",) * 3,
    )  # fmt: skip
    return {
        "style": style, "js": (), "disable_xml_declaration": True, "width": _WIDTH,
        "height": _HEIGHT, "legend_at_bottom": True, "legend_at_bottom_columns": 3,
        "truncate_label": -1, "truncate_legend": -1, "x_label_rotation": 0, "margin": 8,
        "no_data_text": "nothing yet", "include_x_axis": True, "spacing": 14,
    }  # fmt: skip


def _drawn(chart: Any, name: str, labels: Sequence[str], series: Sequence[Series]) -> str:  # noqa: ANN401  pygal has no types
    for one in series:
        chart.add(one.name, list(one.values))
    return _rendered(chart, name, labels)


def _rendered(chart: Any, name: str, labels: Sequence[str]) -> str:  # noqa: ANN401  pygal has no types
    chart.uuid = name  # else a random one: the same memory gives the same page
    chart.x_labels = list(labels)
    if len(labels) > _EVERY and not getattr(chart, "horizontal", False):
        step = -(-len(labels) // _EVERY)
        chart.x_labels_major = list(labels)[::step]
        chart.show_minor_x_labels = False
    drawn: str = chart.render(is_unicode=True)
    # The first comments say on which day it was drawn, and a script has settings for tooltips.
    # In the text of a record both are escaped.
    start = drawn.index("<!--")
    return _SCRIPT.sub("", drawn[:start] + drawn[drawn.index("<defs>") :])


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1].rstrip() + "…"
