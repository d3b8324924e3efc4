"""The documents' own code and SQL as an oracle: on the same rows they give the numbers of ours.

The texts and the real errors lie beside the clone where they are at hand, and are not ours to
ship; without them the generated rows and a plain count of our own stand for them.
"""

import contextlib
import json
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat import fix_history, learning
from gitmem.memory import Memory
from gitmem.parts.imports.import_other import import_other
from tests.compat.test_original_blocks import TEXTS, blocks, needs_texts

if TYPE_CHECKING:
    from tests.conftest import Checkout

ERRORS = TEXTS.parent / "data/dev/errors_pool.jsonl"
GENERATED, REAL = 200, 80
MODELS = ("qwen2.5:7b", "llama3:8b", "claude", "mistral")
KINDS = ("TIMEOUT", "NO_OUTPUT", "ERROR", "UNEXPECTED_RESPONSE")
APPROACHES = ("standard", "incremental", "parallel", "api_heavy")
FACTORS = ("file_creation", "api_integration", "dependency_resolution")


def real() -> list[str]:
    """Give titles of real errors, as many as are at hand."""
    if not ERRORS.is_file():
        return []
    with ERRORS.open(encoding="utf-8") as file:
        lines = [next(file) for _ in range(REAL)]
    return [json.loads(line)["title"] for line in lines]


def attempts() -> Iterator[tuple[Any, ...]]:
    """Give rows of the fix history, of the last weeks."""
    chance = random.Random(21)
    titles = [f"no answer within {number % 9} s" for number in range(GENERATED)] + real()
    now = datetime.now(UTC).replace(tzinfo=None, hour=12, minute=0, second=0, microsecond=0)
    for number, title in enumerate(titles):
        at = now - timedelta(days=chance.randrange(1, 28), minutes=number)
        model, kind = chance.choice(MODELS), chance.choice(KINDS)
        applied = chance.random() < 0.8
        verified = applied and chance.random() < 0.7
        yield (
            at.isoformat(), model, kind, f"{number:016x}", title, chance.choice(("claude", "qwen")),
            f"way {number}", '["do"]', applied, verified, chance.randrange(999) / 10, "{}", None,
        )  # fmt: skip


