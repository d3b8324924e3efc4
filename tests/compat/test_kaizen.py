"""The execution memory: what it keeps, what it tells, and that all of it is ordinary records."""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from gitmem.compat.kaizen import (
    ExecutionMemory,
    FixAttempt,
    LLMInteraction,
    MemoryInspector,
    TestCase,
    TestRun,
    detailed_inspect,
    quick_inspect,
)
from gitmem.errors import UsageError
from gitmem.records.kinds import Error, Fix, Session
from tests.e2e.running import run

if TYPE_CHECKING:
    from tests.conftest import Checkout

CONFIG = {"model": {"name": "small", "temperature": 0.2}, "retries": 3, "api_key": "x"}
FAILING = {
    "test_name": "test_total",
    "status": "failed",
    "input": "[1, 2]",
    "expected_output": "3",
    "actual_output": "2",
    "error_message": "AssertionError: 2 != 3",
    "failing_function": "total",
    "failing_line": 7,
}
RED = {"test_cases": [FAILING, {"test_name": "test_zero", "status": "passed"},
                      {"test_name": "test_load", "status": "error",
                       "error_message": "OSError: no file"}],
       "seconds": 1.5, "error_analysis": "sums are off"}  # fmt: skip
WORSE = {"test_cases": [FAILING, {"test_name": "test_zero", "status": "failed",
                                  "error_message": "ValueError: 0"}]}  # fmt: skip
GREEN = {"test_cases": [{"test_name": "test_total", "status": "passed"},
                        {"test_name": "test_zero", "status": "passed"}]}  # fmt: skip


@pytest.fixture
def memory(here: "Checkout") -> Iterator[ExecutionMemory]:
    with ExecutionMemory() as opened:
        opened.start_execution("run-1", config=CONFIG)
        yield opened


def worked_through(memory: ExecutionMemory) -> str:
    """Two attempts, of which the second one works."""
    memory.log_test_run("calc.py", RED)
    memory.log_llm_interaction(
        "calc.py", "code_fixing", "why is it off by one?", "use sum()", "the last item is missing",
        {"model": "small", "input_tokens": 10, "output_tokens": 5},
    )  # fmt: skip
    memory.log_fix_attempt(
        "calc.py", 1, "total = 1\n", "total = 2\n", False, "count from two",
        why_approach_failed="it is not the start", lessons_learned="look at the end",
    )  # fmt: skip
    memory.log_test_run("calc.py", WORSE)
    fix = memory.log_fix_attempt("calc.py", 2, "total = 2\n", "total = sum(x)\n", True, "use sum")
    memory.log_test_run("calc.py", GREEN)
    return fix


def records(kind: str) -> list[object]:
    with Memory.open(".") as memory:
        return [memory.show(row.id).record for row in memory.list(f"kind:{kind}", sort="oldest")]


def test_s0_1_to_9_an_execution_holds_id_start_config_runs_talks_attempts_and_history(
    memory: ExecutionMemory,
) -> None:
    worked_through(memory)
    data = memory.export_memory_to_json()
    assert data["execution_id"] == "run-1"
    assert data["start_time"]
    assert data["config"]["retries"] == 3
    assert data["configuration_context"]["model.name"] == "small"
    assert [len(data[name]) for name in ("test_runs", "llm_interactions", "fix_attempts")] == [
        3, 1, 2,
    ]  # fmt: skip
    assert data["original_code_sections"] == {"calc.py": "total = 1\n"}
    assert data["learning_history"] == ["look at the end"]


def test_s0_10_to_20_a_test_run_has_all_its_parts_and_failed_ones_are_derived(
    memory: ExecutionMemory,
) -> None:
    run = memory.log_test_run("calc.py", RED)
    assert run.test_run_id
    assert run.attempt_number == 1
    assert run.timestamp
    assert [case.test_name for case in run.test_cases] == ["test_total", "test_zero", "test_load"]
    assert (run.summary["passed"], run.summary["failed"], run.summary["errors"]) == (1, 1, 1)
    assert run.result == "failed"
    assert [case.test_name for case in run.failed_test_cases] == ["test_total"]
    assert [case.test_name for case in run.passed_test_cases] == ["test_zero"]
    assert [case.test_name for case in run.error_test_cases] == ["test_load"]
    assert run.timing_analysis["seconds"] == 1.5
    assert run.error_analysis["stated"] == "sums are off"


