"""Kaizen's memory as its user meets it: whole files, several executions, secrets, exits."""

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.kaizen import ExecutionMemory, LLMInteraction
from gitmem.compat.kaizen import TestRun as KaizenRun

if TYPE_CHECKING:
    from tests.conftest import Checkout

LINES = [f"value_{number} = compute({number})" for number in range(80)]
BEFORE = "\n".join(LINES) + "\n"
AFTER = BEFORE.replace("compute(40)", "compute(41)")


def case(name: str, message: str = "", **more: Any) -> dict[str, Any]:
    status = "failed" if message else "passed"
    return {"test_name": name, "status": status, "error_message": message, **more}


FOUR_RED = [case(f"test_a{number}", f"AssertionError: {number} != 0") for number in range(1, 5)]


def execution(name: str) -> ExecutionMemory:
    memory = ExecutionMemory()
    memory.start_execution(name)
    return memory


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(BEFORE, AFTER, id="s0_24_and_25_eighty_lines"),
        pytest.param("select 1;\n-- drop\nselect 2;\n", "select 1;\nselect 2;\n", id="minus"),
        pytest.param("a = 1\n++ b\n", "a = 1\n++ c\n", id="plus"),
        pytest.param("no newline", "no newline\n", id="newline"),
        pytest.param("", "new\n", id="new"),
        pytest.param("a\x0cb\nc\n", "a\x0cb\nd\n", id="form feed"),
    ],
)
def test_s0_24_and_25_both_texts_come_back_whole(here: "Checkout", before: str, after: str) -> None:
    memory = execution("whole")
    memory.log_fix_attempt("big.py", 1, before, after, False, "try it")
    (attempt,) = memory.fix_attempts()
    assert (attempt.original_code, attempt.modified_code) == (before, after)
    if before:
        assert memory.export_memory_to_json()["original_code_sections"] == {"big.py": before}
    memory.end()


def test_s0_59_and_60_each_file_has_its_own_newest_run(here: "Checkout") -> None:
    memory = execution("two files")
    memory.log_test_run("a.py", FOUR_RED)
    memory.log_test_run("b.py", [case("test_b")])
    assert not memory.all_tests_passed_latest_run()
    assert memory.all_tests_passed_latest_run("b.py")
    assert len(memory.get_failed_cases_latest_run()) == 4
    insights = memory.get_previous_attempts_insights("b.py")
    assert insights["failed_cases"] == []
    assert len(memory.get_previous_attempts_insights("a.py")["failed_cases"]) == 4
    ended = memory.end()
    with Memory.open(".") as opened:
        record: Any = opened.show(ended).record
    assert record.success is False


def test_s0_60_a_run_of_no_test_is_not_all_passed(here: "Checkout") -> None:
    memory = execution("empty")
    memory.log_test_run("a.py", [])
    assert not memory.all_tests_passed_latest_run()
    assert memory.should_continue_fixing()
    memory.end()


def test_s0_9_and_57_and_88_the_next_execution_knows_what_the_first_one_tried(
    here: "Checkout",
) -> None:
    first = execution("monday")
    first.log_test_run("a.py", FOUR_RED)
    first.log_llm_interaction("a.py", "code_fixing", "why?", "start at one", "it counts from zero")
    first.log_fix_attempt(
        "a.py", 1, BEFORE, AFTER, False, "start at one",
        why_approach_failed="the end moves", lessons_learned="look at the end first",
    )  # fmt: skip
    first.log_fix_attempt("b.py", 1, "x = 1\n", "x = 2\n", True, "of another file")
    first.end()
    second = execution("tuesday")
    second.log_test_run("a.py", FOUR_RED)
    insights = second.get_previous_attempts_insights("a.py")
    assert insights["failed_approaches"] == [{"approach": "start at one", "why": "the end moves"}]
    assert insights["successful_patterns"] == []
    assert insights["llm_reasoning"] == ["it counts from zero"]
    assert insights["original_code"] == {"a.py": BEFORE}
    assert insights["previous_attempts"][0]["execution"] == "monday"
    assert second.export_memory_to_json()["learning_history"] == ["look at the end first"]
    second.end()


def test_s0_57_attempts_of_people_on_the_file_are_known(here: "Checkout") -> None:
    patch = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    with Memory.open(".") as memory:
        memory.add("fix", {"approach": "by hand", "outcome": "failed", "patch": patch})
    kaizen = execution("later")
    insights = kaizen.get_previous_attempts_insights("a.py")
    assert [each["approach"] for each in insights["failed_approaches"]] == ["by hand"]
    kaizen.end()


def test_what_comes_back_is_counted_and_what_goes_on_is_not(here: "Checkout") -> None:
    memory = execution("again")
    red, green = FOUR_RED[:1], [case("test_a1")]
    for results in (red, red, green, red):
        memory.log_test_run("a.py", results)
    memory.end()
    with Memory.open(".") as opened:
        assert opened.statistics.count("kind:error") == 2
        assert [failure.records for failure in opened.statistics.recurring()] == [2]


SECRET = "ghp_" + "a1B2" * 9


def test_s0_3_no_way_out_gives_a_secret(here: "Checkout", tmp_path: Any) -> None:
    memory = ExecutionMemory()
    memory.start_execution("secret", config={"auth": {"token": SECRET}, "depth": 2})
    memory.log_test_run("a.py", [case("test_a", f"ValueError: {SECRET}")])
    memory.log_fix_attempt("a.py", 1, f"t = '{SECRET}'\n", "t = ''\n", False, "remove it")
    shown = [
        memory.export_memory_to_json(str(tmp_path / "out.json")),
        memory.get_previous_attempts_insights("a.py"),
    ]
    assert SECRET not in repr(shown)
    assert SECRET not in (tmp_path / "out.json").read_text()
    assert shown[0]["config"]["depth"] == 2
    memory.end()


