"""What is kept of the tests of a run, and what follows from it about a failure."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from gitmem.capture import cases
from gitmem.capture.cases import of_failures, of_report
from gitmem.capture.episodes import episodes
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.history import RunHistory
from gitmem.capture.looking import best_run, newly_failing
from gitmem.capture.run_coverage import went
from gitmem.capture.runs import Run, distinct, from_event, to_event
from gitmem.matching.recorded import prints_of
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Case, Report, merged
from gitmem.output.failure import Failure, StackFrame, Test, as_fields
from gitmem.store.journal import Journal

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=40
).filter(str.strip)
START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def failure(name: str, status: str = "failed") -> Failure:
    """Give a failure in one and the same line, whatever the test's parameter."""
    frame = StackFrame("shop/cart.py", "total", 3, "return prices[n]", in_app=True)
    test = Test(name, status)
    return Failure("pytest", "python", "ShopError", "", "no price", (frame,), None, test)


def comparison(name: str) -> Failure:
    """Give a failure of a comparison of a test."""
    frame = StackFrame("tests/test_a.py", "test_a", 3, "assert total(n)", in_app=True)
    test = Test(name)
    return Failure("pytest", "python", "AssertionError", "", "assert 1", (frame,), None, test)


def shown(*failures: Failure) -> dict[Failure, FingerprintedFailure]:
    """Note failures as an observer does, without redaction."""
    made = {}
    for one in failures:
        fields = as_fields(one)
        prints = prints_of(fields)
        places = (one.test.name,) if one.test else ()
        made[one] = FingerprintedFailure(*prints.values, fields, places)
    return made


def ran(
    number: int, *, passed: str = "", failed: str = "", skipped: str = "", complete: bool = True
) -> Run:
    """Give a run of tests that are named by single words."""
    bad = [failure(name) for name in failed.split()]
    noted = shown(*bad)
    report = Report(
        "pytest",
        (
            *(Case(name, "passed") for name in passed.split()),
            *(Case(one.test.name, "failed", 0.1, (one,)) for one in bad if one.test),
            *(Case(name, "skipped") for name in skipped.split()),
        ),
        complete=complete,
    )
    tests = of_report(report, noted, ()) if complete else of_failures(noted)
    return Run(
        id=f"{number:08x}",
        at=START + timedelta(minutes=number),
        seconds=1.0,
        command=("pytest",),
        folder=".",
        exit_code=int(bool(bad)),
        tree=f"{number:040x}",
        head="c" * 40,
        failures=distinct(noted.values()),
        tests=tests,
    )


ONE, TWO, OTHER = "tests/t.py::test_a[1]", "tests/t.py::test_a[2]", "tests/t.py::test_b"


@given(st.sets(NAMES, max_size=30), st.sets(NAMES, max_size=30))
def test_a_case_passed_if_and_only_if_it_is_among_those_that_passed(
    passed: set[str], others: set[str]
) -> None:
    report = Report("pytest", tuple(Case(name, "passed") for name in sorted(passed)))
    tests = of_report(report, {}, ())
    if not passed:
        assert tests is None
        return
    assert tests is not None
    assert {name for name in passed | others if tests.passed(name)} == passed


def test_a_run_with_many_tests_fits_into_a_line_of_the_journal() -> None:
    names = [f"tests/folder/test_module_{n % 90}.py::TestClass::test_{n}[x]" for n in range(15_000)]
    report = Report("pytest", tuple(Case(name, "passed", 0.01) for name in names))
    tests = of_report(report, {}, ())
    assert tests is not None
    assert len(json.dumps(cases.to_data(tests))) < 200_000
    assert all(map(tests.passed, names))
    assert not tests.passed("tests/folder/test_module_0.py::TestClass::test_0")


def test_names_that_failed_before_are_found_however_many_tests_there_are() -> None:
    report = Report("pytest", tuple(Case(f"t{n}.py::test", "passed") for n in range(40_000)))
    wanted = {f"t{n}.py::test" for n in range(39_000, 39_100)} | {"t5.py"}
    tests = of_report(report, {}, wanted)
    assert tests is not None
    assert all(map(tests.passed, wanted))


def test_a_run_reads_back_as_it_was_noted() -> None:
    run = ran(1, passed=OTHER, failed=f"{ONE} {TWO}", skipped="tests/t.py::test_c")
    assert from_event(json.loads(json.dumps(to_event(run)))) == run


def test_a_run_with_very_many_failures_keeps_them_all(tmp_path: Path) -> None:
    history = RunHistory(Journal(str(tmp_path / "journal")), "here")
    run = ran(1, failed=ONE)
    long = run.failures[0].fields | {"excerpt": "x" * 4_000, "message": "m" * 4_000}
    many = tuple(
        run.failures[0]._replace(site=f"{number:016x}", fields=long) for number in range(200)
    )
    history.add(run._replace(failures=many))
    (back,) = history.of(run.command, run.folder)
    assert (back.whole, back.sites) == (True, frozenset(one.site for one in many))
    # What can't be kept even so proves nothing.
    history.add(run._replace(failures=many * 20))
    assert [one.whole for one in history.of(run.command, run.folder)] == [True, False]


