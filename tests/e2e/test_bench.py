"""The benchmark on a tiny memory: that it runs, not how fast anything is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.measure import percentile
from benchmarks.queries import KINDS, questions
from benchmarks.records import Plan, make
from benchmarks.targets import TARGETS, target_for
from gitmem.records.convert import decode, encode
from tests.e2e.running import run

ROOT = Path(__file__).resolve().parents[2]
SIZE = 60
ROWS = (
    "gitmem index rebuild", "gitmem --help", "gitmem search, 6 words", "gitmem list, everything",
    "gitmem add note, synced", "git grep / gitmem search", "SQLite FTS5, 6 words",
    "nothing changed", "100 files changed", *KINDS,
)  # fmt: skip
KEYS = {
    "rebuild", "rebuild-memory", "unit", "help", "search", "search-memory", "list", "add",
    "add-core",
    "git-grep", "git-grep-ratio", "fts5", "fts5-ratio", "catch-up-0", "catch-up-1", "catch-up-100",
    *(f"query-{kind}" for kind in KINDS),
}  # fmt: skip


def test_a_run_prints_every_row_and_leaves_the_memory_valid(tmp_path: Path) -> None:
    build, figures = tmp_path / "build", tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--sizes", str(SIZE), "--runs", "1",
         "--questions", "2", "--build", str(build), "--json", str(figures)],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for row in ROWS:
        assert row in done.stdout
    assert "records made in" in done.stderr
    _check_figures(json.loads(figures.read_text(encoding="utf-8")))
    (repository,) = build.glob("*/repository")
    checked = run(repository, "check")
    assert (checked.code, checked.out, checked.notes) == (0, "", ["note: nothing wrong"])
    assert len(list(repository.glob(".memory/*/*/*/*.yaml"))) == SIZE
    left = subprocess.run(
        ["git", "status", "--short"], cwd=repository, capture_output=True, text=True, check=True
    )
    assert not left.stdout


def _check_figures(document: dict[str, Any]) -> None:
    assert document["format"] == 1
    found = document["sizes"][str(SIZE)]
    assert set(found) >= KEYS
    # Five thousand changes are for large memories.
    assert set(found) >= set(TARGETS) - {"catch-up-5000"}
    for key, entry in found.items():
        assert entry["label"]
        assert entry["unit"]
        assert all(value > 0 for value in entry["values"]), key
        assert ("met" in entry) == ("target" in entry) == (target_for(key, SIZE) is not None)


def test_the_same_seed_makes_the_same_bytes() -> None:
    first = [make(Plan(SIZE), number) for number in range(SIZE)]
    again = [make(Plan(SIZE), number) for number in reversed(range(SIZE))]
    assert first == again[::-1]
    assert questions(Plan(SIZE), 5) == questions(Plan(SIZE), 5)
    others = [make(Plan(SIZE, seed=2), number) for number in range(SIZE)]
    assert not {path for path, _ in first} & {path for path, _ in others}


def test_made_records_are_canonical_and_of_the_size_that_targets_speak_of() -> None:
    plan = Plan(400)
    made = [make(plan, number) for number in range(plan.size)]
    for path, data in made:
        record, problems = decode(data, path)
        assert record
        assert not problems
        assert encode(record) == data
    assert 1300 < sum(len(data) for _, data in made) / len(made) < 1500


def test_a_pasted_error_is_like_a_recorded_one_but_not_the_same() -> None:
    plan = Plan(SIZE)
    recorded = [make(plan, number).data.decode() for number in range(SIZE)]
    for asked in questions(plan, 10)["pasted error"]:
        assert not any(asked in text for text in recorded)
        lines = [line.split("(")[0].split(":")[0].strip() for line in asked.splitlines()[2:]]
        shared = [line for line in lines if line and any(line in text for text in recorded)]
        assert shared


@pytest.mark.parametrize(
    ("size", "text"), [(60, "<= 6 P"), (1000, "<= 6 P"), (1001, "<= 7 P"), (200_000, None)]
)
def test_a_memory_has_the_target_of_the_next_larger_size(size: int, text: str | None) -> None:
    target = target_for("search", size)
    assert (target.text if target else None) == text


def test_a_ratio_to_reach_counts_only_for_its_own_size() -> None:
    assert target_for("git-grep-ratio", 10_000) is None
    target = target_for("git-grep-ratio", 100_000)
    assert target
    assert target.met((5.0,))
    assert not target.met((4.9,))


def test_percentiles_are_values_that_were_seen() -> None:
    values = [float(value) for value in range(1, 101)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.99) == 7
