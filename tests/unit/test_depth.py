"""What ``make test`` takes of each file of tests."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import depth


def _items(*names: str) -> list[Any]:
    return [SimpleNamespace(nodeid=name) for name in names]


def test_each_file_gets_its_seconds_and_one_test_at_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = {
        "a.py": {"test_slow": 9.0, "test_quick": 1.0, "test_rows": 8.0},
        "b.py": {"test_alone": 60.0},
    }
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    monkeypatch.setattr(depth, "COSTS", tmp_path / "costs.json")
    rows = [f"a.py::test_rows[{number}]" for number in range(8)]
    items = _items(
        "a.py::test_slow", "a.py::test_quick", *rows, "a.py::test_new", "b.py::test_alone"
    )
    beyond = [item.nodeid for item in depth.beyond_the_seconds(items)]
    # A second a row: three fit beside the quick one. What nobody measured is taken.
    assert sorted(beyond) == sorted(["a.py::test_slow", *rows[3:]])
