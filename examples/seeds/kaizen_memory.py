"""Fixes a file until its tests pass; a second execution begins with what the first one learnt."""

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from gitmem.compat.kaizen import ExecutionMemory, MemoryInspector

FILE = Path("median.py")
WRONG = "def median(values):\n    values.sort()\n    return values[len(values) // 2]\n"
HALF = "def median(values):\n    values = sorted(values)\n    return values[len(values) // 2]\n"
RIGHT = (
    "def median(values):\n    values = sorted(values)\n    middle = len(values) // 2\n"
    "    if len(values) % 2:\n        return values[middle]\n"
    "    return (values[middle - 1] + values[middle]) / 2\n"
)


def test_odd(names: Mapping[str, Callable[..., object]]) -> None:
    assert names["median"]([3, 1, 2]) == 2


def test_even(names: Mapping[str, Callable[..., object]]) -> None:
    found = names["median"]([1, 2, 3, 4])
    assert found == 2.5, f"{found} is not 2.5"


def test_leaves_the_list_alone(names: Mapping[str, Callable[..., object]]) -> None:
    values = [3, 1, 2]
    names["median"](values)
    assert values == [3, 1, 2], f"the list became {values}"


def results() -> list[dict[str, object]]:
    """Run the tests on the file as it is."""
    names: dict[str, Callable[..., object]] = {}
    exec(FILE.read_text(encoding="utf-8"), names)  # noqa: S102  the file that is fixed
    cases: list[dict[str, object]] = []
    for test in (test_odd, test_even, test_leaves_the_list_alone):
        case: dict[str, object] = {"test_name": test.__name__, "status": "passed"}
        try:
            test(names)
        except AssertionError as error:
            line = traceback.extract_tb(error.__traceback__)[-1].lineno
            case |= {"status": "failed", "error_message": f"AssertionError: {error}",
                     "failing_function": "median", "failing_line": line}  # fmt: skip
        cases.append(case)
    return cases


def attempt(memory: ExecutionMemory, number: int, text: str, approach: str) -> None:
    """Write a text into the file, run the tests, and note what came of it."""
    before, old = results(), FILE.read_text(encoding="utf-8")
    FILE.write_text(text, encoding="utf-8")
    after = results()
    left = [case["test_name"] for case in after if case["status"] == "failed"]
    memory.log_fix_attempt(
        str(FILE), number, old, text, not left, approach,
        test_results_before=before, test_results_after=after,
        why_approach_failed=f"still failing: {', '.join(map(str, left))}" if left else "",
        lessons_learned="" if left else "an even number of values has two middles",
    )  # fmt: skip
    memory.log_test_run(str(FILE), after)
    passed = len(after) - len(left)
    print(f"attempt {number}, {approach}: {passed} of {len(after)} tests pass")


def main() -> None:
    """Work through two executions."""
    FILE.write_text(WRONG, encoding="utf-8")
    with ExecutionMemory() as memory:
        memory.start_execution("median, the first day", config={"max_retries": 3})
        memory.log_test_run(str(FILE), results())
        print("failing:", [case.test_name for case in memory.get_failed_cases_latest_run()])
        attempt(memory, 1, HALF, "sort a copy")
        print("go on:", memory.should_continue_fixing())
    with ExecutionMemory() as memory:
        memory.start_execution("median, the second day")
        memory.log_test_run(str(FILE), results())
        known = memory.get_previous_attempts_insights(str(FILE))
        for failed in known["failed_approaches"]:
            print(f"tried before: {failed['approach']} ({failed['why']})")
        attempt(memory, 1, RIGHT, "take the mean of the two middles")
        print("all passed:", memory.all_tests_passed_latest_run())
        best = memory.find_best_attempt()
        print("best:", best["approach_description"] if best else "none")
        MemoryInspector(memory).export_to_file("memory_dump.json")


if __name__ == "__main__":
    main()