def test_s0_21_to_32_an_attempt_has_all_its_parts(memory: ExecutionMemory) -> None:
    worked_through(memory)
    first, second = memory.fix_attempts()
    assert (first.attempt_number, second.attempt_number) == (1, 2)
    assert first.approach_description == "count from two"
    assert "-total = 1\n+total = 2" in first.code_changes_made
    assert (first.original_code, first.modified_code) == ("total = 1\n", "total = 2\n")
    assert first.test_results_before
    assert first.test_results_before.result == "failed"
    assert second.test_results_after
    assert second.test_results_after.result == "passed"
    assert (first.success, second.success) == (False, True)
    assert first.llm_interaction
    assert first.llm_interaction.response == "use sum()"
    assert first.lessons_learned == "look at the end"
    assert first.why_approach_failed == "it is not the start"
    assert first.what_worked_partially == ""


def test_s0_32_what_worked_partially_makes_a_partial_outcome(memory: ExecutionMemory) -> None:
    memory.log_fix_attempt("a.py", 1, "a\n", "b\n", False, "half", what_worked_partially="loads")
    (fix,) = records("fix")
    assert isinstance(fix, Fix)
    assert (fix.outcome, fix.worked_partially) == ("partial", "loads")


def test_s0_26_and_27_results_around_an_attempt_can_be_handed_in(memory: ExecutionMemory) -> None:
    memory.log_fix_attempt(
        "a.py", 1, "a\n", "b\n", True, test_results_before=RED, test_results_after=GREEN
    )
    (attempt,) = memory.fix_attempts()
    assert attempt.test_results_before
    assert len(attempt.test_results_before.test_cases) == 3
    assert attempt.test_results_after
    assert attempt.test_results_after.result == "passed"


def test_s0_33_to_38_interactions_stay_private(memory: ExecutionMemory, here: "Checkout") -> None:
    noted = memory.log_llm_interaction(
        "calc.py", "code_fixing", "a very private prompt", "an answer", "because", {"model": "m"}
    )
    assert [getattr(noted, field.name) for field in fields(noted)][:5] == [
        "code_fixing", "a very private prompt", "an answer", "because", {"model": "m"},
    ]  # fmt: skip
    assert noted.timestamp
    memory.end()
    written = "".join(path.read_text() for path in here.joinpath(".memory").rglob("*.yaml"))
    assert "a very private prompt" not in written
    assert "an answer" not in written


def test_s0_37_tokens_are_summed_up_in_the_session(memory: ExecutionMemory) -> None:
    worked_through(memory)
    memory.end()
    (session,) = records("session")
    assert isinstance(session, Session)
    assert session.llm
    assert (session.llm.calls, session.llm.input_tokens, session.llm.models) == (1, 10, ("small",))


def test_s0_39_to_46_a_case_has_all_its_parts(memory: ExecutionMemory) -> None:
    case = memory.log_test_run("calc.py", RED).test_cases[0]
    assert [getattr(case, field.name) for field in fields(case)] == list(FAILING.values())


def test_a_failing_case_becomes_an_error_that_search_finds_once(memory: ExecutionMemory) -> None:
    memory.log_test_run("calc.py", RED)
    memory.log_test_run("calc.py", RED)
    first, second = records("error")
    assert isinstance(first, Error)
    assert isinstance(second, Error)
    assert (first.error_type, first.message) == ("AssertionError", "2 != 3")
    assert first.test
    assert first.test.failing_line == 7
    with Memory.open(".") as opened:
        assert opened.search("AssertionError total").hits[0].row.id == first.id


def test_s0_47_to_51_the_core_methods_write_records_that_are_counted(
    memory: ExecutionMemory,
) -> None:
    fix = worked_through(memory)
    with Memory.open(".") as opened:
        shown = opened.show(fix)
        assert {relation for relation, _, _ in shown.links} == {"fixes"}
        assert opened.statistics.stats().total.attempts == 2
        assert opened.statistics.stats().total.worked == 1
    memory.end()
    (session,) = records("session")
    assert isinstance(session, Session)
    assert (session.goal, session.success, len(session.test_runs)) == ("run-1", True, 3)
    assert session.config["retries"] == 3


def test_s0_48_starting_another_execution_ends_the_one_before(memory: ExecutionMemory) -> None:
    memory.start_execution("run-2")
    assert [session.goal for session in records("session") if isinstance(session, Session)] == [
        "run-1"
    ]
    assert memory.get_memory_summary()["execution_id"] == "run-2"


