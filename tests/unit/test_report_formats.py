"""Reports of other tools: small samples in the dialects that are about, and hostile ones."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidError
from gitmem.exchange import reports
from gitmem.output.cases import Report

SUREFIRE = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.0"
    name="com.shop.CartTest" time="1,004.5" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="addsUp" classname="com.shop.CartTest" time="0.01"/>
  <testcase name="total" classname="com.shop.CartTest" time="0.031">
    <failure message="expected: &lt;3&gt; but was: &lt;4&gt;"
        type="org.opentest4j.AssertionFailedError"><![CDATA[\
org.opentest4j.AssertionFailedError: expected: <3> but was: <4>
\tat org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)
\tat com.shop.CartTest.total(CartTest.java:21)
]]></failure>
    <system-out>noise</system-out>
  </testcase>
  <testcase name="empty" classname="com.shop.CartTest" time="0.002">
    <error type="java.lang.NullPointerException"><![CDATA[java.lang.NullPointerException
\tat com.shop.Cart.total(Cart.java:14)
\tat com.shop.CartTest.empty(CartTest.java:27)
]]></error>
  </testcase>
  <testcase name="later" classname="com.shop.CartTest"><skipped message="later"/></testcase>
</testsuite>
"""

JEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="2" failures="1" errors="0" time="1.2">
  <testsuite name="cart" errors="0" failures="1" skipped="0" timestamp="2026-11-21T09:00:00"
      time="0.5" tests="2">
    <testcase classname="cart adds up" name="cart adds up" time="0.004"></testcase>
    <testcase classname="cart total" name="cart total" time="0.003">
      <failure>Error: expect(received).toBe(expected) // Object.is equality

Expected: 3
Received: 4
    at Object.toBe (/srv/shop/cart.test.js:8:19)
    at Promise.then.completed (/srv/shop/node_modules/jest-circus/build/utils.js:298:28)</failure>
    </testcase>
  </testsuite>
</testsuites>
"""

GO = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="1">
  <testsuite name="shop/cart" tests="2" failures="1" errors="0" id="0" time="0.003"
      timestamp="2026-11-21T09:00:00Z">
    <properties><property name="go.version" value="go1.22.1"></property></properties>
    <testcase name="TestAdd" classname="shop/cart" time="0.000"></testcase>
    <testcase name="TestTotal" classname="shop/cart" time="0.001">
      <failure message="Failed"><![CDATA[    cart_test.go:12: got 4, want 3]]></failure>
    </testcase>
  </testsuite>
</testsuites>
"""

SARIF: dict[str, Any] = {
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [
        {
            "tool": {
                "driver": {
                    "name": "Ruff",
                    "rules": [
                        {"id": "F401"},
                        {
                            "id": "X1",
                            "defaultConfiguration": {"level": "error"},
                            "messageStrings": {"default": {"text": "{0} is never {1}"}},
                        },
                    ],
                }
            },
            "artifacts": [{"location": {"uri": "shop/index.py"}}],
            "results": [
                {
                    "ruleId": "F401",
                    "level": "error",
                    "message": {"text": "`os` imported but unused"},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": "file:///srv/shop/a%20b.py"},
                                "region": {
                                    "startLine": 1,
                                    "startColumn": 8,
                                    "snippet": {"text": "import os\n"},
                                },
                            }
                        }
                    ],
                },
                {
                    "ruleIndex": 1,
                    "message": {"id": "default", "arguments": ["total", "used"]},
                    "locations": [{"physicalLocation": {"artifactLocation": {"index": 0}}}],
                },
                {"ruleId": "N1", "level": "note", "message": {"text": "only said"}},
                {"ruleId": "P1", "kind": "pass", "level": "error", "message": {"text": "fine"}},
                {
                    "ruleId": "S1",
                    "level": "error",
                    "message": {"text": "allowed"},
                    "suppressions": [{"kind": "inSource"}],
                },
                {
                    "ruleId": "G1",
                    "level": "error",
                    "message": {"text": "gone"},
                    "baselineState": "absent",
                },
                {"ruleId": "W1", "message": {"text": "no level said: a warning"}},
            ],
        }
    ],
}

PYTEST_JSON: dict[str, Any] = {
    "created": 1763715600.0,
    "duration": 0.12,
    "exitcode": 1,
    "root": "/srv/shop",
    "environment": {},
    "summary": {"passed": 1, "failed": 1, "total": 3},
    "collectors": [{"nodeid": "", "outcome": "passed", "result": []}],
    "tests": [
        {
            "nodeid": "tests/test_cart.py::test_fine",
            "outcome": "passed",
            "setup": {"duration": 0.1, "outcome": "passed"},
            "call": {"duration": 0.2, "outcome": "passed"},
        },
        {
            "nodeid": "tests/test_cart.py::test_total[3]",
            "outcome": "failed",
            "call": {
                "duration": 0.3,
                "outcome": "failed",
                "crash": {"path": "/srv/shop/tests/test_cart.py", "lineno": 9, "message": "no"},
                "longrepr": "n = 3\n\n    def test_total(n):\n>       assert total() == n\n"
                "E       assert 4 == 3\nE        +  where 4 = total()\n\n"
                "tests/test_cart.py:9: AssertionError",
            },
        },
        {"nodeid": "tests/test_cart.py::test_off", "outcome": "xfailed"},
    ],
}

