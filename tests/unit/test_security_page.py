"""The page on security promises nothing that no test holds."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).parents[2]
_PAGE = (ROOT / "docs/security.md").read_text()
_UNITS = {"s": 1, "KiB": 1 << 10, "MiB": 1 << 20, "": 1}


def rows(section: str) -> list[str]:
    """Give the rows of a section's table, without its head."""
    lines = _PAGE.split(f"\n## {section}")[1].split("\n## ")[0].splitlines()
    return [line for line in lines if line.startswith("| ") and "| test |" not in line]


_BOUNDS = rows("Bounds")
_THREATS = rows("Who can write what")
_ROWS = [*_THREATS, *_BOUNDS, *rows("What was tried")]


@pytest.mark.parametrize("row", _ROWS)
def test_each_row_names_tests_that_exist(row: str) -> None:
    """A row could name a test that was renamed, and nobody saw it."""
    named = re.findall(r"`([\w/]+\.py)`", row.rstrip(" |").rpartition(" | ")[2])
    assert named, row
    for name in named:
        file = ROOT / name if "/" in name else ROOT / "tests/hostile" / name
        assert "def test_" in file.read_text(), name


@pytest.mark.parametrize("row", _BOUNDS)
def test_each_bound_is_the_one_that_counts(row: str) -> None:
    _, bound, named, _ = (cell.strip() for cell in row.strip("|").split(" | "))
    number, _, unit = bound.partition(" ")
    assert resolve_name(named.strip("`")) == int(number) * _UNITS[unit]


def test_there_are_rows() -> None:
    assert len(_ROWS) > 40
    assert len(_BOUNDS) >= 15
    assert all(row.count(" | ") == 4 for row in _THREATS)