def test_s0_19_and_20_times_and_failures_of_a_run_are_analysed(here: "Checkout") -> None:
    memory = execution("analysed")
    run = memory.log_test_run(
        "a.py",
        [
            case("test_slow", "ValueError: bad", failing_function="load", duration=2.0),
            case("test_same", "ValueError: bad", failing_function="load", duration=0.5),
            case("test_fine", duration=0.5),
        ],
    )
    assert isinstance(run, KaizenRun)
    assert run.timing_analysis["seconds"] == 3.0
    assert run.timing_analysis["average"] == 1.0
    assert next(iter(run.timing_analysis["slowest"])) == "test_slow"
    assert run.error_analysis["error_types"] == {"ValueError": 2}
    assert run.error_analysis["failing_functions"] == {"load": 2}
    assert run.error_analysis["common_messages"] == ["ValueError: bad"]
    memory.end()


def test_s0_29_and_51_an_attempt_takes_its_interaction_and_its_changes(here: "Checkout") -> None:
    memory = execution("full")
    talk = LLMInteraction("code_fixing", "fix it", "like this", "because", {"model": "m"})
    memory.log_fix_attempt(
        "a.py", 1, "a = 1\n", "a = 2\n", True, "two",
        code_changes_made=["a is two now"], llm_interaction=talk,
    )  # fmt: skip
    (attempt,) = memory.fix_attempts()
    assert attempt.llm_interaction
    assert attempt.llm_interaction.response == "like this"
    assert attempt.code_changes_made == "a is two now"
    memory.log_fix_attempt("a.py", 2, "a = 2\n", "a = 3\n", True, "three", llm_interaction=talk)
    assert memory.get_memory_summary()["total_llm_interactions"] == 1
    memory.end()


def test_s0_54_and_74_the_schema_names_types(here: "Checkout") -> None:
    schema = ExecutionMemory.get_memory_schema()
    assert schema["TestCase"]["failing_line"] == "int | None"
    assert schema["FixAttempt"]["success"] == "bool"
    assert schema["execution"]["test_runs"] == "list[TestRun]"


def test_s0_98_what_ended_can_be_read(here: "Checkout") -> None:
    memory = execution("over")
    memory.log_fix_attempt("a.py", 1, "a\n", "b\n", True, "b")
    memory.end()
    assert memory.get_memory_summary()["total_fix_attempts"] == 1
    assert memory.export_memory_to_json()["execution_id"] == "over"


PROGRAM = """
from gitmem.compat.kaizen import ExecutionMemory

def main():
    memory = ExecutionMemory()
    memory.start_execution("never ended", config={"depth": 1})
    memory.log_test_run("file.py", [{"test_name": "t", "status": "failed",
                                     "error_message": "E: no"}])

main()
"""


def test_s0_48_a_program_that_never_ends_its_execution_leaves_a_record(here: "Checkout") -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=here, check=True)
    with Memory.open(".") as memory:
        (row,) = memory.list("kind:session")
        record: Any = memory.show(row.id).record
        assert memory.sessions.live(everywhere=True) == []
    assert (record.goal, record.success) == ("never ended", False)
    assert json.dumps(record.config) == '{"depth": 1}'


def test_s0_74_types_are_named_as_the_document_names_them() -> None:
    schema = ExecutionMemory.get_memory_schema()
    assert schema["FixAttempt"]["test_results_before"] == "TestRun | None"
    assert schema["FixAttempt"]["llm_interaction"] == "LLMInteraction | None"
    assert schema["TestRun"]["test_cases"] == "list[TestCase]"
    assert schema["TestRun"]["summary"] == "dict[str, Any]"
    assert schema["TestCase"]["failing_line"] == "int | None"


def test_s0_27_and_32_what_an_attempt_mends_is_resolved_though_another_test_fails_on(
    here: "Checkout",
) -> None:
    def cases(**failing: str) -> list[dict[str, str]]:
        return [
            {"test_name": name, "status": "failed", "error_message": failing[name]}
            if name in failing
            else {"test_name": name, "status": "passed"}
            for name in ("test_a", "test_b", "test_c")
        ]

    def attempt(memory: ExecutionMemory, approach: str, after: list[dict[str, str]]) -> None:
        memory.log_fix_attempt(
            "a.py", 1, "x = 1\n", f"x = 2  # {approach}\n", False, approach,
            test_results_after=after, why_approach_failed="not all pass",
        )  # fmt: skip

    before = cases(test_a="AssertionError: one", test_b="AssertionError: two")
    with ExecutionMemory() as memory:
        memory.start_execution("half", config={})
        memory.log_test_run("a.py", before)
        breaking = cases(test_b="AssertionError: two", test_c="AssertionError: three")
        attempt(memory, "breaks another", breaking)
        with Memory.open(".") as opened:
            assert {row.status for row in opened.list("kind:error")} == {"open"}
        attempt(memory, "mends the first", cases(test_b="AssertionError: two"))
        assert [each.approach_description for each in memory.fix_attempts()] == [
            "breaks another", "mends the first",
        ]  # fmt: skip
        insights = memory.get_previous_attempts_insights("a.py")
        assert [each["approach"] for each in insights["failed_approaches"]] == [
            "breaks another", "mends the first",
        ]  # fmt: skip
    with Memory.open(".") as opened:
        statuses = {row.title.partition(":")[0]: row.status for row in opened.list("kind:error")}
        assert statuses == {"test_a": "resolved", "test_b": "open"}
        (first,) = opened.list("kind:error status:resolved")
        verdicts = [row.verdict for relation, row in opened.show(first.id).backlinks]
        assert verdicts == ["failed", "worked"]
