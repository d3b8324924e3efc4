"""Red runs as the tools that wrote these reports leave them, where the format would say it else."""

import json

from gitmem.exchange import reports
from gitmem.output.cases import ERROR, FAILED, SKIPPED, Report

CTEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++"
	tests="6"
	failures="2"
	disabled="1"
	skipped="3"
	hostname=""
	time="1"
	timestamp="2026-11-28T17:16:55"
	>
	<testcase name="missing" classname="missing" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
		<system-out>Unable to find executable: /srv/shop/tests/cart</system-out>
	</testcase>
	<testcase name="imports" classname="imports" time="0.726863" status="fail">
		<failure message="Failed"/>
		<system-out>Traceback (most recent call last):
  File "/srv/shop/check.py", line 3, in &lt;module&gt;
    import nomodule
ModuleNotFoundError: No module named 'nomodule'
</system-out>
	</testcase>
	<testcase name="slow" classname="slow" time="1.0171" status="fail">
		<failure message=""/>
		<system-out></system-out>
	</testcase>
	<testcase name="passes" classname="passes" time="0.0586291" status="run">
		<system-out>error: none</system-out>
	</testcase>
	<testcase name="skipped" classname="skipped" time="0.0128032" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out></system-out>
	</testcase>
	<testcase name="off" classname="off" time="0" status="disabled">
		<system-out>Disabled</system-out>
	</testcase>
</testsuite>
"""


def of_eslint(*results: object) -> bytes:
    notice = {
        "level": "error",
        "message": {"text": "Parsing error: Unexpected token ;"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "file:///srv/shop/bad.js", "index": 0},
                    "region": {"startLine": 1, "startColumn": 11},
                }
            }
        ],
        "descriptor": {"id": "ESL0999"},
    }
    run = {
        "tool": {"driver": {"name": "ESLint", "rules": [], "version": "9.39.5"}},
        "results": list(results),
        "invocations": [{"toolConfigurationNotifications": [notice], "executionSuccessful": False}],
    }
    return json.dumps({"version": "2.1.0", "runs": [run]}).encode()


def read(form: str, data: bytes) -> Report:
    return reports.read(data, form, "/srv/shop")


def test_a_file_that_a_linter_could_not_parse_is_a_failure() -> None:
    """ESLint leaves it out of its results: a red run was told as one without failures."""
    (failure,) = read("sarif", of_eslint()).failures
    assert failure.message == "Parsing error: Unexpected token ;"
    assert failure.location
    assert failure.location[:2] == ("bad.js", 1)


def test_a_note_among_the_notifications_is_no_failure() -> None:
    data = of_eslint().replace(b'"level": "error"', b'"level": "note"')
    data = data.replace(b'"executionSuccessful": false', b'"executionSuccessful": true')
    assert read("sarif", data).failures == []


def test_a_run_that_did_not_finish_and_says_nothing_is_red() -> None:
    """Without a word about it the report was taken for one of a run without findings."""
    data = of_eslint().replace(b'"level": "error"', b'"level": "note"')
    (failure,) = read("sarif", data).failures
    assert failure.message == "eslint did not finish"


def test_a_program_that_is_missing_failed_though_it_is_called_skipped() -> None:
    """CTest counts it as skipped and exits with 8: the test was not told."""
    report = read("junit", CTEST.encode())
    statuses = {case.name: case.status for case in report.cases}
    assert statuses["missing"] == ERROR
    assert (statuses["skipped"], statuses["off"]) == (SKIPPED, SKIPPED)
    messages = {failure.test.name: failure.message for failure in report.failures if failure.test}
    assert messages["missing"] == "Unable to find executable: /srv/shop/tests/cart"
    assert set(messages) == {"missing", "imports", "slow"}
    assert report.tool == "ctest"


def test_what_a_test_printed_says_what_failed_in_it() -> None:
    """The message is "Failed" for each; what went wrong stands in the output of the test."""
    failures = {one.test.name: one for one in read("junit", CTEST.encode()).failures if one.test}
    failure = failures["imports"]
    assert (failure.error_type, failure.message) == (
        "ModuleNotFoundError", "No module named 'nomodule'",
    )  # fmt: skip
    assert failure.frames[-1].file == "/srv/shop/check.py"
    assert failure.test
    assert failure.test.status == FAILED


BEHAVE = """\
<testsuite name="cart.cart" tests="2" errors="2" failures="0" skipped="0" time="0.002555"\
 timestamp="2026-11-28T19:47:57.325451" hostname="desk">\