OTEL_SPAN: dict[str, Any] = {
    "resourceSpans": [
        {
            "resource": {
                "attributes": [
                    {"key": "telemetry.sdk.language", "value": {"stringValue": "python"}}
                ]
            },
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "name": "checkout",
                            "events": [
                                {
                                    "name": "exception",
                                    "attributes": [
                                        {
                                            "key": "exception.type",
                                            "value": {"stringValue": "KeyError"},
                                        },
                                        {
                                            "key": "exception.message",
                                            "value": {"stringValue": "'total'"},
                                        },
                                        {
                                            "key": "exception.stacktrace",
                                            "value": {
                                                "stringValue": "Traceback (most recent call last):"
                                                '\n  File "shop/cart.py", line 5, in main\n'
                                                '    return prices["total"]\n'
                                                "KeyError: 'total'\n"
                                            },
                                        },
                                    ],
                                }
                            ],
                        }
                    ]
                }
            ],
        }
    ]
}
OTEL_LOG = {"severity": "ERROR", "attributes": {"exception.type": "java.io.IOException",
                                                "exception.message": "disk full"}}  # fmt: skip


def read(form: str, data: object, root: str = "") -> Report:
    """Read a report whose format is also what its content says."""
    text = data if isinstance(data, str) else json.dumps(data)
    assert reports.recognised(text.encode()) == form
    return reports.read(text.encode(), form, root)


def test_surefire() -> None:
    made = read("junit", SUREFIRE)
    assert [(one.name, one.status) for one in made.cases] == [
        ("com.shop.CartTest.addsUp", "passed"),
        ("com.shop.CartTest.total", "failed"),
        ("com.shop.CartTest.empty", "error"),
        ("com.shop.CartTest.later", "skipped"),
    ]
    assert made.seconds == 1004.5
    wrong, broken = made.failures
    assert wrong.error_type == "org.opentest4j.AssertionFailedError"
    assert wrong.message == "expected: <3> but was: <4>"
    assert [(f.function, f.line) for f in wrong.frames if f.in_app] == [
        ("com.shop.CartTest.total", 21)
    ]
    assert broken.error_type == "java.lang.NullPointerException"
    assert broken.test
    assert broken.test.status == "error"


def test_jest_junit() -> None:
    made = read("junit", JEST)
    assert made.tool == "jest"
    assert [(one.name, one.status) for one in made.cases] == [
        ("cart adds up", "passed"),
        ("cart total", "failed"),
    ]
    (one,) = made.failures
    assert one.language == "javascript"
    assert "toBe" in one.message
    assert any(frame.file.endswith("cart.test.js") and frame.in_app for frame in one.frames)
    assert made.at is None  # it says no zone


def test_go_junit_report() -> None:
    made = read("junit", GO)
    assert made.tool == "go"
    assert made.at is not None
    (one,) = made.failures
    assert one.test
    assert one.test.name == "shop/cart::TestTotal"
    assert "got 4, want 3" in one.message
    assert one.location
    assert (one.location.file, one.location.line) == ("cart_test.go", 12)


def test_a_case_may_say_next_to_nothing() -> None:
    made = read(
        "junit", "<testsuite><testcase/><testcase name='a'><failure/></testcase></testsuite>"
    )
    assert [(one.name, one.status) for one in made.cases] == [("?", "passed"), ("a", "failed")]


def test_a_test_that_was_run_again_and_passed_has_passed() -> None:
    text = (
        "<testsuite><testcase classname='a.B' name='c'><flakyFailure type='x'>no</flakyFailure>"
        "</testcase></testsuite>"
    )
    (one,) = read("junit", text).cases
    assert one.status == "passed"


