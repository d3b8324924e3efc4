"""Ten tasks of an assistant: few calls, few tokens, and the page says how many."""

import re
from statistics import median

import pytest

pytest.importorskip("mcp")

from scripts.assistant_tasks import PAGE, measure, table

pytestmark = pytest.mark.timeout(300)
_ROW = re.compile(r"\| (?P<name>[^|]+) \| (?P<tools>[^|]+) \| [\d.]+ \| (?P<tokens>[\d,.]+) \|")


def _rows(text: str) -> dict[str, tuple[str, float]]:
    return {
        match["name"]: (match["tools"], float(match["tokens"].replace(",", "")))
        for match in _ROW.finditer(text)
    }


def test_ten_tasks_take_two_calls_and_600_tokens_at_most_at_the_median() -> None:
    costs = measure()  # sees that each task is told what it needs
    assert len(costs) == 10
    assert max(len(cost.tools) for cost in costs) <= 2
    assert median(cost.sent + cost.answered for cost in costs) <= 600
    here, on_page = _rows(table(costs)), _rows(PAGE.read_text(encoding="utf-8"))
    assert {name: tools for name, (tools, _) in here.items()} == {
        name: on_page[name][0] for name in here
    }
    # Ids differ in length of tokens.
    for name, (_, tokens) in here.items():
        assert on_page[name][1] == pytest.approx(tokens, rel=0.1, abs=20), name
