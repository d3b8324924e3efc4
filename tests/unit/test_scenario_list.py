"""The list of scenarios names tests that are there, and all of them."""

import ast
import re
from pathlib import Path

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def test_every_scenario_is_in_the_list() -> None:
    listed = set(re.findall(r"`(\w+): (\w+)`", (SCENARIOS / "README.md").read_text("utf-8")))
    written = {
        (path.stem.removeprefix("test_"), node.name.removeprefix("test_"))
        for path in SCENARIOS.glob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    assert len(written) > 50
    assert listed == written
