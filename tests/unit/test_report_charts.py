"""The charts of the report: to scale, whole, and nothing in a label becomes markup."""

from xml.etree import ElementTree as ET

import pytest

from gitmem.learning.rates import Rate
from gitmem.render.report import charts

_SVG = "{http://www.w3.org/2000/svg}"
_EVIL = '<script>1</script> & "it\'s"'


def drawings(chart: str) -> list[ET.Element]:
    """Give the drawing for a wide page and the one for a phone."""
    page = ET.fromstring(f"<figure>{chart}</figure>")  # noqa: S314  our own
    return list(page.iter(f"{_SVG}svg"))


def test_columns_are_as_high_as_their_values() -> None:
    series = [charts.Series("errors", [4, 0, None]), charts.Series("worked", [2, 1, 4])]
    chart = charts.columns("weeks", ["a", "b", _EVIL], series)
    for drawing in drawings(chart):
        heights = [float(bar.attrib["height"]) for bar in drawing.iter(f"{_SVG}rect")]
        assert [round(4 * height / max(heights), 1) for height in heights] == [4, 2, 1, 4]
        assert f"{_EVIL}: 4 worked" in [bar.text for bar in drawing.iter(f"{_SVG}title")]
        assert not list(drawing.iter(f"{_SVG}script"))


def test_bars_are_as_long_as_their_values_and_have_room_for_their_labels() -> None:
    chart = charts.bars("kinds", ["x" * 99, _EVIL], charts.Series("records", [1_000_000, 500_000]))
    wide, narrow = drawings(chart)
    for drawing, longest in ((wide, 40), (narrow, 16)):
        one, other = (float(bar.attrib["width"]) for bar in drawing.iter(f"{_SVG}rect"))
        assert one == pytest.approx(2 * other, abs=0.2)
        texts = [text.text or "" for text in drawing.iter(f"{_SVG}text")]
        assert "x" * (longest - 1) + "…" in texts
        assert ("1000000" in texts) == (drawing is wide)
        width = float(drawing.attrib["viewBox"].split()[2])
        for mark in drawing.iter(f"{_SVG}rect"):
            assert 0 < float(mark.attrib["x"]) < width - float(mark.attrib["width"])


def test_a_share_has_its_interval_and_a_gap_where_nothing_is_known() -> None:
    rates = [Rate(1, 1), Rate(0, 0), Rate(1, 2), Rate(2, 4)]
    for drawing in drawings(charts.shares("success", ["a", "b", "c", "d"], rates)):
        assert len(list(drawing.iter(f"{_SVG}circle"))) == 3
        kinds = [path.attrib["class"] for path in drawing.iter(f"{_SVG}path")]
        assert (kinds.count("interval"), kinds.count("line")) == (9, 1)
    shown = [charts.Share(_EVIL, Rate(3, 4)), charts.Share("never tried", Rate(0, 0))]
    for drawing in drawings(charts.share_bars("approaches", shown)):
        assert len(list(drawing.iter(f"{_SVG}rect"))) == 1


def test_a_chart_of_nothing_but_zeros_has_an_axis() -> None:
    for drawing in drawings(charts.columns("weeks", ["a"], [charts.Series("errors", [0])])):
        assert [text.text for text in drawing.iter(f"{_SVG}text")] == ["0", "1", "a"]
