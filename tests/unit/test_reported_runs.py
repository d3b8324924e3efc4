"""Test runs as programs hand them in, in the words of several tools."""

from typing import Any

import pytest

from gitmem.errors import InvalidError
from gitmem.exchange.reported_runs import case_from, error_fields, run_from


@pytest.mark.parametrize("results", [
    [{"name": "a", "status": "passed"}, {"name": "b", "status": "failed"}],
    {"tests": [{"test_name": "a", "status": "ok"}, {"id": "b", "status": "FAIL"}]},
    {"test_cases": [{"name": "a"}, {"name": "b", "error": "it broke"}]},
])  # fmt: skip
def test_the_same_run_in_several_words(results: object) -> None:
    run = run_from(results, "a.py", 3)
    assert (run.result, run.passed, run.failed, run.errors) == ("failed", 1, 1, 0)
    assert [case.name for case in run.cases] == ["a", "b"]
    assert (run.attempt, run.command) == (3, "a.py")


def test_without_cases_the_numbers_count() -> None:
    run = run_from({"passed": 4, "failed": 2, "execution_time": 3, "summary": {"passed": 4}})
    assert (run.result, run.passed, run.failed) == ("failed", 4, 2)
    assert run.timing
    assert run.timing.seconds == 3
    assert run.summary == "passed 4"


@pytest.mark.parametrize(("results", "result"), [
    ([], "passed"), ({"errors": 1}, "error"),
    ({"test_cases": [{"status": "error"}]}, "error"),
])  # fmt: skip
def test_the_result_follows_from_the_cases(results: object, result: str) -> None:
    assert run_from(results).result == result


@pytest.mark.parametrize(("told", "field", "value"), [
    ({"test_name": " two\nwords "}, "name", "two words"),
    ({}, "name", "case 7"),
    ("a name alone", "name", "a name alone"),
    ({"expected": 3}, "expected", "3"),
    ({"actual_output": 0}, "actual", "0"),
    ({"error_details": "x"}, "message", "x"),
    ({"failing_line": 0}, "failing_line", None),
    ({"failing_line": 4}, "failing_line", 4),
    ({"status": "SKIP"}, "status", "skipped"),
])  # fmt: skip
def test_parts_of_a_case(told: Any, field: str, value: object) -> None:
    assert getattr(case_from(told, 7), field) == value


def test_a_status_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidError, match="status"):
        case_from({"status": "perhaps"})
    with pytest.raises(InvalidError, match="test case 2 has no status"):
        case_from({"name": "a", "status": ""}, 2)


@pytest.mark.parametrize("results", [None, "text", 5])
def test_what_is_no_result_is_refused(results: object) -> None:
    with pytest.raises(InvalidError, match="test results can't be"):
        run_from(results)


@pytest.mark.parametrize(("message", "kind", "rest"), [
    ("ValueError: bad", "ValueError", "bad"),
    ("it broke", "", "it broke"),
    ("no such file: a.txt", "", "no such file: a.txt"),
    ("", "", "t failed"),
])  # fmt: skip
def test_an_error_is_named_as_its_message_says(message: str, kind: str, rest: str) -> None:
    case = case_from({"name": "t", "status": "failed", "message": message, "failing_line": 2})
    fields = error_fields(case, "a.py")
    assert (fields["error_type"], fields["message"]) == (kind, rest)
    assert fields["location"] == {"file": "a.py", "line": 2}
    assert fields["title"].startswith("t: ")
