"""Reports of other tools, taken in by the command line: real pytest's, and small samples."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.depth import sampled
from tests.e2e.running import INVALID, USAGE, Result, complains, ok, run, untouched
from tests.observing import records

if TYPE_CHECKING:
    from tests.conftest import Checkout

TESTS = """\
import pytest


def total(prices):
    return sum(prices) + 1


@pytest.mark.parametrize("n", [3, 5])
def test_total(n):
    assert total([1, 2]) == n


class TestMore:
    def test_fine(self):
        pass

    @pytest.mark.skip
    def test_off(self):
        pass


@pytest.fixture
def broken():
    raise OSError("no basket")


def test_setup(broken):
    pass
"""


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Give a repository with a memory and tests, of which three cases fail."""
    ok(repo, "init")
    repo.add("tests/unit/test_cart.py", TESTS)
    repo.add("tests/unit/test_import.py", "import nothing_here\n")
    repo.commit()
    return repo


def junit(shop: Path, *options: str) -> str:
    """Let real pytest write a report."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    subprocess.run(
        [*command, "--continue-on-collection-errors", "--junit-xml=report.xml", *options],
        cwd=shop,
        check=False,
        capture_output=True,
    )
    return "report.xml"


def asked(shop: Path, *words: str) -> dict[str, Any]:
    """Ask for JSON."""
    made: dict[str, Any] = json.loads(ok(shop, *words, "--json"))
    return made


FAILING = {
    "tests/unit/test_cart.py::test_total[3]": "failed",
    "tests/unit/test_cart.py::test_total[5]": "failed",
    "tests/unit/test_cart.py::test_setup": "error",
    "tests/unit/test_import.py": "error",
}


@sampled(1)
@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_a_report_of_pytest_is_noted_as_a_run_with_pytests_own_names(
    shop: "Checkout", family: str
) -> None:
    report = junit(shop, "-o", f"junit_family={family}")
    with untouched(shop):
        made = asked(shop, "runs", "capture", report, "--command", "pytest -q", "--ci")
    noted = made["run"]
    assert {one["name"]: one["status"] for one in noted["cases"]} == FAILING
    assert noted["tests"]["counts"] == {"passed": 1, "failed": 2, "error": 2, "skipped": 1}
    assert noted["command"] == ["pytest", "-q"]
    assert noted["ci"]
    # Two cases that lack two keys are two failures.
    assert len(made["failures"]) == 4
    assert made["written"] == []
    assert asked(shop, "runs")["runs"] == [noted]
    assert run(shop, "runs", "all-passed").code == 1


def test_a_report_and_the_output_tell_of_the_same_failures(shop: "Checkout") -> None:
    report = junit(shop)
    command = (sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors")
    assert run(shop, "run", "--", *command, "-p", "no:cacheprovider").code == 1
    printed = asked(shop, "runs")["runs"][0]
    taken = asked(shop, "runs", "capture", report)["run"]
    assert {one["fingerprint"] for one in taken["failures"]} == {
        one["fingerprint"] for one in printed["failures"]
    }
    assert {one["name"] for one in taken["cases"]} == {one["name"] for one in printed["cases"]}


def test_reports_of_one_command_are_compared_and_each_is_noted_once(shop: "Checkout") -> None:
    shop.add("tests/unit/test_cart.py", TESTS.replace("+ 1", "").replace("[3, 5]", "[3]"))
    words = ("--command", "pytest -q")
    ok(shop, "runs", "capture", junit(shop), *words)
    shop.add("tests/unit/test_cart.py", TESTS)
    report = junit(shop)
    ok(shop, "runs", "capture", report, *words)
    again = run(shop, "runs", "capture", report, *words)
    assert "note: this report was read before and is not counted again" in again.notes
    assert len(asked(shop, "runs")["runs"]) == 2
    made = asked(shop, "runs", "regressions")
    assert [(one["name"].rpartition("::")[2], one["was"]) for one in made["cases"]] == [
        ("test_total[3]", "passed"),
        ("test_total[5]", "did not run"),
    ]
    assert "the code it ran on is not known" in ok(shop, "runs", "best-attempt")


def test_what_is_new_in_a_report_is_recorded_once(shop: "Checkout") -> None:
    report = junit(shop)
    made = asked(shop, "runs", "capture", report, "--record", "--command", "pytest")
    assert len(made["written"]) == 4
    errors = records(shop, "error")
    assert {one.error_type for one in errors} == {
        "AssertionError",
        "OSError",
        "ModuleNotFoundError",
    }
    cases = {one.test.name: one for one in errors if one.error_type == "AssertionError"}
    of_test = "tests/unit/test_cart.py::test_total"
    assert set(cases) == {f"{of_test}[3]", f"{of_test}[5]"}
    total = cases[f"{of_test}[3]"]
    assert (total.test.expected, total.test.actual) == ("3", "4")
    assert total.command == "pytest"
    assert asked(shop, "runs", "capture", report, "--record")["written"] == []


def test_a_report_goes_into_the_live_session_but_for_one_of_ci(shop: "Checkout") -> None:
    report = junit(shop)
    ok(shop, "session", "start", "Mend the cart")
    ok(shop, "runs", "capture", report, "--command", "pytest", "--no-ci")
    ok(shop, "runs", "capture", report, "--command", "pytest in-ci", "--ci")
    ok(shop, "session", "end")
    (session,) = records(shop, "session")
    (noted,) = session.test_runs
    assert (noted.command, noted.passed, noted.failed, noted.errors) == ("pytest", 1, 2, 2)


def test_ci_is_taken_from_the_environment(shop: "Checkout") -> None:
    report = junit(shop)
    done = run(shop, "runs", "capture", report, "--json", env={"CI": "true"})
    assert json.loads(done.out)["run"]["ci"]
    done = run(shop, "runs", "capture", report, "--command", "other", "--json", env={"CI": None})
    assert not json.loads(done.out)["run"]["ci"]


SARIF = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "ruff"}},
            "results": [
                {
                    "ruleId": "F401",
                    "level": "error",
                    "message": {"text": "`os` imported but unused"},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": "src/a.py"},
                                "region": {"startLine": 1},
                            }
                        }
                    ],
                }
            ],
        }
    ],
}


def test_sarif_is_recorded_and_compared(shop: "Checkout") -> None:
    shop.add("lint.sarif", json.dumps(SARIF))
    made = asked(shop, "runs", "capture", "lint.sarif", "--record")
    (error,) = records(shop, "error")
    assert made["written"] == [error.id]
    assert (error.tool, error.code, error.location.file) == ("ruff", "F401", "src/a.py")
    none = {**SARIF, "runs": [{**SARIF["runs"][0], "results": []}]}  # type: ignore[dict-item]
    shop.add("lint.sarif", json.dumps(none))
    ok(shop, "runs", "capture", "lint.sarif")
    assert [one["green"] for one in asked(shop, "runs")["runs"]] == [True, False]


def test_exceptions_of_opentelemetry_are_no_run(shop: "Checkout") -> None:
    said = {"attributes": {"exception.type": "KeyError", "exception.message": "'total'"}}
    shop.add("spans.json", json.dumps(said))
    made = asked(shop, "runs", "capture", "spans.json")
    assert [one["title"] for one in made["failures"]] == ["KeyError: 'total'"]
    assert made["run"] is None
    assert asked(shop, "runs")["runs"] == []


def test_the_format_can_be_forced(shop: "Checkout") -> None:
    shop.add("odd.txt", json.dumps({"tests": [], "exitcode": 0}))
    assert asked(shop, "runs", "capture", "odd.txt")["run"] is None
    assert asked(shop, "runs", "capture", "odd.txt", "--format", "pytest-json")["run"]["green"]
    shop.add("report.xml", "<testsuite><testcase name='a'><failure>KeyError: 'x'</failure>")
    made = asked(shop, "runs", "capture", "report.xml", "--format", "log")
    assert made["run"] is None
    complains(run(shop, "runs", "capture", "report.xml", "--format", "yaml"), USAGE)


BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaa'>]><testsuite name='&a;'/>"


@sampled(3)
@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("<testsuite><testcase>", (), "line 1"),
        (BOMB, (), "document type"),
        (json.dumps(SARIF)[:-3], (), "SARIF"),
        ("what is this", ("--format", "junit"), "JUnit XML"),
        ("what is this", ("--format", "otel"), "OpenTelemetry"),
        ("<testsuite/>", ("--command", "it's"), "quot"),
    ],
)
def test_a_bad_report_is_one_line(
    shop: "Checkout", content: str, options: tuple[str, ...], said: str
) -> None:
    shop.add("report", content)
    done: Result = run(shop, "runs", "capture", "report", *options)
    complains(done, USAGE if options[:1] == ("--command",) else INVALID, said)
    assert asked(shop, "runs")["runs"] == []
