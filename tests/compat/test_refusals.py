"""A value that can't be meant is refused by the name of its option, and nothing is written."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.ai_memory import AIMemory
from gitmem.compat.coding import CodingMemoryManager
from gitmem.compat.kaizen import ExecutionMemory
from gitmem.compat.learning import ExecutionPatternLearner
from gitmem.compat.swarm import episodic_memory, persistent_memory
from gitmem.errors import GitmemError
from tests.compat.calling import WHO, done

if TYPE_CHECKING:
    from tests.conftest import Checkout

ISSUE: dict[str, Any] = {"model": "qwen2.5:7b", "issue_type": "TIMEOUT", "description": "no answer"}
ANSWER: dict[str, Any] = {"analysis": "wait longer", "fix_commands": ["set timeout 60"]}


@pytest.fixture(autouse=True)
def _in_a_repository(here: "Checkout") -> None:
    """Make it the current folder."""


def records() -> int:
    with Memory.open(".") as memory:
        return memory.statistics.count("")


def learner_with(name: str) -> Callable[[Any], object]:
    return lambda value: setattr(ExecutionPatternLearner("shop"), name, value)


def saved(name: str) -> Callable[[Any], object]:
    task = {"category": "docs"}

    def save(value: Any) -> object:
        learner = ExecutionPatternLearner("shop")
        if name in ("effort", "dependencies"):
            return learner.save_execution_pattern({**task, name: value}, {"success": True})
        if name == "success_rate":
            return learner.save_error_solution(
                {"error_type": "KeyError"}, {"approach": "get", name: value}
            )
        return learner.save_execution_pattern(task, {name: value})

    return save


def attempted(name: str) -> Callable[[Any], object]:
    def record(value: Any) -> object:
        given: dict[str, Any] = {"fix_success": True, "verification_success": True,
                                 "execution_time": 1.0, name: value}  # fmt: skip
        confidence = given.pop("confidence", 0.5)
        return AIMemory().record_fix_attempt(ISSUE, {**ANSWER, "confidence": confidence}, **given)

    return record


def ended(value: Any) -> object:
    async def work() -> object:
        name = await episodic_memory.start_episode("task")
        try:
            return await episodic_memory.end_episode(name, success=value)
        finally:
            await episodic_memory.end_episode(name)

    return done(work())


def execution(value: Any) -> object:
    with ExecutionMemory() as memory:
        memory.start_execution("run")
        return memory.log_fix_attempt("a.py", 1, "a", "b", value)


def run_logged(value: Any) -> object:
    with ExecutionMemory() as memory:
        memory.start_execution("run")
        return memory.log_test_run("a.py", value)


def manager(name: str) -> Callable[[Any], object]:
    return lambda value: CodingMemoryManager(**WHO, **{name: value})


def coding(method: str, **fields: Any) -> Callable[[Any], object]:
    """Call a method of the manager with the value for the field that is None."""

    def call(value: Any) -> object:
        given = {name: value if told is None else told for name, told in fields.items()}
        return done(getattr(CodingMemoryManager(**WHO), method)(**given))

    return call


WRONG: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
    "pattern_retention_limit": (learner_with("pattern_retention_limit"), [-1, 0, 2.5, "x", True]),
    "solution_retention_limit": (learner_with("solution_retention_limit"), [-1, 0, 2.5, "x"]),
    "similarity_threshold": (learner_with("similarity_threshold"), [-0.1, 1.1, "x", None]),
    "confidence_boost_factor": (learner_with("confidence_boost_factor"), [-1, "x", None]),
    "effort": (saved("effort"), ["much", [1], -1, True]),
    "dependencies": (saved("dependencies"), ["db", 3]),
    "execution_time": (saved("execution_time"), [-5, "long", 1e12, float("nan")]),
    "success": (saved("success"), ["maybe", 2, [1]]),
    "success_rate": (saved("success_rate"), [-0.1, 1.1, 95, "high"]),
    "limit": (lambda n: ExecutionPatternLearner("p").get_similar_patterns({}, n), [-1, "x", None]),
    "limit of issues": (lambda n: AIMemory().query_similar_issues(ISSUE, n), [-1, 2.5, "x", None]),
    "confidence": (attempted("confidence"), [-0.1, 1.1, 85, "high"]),
    "seconds": (attempted("execution_time"), [-1, "x"]),
    "fix_success": (attempted("fix_success"), ["maybe", 2]),
    "verification_success": (attempted("verification_success"), ["maybe", 2]),
    "n_results": (
        lambda n: done(persistent_memory.recall_similar_patterns("x", n_results=n)), [-1, "x", 2.5]
    ),
    "limit of failures": (lambda n: done(episodic_memory.analyze_failures(n)), [-1, "x", None]),
    "success of a resolution": (
        lambda n: done(persistent_memory.store_error_resolution("KeyError: 'a'", "", "get", n)),
        ["maybe", 2],
    ),
    "success of an episode": (ended, ["maybe", 2]),
    "success of an attempt": (execution, ["maybe", 2]),
    "test": (run_logged, [5, "text", None, [{"test_name": "a", "status": ""}]]),
    "status": (run_logged, [[{"test_name": "a", "status": "weird"}]]),
    "llm.cost_threshold": (manager("cost_threshold"), [-1, "dear"]),
    "llm.auto_approve": (manager("auto_approve"), ["maybe", 2]),
    "k": (coding("search_errors", query="x", k=None), [-1, "3", 2.5]),
    "line_range": (
        coding("track_file_change", file_path="a.py", reason="Say why it is so", line_range=None),
        ["a,b", "42,57,60", "-1,2", "42,"],
    ),
    "lines": (
        coding("track_file_change", file_path="a.py", reason="Say why it is so", line_range=None),
        ["57,42", "0,1"],
    ),
    "action": (
        coding("track_file_change", file_path="a.py", reason="Say why it is so", action=None),
        ["paint", "EDIT"],
    ),
    "confidence of a decision": (
        coding("record_decision", decision="d", confidence=None), [-0.1, 1.1, 90, "high"]
    ),
    "location.line": (
        coding("record_error", error_type="E", message="m", file_path="a.py", line_number=None),
        [-1, "x", 2.5],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(name, value, id=f"{name}: {value!r}")
        for name, (_, values) in WRONG.items()
        for value in values
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_by_name_and_leaves_nothing(
    name: str, value: Any
) -> None:
    before = records()
    with pytest.raises(GitmemError, match=name.partition(" of ")[0]) as refused:
        WRONG[name][0](value)
    assert refused.value.hint or "last" in refused.value.message
    with Memory.open(".") as memory:
        assert memory.sessions.live(everywhere=True) == []
        kinds = [row.kind for row in memory.list("")]
    # An execution and an episode go on, and are a session in the end.
    assert set(kinds) <= {"session"}
    assert before == 0
