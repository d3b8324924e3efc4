"""The page on security promises nothing that no test holds."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_ROWS = [
    line
    for line in (ROOT / "docs/security.md").read_text().split("## What was tried")[1].splitlines()
    if line.startswith("| ") and "| test |" not in line
]


@pytest.mark.parametrize("row", _ROWS)
def test_each_row_names_tests_that_exist(row: str) -> None:
    """A row could name a test that was renamed, and nobody saw it."""
    named = re.findall(r"`([\w/]+\.py)`", row.rstrip(" |").rpartition(" | ")[2])
    assert named, row
    for name in named:
        file = ROOT / name if "/" in name else ROOT / "tests/hostile" / name
        assert "def test_" in file.read_text(), name


def test_there_are_rows() -> None:
    assert len(_ROWS) > 25
