"""Several failures that one edit ends: each is found afterwards, in a clone too, with that edit."""

import pytest

from tests.accounts import HOME
from tests.scenarios.desk import Desk, needs

TOTAL = 'def total(xs): return xs[0]["c"]\n'
SUM = 'def total(xs): return sum(x["c"] for x in xs)\n'
TEST_TOTAL = """import lib
import unittest


class T(unittest.TestCase):
    def test_a(self): self.assertEqual(lib.total([{"c": 3}, {"c": 4}]), 7)
    def test_b(self): self.assertEqual(lib.total([]), 0)
"""
GREET = 'MARK = ""\n' + "#\n" * 8 + 'def greet(name): return "Hi" + MARK + name\n'
TEST_GREET = """import m


def test_a(): assert m.greet("Bo") == "Hi, Bo!"
def test_b(): assert m.greet("Al") == "Hi, Al!"
"""
TWICE = "package x\n\nfunc Twice(n int) int { return n + 2 }\n"
TEST_TWICE = """package x

import "testing"

func TestTwice(t *testing.T) {
	if got := Twice(3); got != 6 {
		t.Errorf("twice 3 is %d", got)
	}
}
"""
TEST_QUICK = """package x

import (
	"os"
	"testing"
)

func TestQuick(t *testing.T) {
	if _, err := os.Stat(".git/quick"); err != nil {
		os.WriteFile(".git/quick", nil, 0o644)
		t.Error("SAYS")
	}
}
"""


def _list(desk: Desk, kind: str) -> list[str]:
    assert desk.sh(f"gitmem list kind:{kind}") == 0, desk.said
    return [line for line in desk.said.splitlines() if "-" in line]


def test_two_types_that_one_edit_mends_are_two_errors_of_one_fix(desk: Desk) -> None:
    """It was one error of two tests, and the assertion's words were lost: new, and came back."""
    desk.begin(lib_py=TOTAL, test_l_py=TEST_TOTAL)
    desk.red("python3 -m unittest")
    desk.write("lib.py", SUM)
    desk.green("python3 -m unittest")
    assert "learnt  IndexError: list index out of range\n" in desk.said
    assert "and test_l.T.test_a: 3 != 7" in desk.said
    assert len(_list(desk, "error")) == 2
    assert len(_list(desk, "fix")) == 1
    desk.repo.commit("sums")
    desk.write("lib.py", TOTAL)
    desk.red("python3 -m unittest")
    assert "known  IndexError" in desk.said
    assert "test_a: 3 != 7" in desk.said
    assert "gitmem: new" not in desk.said
    assert desk.said.count("came back  after") == 2, desk.said  # below each of them
    assert desk.said.count("fixed in") == 1, desk.said


def test_other_values_of_one_comparison_are_one_error_and_each_is_known(desk: Desk) -> None:
    """There was an error for each test, and each was told as known, and as come back."""
    desk.begin(m_py=GREET, test_m_py=TEST_GREET)
    desk.red("pytest -q")
    mended = GREET.replace('MARK = ""', 'MARK = ", "').replace("+ name", '+ name + "!"')
    desk.write("m.py", mended)
    desk.green("pytest -q")
    assert "(2 tests)" in desk.said
    assert len(_list(desk, "error")) == 1
    desk.repo.commit("greets")
    for test in ("test_a", "test_b"):
        desk.write("m.py", GREET)
        desk.red(f"pytest -q test_m.py::{test}")
        assert "gitmem: known" in desk.said, desk.said
        assert "gitmem: new" not in desk.said, desk.said
    desk.red("pytest -q")
    assert desk.said.count("gitmem: known") == 1, desk.said


def _of_go(desk: Desk, says: str) -> None:
    needs("go")
    desk.env["GOCACHE"] = str(HOME / ".cache" / "go-build")
    desk.begin(
        go_mod="module x\n\ngo 1.18\n",
        x_go=TWICE,
        x_test_go=TEST_TWICE,
        quick_test_go=TEST_QUICK.replace("SAYS", says),
    )
    desk.red("go test .")
    desk.swap("x.go", "n + 2", "n * 2")
    desk.green("go test .")