BOMB = """\
<?xml version="1.0"?>
<!DOCTYPE testsuite [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<testsuite><testcase name="&b;"/></testsuite>
"""
OUTSIDE = """\
<!DOCTYPE testsuite [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<testsuite><testcase name="&x;"/></testsuite>
"""


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, "<!DOCTYPE testsuite><testsuite/>"])
def test_a_document_type_is_refused(text: str) -> None:
    with pytest.raises(InvalidError, match="document type") as caught:
        read("junit", text)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("form", "text", "said"),
    [
        ("junit", "<testsuite><testcase name='a'>", "line 1"),
        ("junit", "<html><body/></html>", "html"),
        ("junit", "", "line 1"),
        ("junit", '<?xml version="1.0" encoding="nope"?><testsuite/>', "encoding"),
        ("sarif", '{"runs": [}', "line 1, column 11"),
        ("sarif", "[]", "no runs"),
        ("pytest-json", '{"exitcode": 1, "tests": 3}', "no tests"),
        ("pytest-json", '{"tests": []}', "no exitcode"),
        ("otel", '{"a": 1}', "no resource"),
        ("otel", "[" * 100_000, ""),
    ],
)
def test_what_can_not_be_read_is_said_in_a_line(form: str, text: str, said: str) -> None:
    with pytest.raises(InvalidError) as caught:
        reports.read(text.encode(), form)
    assert said in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_report_that_is_too_large_is_refused() -> None:
    with pytest.raises(InvalidError, match="larger than 64 MiB"):
        reports.read(b" " * (reports.MOST_BYTES + 1), "sarif")


def test_sarif() -> None:
    made = read("sarif", SARIF, "/srv/shop")
    assert made.tool == "ruff"
    first, second, third = made.failures
    assert (first.tool, first.code, first.severity) == ("ruff", "F401", "error")
    assert first.message == "`os` imported but unused"
    assert first.location == ("a b.py", 1, 8, "import os")
    assert first.language == "python"
    assert (second.code, second.message) == ("X1", "total is never used")
    assert second.location
    assert second.location.file == "shop/index.py"
    assert (third.code, third.severity) == ("W1", "warning")


def test_pytest_json_report() -> None:
    made = read("pytest-json", PYTEST_JSON)
    assert [(one.name.rpartition("::")[2], one.status) for one in made.cases] == [
        ("test_fine", "passed"),
        ("test_total[3]", "failed"),
        ("test_off", "skipped"),
    ]
    assert made.cases[0].seconds == pytest.approx(0.3)
    assert made.exit_code == 1
    (one,) = made.failures
    assert (one.error_type, one.message.splitlines()[0]) == ("AssertionError", "assert 4 == 3")
    assert [(frame.function, frame.line) for frame in one.frames] == [("test_total", 9)]
    assert one.test
    assert (one.test.expected, one.test.actual) == ("3", "4")


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: [one], lambda one: {"x": [one]}])
def test_opentelemetry(wrap: Callable[[object], object]) -> None:
    (one,) = read("otel", wrap(OTEL_SPAN)).failures
    assert (one.error_type, one.message, one.language) == ("KeyError", "'total'", "python")
    assert [(frame.file, frame.function, frame.line) for frame in one.frames] == [
        ("shop/cart.py", "main", 5)
    ]


def test_opentelemetry_line_by_line_and_without_a_stack() -> None:
    text = "\n".join(json.dumps(one) for one in (OTEL_SPAN, OTEL_LOG))
    made = read("otel", text)
    assert [one.error_type for one in made.failures] == ["KeyError", "java.io.IOException"]
    assert made.failures[1].message == "disk full"


LOGS = [
    b"Traceback (most recent call last):\n",
    b'{"reason":"compiler-message","message":{"level":"error"}}\n{"reason":"build-finished"}\n',
    b'{"level":"error","msg":"runs"}\n',
    b"<html>no report</html>",
    b"\x7fELF",
    b"",
]


@pytest.mark.parametrize("head", LOGS)
def test_a_log_is_no_report(head: bytes) -> None:
    assert reports.recognised(head) == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "runs",
                    "results",
                    "tool",
                    "driver",
                    "rules",
                    "message",
                    "locations",
                    "region",
                    "tests",
                    "nodeid",
                    "outcome",
                    "call",
                    "gitmem",
                    "frames",
                    "longrepr",
                    "collectors",
                    "exitcode",
                    "duration",
                    "attributes",
                    "key",
                    "value",
                    "resource",
                    "exception.type",
                    "exception.stacktrace",
                    "suppressions",
                    "level",
                    "ruleIndex",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(JSON, st.sampled_from(["sarif", "pytest-json", "otel"]))
def test_any_json_is_read_or_refused(value: object, form: str) -> None:
    try:
        made = reports.read(json.dumps(value).encode(), form)
    except InvalidError as error:
        assert "\n" not in error.message  # noqa: PT017  reading it is fine, too
        return
    assert len({one.name for one in made.cases}) == len(made.cases)


@given(st.binary(max_size=200), st.sampled_from(sorted(reports.NAMES)))
def test_any_bytes_are_read_or_refused(data: bytes, form: str) -> None:
    try:
        reports.read(data, form)
    except InvalidError as error:
        assert "\n" not in error.message  # noqa: PT017