def test_s0_52_to_56_inspection_gives_structure_summary_schema_and_export(
    memory: ExecutionMemory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worked_through(memory)
    assert memory.inspect_structure()["total_test_runs"] == 3
    assert '"total_test_runs": 3' in capsys.readouterr().out
    assert memory.get_memory_summary()["successful_fix_attempts"] == 1
    schema = memory.get_memory_schema()
    assert next(iter(schema["TestRun"])) == "test_run_id"
    assert schema["FixAttempt"]["approach_description"] == "str"
    assert "learning_history" in schema["execution"]
    file = tmp_path / "dump.json"
    data = memory.export_memory_to_json(file_path=str(file))
    assert json.loads(file.read_text())["execution_id"] == data["execution_id"] == "run-1"


def test_s0_57_and_84_to_90_insights_hold_what_the_next_attempt_needs(
    memory: ExecutionMemory,
) -> None:
    worked_through(memory)
    memory.log_test_run("calc.py", RED)
    insights = memory.get_previous_attempts_insights("calc.py")
    assert [case.test_name for case in insights["failed_cases"]] == ["test_total", "test_load"]
    assert [one["approach_description"] for one in insights["previous_attempts"]] == [
        "count from two", "use sum",
    ]  # fmt: skip
    assert insights["failed_approaches"] == [
        {"approach": "count from two", "why": "it is not the start"}
    ]
    assert insights["successful_patterns"] == ["use sum"]
    assert insights["llm_reasoning"] == ["the last item is missing"]
    assert insights["original_code"] == {"calc.py": "total = 1\n"}
    assert insights["configuration"]["retries"] == 3
    assert memory.get_previous_attempts_insights("other.py")["previous_attempts"] == []


def test_s0_58_to_60_the_newest_run_says_what_failed_and_where(memory: ExecutionMemory) -> None:
    assert not memory.all_tests_passed_latest_run()
    memory.log_test_run("calc.py", RED)
    found = memory.get_failure_analysis_data()
    assert found["failing_functions"] == ["total"]
    assert found["failing_lines"] == [7]
    assert found["error_messages"] == ["AssertionError: 2 != 3", "OSError: no file"]
    assert len(memory.get_failed_cases_latest_run()) == 2
    memory.log_test_run("calc.py", GREEN)
    assert memory.get_failed_cases_latest_run() == []
    assert memory.all_tests_passed_latest_run()


def test_s0_61_and_62_the_best_attempt_and_what_broke_in_the_last_one(
    memory: ExecutionMemory,
) -> None:
    assert memory.find_best_attempt() is None
    memory.log_test_run("calc.py", RED)
    memory.log_fix_attempt("calc.py", 1, "a\n", "b\n", False, "first")
    memory.log_test_run("calc.py", WORSE)
    assert memory.detect_regressions_from_last_attempt() == ["calc.py::test_zero"]
    memory.log_fix_attempt("calc.py", 2, "b\n", "c\n", True, "second")
    memory.log_test_run("calc.py", GREEN)
    assert memory.detect_regressions_from_last_attempt() == []
    best = memory.find_best_attempt()
    assert best
    assert (best["approach_description"], best["success_rate"]) == ("second", 1.0)


def test_s0_63_the_analysis_counts_each_test_over_all_runs(memory: ExecutionMemory) -> None:
    worked_through(memory)
    analysis = memory.get_comprehensive_test_analysis()
    assert analysis["success_rates"] == [pytest.approx(1 / 3), 0.0, 1.0]
    assert analysis["tests"][0] == {
        "name": "test_total", "passed": 1, "failed": 2, "status": "passed",
        "file": "calc.py",
    }  # fmt: skip
    assert analysis["latest"] == {"passed": 2}


def test_s0_64_fixing_goes_on_until_a_rule_says_ask_a_human(memory: ExecutionMemory) -> None:
    memory.log_test_run("calc.py", RED)
    assert memory.should_continue_fixing()
    for number in range(1, 4):
        memory.log_fix_attempt("calc.py", number, "a\n", f"b{number}\n", False, "the same again")
        memory.log_test_run("calc.py", RED)
    assert not memory.should_continue_fixing()
    assert {reason.rule for reason in memory.verdict().reasons} >= {"same"}
    memory.log_test_run("calc.py", GREEN)
    assert not memory.should_continue_fixing()


def test_s0_65_to_70_the_configuration_can_be_asked_by_key_and_by_path(
    memory: ExecutionMemory,
) -> None:
    assert memory.get_complete_configuration()["retries"] == 3
    assert memory.get_configuration_summary()["retries"] == 3
    assert memory.get_config_value("retries") == 3
    assert memory.get_config_value("missing", "none") == "none"
    assert memory.get_config_property("model.name") == "small"
    assert memory.get_config_property("model.size") is None
    assert memory.has_config_value("model.temperature")
    assert not memory.has_config_value("model.size")
    assert memory.create_mock_config().model.name == "small"


def test_s0_3_a_configuration_object_is_read_by_its_attributes(here: "Checkout") -> None:
    memory = ExecutionMemory()
    memory.start_execution("run", config=SimpleNamespace(depth=2, inner=SimpleNamespace(a=[1])))
    assert memory.get_config_property("inner.a") == [1]
    memory.end()


def test_s0_71_to_83_the_inspector_shows_exports_and_gives_parts(
    memory: ExecutionMemory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worked_through(memory)
    memory.log_test_run("calc.py", RED)
    inspector = MemoryInspector(memory)
    for show, expected in (
        (inspector.show_overview, "total_test_runs: 4"),
        (inspector.show_detailed_structure, "use sum()"),
        (inspector.show_schema, "failing_function"),
        (inspector.show_summary, "total_runs: 4"),
        (lambda: quick_inspect(memory), "total_test_runs: 4"),
        (lambda: detailed_inspect(memory), "use sum()"),
    ):
        show()
        assert expected in capsys.readouterr().out
    inspector.export_to_file(str(tmp_path / "dump.json"))
    assert json.loads((tmp_path / "dump.json").read_text())["test_runs"]
    assert isinstance(inspector.get_test_runs()[0], TestRun)
    assert isinstance(inspector.get_fix_attempts()[0], FixAttempt)
    assert isinstance(inspector.get_llm_interactions()[0], LLMInteraction)
    assert isinstance(inspector.get_failed_test_cases()[0], TestCase)
    assert inspector.get_learning_context("calc.py")["failed_cases"]


def test_s0_91_logging_before_an_execution_was_started_is_a_misuse(here: "Checkout") -> None:
    with pytest.raises(UsageError, match="no execution is going on") as caught:
        ExecutionMemory().log_test_run("a.py", RED)
    assert "start_execution" in caught.value.hint


def test_s0_94_to_98_everything_logged_is_there_for_the_next_fix_and_for_export(
    memory: ExecutionMemory,
) -> None:
    worked_through(memory)
    data = memory.export_memory_to_json()
    assert data["llm_interactions"][0]["prompt"] == "why is it off by one?"
    assert [one["attempt_number"] for one in data["fix_attempts"]] == [1, 2]
    assert data["config"]["model"] == CONFIG["model"]
    assert memory.get_previous_attempts_insights("calc.py")["successful_patterns"] == ["use sum"]


def test_s0_4_secrets_of_the_configuration_reach_no_record(here: "Checkout") -> None:
    memory = ExecutionMemory()
    memory.start_execution("run", config={"token": "ghp_" + "a1B2" * 9})
    memory.end()
    written = "".join(path.read_text() for path in here.joinpath(".memory").rglob("*.yaml"))
    assert "ghp_" not in written


def test_two_executions_at_once_do_not_mix(here: "Checkout") -> None:
    one, other = ExecutionMemory(), ExecutionMemory()
    one.start_execution("one")
    other.start_execution("other")
    one.log_fix_attempt("a.py", 1, "a\n", "b\n", True, "of one")
    other.log_fix_attempt("b.py", 1, "a\n", "b\n", False, "of the other")
    assert [x.approach_description for x in one.fix_attempts()] == ["of one"]
    assert [x.approach_description for x in other.fix_attempts()] == ["of the other"]
    one.end()
    other.end()


def test_s0_92_and_99_from_structure_to_export_step_by_step(
    here: "Checkout", tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = ExecutionMemory()
    memory.start_execution("complete example", config=CONFIG)
    worked_through(memory)
    assert memory.inspect_structure()["total_fix_attempts"] == 2
    MemoryInspector(memory).show_overview()
    assert "TestRun" in memory.get_memory_schema()
    memory.export_memory_to_json(file_path=str(tmp_path / "dump.json"))
    dump = json.loads((tmp_path / "dump.json").read_text())
    assert sorted(dump) == sorted(memory.get_memory_schema()["execution"])
    memory.end()
    assert "execution_id: complete example" in capsys.readouterr().out


def test_s0_93_a_run_of_pytest_under_observation_logs_itself(here: "Checkout") -> None:
    here.add(
        "test_it.py", "def test_it():\n    assert 1 == 2\n\n\ndef test_fine():\n    assert True\n"
    )
    memory = ExecutionMemory()
    memory.start_execution("observed")
    done = run(here, "run", "--", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.code == 1
    (failed,) = memory.get_failed_cases_latest_run()
    assert failed.test_name.endswith("test_it")
    assert memory.get_comprehensive_test_analysis()["success_rates"] == [0.5]
    memory.end()


def test_s0_34_secrets_of_a_prompt_reach_not_even_the_journal(
    memory: ExecutionMemory, here: "Checkout"
) -> None:
    secret = "ghp_" + "a1B2" * 9
    memory.log_llm_interaction("a.py", "code_fixing", f"the token is {secret}", secret)
    files = [path for path in here.joinpath(".git").rglob("*.jsonl") if path.is_file()]
    assert files
    assert all(secret not in path.read_text() for path in files)
