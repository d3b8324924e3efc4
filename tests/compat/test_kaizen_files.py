"""Kaizen's answers by file: what is left, what broke, tallies, and what an import brings along."""

import json
from typing import TYPE_CHECKING, Any

from gitmem import Memory
from gitmem.compat.kaizen import ExecutionMemory
from gitmem.parts.imports.import_other import import_other

if TYPE_CHECKING:
    from tests.conftest import Checkout


def results(**statuses: str) -> list[dict[str, str]]:
    return [
        {"test_name": f"test_{name}", "status": status,
         "error_message": "" if status == "passed" else f"AssertionError: {name}"}
        for name, status in statuses.items()
    ]  # fmt: skip


def execution(name: str = "work") -> ExecutionMemory:
    memory = ExecutionMemory()
    memory.start_execution(name)
    return memory


def attempt(memory: ExecutionMemory, file: str, number: int, *, works: bool, way: str = "") -> None:
    memory.log_fix_attempt(
        file, number, f"x = {number}\n", f"x = {number + 1}\n", works, way or f"way {number}"
    )


def test_s0_64_fixing_goes_on_while_a_file_fails_whatever_worked_in_another(
    here: "Checkout",
) -> None:
    with execution() as memory:
        memory.log_test_run("a.py", results(one="failed", two="passed"))
        attempt(memory, "b.py", 1, works=True)
        assert memory.should_continue_fixing()
        assert memory.files_left() == ["a.py"]
        assert memory.verdict().answer == "go on"
        memory.log_test_run("b.py", results(one="failed"))
        attempt(memory, "b.py", 2, works=False)
        assert memory.files_left() == ["a.py", "b.py"]
        attempt(memory, "a.py", 3, works=True)
        assert memory.files_left() == ["b.py"]
        memory.log_test_run("a.py", results(one="failed", two="passed"))  # it did not hold
        assert memory.files_left() == ["a.py", "b.py"]


def test_s0_64_it_stops_where_each_file_that_fails_has_its_own_reason(here: "Checkout") -> None:
    with execution() as memory:
        for file in ("a.py", "b.py"):
            memory.log_test_run(file, results(one="failed"))
        for number in range(1, 4):
            attempt(memory, "a.py", number, works=False, way="again")
            memory.log_test_run("a.py", results(one="failed"))
        assert memory.files_left() == ["b.py"]
        for number in range(4, 7):
            attempt(memory, "b.py", number, works=False, way="once more")
            memory.log_test_run("b.py", results(one="failed"))
        assert not memory.should_continue_fixing()
        verdict = memory.verdict()
        assert verdict.answer == "stop"
        for file in ("a.py", "b.py"):
            assert any(reason.text.startswith(f"{file}: ") for reason in verdict.reasons)
        for file in ("a.py", "b.py"):
            memory.log_test_run(file, results(one="passed"))
        assert not memory.should_continue_fixing()
        assert memory.verdict().answer == "done"


def test_s0_62_a_regression_is_of_its_file_and_against_that_files_run_before(
    here: "Checkout",
) -> None:
    with execution() as memory:
        memory.log_test_run("a.py", results(sum="passed", empty="passed"))
        memory.log_test_run("b.py", results(sum="passed", empty="passed"))
        memory.log_test_run("a.py", results(sum="failed", empty="passed"))
        assert memory.detect_regressions_from_last_attempt() == ["a.py::test_sum"]
        memory.log_test_run("b.py", results(sum="passed", empty="error"))
        assert memory.detect_regressions_from_last_attempt() == [
            "a.py::test_sum", "b.py::test_empty",
        ]  # fmt: skip
        memory.log_test_run("a.py", results(sum="passed", empty="passed"))
        assert memory.detect_regressions_from_last_attempt() == ["b.py::test_empty"]


def test_s0_62_what_always_failed_in_its_file_broke_nothing(here: "Checkout") -> None:
    with execution() as memory:
        memory.log_test_run("a.py", results(empty="failed"))
        memory.log_test_run("b.py", results(empty="passed"))
        memory.log_test_run("a.py", results(empty="failed"))
        assert memory.detect_regressions_from_last_attempt() == []


def test_s0_63_tests_of_one_name_are_counted_by_their_file(here: "Checkout") -> None:
    with execution() as memory:
        for status in ("failed", "failed", "passed"):
            memory.log_test_run("a.py", results(empty=status, sum="passed"))
            memory.log_test_run("b.py", results(empty="passed"))
        tests = memory.get_comprehensive_test_analysis()["tests"]
    assert {(each["file"], each["name"]): (each["passed"], each["failed"]) for each in tests} == {
        ("a.py", "test_empty"): (1, 2), ("a.py", "test_sum"): (3, 0),
        ("b.py", "test_empty"): (3, 0),
    }  # fmt: skip


def worked_through(name: str) -> ExecutionMemory:
    memory = execution(name)
    for file, lesson in (("a.py", "look at the end"), ("b.py", "close the file")):
        memory.log_test_run(file, results(one="failed"))
        before = "\n".join(f"{file} line {number}" for number in range(90))
        memory.log_fix_attempt(
            file, 1, before, before.replace("line 40", "changed"), False, f"change {file}",
            lessons_learned=f"{name}: {lesson}", why_approach_failed="another line",
        )  # fmt: skip
    return memory


def told(memory: ExecutionMemory, file: str) -> dict[str, Any]:
    insights = memory.get_previous_attempts_insights(file)
    names = ("learning_history", "original_code", "failed_approaches")
    return {name: insights[name] for name in names}


def test_s0_57_and_88_and_89_lessons_and_code_of_an_imported_export_are_known(
    here: "Checkout",
) -> None:
    """A file with an execution, and one with two, give what there is without the detour."""
    first, second = worked_through("monday"), worked_through("tuesday")
    exports = [first.export_memory_to_json(), second.export_memory_to_json()]
    first.end()
    second.end()
    with execution("wednesday") as here_all_along:
        expected = {file: told(here_all_along, file) for file in ("a.py", "b.py")}
    with Memory.open(".") as memory:
        for row in memory.list():
            memory.forget(row.id)
    (here / "one.json").write_text(json.dumps(exports[0]), encoding="utf-8")
    (here / "both.json").write_text(json.dumps({"executions": exports}), encoding="utf-8")
    with Memory.open(".") as memory:
        import_other(memory, "one.json", form="kaizen")
        new = import_other(memory, "both.json").new
        assert {thing.source for thing in new} == {"tuesday"}
        assert import_other(memory, "both.json").new == []
    with execution("thursday") as later:
        for file, wanted in expected.items():
            assert told(later, file) == wanted
        assert len(wanted["learning_history"]) == 4
        assert len(wanted["failed_approaches"]) == 2