def test_two_cases_of_one_fingerprint_are_two() -> None:
    run = ran(1, failed=f"{ONE} {TWO}")
    assert len(run.failures) == 1
    assert [one.name for one in run.failing] == [ONE, TWO]


def test_comparisons_of_two_cases_are_two_failures() -> None:
    noted = shown(comparison(ONE), comparison(TWO)).values()
    assert len(distinct(noted)) == len(noted) == 2
    assert len({one.place for one in noted}) == 1


@given(cases=st.lists(st.sampled_from([PASSED, FAILED, ERROR, SKIPPED]), min_size=1, max_size=6))
def test_what_ran_is_what_was_not_skipped(cases: list[str]) -> None:
    named = tuple(Case(f"test_cart.py::test_{at}", how) for at, how in enumerate(cases))
    tests = of_report(Report(cases=named, complete=True), {}, ())
    assert tests
    assert tests.ran == len(cases) - cases.count(SKIPPED)


def test_a_failure_of_no_test_is_a_case_of_its_own() -> None:
    loose = Failure("make", message="make exited with 2")
    run = ran(1, failed=ONE)
    run = run._replace(failures=distinct([*run.failures, *shown(loose).values()]))
    assert [(one.name, one.message) for one in run.failing] == [
        (ONE, "no price"),
        ("", "make exited with 2"),
    ]


def test_a_failure_is_gone_only_if_all_its_tests_ran_and_passed() -> None:
    (seen,) = ran(1, failed=f"{ONE} {TWO}").failures
    before = ran(1, failed=f"{ONE} {TWO}")
    for passed, skipped, gone in (
        (f"{ONE} {TWO}", "", True),
        (ONE, "", False),  # the other one was left out
        (ONE, TWO, False),
        (OTHER, "", False),
    ):
        assert went(seen, ran(2, passed=passed, skipped=skipped), before) is gone
    # It passed, so a new failure beside it hides nothing.
    assert went(seen, ran(2, passed=f"{ONE} {TWO}", failed=OTHER), before)


def test_a_green_run_without_the_test_fixes_nothing_and_is_no_flake() -> None:
    red, without, green = ran(1, failed=ONE), ran(2, passed=OTHER), ran(3, passed=ONE)
    (live,) = episodes([red, without])
    assert live.green is None
    (fixed,) = episodes([red, without, green])
    assert fixed.green is green
    same = without._replace(tree=red.tree)
    (one,) = episodes([red, same, green])
    assert (one.flaky, one.doubtful, one.green) == (False, False, green)
    (flake,) = episodes([red, green._replace(tree=red.tree)])
    assert flake.flaky


def test_newly_failing_are_cases_and_what_they_were_before() -> None:
    before = ran(1, passed=f"{ONE} {OTHER}", failed=TWO)
    now = ran(2, failed=f"{ONE} {TWO} tests/t.py::test_new", passed=OTHER)
    found = [(one.case.name, one.was) for one in newly_failing(now, before)]
    assert found == [(ONE, "passed"), ("tests/t.py::test_new", "did not run")]
    # Without a report the names of what failed are known all the same.
    loose = ran(1, failed=TWO, complete=False)
    assert [(one.case.name, one.was) for one in newly_failing(now, loose)] == [
        (ONE, ""),
        ("tests/t.py::test_new", ""),
    ]


def test_where_names_are_not_known_the_fingerprint_counts() -> None:
    before = ran(1, failed=ONE)._replace(tests=None)
    assert newly_failing(ran(2, failed=f"{ONE} {TWO}"), before) == ()


def test_the_best_run_is_the_one_with_the_highest_share_that_passed() -> None:
    half = ran(1, passed="a b", failed="c d")
    broken = ran(2, failed="x")  # one file that could not be imported, and nothing ran
    most = ran(3, passed="a b c d e f g", failed="h i j")
    assert best_run([half, broken, most]) is most
    # Where one of them does not say how many ran, the fewest failures count.
    assert best_run([half, ran(4, failed="x", complete=False), most]) is not most


@given(st.lists(st.tuples(NAMES, st.sampled_from(["passed", "failed", "error", "skipped"]))))
def test_merging_cases_keeps_each_name_once_with_the_worst_status(
    given_cases: list[tuple[str, str]],
) -> None:
    made = merged(Case(name, status) for name, status in given_cases)
    assert [one.name for one in made] == list(dict.fromkeys(name for name, _ in given_cases))
    order = ["skipped", "passed", "failed", "error"]
    for one in made:
        statuses = [status for name, status in given_cases if name == one.name]
        assert one.status == max(statuses, key=order.index)
