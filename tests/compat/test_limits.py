"""Every threshold and limit of the five documents, one below it, at it and one above it.

What a limit counts is made through the interface that the document shows, and only what its caller
sees is compared. Limits of the prices' rules are in ``unit/test_llm.py``, ages of what is pruned in
``unit/test_retention.py``; values that can't be meant are in ``test_refusals.py``.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat import fix_history
from gitmem.compat.ai_memory import AIMemory
from gitmem.compat.coding import CodingMemoryManager
from gitmem.compat.kaizen import ExecutionMemory
from gitmem.compat.learning import ExecutionPatternLearner, PerformanceAnalyzer
from gitmem.compat.swarm import episodic_memory, pattern_extractor, persistent_memory
from gitmem.errors import ConflictError
from gitmem.parts.compat import learning
from gitmem.parts.imports.import_other import import_other
from tests.compat.calling import WHO, done

if TYPE_CHECKING:
    from tests.conftest import Checkout

_NUMBERS = count()
ISSUE: dict[str, Any] = {"model": "qwen2.5:7b", "issue_type": "TIMEOUT", "description": "no answer"}
ANSWER: dict[str, Any] = {"analysis": "wait longer", "fix_commands": ["set timeout 60"]}
CODE = """def auth{0}(token, key):
    claims = decode(token, key)
    if claims.expired:
        raise ValueError("{0}")
    return claims
"""


@pytest.fixture(autouse=True)
def _in_a_repository(here: "Checkout") -> Iterator[None]:
    learning._STATE.clear()
    yield
    learning._STATE.clear()


# S0


def best_of(passed: int) -> int:
    """Give the number of the best attempt of two, where 2 of 4 passed after the first one."""
    with ExecutionMemory() as memory:
        memory.start_execution(f"run {passed}")
        for number, good in enumerate((2, passed), 1):
            memory.log_fix_attempt("a.py", number, "a\n", "b\n", success=False)
            cases = [{"test_name": f"t{at}", "status": "passed" if at < good else "failed"}
                     for at in range(4)]  # fmt: skip
            memory.log_test_run("a.py", cases)
        best = memory.find_best_attempt()
    assert best
    return int(best["attempt_number"])


def all_passed(failing: int) -> bool:
    with ExecutionMemory() as memory:
        memory.start_execution(f"run {failing}")
        cases = [{"test_name": "a", "status": "passed"}]
        cases += [{"test_name": f"f{at}", "status": "failed"} for at in range(failing)]
        memory.log_test_run("a.py", cases)
        return memory.all_tests_passed_latest_run() and not memory.should_continue_fixing()


# S1


def confidence_after(attempts: int) -> float:
    """Give the confidence of a pattern by how often it was met."""
    memory = AIMemory()
    for _ in range(attempts):
        memory.record_fix_attempt(ISSUE, ANSWER, True, True, 1.0)
    with closing(fix_history.connect()) as database:
        return float(database.execute("SELECT confidence_score FROM issue_patterns").fetchone()[0])


def similar_of(attempts: int) -> int:
    """Count what is shown of so many attempts where no limit is given."""
    memory = AIMemory()
    for _ in range(attempts):
        memory.record_fix_attempt(ISSUE, ANSWER, True, True, 1.0)
    return len(memory.query_similar_issues(ISSUE)["exact_matches"])


def in_history(days: int) -> tuple[int, int]:
    """Tell whether an attempt so many days old counts as recent, and is of the trends' 30 days."""
    at = datetime.now(UTC) - timedelta(days=days) + timedelta(minutes=5)
    row = (at.isoformat(), "qwen", "TIMEOUT", "s", "no answer", "qwen", "wait", "[]", 1, 1, 1, "{}")
    columns = (
        "timestamp, model_name, issue_type, issue_signature, description, fixer_type,"
        " claude_analysis, fix_commands, fix_success, verification_success,"
        " execution_time_seconds, system_info"
    )
    path = f"history{days}.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"CREATE TABLE fix_history (id INTEGER PRIMARY KEY, {columns}, notes)")
        marks = ", ".join("?" * len(row))
        database.execute(f"INSERT INTO fix_history ({columns}) VALUES ({marks})", row)  # noqa: S608
        database.commit()
    with Memory.open(".") as memory:
        import_other(memory, path)
    recent = AIMemory().get_memory_stats()["recent_activity_7days"]
    with closing(fix_history.connect()) as database:
        late = database.execute(
            "SELECT count(*) FROM fix_history WHERE timestamp > datetime('now', '-30 days')"
        ).fetchone()[0]
    return recent, late


