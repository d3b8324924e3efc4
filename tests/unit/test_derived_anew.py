"""Runs that were noted under older rules are compared by today's."""

from datetime import UTC, datetime
from typing import Any

import pytest

from gitmem.capture import cases
from gitmem.capture.cases import Failing
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.runs import Run, from_event, to_event
from gitmem.matching import VERSION
from gitmem.matching.recorded import prints_of
from gitmem.matching.rules import user_rule

FRAME = {"file": "shop/cart.py", "function": "total", "line": 3, "in_app": True}
FIELDS: dict[str, Any] = {
    "tool": "python", "error_type": "KeyError", "message": "'total'", "frames": [FRAME]
}  # fmt: skip
COMPARED: dict[str, Any] = {
    "tool": "pytest", "error_type": "AssertionError", "message": "assert 1 == 2",
    "frames": [FRAME], "test": {"name": "t.py::test_a[1]"},
}  # fmt: skip


def event(*failures: FingerprintedFailure, tests: cases.Tests | None = None) -> dict[str, Any]:
    at = datetime(2026, 11, 21, tzinfo=UTC)
    run = Run("1", at, 0.5, ("pytest",), ".", 1, "tree", "head", failures, tests=tests)
    return to_event(run)


def noted(fields: dict[str, Any], *places: str) -> FingerprintedFailure:
    """Give a failure with fingerprints that no rules of today would give."""
    return FingerprintedFailure("e", "s", "p", "m", "t", "k", fields, places)


@pytest.mark.parametrize("change", [{"version": 11}, {"version": None}])
def test_what_older_rules_noted_is_fingerprinted_anew(change: dict[str, Any]) -> None:
    old = event(noted(FIELDS, "shop/cart.py")) | change
    for failure in old["failures"]:
        del failure["place"], failure["message"]  # as they were noted with fewer levels
    run = from_event(old)
    assert run
    (failure,) = run.failures
    assert failure[:6] == prints_of(FIELDS).values
    assert (failure.fields, failure.places) == (FIELDS, ("shop/cart.py",))


def test_what_today_s_rules_noted_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_is_wanted() -> tuple[()]:
        raise AssertionError("the rules of the team are read")

    run = from_event(event(noted(FIELDS)), none_is_wanted)
    assert run
    assert run.failures == (noted(FIELDS),)
    monkeypatch.setattr("gitmem.capture.runs.VERSION", VERSION + 1)
    newer = from_event(event(noted(FIELDS)))
    assert newer
    assert newer.failures == (noted(FIELDS),)


def test_the_masks_of_the_team_count() -> None:
    fields = FIELDS | {"message": "no price in blue"}
    rules = (user_rule("colour", "(?:red|blue)", "<colour>"),)
    run = from_event(event(noted(fields)) | {"version": 1}, lambda: rules)
    assert run
    assert run.failures[0].site == prints_of(fields, rules).site != prints_of(fields).site


def test_cases_name_their_failures_as_before() -> None:
    names = ("t.py::test_a[1]", "t.py::test_a[2]")
    tests = cases.Tests({"failed": 2}, tuple(Failing(name, "failed", "s") for name in names))
    for fields, count in ((COMPARED, 2), (FIELDS | {"test": {"name": names[0]}}, 1)):
        run = from_event(event(noted(fields, *names), tests=tests) | {"version": 11})
        assert run
        assert run.tests
        assert len(run.failures) == count, "a comparison of another case is another failure now"
        assert {place for each in run.failures for place in each.places} == set(names)
        assert {case.site for case in run.tests.failing} == run.sites
        assert [case.name for case in run.failing] == list(names)
