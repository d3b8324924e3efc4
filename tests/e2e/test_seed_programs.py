"""The programs of the older memories run, and say what their authors would expect."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

STILL_FAILING = {
    "swarm_memory": ["IndexError: list index out of range"],
    "coding_day": ["TypeError: can't compare offset-naive and offset-aware datetimes"],
}
"""What is open in the end: a candidate that still fails, and what came back after its fix."""
PROGRAMS = Path(__file__).resolve().parents[2] / "examples/seeds"
EXPECTED = {
    "kaizen_memory": [
        "failing: ['test_even', 'test_leaves_the_list_alone']",
        "attempt 1, sort a copy: 2 of 3 tests pass",
        "go on: True",
        "tried before: sort a copy (still failing: test_even)",
        "attempt 1, take the mean of the two middles: 3 of 3 tests pass",
        "all passed: True",
        "best: take the mean of the two middles",
    ],
    "fixer_memory": [
        "failed: no answer within 0.05 seconds",
        "qwen: ask once more: does not work",
        "claude: wait longer: works",
        "known: wait longer ['timeout 30.0'] verified: True",
        "known: ask once more ['timeout 0.05'] verified: False",
        "success rate: 0.5 helps: ['wait longer']",
        "by fixer: claude 1 1",
        "by fixer: qwen 1 0",
        "exported: 2 attempts",
    ],
    "swarm_memory": [
        "candidate fails: IndexError: list index out of range",
        "solved: False",
        "solved: True",
        "went wrong: IndexError, 1 x",
    ],
    "adaptive_learning": [
        "failed: FileNotFoundError",
        "applying: mkdir out",
        "january: wrote out/january.txt",
        "march: wrote out/march.txt",
        "Improvement Recommendations:",
    ],
    "coding_day": [
        "error: TypeError can't compare offset-naive and offset-aware datetimes",
        "seen 2 times; what worked: use datetime.now(UTC)",
        "the decision governs: True",
    ],
}


def test_each_program_is_tested() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_s0_92_a_program_runs(repo: "Checkout", name: str) -> None:
    program = PROGRAMS / f"{name}.py"
    done = subprocess.run(
        [sys.executable, str(program)], cwd=repo, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    missing = [line for line in EXPECTED[name] if line not in lines]
    assert missing == [], done.stdout
    with Memory.open(str(repo)) as memory:
        left = [row.title for row in memory.list("kind:error status:open")]
    assert left == STILL_FAILING.get(name, [])