def counted_by_hand(rows: list[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    """Count what the three queries ask, without SQL."""
    fixers: dict[str, list[bool]] = {}
    for row in rows:
        fixers.setdefault(row[5], []).append(row[8] and row[9])
    kinds: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        kinds.setdefault(row[2], []).append(row)
    return {
        "fixers": [(fixer, len(good), sum(good)) for fixer, good in sorted(fixers.items())],
        "kinds": [
            (kind, len(same), pytest.approx(sum(row[10] for row in same) / len(same)))
            for kind, same in sorted(kinds.items())
        ],
    }


@pytest.fixture
def histories(here: "Checkout") -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    """Give the same attempts in a file of the document's tables, and in ours."""
    columns = (
        "timestamp, model_name, issue_type, issue_signature, description, fixer_type,"
        " claude_analysis, fix_commands, fix_success, verification_success,"
        " execution_time_seconds, system_info, notes"
    )
    path = here / "ai_memory.db"
    with closing(sqlite3.connect(path)) as theirs:
        theirs.execute(f"CREATE TABLE fix_history (id INTEGER PRIMARY KEY, {columns})")
        marks = ", ".join("?" * 13)
        theirs.executemany(f"INSERT INTO fix_history ({columns}) VALUES ({marks})", attempts())  # noqa: S608
        theirs.commit()
        with Memory.open(".") as memory:
            assert len(import_other(memory, str(path)).new) >= GENERATED
        with closing(fix_history.connect()) as ours:
            yield theirs, ours


def test_s1_64_to_66_the_numbers_are_those_of_a_plain_count(
    histories: tuple[sqlite3.Connection, sqlite3.Connection],
) -> None:
    expected = counted_by_hand(list(attempts()))
    for database in histories:
        fixers = database.execute(
            "SELECT fixer_type, count(*), sum(fix_success = 1 AND verification_success = 1)"
            " FROM fix_history GROUP BY 1 ORDER BY 1"
        )
        assert fixers.fetchall() == expected["fixers"]
        kinds = database.execute(
            "SELECT issue_type, count(*), avg(execution_time_seconds)"
            " FROM fix_history GROUP BY 1 ORDER BY 1"
        )
        assert kinds.fetchall() == expected["kinds"]


@needs_texts
@pytest.mark.parametrize("number", [14, 15, 16])
def test_the_documents_queries_give_the_same_of_both(
    histories: tuple[sqlite3.Connection, sqlite3.Connection], number: int
) -> None:
    sql = blocks(1)[number - 1].text
    theirs, ours = (
        sorted(tuple(map(_rounded, row)) for row in database.execute(sql)) for database in histories
    )
    assert len(theirs) > 1
    assert ours == theirs


def _rounded(value: object) -> object:
    """Leave out the digits that follow from the order of adding."""
    return round(value, 9) if isinstance(value, float) else value


def tasks() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Give tasks and how they went: one category gets better, one worse, one is slow."""
    chance = random.Random(3)
    words = [f"task number {number} on the clock" for number in range(GENERATED)] + real()
    for number, description in enumerate(words):
        category = chance.choice(
            ("auth", "frontend", "database", "rare" if number < 30 else "docs")
        )
        late = number > len(words) / 2
        share = {"auth": 0.9 if late else 0.3, "frontend": 0.3 if late else 0.9}.get(category, 0.6)
        task = {
            "id": f"T{number}", "category": category, "type": chance.choice(("feature", "bugfix")),
            "description": description * chance.randrange(1, 9),
            "dependencies": [f"d{n}" for n in range(chance.randrange(4))],
            "effort": chance.randrange(1, 9),
        }  # fmt: skip
        result = {
            "success": chance.random() < share, "approach": chance.choice(APPROACHES),
            "execution_time": chance.choice((0, 12.5, 400.0 if category == "docs" else 30.0)),
            "success_factors": chance.sample(FACTORS, chance.randrange(3)),
            "tools_used": ["pytest"], "api_calls_made": number % 3,
        }  # fmt: skip
        yield task, result


@needs_texts
def test_the_documents_learner_finds_what_ours_finds(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {}
    for block in (blocks(3)[0], blocks(3)[2]):
        exec(block.text, names)  # noqa: S102  what the test is for
    theirs, ours = (
        names["ExecutionPatternLearner"]("clock"),
        learning.ExecutionPatternLearner("clock"),
    )
    for task, result in tasks():
        theirs.save_execution_pattern(task, result)
        ours.save_execution_pattern(task, result)
    expected, given = theirs.analyze_performance_trends(), ours.analyze_performance_trends()
    assert given.keys() == expected.keys()
    for category, trend in expected.items():
        for name, value in trend.items():
            if name == "best_approaches":  # equal counts may come in any order
                assert sorted(map(_count, given[category][name])) == sorted(map(_count, value))
            else:
                assert _rounded(given[category][name]) == _rounded(value), (category, name)
    analyzer = names["PerformanceAnalyzer"]("clock")
    report = learning.generate_learning_report("clock")
    metrics = analyzer._calculate_overall_metrics()
    assert Counter(report["overall_metrics"].pop("category_distribution")) == Counter(
        metrics.pop("category_distribution")
    )
    assert report["overall_metrics"] == pytest.approx(metrics)
    assert sorted(report["recommendations"]) == sorted(
        analyzer._generate_improvement_recommendations(expected)
    )
    capsys.readouterr()


def _count(pair: tuple[str, int]) -> int:
    return pair[1]


def saved_by_the_document(number_of_blocks: int) -> dict[str, Any]:
    """Run the first blocks of the document's code, and give its names."""
    names: dict[str, Any] = {"time": time}
    for block in blocks(3)[:number_of_blocks]:
        exec(block.text, names)  # noqa: S102  what the test is for
    return names


FIELDS = (
    "task_category", "task_type", "task_complexity", "execution_approach", "success_factors",
    "execution_time", "dependencies_resolved", "tools_used", "api_calls_made",
)  # fmt: skip


@needs_texts
def test_a_pattern_holds_the_same_values_in_both(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked by category: the document finds all of it, too, unless it stops at its threshold."""
    theirs = saved_by_the_document(1)["ExecutionPatternLearner"]("clock")
    ours = learning.ExecutionPatternLearner("clock")
    for task, result in tasks():
        theirs.save_execution_pattern(task, result)
        ours.save_execution_pattern(task, result)
    for category in ("auth", "frontend", "database", "docs", "rare"):
        question = {"category": category}
        expected = [
            pattern
            for pattern in theirs.get_similar_patterns(question, limit=1000)
            if pattern["task_category"] == category
        ]
        found = ours.get_similar_patterns(question, limit=1000)
        assert Counter(map(_values_of, found)) == Counter(map(_values_of, expected))
        assert expected
    capsys.readouterr()


def _values_of(pattern: dict[str, Any]) -> str:
    values = {name: pattern[name] for name in FIELDS}
    return json.dumps(values | {"execution_time": float(values["execution_time"])})


@needs_texts
def test_solutions_of_a_type_come_in_the_documents_order(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours also finds solutions of other types, where there are none of this one."""
    theirs = saved_by_the_document(1)["ExecutionPatternLearner"]("clock")
    ours = learning.ExecutionPatternLearner("clock")
    messages = ("the cache is closed", "the queue is full", "no route to the host")
    for message in messages:
        error = {"error_type": "ConnectionError", "error_message": message}
        for learner in (theirs, ours):
            learner.save_error_solution(error, {"approach": f"mend: {message}", "steps": ["x"]})
    for message in messages:
        expected = theirs.get_error_solutions("ConnectionError", message)
        found = ours.get_error_solutions("ConnectionError", message)
        assert found[0]["solution_approach"] == expected[0]["solution_approach"]
        assert {each["error_message"] for each in found} == set(messages)
    capsys.readouterr()


@needs_texts
def test_the_documents_engine_records_what_ours_records(
    here: "Checkout", capsys: pytest.CaptureFixture[str]
) -> None:
    names = saved_by_the_document(2)
    outcomes: list[list[tuple[object, ...]]] = []
    for home in (names, vars(learning)):
        engine = type("Own", (home["AdaptiveExecutionEngine"],), {"_execute_standard": _carry_out})(
            "clock"
        )
        for number in range(6):
            task = {"id": f"T{number}", "category": "docs", "type": "text", "number": number}
            with contextlib.suppress(ZeroDivisionError):
                engine.execute_task_adaptively(task)
        learner = home["ExecutionPatternLearner"]("clock")
        (trend,) = learner.analyze_performance_trends().values()
        outcomes.append(
            [(trend["success_rate"], trend["total_executions"]),
             *map(tuple, trend["best_approaches"])]
        )  # fmt: skip
    assert outcomes[0] == outcomes[1] == [(0.5, 6), ("standard", 3)]
    capsys.readouterr()


def _carry_out(_: object, task: dict[str, Any]) -> dict[str, Any]:
    return {"output": 1 // (task["number"] % 2)}


def test_rate_and_confidence_of_patterns_are_those_of_the_formulas(
    histories: tuple[sqlite3.Connection, sqlite3.Connection],
) -> None:
    """A pattern is an issue of a model here, however its prompt or its answer's length vary."""
    theirs, ours = histories
    by_model = (
        "SELECT model_name, issue_type, sum(fix_success = 1 AND verification_success = 1),"
        " count(*) FROM fix_history GROUP BY 1, 2"
    )
    expected = {f"{kind} {model}": (good, total - good)
                for model, kind, good, total in theirs.execute(by_model)}  # fmt: skip
    counts: dict[str, list[int]] = {}
    for name, good, bad, confidence in ours.execute(
        "SELECT pattern_name, success_count, failure_count, confidence_score FROM issue_patterns"
    ):
        assert confidence == pytest.approx(min(1.0, (good + bad) / 10.0))
        of_model = next(key for key in expected if name.startswith(key))
        pair = counts.setdefault(of_model, [0, 0])
        pair[0] += good
        pair[1] += bad
    assert {key: tuple(pair) for key, pair in counts.items()} == expected
