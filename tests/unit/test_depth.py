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
    files = {
        "a.py": {"test_slow": 9.0, "test_quick": 1.0, "test_rows": 8.0},
        "b.py": {"test_alone": 60.0},
    }
    costs = {"averages": {"e2e": 2.0}, "files": files}
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    monkeypatch.setattr(depth, "COSTS", tmp_path / "costs.json")
    rows = [f"a.py::test_rows[{number}]" for number in range(8)]
    others = [f"e2e/c.py::test_{number}" for number in range(4)]
    a = ["a.py::test_slow", "a.py::test_quick", *rows, "a.py::test_new"]
    beyond = [
        item.nodeid for item in depth.beyond_the_seconds(_items(*a, "b.py::test_alone", *others))
    ]
    # A second a row: three fit beside the quick one. What nobody measured costs the usual.
    assert sorted(beyond) == sorted(["a.py::test_slow", *rows[3:], *others[2:]])
