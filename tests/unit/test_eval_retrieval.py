"""The evaluation of recall counts what it should."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import eval as evaluation
from benchmarks import eval_similar
from benchmarks.eval_retrieval import figures, wilson
from benchmarks.retrieval_data import read
from benchmarks.retrieval_features import cases
from gitmem.index import clauses
from gitmem.semantic import words

POOL = [
    {"id": "a", "title": "", "body": "TypeError: can't compare naive and aware datetimes"},
    {"id": "b", "title": "Pool is exhausted", "body": "no connection left in the pool"},
    {"id": "c", "title": "Pool again", "body": "no connection left in the pool"},
]
QUERIES: list[dict[str, Any]] = [
    {"text": "TypeError: can't compare naive to aware", "relevant": ["a"], "ignore": []},
    {"text": "pool exhausted: no connection left", "relevant": ["c"], "ignore": ["b"]},
    {"text": "pool exhausted: no connection left", "relevant": ["c"], "ignore": []},
    {"text": "something else altogether", "relevant": ["b"], "ignore": []},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pool = "\n".join(map(json.dumps, POOL))
    rows = (query | {"qid": str(n), "family": "f", "repo": "r"} for n, query in enumerate(QUERIES))
    (tmp_path / "errors_pool.jsonl").write_text(pool)
    (tmp_path / "errors_queries.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_a_folder_is_evaluated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = folder / "eval.json"
    assert evaluation.main(["--data", str(folder), "--json", str(target)]) == 0
    found = json.loads(target.read_text())
    assert found["errors"] == {"r1": 0.5, "r5": 0.75, "mrr10": 0.625}
    assert found["families"]["f"]["questions"] == 4
    assert found["decisions"] is found["decisions_semantic"] is found["fingerprint"] is None
    assert found["same_error"] == {"asked": 4, "queries": 0, "right": 0, "precision": 1.0}
    told = capsys.readouterr().out
    assert "decisions: skipped" in told
    if words.installed():
        assert found["errors_semantic"].keys() == found["errors"].keys()
        assert found["families"]["f_semantic"]["questions"] == 4
    else:
        assert found["errors_semantic"] is None
        assert "errors_semantic: skipped" in told
    assert "fingerprints: skipped" in told


def test_features_are_those_of_the_ranking(folder: Path) -> None:
    asked = list(cases(read(str(folder), "errors")))
    assert asked
    for case in asked:
        assert case.kind == "output"
        for candidate in case.candidates:
            assert candidate.features.keys() <= set(clauses.names())
            assert candidate.features["all in words ^2 %"] > 0


def test_figures() -> None:
    assert figures([1, 5, 6, 0]) == {
        "r1": 0.25,
        "r5": 0.5,
        "mrr10": pytest.approx((1 + 1 / 5 + 1 / 6) / 4),
    }


def test_wilson() -> None:
    low, high = wilson(0.5, 100)
    assert low == pytest.approx(0.404, abs=0.001)
    assert high == pytest.approx(0.596, abs=0.001)
    assert wilson(1.0, 10)[1] == pytest.approx(1)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_similar_is_told_wrongly_and_rightly(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = eval_similar.Pool(read(str(folder), "errors"))
    ((asked, *_),) = pool.ask([0], [0])
    assert (asked.right, asked.answerable) == (True, True)
    assert asked.score > 0
    ((wrong,),) = pool.ask([0], [3])
    assert (wrong.score, wrong.right, wrong.answerable) == (0.0, False, False)
    ((ignored, *_),) = pool.ask([1, 2], [1])
    assert ignored.right, "what counts neither way is passed over"
    told = eval_similar.measure(pool, ["r", "r", "s"])
    assert told.keys() == {("mixed", 1), ("mixed", 3), ("one project", 1)}
    assert all(one.wrongly <= one.unanswerable and one.kept <= one.found for one in told.values())
    assert told["mixed", 3].found > 0
    assert told["mixed", 3].unanswerable == 0, "every question has its record in the whole pool"
    assert eval_similar.main(["--data", str(folder / "nothing")]) == 0
    assert "skipped" in capsys.readouterr().out