<testcase classname="cart.cart" name="nobody wrote it" status="error" time="0">\
<error type="NoneType" message="None">
<![CDATA[
Failing step: Given a trolley ... undefined in 0.000s
Location: features/cart.feature:3
None]]>
</error><system-out>
<![CDATA[
@scenario.begin
  Scenario: nobody wrote it
    Given a trolley ... undefined in 0.000s

@scenario.end
]]>
</system-out></testcase>\
<testcase classname="cart.cart" name="raises" status="error" time="0.002555">\
<error type="KeyError" message="'sku-1'">
<![CDATA[
Failing step: Given a cart ... error in 0.003s
Location: features/cart.feature:5
Traceback (most recent call last):
  File "features/steps/s.py", line 4, in step
    raise KeyError("sku-1")
KeyError: 'sku-1'
]]>
</error></testcase></testsuite>
"""

SUBTESTS = """\
<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="3" skipped="0"\
 tests="3" time="0.439" timestamp="2026-11-28T19:47:59.703091+00:00" hostname="desk">\
<testcase classname="test_s" name="test_rows" time="0.178">\
<failure message="assert (1 % 2) == 0">    def test_rows(subtests):
        for n in (1, 2, 3):
            with subtests.test(msg="row", n=n):
&gt;               assert n % 2 == 0
E               assert (1 % 2) == 0

test_s.py:4: AssertionError</failure>\
<failure message="KeyError: 'x'">    def test_rows(subtests):
        with subtests.test("a"):
&gt;           raise KeyError("x")
E           KeyError: 'x'

test_s.py:8: KeyError</failure>\
<failure message="contains 2 failed subtests">contains 2 failed subtests</failure></testcase>\
</testsuite></testsuites>
"""


def test_a_step_that_nobody_wrote_is_named_as_the_output_names_it() -> None:
    """The report's type and message are those of an exception that there was none of."""
    report = read("junit", BEHAVE.encode())
    missing, raised = (failure for case in report.cases for failure in case.failures)
    assert [case.name for case in report.cases] == ["nobody wrote it", "raises"]
    assert (missing.tool, missing.error_type) == ("behave", "")
    assert missing.message == "Undefined step: a trolley"
    assert missing.location is not None
    assert (missing.location.file, missing.location.line) == ("features/cart.feature", 3)
    assert (raised.language, raised.error_type, raised.message) == ("python", "KeyError", "'sku-1'")


def test_the_number_of_failed_subtests_is_no_failure_beside_them() -> None:
    report = read("junit", SUBTESTS.encode())
    (case,) = report.cases
    assert [failure.message for failure in case.failures] == ["assert (1 % 2) == 0", "'x'"]


NEWMAN = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Shop" tests="1" time="0.000">
  <testsuite name="get till" tests="1" failures="1" errors="0" time="0.000">
    <testcase name="status is 200" time="0.000" classname="GetTill">
      <failure type="AssertionFailure" message="expected 404 to equal 200"></failure>
    </testcase>
  </testsuite>
  <testsuite name="get price" tests="0" failures="0" errors="1" time="0.000">
    <system-err><![CDATA[Iteration: 0
RequestError: Error: connect ECONNREFUSED 127.0.0.1:9
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)

---
]]></system-err>
  </testsuite>
</testsuites>
"""


def test_an_error_that_a_suite_only_counts_is_a_failure() -> None:
    """Newman's requests that could not be sent were lost: *0 failures* of a run that was red."""
    report = read("junit", NEWMAN.encode())
    assert [(case.name, case.status) for case in report.cases] == [
        ("GetTill::status is 200", FAILED),
        ("get price", ERROR),
    ]
    (failure,) = report.cases[1].failures
    assert "ECONNREFUSED" in failure.message


def test_errors_that_cases_tell_are_not_told_again() -> None:
    twice = NEWMAN.replace('tests="1" failures="1" errors="0"', 'tests="1" failures="0" errors="1"')
    assert len(read("junit", twice.encode()).cases) == len(read("junit", NEWMAN.encode()).cases)