def listed_as_recent(days: int) -> int:
    """Count what ``recent 7`` lists of an attempt so many days old."""
    in_history(days)
    with Memory.open(".") as memory:
        return len(memory.statistics.recent(7))


# S2


def patterns(number: int) -> None:
    for at in range(number):
        name = f"JWT Authentication {at}"
        done(persistent_memory.store_code_pattern(name, CODE.format(at), "python", "REST API"))


def suggested(number: int) -> int:
    patterns(number)
    return len(done(pattern_extractor.suggest_patterns("user authentication", "python")))


def recalled(limit: int) -> int:
    patterns(4)
    return len(done(persistent_memory.recall_similar_patterns("authentication", n_results=limit)))


def failures_seen(episodes: int) -> int:
    """Count the failed episodes that are looked at where no limit is given."""

    async def work() -> int:
        for at in range(episodes):
            name = await episodic_memory.start_episode(f"task {at}")
            await episodic_memory.record_event(name, "error", "QA", {"error": "TimeoutError: slow"})
            await episodic_memory.end_episode(name, success=False)
        (failure,) = await episodic_memory.analyze_failures()
        return int(failure["count"])

    return done(work())


# S3


def learner_of(number: int, **result: Any) -> ExecutionPatternLearner:
    """Give a learner that knows so many executions of one task."""
    learner = ExecutionPatternLearner("shop")
    for at in range(number):
        told = {name: value[at] if isinstance(value, list) else value
                for name, value in result.items()}  # fmt: skip
        learner.save_execution_pattern(
            {"category": "docs", "type": "text"}, {"success": True, **told}
        )
    return learner


QUESTION = {"category": "docs", "type": "text"}


def complexity(**task: Any) -> str:
    learner = ExecutionPatternLearner("shop")
    category = task.setdefault("category", f"own{next(_NUMBERS)}")
    learner.save_execution_pattern(task, {"success": True})
    return str(learner.get_similar_patterns({"category": category})[0]["task_complexity"])


def of_description(length: int) -> str:
    """100 characters are the step from low to medium beside an effort and a dependency."""
    return complexity(description="d" * length, effort=9)


def of_long_description(length: int) -> str:
    return complexity(description="d" * length, effort=3, dependencies=["a"])


def of_dependencies(number: int) -> str:
    return complexity(dependencies=[f"d{at}" for at in range(number)])


def of_effort(effort: int) -> str:
    return complexity(effort=effort, dependencies=["a", "b", "c"])


def of_much_effort(effort: int) -> str:
    return complexity(effort=effort, dependencies=["a"])


def alike(threshold: float) -> int:
    """Count a pattern that is alike by its type only, which gives exactly 0.3."""
    learner = ExecutionPatternLearner("shop")
    task = {"category": "b", "type": "t", "description": "lion", "effort": 9,
            "dependencies": list("abcd")}  # fmt: skip
    learner.save_execution_pattern(task, {"success": True})
    if threshold != 0.3:  # that is the default
        learner.similarity_threshold = threshold
    question = {"category": "a", "type": "t", "description": "zebra", "effort": 1}
    return len(learner.get_similar_patterns(question))


def given_similar(number: int) -> int:
    return len(learner_of(number).get_similar_patterns(QUESTION))


def confidence(number: int) -> float:
    return float(learner_of(number).get_execution_recommendations(QUESTION)["confidence"])


def boosted(factor: float) -> float:
    learner = learner_of(4)
    learner.confidence_boost_factor = factor
    return float(learner.get_execution_recommendations(QUESTION)["confidence"])


def patterns_kept(limit: int) -> tuple[int, int, int]:
    learner = learner_of(4)
    learner.pattern_retention_limit = limit
    advice = learner.get_execution_recommendations(QUESTION)
    total = learner.analyze_performance_trends()["docs"]["total_executions"]
    return len(learner.get_similar_patterns(QUESTION)), advice["similar_patterns_count"], total


def solutions_given(number: int) -> int:
    learner = ExecutionPatternLearner("shop")
    for at in range(number):
        learner.save_error_solution({"error_type": "KeyError"}, {"approach": f"way {at}"})
    return len(learner.get_error_solutions("KeyError"))


