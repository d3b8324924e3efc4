"""The benchmark on a tiny memory: that it runs, not how fast anything is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.measure import percentile, sealed
from benchmarks.page import END, START, PageError, with_figures
from benchmarks.queries import KINDS, questions
from benchmarks.records import Plan, make
from benchmarks.targets import TARGETS, target_for
from gitmem.memory import GitHooks
from gitmem.records.convert import decode, encode
from gitmem.semantic.words import installed
from tests.depth import deep, only_deep
from tests.e2e.running import run

ROOT = Path(__file__).resolve().parents[2]
SIZE = 200
ADDED = {"run-tests", "near-six words", "near-pasted error"}
ROWS = (
    "gitmem index rebuild", "gitmem --help", "gitmem search, 6 words", "gitmem list, everything",
    "gitmem add note, synced", "git grep / gitmem search", "SQLite FTS5, 6 words",
    "nothing changed", "100 files changed", *KINDS, "fingerprint and match of a failure",
    "initialize answered", "hover on an id, p50 / p99", "gitmem run -- true, added",
)  # fmt: skip
KEYS = {
    "rebuild",
    "rebuild-memory",
    "unit",
    "help",
    "search",
    "search-memory",
    "list",
    "add",
    "add-core",
    "stats",
    "stats-by",
    "patterns",
    "trends",
    "successful",
    "fixers",
    "advise",
    "advise-task",
    "context",
    "git-grep",
    "git-grep-ratio",
    "fts5",
    "fts5-ratio",
    "catch-up-0",
    "catch-up-1",
    "catch-up-100",
    *(f"query-{kind}" for kind in KINDS),
    "match",
    "run-true",
    "run-tests",
    *(f"hook-{name}{ending}" for name in GitHooks.NAMES for ending in ("", "-record")),
    *(f"assistant-hook-{kind}" for kind in ("session", "begins", "red", "green", "stop")),
    "lsp-initialize",
    "lsp-hover",
    "lsp-memory",
    "lsp-fresh",
    "lsp-fresh-burst",
    "lsp-no-index",
    "mcp-initialize",
    "mcp-tools",
    "mcp-gitmem_search",
    "mcp-gitmem_hint",
    "mcp-gitmem_context",
    "mcp-coding_record_decision",
}
ONCE = {"parse", "parse-memory", "parse-hostile", "redact", "install"}
# Rows that other memories or machines have: many changes at once, an extra, a slower rebuild.
ELSEWHERE = {"catch-up-5000", "near-vectors", "near-six words", "near-pasted error",
             "lsp-hover-no-index", "lsp-hover-rebuild"}  # fmt: skip


@deep
@only_deep
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_run_prints_every_row_and_leaves_the_memory_valid(tmp_path: Path) -> None:
    build, figures = tmp_path / "build", tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--sizes", str(SIZE), "--runs", "1",
         "--questions", "2", "--test-seconds", "0.2", "--log-mb", "1",
         "--build", str(build), "--json", str(figures)],
        cwd=ROOT, capture_output=True, text=True, timeout=550, check=False,
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
    assert document["format"] == 2
    found = document["sizes"][str(SIZE)]
    assert set(found) >= KEYS
    assert set(document["once"]) == ONCE
    assert set(found) | ONCE >= set(TARGETS) - ELSEWHERE
    assert bool(installed()) == ("near-vectors" in found)
    for key, entry in (found | document["once"]).items():
        assert entry["label"]
        assert entry["unit"]
        # What is added may be less than the clock's noise.
        assert all(value > 0 for value in entry["values"]) or key in ADDED, key
        assert ("met" in entry) == ("target" in entry) == (target_for(key, SIZE) is not None)
    page = with_figures(f"before\n{START}\nold\n{END}\nafter\n", document)
    assert page.startswith(f"before\n{START}\n")
    assert page.endswith(f"{END}\nafter\n")
    assert "\nold\n" not in page
    for entry in (found | document["once"]).values():
        told_once = entry["label"].startswith("the same, ")
        assert (f"| {entry['label']} | " in page) == (not told_once)


FIGURES = {
    "format": 2, "machine": "a machine", "began": "b", "ended": "e", "runs": 5,
    "load": [0.1, 1.0], "once": {}, "sizes": {"1000": {}, "10000": {}},
}  # fmt: skip


def figures_of(**changes: Any) -> dict[str, Any]:
    def entry(value: float, **more: Any) -> dict[str, Any]:
        return {"section": "S", "label": "L", "values": [value], "unit": "ms", "detail": "", **more}

    sizes = {
        "1000": {"fast": entry(1.5, target="<= 2 ms", met=True)},
        "10000": {"fast": entry(3.5, target="<= 3 ms", met=False), "only": entry(7.0)},
    }
    apart = {"apart": entry(1.0)}
    return {**FIGURES, "once": apart, "sizes": sizes, **changes}


def test_the_page_sets_sizes_side_by_side_and_names_what_is_missed() -> None:
    page = with_figures(f"{START}{END}", figures_of())
    assert "| L | 1.50 ms | **3.50 ms** | <= 2 ms, <= 3 ms |" in page
    assert "| L |  | 7.00 ms |  |" in page
    assert "- **10,000 records**: L (3.50 ms; target <= 3 ms)." in page
    assert "not idle" not in page
    assert "**The machine was not idle**" in with_figures(f"{START}{END}", figures_of(load=[2, 3]))


def test_a_page_without_a_place_and_figures_of_another_form_are_refused() -> None:
    with pytest.raises(PageError, match="the page has no <!-- figures"):
        with_figures("no marks", figures_of())
    with pytest.raises(PageError, match="run python -m benchmarks anew"):
        with_figures(f"{START}{END}", figures_of(format=1))


def test_the_embedder_is_named_and_nothing_of_the_caller_gets_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("GITMEM_SEMANTIC_EMBEDDER", "GITMEM_FOLDER", "GIT_DIR", "PYTHONPATH"):
        monkeypatch.setenv(name, "words")
    assert sealed()["GITMEM_SEMANTIC_EMBEDDER"] == "off"
    assert sealed("words")["GITMEM_SEMANTIC_EMBEDDER"] == "words"
    assert not {"GITMEM_FOLDER", "GIT_DIR", "PYTHONPATH"} & sealed().keys()


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
    pasted = questions(plan, 10)["pasted error"]
    assert len(pasted) == 10
    for asked in pasted:
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