@pytest.mark.parametrize(
    "says", ["Reading took too long", "the port did not answer in 5 s", "no reply after 30 seconds"]
)
def test_what_is_about_time_takes_no_edit_that_another_failure_explains(
    desk: Desk, says: str
) -> None:
    """``Reading took too long`` was learnt with the edit, and the real bug was new afterwards."""
    _of_go(desk, says)
    assert "learnt  twice 3 is 5\n" in desk.said
    assert f"gone  {says}: no longer failing; another failure explains" in desk.said
    (error,) = _list(desk, "error")
    assert "twice 3 is 5" in error


def test_what_comes_and_goes_takes_no_edit_that_another_failure_explains(desk: Desk) -> None:
    """Nothing that it shows, and none of its files, leads to what was edited."""
    _of_go(desk, "no connection to the store")
    (error,) = _list(desk, "error")
    assert "twice 3 is 5" in error


ROWS = """\
import unittest, m
class T(unittest.TestCase):
    def test_cube(self):
        for n, cube in [(2, 8), (3, 27)]:
            with self.subTest(n=n): self.assertEqual(m.cube(n), cube)
"""


def test_subtests_that_one_edit_mended_are_learnt(desk: Desk) -> None:
    """Two failed and one test ran: the next run seemed to leave a test out."""
    desk.begin(m_py="def cube(n): return n ** 2\n", test_m_py=ROWS)
    desk.red("python3 -m unittest")
    desk.swap("m.py", "2", "3")
    desk.green("python3 -m unittest")
    (error,) = _list(desk, "error")
    assert "test_cube" in error


def test_an_error_of_time_beside_a_bug_in_one_file_of_tests_takes_no_edit(desk: Desk) -> None:
    test = (
        "import os\nimport m\n\ndef test_double(): assert m.double(5) == 10\n\n"
        "def test_store():\n    if not os.path.exists('.git/up'):\n"
        "        open('.git/up', 'w').close()\n        raise TimeoutError('store is down')\n"
    )
    desk.begin(m_py="def double(n): return n + 2\n", test_m_py=test)
    command = "python3 -m pytest -q -p no:cacheprovider"
    desk.red(command)
    desk.swap("m.py", "n + 2", "n * 2")
    desk.green(command)
    (error,) = _list(desk, "error")
    assert "test_double" in error


PRICE_JS = """exports.price = (n) => n + 1
exports.old = () => console.warn("old() is deprecated\\n" + new Error().stack)
"""
PRICE_TEST_JS = """const { price, old } = require("./price")
test("price", () => expect(price(2)).toBe(2))
test("old still works", () => old())
"""


def test_what_code_prints_is_no_failure(desk: Desk) -> None:
    """The stack of a warning was the error that was learnt, and the assertion was new."""
    needs("jest")
    desk.begin(package_json='{"name": "shop", "version": "1.0.0"}\n', price_js=PRICE_JS)
    desk.write("price.test.js", PRICE_TEST_JS)
    desk.repo.commit("a test")
    desk.red("jest")
    assert desk.said.count("gitmem: new") == 1, desk.said
    desk.swap("price.js", "n + 1", "n")
    desk.green("jest")
    (error,) = _list(desk, "error")
    assert "expected 2, received 3" in error


LOGS = """import traceback


def price(n): return n + 1


def old():
    try: {}["rate"]
    except KeyError: traceback.print_exc()
"""


def test_what_stands_in_a_run_that_passes_is_no_failure(desk: Desk) -> None:
    """The stack that the code logs was learnt, with the edit of something else."""
    desk.begin(shop_py=LOGS)
    desk.write("t.py", "import shop\nshop.old()\nassert shop.price(2) == 2, 'price is wrong'\n")
    desk.repo.commit("a check")
    desk.red("python3 t.py")
    desk.swap("shop.py", "n + 1", "n")
    desk.green("python3 t.py")
    (error,) = _list(desk, "error")
    assert "price is wrong" in error
    desk.repo.commit("price")
    desk.swap("shop.py", "return n", "return n - 1")
    desk.red("python3 t.py")
    assert "known  AssertionError: price is wrong" in desk.said
    assert "KeyError: 'rate'" not in desk.said.partition("gitmem:")[2], desk.said
