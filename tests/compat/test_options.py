"""Options of the five documents by name: each counts, or is refused with what replaces it.

Numbers at their boundary are in ``test_limits.py``, values of the wrong sort in
``test_refusals.py``.
"""

import ast
import inspect
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.ai_memory import AIMemory
from gitmem.compat.coding import CodingMemoryManager
from gitmem.compat.kaizen import ExecutionMemory
from gitmem.compat.learning import AdaptiveExecutionEngine, ExecutionPatternLearner
from gitmem.compat.swarm import persistent_memory
from gitmem.config import from_environment
from gitmem.errors import UsageError
from gitmem.other_settings import HERE, REPLACED, explained
from gitmem.parts.compat import learning
from tests.compat import test_limits
from tests.compat.calling import WHO, done, ended
from tests.compat.test_original_blocks import TEXTS, blocks, needs_texts

if TYPE_CHECKING:
    from gitmem.llm.approval import Estimate
    from tests.conftest import Checkout
    from tests.model_server import Server

TASK = {"category": "docs", "type": "text"}


@pytest.fixture(autouse=True)
def _in_a_repository(here: "Checkout") -> None:
    """Make it the current folder."""


# The coding memory's


@pytest.mark.parametrize("name", ["enable_graph", "max_monthly_budget_usd", "colour"])
def test_an_option_that_a_manager_has_not_is_refused_with_what_replaces_it(name: str) -> None:
    with pytest.raises(UsageError, match=f"no option {name}") as refused:
        CodingMemoryManager(**WHO | {name: True})
    assert (explained(name) or "help(CodingMemoryManager)") in refused.value.hint


def test_s4_48_the_threshold_asks_above_it_only(server: "Server") -> None:
    costs: list[float] = []

    def approve(estimate: "Estimate") -> bool:
        costs.append(float(estimate.cost or 0))
        return True

    ended(CodingMemoryManager(**WHO, model="m", cost_threshold=0.0, approve=approve))
    (cost,) = costs
    for threshold in (cost, cost + 0.000001):
        ended(CodingMemoryManager(**WHO, model="m", cost_threshold=threshold, approve=approve))
    assert costs == [cost], "at the threshold and below it nobody is asked"
    below = CodingMemoryManager(**WHO, model="m", cost_threshold=cost - 0.000001, approve=approve)
    ended(below)
    assert costs == [cost, cost]
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("variable", "sent"),
    [
        ({"CODING_MEMORY_COST_THRESHOLD": "0.10"}, 1),
        ({"CODING_MEMORY_COST_THRESHOLD": "0"}, 0),
        ({"CODING_MEMORY_COST_THRESHOLD": "0", "CODING_MEMORY_AUTO_APPROVE": "false"}, 0),
        ({"CODING_MEMORY_COST_THRESHOLD": "0", "CODING_MEMORY_AUTO_APPROVE": "true"}, 1),
        ({"CODING_MEMORY_COST_THRESHOLD": "0", "GITMEM_LLM_COST_THRESHOLD": "1"}, 1),
    ],
)
def test_s4_38_s4_39_s4_49_the_variables_of_cost_decide_on_a_call(
    server: "Server", monkeypatch: pytest.MonkeyPatch, variable: dict[str, str], sent: int
) -> None:
    monkeypatch.setenv("CODING_MEMORY_MODEL", "gpt-5-mini")
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    assert ("> The clock is aware." in ended(CodingMemoryManager(**WHO))["summary"]) is bool(sent)
    assert len(server.requests) == sent