def solutions_kept(limit: int) -> list[str]:
    learner = ExecutionPatternLearner("shop")
    for at in range(3):
        learner.save_error_solution({"error_type": "KeyError"}, {"approach": f"way {at}"})
    learner.solution_retention_limit = limit
    return [each["solution_approach"] for each in learner.get_error_solutions("KeyError")]


def lines_about(number: int, name: str) -> int:
    """Count the lines of a recommendation that name a factor or a tool."""
    result: dict[str, Any] = {name: [[f"{name}{at}" for at in range(number)]]}
    lines = learner_of(1, **result).get_execution_recommendations(QUESTION)["recommendations"]
    return sum(line.startswith(f"  - {name}") for line in lines)


def factors_named(number: int) -> int:
    return lines_about(number, "success_factors")


def tools_named(number: int) -> int:
    return lines_about(number, "tools_used")


def window(number: int) -> int:
    trend = learner_of(number).analyze_performance_trends()["docs"]
    assert trend["total_executions"] == number
    return int(trend["recent_executions"])


def best_approaches(number: int) -> int:
    trends = learner_of(number, approach=[f"way {at}" for at in range(number)])
    return len(trends.analyze_performance_trends()["docs"]["best_approaches"])


def trend_of(number: int) -> str:
    learner = learner_of(number)
    return str(learner.analyze_performance_trends()["docs"]["improvement_trend"])


def change_of(late: int) -> str:
    """Ten of twenty succeeded first, then so many of twenty: one more is a step of 0.05."""
    wins = [at < 10 for at in range(20)] + [at < late for at in range(20)]
    learner = learner_of(40, success=wins)
    return str(learner.analyze_performance_trends()["docs"]["improvement_trend"])


def advice_for(name: str, values: list[Any]) -> bool:
    learner_of(len(values), **{name: values})
    lines = PerformanceAnalyzer("shop").generate_performance_report()["recommendations"]
    return any(line.startswith(("Focus on", "Optimize")) for line in lines)


def weak(successes: int) -> bool:
    return advice_for("success", [at < successes for at in range(10)])


def slow(seconds: int) -> bool:
    return advice_for("execution_time", [seconds] * 10)


def insights(number: int) -> str:
    learner_of(number)
    report = PerformanceAnalyzer("shop").generate_performance_report()
    return str(report["learning_insights"][0])


def insight_factors(number: int) -> int:
    factors = [[f"factor{at}" for at in range(number)]] * 10
    learner_of(10, success_factors=factors)
    lines = PerformanceAnalyzer("shop").generate_performance_report()["learning_insights"]
    return sum(line.startswith("  - factor") for line in lines)


# S4


def errors_found(k: int) -> int:
    manager = CodingMemoryManager(**WHO)
    for word in ("naive", "aware", "local", "remote"):
        done(manager.record_error(f"{word.title()}Error", f"cannot compare the {word} datetimes"))
    return len(done(manager.search_errors("compare datetimes", k)))


def left_open(hours: float) -> tuple[bool, bool]:
    """Tell whether a session counts as left open, and whether another one may begin."""
    start = datetime(2026, 11, 1, 9, tzinfo=UTC)
    with Memory.open(".", clock=lambda: start) as memory:
        memory.sessions.start("JWT")
    with Memory.open(".", clock=lambda: start + timedelta(hours=hours)) as memory:
        (live,) = memory.sessions.live()
        try:
            memory.sessions.start("next")
        except ConflictError:
            return live.stale, False
        return live.stale, True


