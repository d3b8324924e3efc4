"""The lists of what must hold name tests that are there, and the one of scenarios all of them."""

import ast
import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parents[1]
SCENARIOS = TESTS / "scenarios"
TOLD = TESTS / "contract" / "README.md"


def listed(page: Path) -> set[tuple[str, str]]:
    """Give the tests that a page names, as (file, function)."""
    return set(re.findall(r"`(\w+): (\w+)`", page.read_text("utf-8")))


def written(path: Path) -> set[tuple[str, str]]:
    """Give the tests of a file."""
    return {
        (path.stem.removeprefix("test_"), node.name.removeprefix("test_"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_scenario_is_in_the_list() -> None:
    scenarios = set[tuple[str, str]]().union(*map(written, SCENARIOS.glob("test_*.py")))
    assert len(scenarios) > 50
    assert listed(SCENARIOS / "README.md") == scenarios


def test_what_must_hold_of_what_is_told_has_its_tests() -> None:
    paths: dict[str, list[Path]] = defaultdict(list)
    for folder in ("contract", "e2e", "integration", "unit"):
        for path in (TESTS / folder).glob("test_*.py"):
            paths[path.stem.removeprefix("test_")].append(path)
    named = listed(TOLD)
    assert len(named) > 25
    there = set[tuple[str, str]]().union(*(written(p) for name, _ in named for p in paths[name]))
    assert named <= there
