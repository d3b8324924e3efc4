"""What a text says about a failure: lines of code, places, names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.index import clauses, evidence, sections
from gitmem.index.evidence import FileLine

PYTHON = """Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 86, in _run_code
    exec(code, run_globals)
  File "/home/ann/shop/tests/test_token.py", line 12, in test_expired
    assert parse_token("x") is None
  File "/home/ann/shop/src/auth/token.py", line 42, in parse_token
    return datetime.now() < expires
           ^^^^^^^^^^^^^^^^^^^^^^^^
TypeError: can't compare 'naive' and "aware" in /home/ann/shop
"""
JAVA = """junit.framework.AssertionFailedError: expected:<1> but was:<2>
\tat junit.framework.Assert.fail(Assert.java:57)
\tat com.shop.auth.TokenTest.testExpired(TokenTest.java:33)
\tat java.lang.reflect.Method.invoke(Method.java:498)
"""
PYTEST = """    def test_expired(app):
        token = make()
>       assert token.expired
E       AssertionError: assert False

tests/test_token.py:7: AssertionError
"""
REPORT = """Login fails on the first try after an upgrade
When I log in for the first time after the upgrade to 2.1, the page says that it has expired.
This was not so in 2.0, and it is fine when I try to do it again, so there should be a way for
the token to be made anew by the server. We have seen it on two machines.
"""


def test_python() -> None:
    found = evidence.of_text(PYTHON)
    assert found.code == ('assert parse_token("x") is None', "return datetime.now() < expires")
    assert found.places == (FileLine("test_token.py", 12), FileLine("token.py", 42))
    assert found.tests == ("test_expired",)
    assert evidence.functions(found) == ["test_expired", "parse_token"]
    assert evidence.stems(found)[:2] == ["test_token", "token"]
    assert found.quoted == ("naive", "aware")
    assert found.head.strip().startswith("TypeError: can't compare")
    assert "/home" not in found.head
    assert not found.prose


def test_java() -> None:
    found = evidence.of_text(JAVA)
    assert found.places == (FileLine("tokentest.java", 33),)
    assert found.tests == ("testExpired",)
    assert found.head.startswith("junit.framework.AssertionFailedError: expected:<1>")
    assert "TokenTest" not in found.head


def test_javascript() -> None:
    found = evidence.of_text(
        "Error: no\n    at parse (/app/src/token.js:4:2)\n    at node:vm:1:1\n"
    )
    assert found.places == (FileLine("token.js", 4),)


def test_pytest() -> None:
    found = evidence.of_text(PYTEST)
    assert found.code == ("assert token.expired",)
    assert found.tests == ("test_expired",)
    assert found.places == (FileLine("test_token.py", 7),)


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("src/a.c:3:5: error: x", FileLine("a.c", 3)),
        ("src\\a.ts(3,5): error TS2322: x", FileLine("a.ts", 3)),
        ("/app/A.py:12: ty: x", FileLine("a.py", 12)),
    ],
)
def test_places(line: str, place: FileLine) -> None:
    assert evidence.of_text(line).places == (place,)


def test_a_report_is_told_from_an_output() -> None:
    assert evidence.of_text(REPORT).prose
    assert evidence.of_text(REPORT).first == "Login fails on the first try after an upgrade"
    assert not evidence.of_text("error: " + "x = 1; " * 100).prose
    assert clauses.demand(REPORT).kind == "report"
    assert clauses.demand(PYTHON).kind == "output"


@given(st.text())
def test_any_text_can_be_taken_apart(text: str) -> None:
    found = evidence.of_text(text)
    assert len(found.head) <= evidence.HEAD
    clauses.demand(text)


def test_every_weight_is_one_that_is_known() -> None:
    names = set(clauses.names())
    for kind in ("output", "report"):
        weights = clauses.learnt(kind)
        assert weights.keys() <= names
        against = {clauses.TRACE, clauses.LANGUAGE}
        assert all((weight < 0) is (name in against) for name, weight in weights.items())


def test_a_rare_term_is_worth_more_than_a_common_one() -> None:
    asked = clauses.demand("rarity commonness")
    counts = {"rariti": 1, "common": 60}
    weighed = clauses.weigh(asked, lambda term: counts.get(term, 0), 100, {"all in words ^2": 1.0})
    assert weighed.values["rariti"] > weighed.values["common"] > 0
    assert clauses.total(weighed, {"rariti": 100}) == pytest.approx(100 * weighed.values["rariti"])
    assert clauses.total(weighed, {}) == 0


def test_a_quotation_in_a_report_is_no_failing_line() -> None:
    assert evidence.of_text(PYTEST).code == ("assert token.expired",)
    quoted = f"{REPORT}\n> A token should be made anew\n>  make(token)\n"
    assert evidence.of_text(quoted).code == ()


def test_frames_of_a_stack_are_neither_its_head_nor_its_last_line() -> None:
    text = f"{JAVA}\tat sun.reflect.Invoker.invoke0(Native Method)\n\t... 23 more\n"
    parts = evidence.of_text(text)
    assert parts.last == JAVA.partition("\n")[0]
    assert "Native" not in parts.head
    assert "23" not in parts.head
    script = "RangeError: no\n    at f (src/a.js:3:4)\n    at src/b.js:9:1\n"
    assert evidence.of_text(script).last == "RangeError: no"


def test_a_record_about_files_of_another_language_stands_back() -> None:
    asked = clauses.demand(PYTHON)
    weighed = clauses.weigh(asked, lambda _: 1, 100, {clauses.LANGUAGE: -1.0})
    python, jvm = (f"{sections.LANGUAGE}{name}" for name in ("python", "jvm"))
    impacts: tuple[dict[str, int], ...] = ({python: 1}, {jvm: 1}, {python: 1, jvm: 1}, {})
    totals = [clauses.total(weighed, impact) for impact in impacts]
    assert totals == [0, -1, 0, 0]
    of_python = clauses.weigh(
        asked, lambda term: {python: 7}.get(term, 0), 100, {clauses.LANGUAGE: -1.0}
    )
    assert not of_python.marks(), "where all files are of one language nothing is read"
    assert not clauses.demand("TypeError: no").languages


def test_the_nearest_line_of_a_file_counts() -> None:
    asked = clauses.demand(PYTHON)
    weighed = clauses.weigh(asked, lambda _: 1, 100, {clauses.PLACE: 1.0})
    (term,) = [term for term in weighed.places if term.endswith("ltoken.py")]
    at, near, far = (clauses.total(weighed, {term: line}) for line in (42, 50, 900))
    assert at > near == pytest.approx(at / 2)
    assert near > far > 0


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/home/ann/pytest-django/src/db.py", True),
        ("/srv/unittest_reports/send.py", True),
        ("src/runpython.py", True),
        ("/usr/x/site-packages/_pytest/python.py", False),
        ("/opt/_pytest/runner.py", False),
        ("/opt/lib3/unittest/case.py", False),
        ("/opt/lib3/runpy.py", False),
    ],
)
def test_a_runner_is_known_by_its_whole_name(path: str, *, own: bool) -> None:
    text = f'Traceback (most recent call last):\n  File "{path}", line 7, in f\n    go()\nE: x\n'
    assert [step.path for step in evidence.own_steps(text)] == ([path] if own else [])