TOO_FEW = "Insufficient data for learning insights"
BEST = "Most successful approach: standard (10 successes)"
LIMITS: dict[str, tuple[Callable[[Any], Any], list[Any], list[Any]]] = {
    "S0.61 the best attempt has the highest rate, of equals it is the newest": (
        best_of, [1, 2, 3], [1, 2, 2],
    ),
    "S0.60 and 64 all passed, and no more to be fixed, with no failure": (
        all_passed, [0, 1, 2], [True, False, False],
    ),
    "S1.30 min(1.0, total_attempts / 10.0)": (confidence_after, [9, 10, 11], [0.9, 1.0, 1.0]),
    "S1.48 limit: int = 5": (similar_of, [4, 5, 6], [4, 5, 5]),
    "S1.59 recent_activity_7days": (
        in_history, [6, 7, 8], [(1, 1), (1, 1), (0, 1)],
    ),
    "S1.70 recent 7": (listed_as_recent, [6, 7, 8], [1, 1, 0]),
    "S1.65 '-30 days'": (in_history, [29, 30, 31], [(0, 1), (0, 1), (0, 0)]),
    "S2.19 returns top 5": (suggested, [4, 5, 6], [4, 5, 5]),
    "S2.11 n_results=3": (recalled, [0, 2, 3, 4, 5], [0, 2, 3, 4, 4]),
    "S2.36 limit=10": (failures_seen, [9, 10, 11], [9, 10, 10]),
    "S3.49 a description of more than 100": (
        of_description, [99, 100, 101], ["low", "low", "medium"],
    ),
    "S3.49 a description of more than 200": (
        of_long_description, [199, 200, 201], ["low", "low", "medium"],
    ),
    "S3.50 from 4 points medium": (of_dependencies, [3, 4, 5], ["low", "medium", "medium"]),
    "S3.50 from 7 points high": (of_dependencies, [6, 7, 8], ["medium", "high", "high"]),
    "S3.51 an effort above 2": (of_effort, [1, 2, 3], ["low", "low", "medium"]),
    "S3.51 an effort above 5": (of_much_effort, [4, 5, 6], ["low", "low", "medium"]),
    "S3.32 similarity_score > 0.3": (alike, [0.29, 0.3, 0.31], [1, 0, 0]),
    "S3.30 limit: int = 5": (given_similar, [4, 5, 6], [4, 5, 5]),
    "S3.45 confidence, half of it at five": (confidence, [0, 4, 5, 6], [0.0, 0.4, 0.5, 0.5]),
    "S3.82 confidence_boost_factor": (boosted, [0, 1, 1.5, 2, 3], [0.0, 0.4, 0.6, 0.8, 1.0]),
    "S3.79 pattern_retention_limit": (
        patterns_kept, [3, 4, 5], [(3, 3, 3), (4, 4, 4), (4, 4, 4)],
    ),
    "S3.31 the three best solutions": (solutions_given, [2, 3, 4], [2, 3, 3]),
    "S3.80 solution_retention_limit": (
        solutions_kept, [1, 2, 3, 4],
        [["way 2"], ["way 2", "way 1"], ["way 2", "way 1", "way 0"], ["way 2", "way 1", "way 0"]],
    ),
    "S3.46 most_common(5) factors": (factors_named, [4, 5, 6], [4, 5, 5]),
    "S3.47 most_common(3) tools": (tools_named, [2, 3, 4], [2, 3, 3]),
    "S3.36 the last 20 executions": (window, [19, 20, 21], [19, 20, 20]),
    "S3.39 most_common(3) approaches": (best_approaches, [2, 3, 4], [2, 3, 3]),
    "S3.41 fewer than 10 patterns": (
        trend_of, [9, 10, 11], ["insufficient_data", "stable", "stable"],
    ),
    "S3.41 improvement > 0.1": (change_of, [11, 12, 13], ["stable", "stable", "improving"]),
    "S3.41 improvement < -0.1": (change_of, [9, 8, 7], ["stable", "stable", "declining"]),
    "S3.71 success_rate < 0.7": (weak, [6, 7, 8], [True, False, False]),
    "S3.71 more than 300 seconds": (slow, [299, 300, 301], [False, False, True]),
    "S3.72 fewer than 10 for insights": (insights, [9, 10], [TOO_FEW, BEST]),
    "S3.72 most_common(3) factors": (insight_factors, [2, 3, 4], [2, 3, 3]),
    "S4.41 max_session_duration_hours = 24": (
        left_open, [23.99, 24, 24.01], [(False, False), (False, False), (True, True)],
    ),
    "S4.29 k=5": (errors_found, [0, 2, 3, 4, 5], [0, 2, 3, 4, 4]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "value", "expected"),
    [
        pytest.param(call, value, expected, id=f"{name}: {value}")
        for name, (call, values, answers) in LIMITS.items()
        for value, expected in zip(values, answers, strict=True)
    ],
)
def test_a_limit_is_kept_exactly(call: Callable[[Any], Any], value: Any, expected: Any) -> None:
    assert call(value) == expected