def test_a_variable_that_cannot_be_read_is_named_where_it_would_count(
    server: "Server", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODING_MEMORY_MODEL", "gpt-5-mini")
    monkeypatch.setenv("CODING_MEMORY_COST_THRESHOLD", "dear")
    notes = ended(CodingMemoryManager(**WHO))["notes"]
    assert any("'dear' is not allowed, set by CODING_MEMORY_COST_THRESHOLD" in x for x in notes)
    assert server.requests


@pytest.mark.parametrize("span", ["42,57", "42-57", (42, 57), [42, 57], "42", 42, None, ""])
def test_s4_23_lines_come_as_text_or_as_numbers(span: object) -> None:
    manager = CodingMemoryManager(**WHO)

    async def work() -> dict[str, Any]:
        await manager.start_coding_session("Validate tokens")
        await manager.track_file_change("a.py", reason="Add a check of tokens", line_range=span)
        return await manager.end_coding_session()

    answer = done(work())
    assert answer["files_changed"] == ["a.py"]
    assert ("a.py (edit, lines 42-" in answer["summary"]) is bool(span)
    assert "No file changed" not in answer["summary"]


@needs_texts
def test_each_name_that_the_coding_memory_is_configured_with_is_accounted_for() -> None:
    texts = [block.text for block in blocks(4)]
    whole = "\n".join(texts)
    variables = set(re.findall(r"export (\w+)=", whole))
    assert len(variables) == 4
    assert set(from_environment(dict.fromkeys(variables, "1")).variables.values()) == variables
    (file,) = [text for text in texts if text.startswith("[coding_memory]")]
    section = tomllib.loads(file)["coding_memory"]
    keys = {*section, *section["defaults"], *section["costs"]} - {"defaults", "costs"}
    assert len(keys) == 10
    assert keys <= HERE.keys() | REPLACED.keys()
    options = {
        keyword.arg
        for text in texts
        if "CodingMemoryManager(" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "CodingMemoryManager"
        for keyword in node.keywords
    }
    assert options == set(inspect.signature(CodingMemoryManager).parameters) - {
        "folder", "approve", "others", "enable_rag",
    }  # fmt: skip
    words = (TEXTS / "004_834000acdac18014.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"`(enable_\w+)=", words)) == {"enable_rag"} <= REPLACED.keys()


# The learner's

ADAPTED = {
    1000: "S3.18: no pattern is dropped unasked", 500: "S3.29: no solution is dropped unasked",
}  # fmt: skip
INSIDE = {0.0, 0.5, 1.0, 0.1, 0.2, 0.4, 0.7, -1.0, 2.0, 0.3, 3.0}
"""Weights, steps of points and halves: the numbers of ``test_seed_oracle.py`` follow from them."""


@needs_texts
def test_each_number_of_the_learner_is_tried_at_its_boundary() -> None:
    numbers: set[float] = set()
    for block in blocks(3)[:4]:
        for node in ast.walk(ast.parse(block.text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
                numbers.add(node.value if not isinstance(node.value, bool) else 0.0)
    tried = {
        abs(value)
        for name, (_, values, _) in test_limits.LIMITS.items()
        if name.startswith("S3.")
        for value in values
    }
    assert numbers - {float(value) for value in tried} - INSIDE - ADAPTED.keys() == set()


@needs_texts
def test_each_attribute_of_the_custom_configuration_counts() -> None:
    text = next(block.text for block in blocks(3) if "CustomLearningConfig" in block.text)
    names = set(re.findall(r"self\.(\w+) = ", text))
    assert names == learning._CHECKED.keys()
    learner = ExecutionPatternLearner("shop")
    assert all(hasattr(learner, name) for name in names)


def test_s3_81_the_threshold_decides_what_a_recommendation_rests_on() -> None:
    learner = ExecutionPatternLearner("shop")
    learner.save_execution_pattern(TASK, {"success": True, "approach": "incremental"})
    other = {"category": "web", "type": "text"}
    for _ in range(3):
        learner.save_execution_pattern(other, {"success": True, "approach": "parallel"})
    assert learner.get_execution_recommendations(TASK)["approach"] == "parallel"
    learner.similarity_threshold = 0.5
    advice = learner.get_execution_recommendations(TASK)
    assert (advice["approach"], advice["similar_patterns_count"]) == ("incremental", 1)
    learner.similarity_threshold = 0.1
    unlike = {"category": "web", "type": "x", "description": "a b c", "effort": 1}
    assert learner.get_execution_recommendations(unlike)["similar_patterns_count"] == 3


def test_s3_45_as_many_are_counted_in_the_lines_as_beside_them() -> None:
    learner = ExecutionPatternLearner("shop")
    for _ in range(7):
        learner.save_execution_pattern(TASK, {"success": True, "tools_used": "pytest"})
    advice = learner.get_execution_recommendations(TASK)
    assert advice["similar_patterns_count"] == 5
    assert advice["recommendations"] == [
        "Use 'standard' approach (used in 5 similar tasks)",
        "Recommended tools:",
        "  - pytest (used in 5 similar tasks)",
    ]
    assert advice["confidence"] == 0.5


def test_s3_48_what_failed_each_time_is_said_and_hides_no_older_success() -> None:
    learner = ExecutionPatternLearner("shop")
    for _ in range(12):
        learner.save_execution_pattern(TASK, {"success": False})
    advice = learner.get_execution_recommendations(TASK)
    assert (advice["approach"], advice["confidence"]) == ("standard", 0.0)
    assert advice["recommendations"] == [
        "No similar task has succeeded yet, using standard approach",
        "Approaches that failed:",
        "  - standard (failed in 12 similar tasks)",
    ]
    other = {"category": "web", "type": "text"}
    learner.save_execution_pattern(other, {"success": True, "approach": "parallel"})
    for _ in range(50):
        learner.save_execution_pattern(other, {"success": False})
    advice = learner.get_execution_recommendations(other)
    assert (advice["approach"], advice["similar_patterns_count"]) == ("parallel", 1)


def test_s3_80_an_engine_applies_no_solution_beyond_the_limit() -> None:
    handed: list[str] = []

    class Engine(AdaptiveExecutionEngine):
        def _execute_standard(self, task: Any) -> Any:
            raise ConnectionError("connection to the cache refused")

        def _apply_error_solution(self, task: Any, solution: Any) -> Any:
            handed.append(solution["solution_approach"])
            return {"output": "recovered"}

    learner = ExecutionPatternLearner("shop")
    learner.save_error_solution(
        {"error_type": "ConnectionError", "error_message": "connection to the cache refused"},
        {"approach": "start it", "steps": "start cache"},
    )
    learner.save_error_solution({"error_type": "KeyError"}, {"approach": "use get"})
    engine = Engine("shop")
    engine.learner.solution_retention_limit = 1
    with pytest.raises(ConnectionError):
        engine.execute_task_adaptively(TASK)
    engine.learner.solution_retention_limit = 2
    engine.execute_task_adaptively(TASK)
    assert handed == ["start it"]


def test_one_text_where_a_list_is_wanted_is_one_entry() -> None:
    learner = ExecutionPatternLearner("shop")
    learner.save_execution_pattern(TASK, {"success": True, "success_factors": "small steps"})
    assert learner.get_similar_patterns(TASK)[0]["success_factors"] == ["small steps"]
    error = {
        "error_type": "KeyError",
        "error_message": "'a'",
        "context": {"at": {"line": 3}, "n": "3"},
    }
    learner.save_error_solution(
        error, {"approach": "get", "steps": "use get", "applicable_categories": "docs"}
    )
    (solution,) = learner.get_error_solutions("KeyError")
    assert solution["solution_steps"] == ["use get"]
    assert solution["applicable_categories"] == ["docs"]
    assert solution["error_context"] == {"at": {"line": 3}, "n": "3"}
    memory = AIMemory()
    issue = {"model": "qwen", "issue_type": "TIMEOUT", "description": "no answer"}
    memory.record_fix_attempt(
        issue, {"analysis": "x", "fix_commands": "ollama pull"}, True, True, 1
    )
    (match,) = memory.query_similar_issues(issue)["exact_matches"]
    assert match["fix_commands"] == ["ollama pull"]


# Whether it worked


@pytest.mark.parametrize(
    ("stated", "outcome"),
    [(True, "worked"), ("yes", "worked"), (1, "worked"), ("no", "failed"), ("false", "failed"),
     (0, "failed"), (None, "unverified")],
)  # fmt: skip
def test_what_is_said_to_have_worked_is_read_as_it_is_meant(stated: Any, outcome: str) -> None:
    done(persistent_memory.store_error_resolution("KeyError: 'a'", "", "use get", stated))
    AIMemory().record_fix_attempt({"issue_type": "ERROR", "description": "b"}, {"analysis": "x"},
                                  stated, stated, 1.0)  # fmt: skip
    with ExecutionMemory() as memory:
        memory.start_execution("run")
        memory.log_fix_attempt("a.py", 1, "a\n", "b\n", stated)
    with Memory.open(".") as memory:
        fixes = [memory.show(row.id).record for row in memory.list("kind:fix")]
    assert [getattr(fix, "outcome", "") for fix in fixes] == [outcome] * 3


# Kaizen's


def test_s0_66_nested_configuration_has_names_with_dots() -> None:
    with ExecutionMemory() as memory:
        memory.start_execution(
            "run", config={"model": {"name": "small", "of": {"it": 1}}, "n": [1]}
        )
        summary = memory.get_configuration_summary()
        assert summary == {"model.name": "small", "model.of.it": 1, "n": "[1]"}
        assert all(memory.get_config_property(name) == summary[name] for name in list(summary)[:2])
        assert memory.get_previous_attempts_insights()["configuration"] == summary


def test_s0_61_of_equal_attempts_the_newest_is_best_and_the_others_are_named() -> None:
    with ExecutionMemory() as memory:
        memory.start_execution("run")
        for number, (good, bad) in enumerate(((2, 2), (1, 1), (2, 2), (0, 1)), 1):
            memory.log_fix_attempt("a.py", number, "a\n", f"{number}\n", success=False)
            cases = [{"test_name": f"p{at}", "status": "passed"} for at in range(good)]
            cases += [{"test_name": f"f{at}", "status": "failed"} for at in range(bad)]
            memory.log_test_run("a.py", cases)
        best = memory.find_best_attempt()
    assert best
    assert (best["attempt_number"], best["tests"], best["equally_good"]) == (3, 4, [1])


def test_s0_26_a_run_that_was_logged_can_be_handed_back() -> None:
    with ExecutionMemory() as memory:
        memory.start_execution("run")
        run = memory.log_test_run("a.py", [{"test_name": "t", "status": "failed"}])
        memory.log_fix_attempt("b.py", 1, "a\n", "b\n", success=False, test_results_before=run)
        (attempt,) = memory.fix_attempts()
    assert attempt.test_results_before
    assert [case.status for case in attempt.test_results_before.test_cases] == ["failed"]


# The swarm's


def test_s2_12_what_nobody_stored_is_no_solution_of_the_swarms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")
    message = "ModuleNotFoundError: No module named 'fastapi'"
    done(persistent_memory.store_error_resolution(message, "", "pip install fastapi uvicorn"))
    answers = done(persistent_memory.recall_error_solutions("Cannot import fastapi"))
    assert answers[0].content == "pip install fastapi uvicorn"
    assert {answer.metadata["layer"] for answer in answers} <= {"", "pack foundations"}
    (seeded,) = done(persistent_memory.recall_error_solutions("asyncio.TimeoutError"))
    assert seeded.metadata["layer"] == "pack foundations"


def test_s2_12_errors_on_which_nothing_was_tried_take_no_place_of_a_solution() -> None:
    with Memory.open(".") as memory:
        for port in ("redis", "kafka", "mysql"):
            memory.add(
                "error", {"error_type": "KeyError", "message": f"'{port}' is not configured"}
            )
        error = memory.add(
            "error", {"error_type": "KeyError", "message": "'solr' is not configured"}
        )
        memory.resolve(error.id, {"approach": "configure it"})
    (answer,) = done(persistent_memory.recall_error_solutions("is not configured", n_results=1))
    assert answer.content == "configure it"
