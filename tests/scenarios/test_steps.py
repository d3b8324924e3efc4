"""The step that fixed it, and what was tried before."""

import pytest

from tests.accounts import HOME
from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact, needs

TESTS = "import shop\n\n\n" + "\n\n".join(
    f"def test_{name}():\n    assert shop.{name}() == {n}\n" for n, name in enumerate("abc", 1)
)
SHOP = "\n\n".join(f"def {name}():\n    return 0  # {name}\n" for name in "abc")


@deep
@only_deep
def test_three_mends_are_three_fixes(desk: Desk) -> None:
    desk.begin(shop_py=SHOP, test_shop_py=TESTS)
    desk.red("pytest -q")
    for n, name in enumerate("abc", 1):
        desk.swap("shop.py", f"return 0  # {name}", f"return {n}  # {name}")
        desk.sh("gitmem run -- pytest -q")
    desk.learnt(
        *(fact("assert 0 == ", f"-return 0 # {name}", f"+return {n} # {name}")
          for n, name in enumerate("abc", 1))
    )  # fmt: skip


def test_what_mended_others_was_no_attempt_at_the_one_that_stays(desk: Desk) -> None:
    body = "".join(f"    # step {n}\n" for n in range(9))
    crash = f"\n\ndef d():\n{body}    return 4 + None\n"
    desk.begin(shop_py=SHOP + crash, test_shop_py=f"{TESTS}\n\ndef test_d():\n    shop.d()\n")
    desk.red("pytest -q")
    for n, name in enumerate("abc", 1):
        desk.swap("shop.py", f"return 0  # {name}", f"return {n}  # {name}")
        desk.red("pytest -q")
    desk.sh("gitmem runs attempts")
    assert "no edits since it began to fail" in desk.said
    desk.sh("gitmem context")
    assert "unsupported operand" in desk.said
    assert "still there" not in desk.said
    desk.sh("gitmem advise")
    assert "without success" not in desk.said
    desk.swap("shop.py", "4 + None", "5 + None")
    desk.red("pytest -q")
    desk.sh("gitmem runs attempts")
    assert desk.said.count("still there") == 1
    desk.sh("gitmem advise")
    assert "1 attempt without success" in desk.said
    desk.swap("shop.py", "5 + None", "4")
    desk.green("pytest -q")
    desk.learnt(
        fact("unsupported operand", "-return 4 + None", "+return 4", failed=1),
        *(fact("assert 0 == ", f"-return 0 # {name}", f"+return {n} # {name}")
          for n, name in enumerate("abc", 1)),
    )  # fmt: skip


ROWS = """\
from cart import half


def test_half(subtests):
    for n in (2, 4):
        with subtests.test(n=n):
            assert half(n) == n // 2
"""


def test_each_row_of_a_test_has_its_own_edit(desk: Desk) -> None:
    """The mend of the first row was told as "still failing", and recorded as "did not help"."""
    before, first, both = (
        f"return {{2: {two}, 4: {four}}}[n]" for two, four in ((0, 0), (1, 0), (1, 2))
    )
    desk.begin(cart_py=f"def half(n):\n    {before}\n", test_cart_py=ROWS)
    desk.red("pytest -q")
    desk.swap("cart.py", before, first)
    desk.red("pytest -q")
    assert "gitmem: learnt  test_half (n=2): assert 0 == (2 // 2)" in desk.said
    desk.swap("cart.py", first, both)
    desk.green("pytest -q")
    desk.learnt(
        fact("assert 0 == (2 // 2)", f"-{before}", f"+{first}"),
        fact("assert 0 == (4 // 2)", f"-{first}", f"+{both}"),
    )


@deep
@only_deep
def test_without_the_plugin_a_runner_that_goes_on_tells_as_much(desk: Desk) -> None:
    desk.env["GITMEM_PYTEST"] = "0"
    test_three_mends_are_three_fixes(desk)


@deep
@only_deep
def test_an_edit_of_another_file_between_is_no_part_of_it(desk: Desk) -> None:
    desk.begin(shop_py=SHOP, test_shop_py=TESTS.replace("== 2", "== 0").replace("== 3", "== 0"),
               notes_py="X = 1\n")  # fmt: skip
    desk.red("pytest -q")
    desk.swap("notes.py", "1", "2")
    desk.red("pytest -q")
    desk.swap("shop.py", "return 0  # a", "return 1  # a")
    desk.green("pytest -q")
    desk.learnt(fact("assert 0 == 1", "-return 0 # a", "+return 1 # a"))


@deep
@only_deep
def test_attempts_begin_at_the_red_code(desk: Desk) -> None:
    desk.begin(shop_py=SHOP, test_shop_py=TESTS.replace("== 2", "== 0").replace("== 3", "== 0"))
    desk.red("pytest -q")
    desk.swap("shop.py", "return 0  # a", "return 7  # a")
    desk.red("pytest -q")
    desk.repo.git("checkout", "-q", "shop.py")
    desk.swap("shop.py", "return 0  # a", "return 8  # a")
    desk.red("pytest -q")
    desk.repo.git("checkout", "-q", "shop.py")
    desk.swap("shop.py", "return 0  # a", "return 7  # a")
    desk.red("pytest -q")
    assert "you already tried this" in desk.said


CART = "def total(prices):\n    return len(prices)\n"
TEST_CART = "from cart import total\n\n\ndef test_total():\n    assert total([3, 4]) == 7\n"


@pytest.mark.parametrize(
    "half",
    ["", "\n\ndef total(prices):\n    return hole(prices)\n", "\n\ndef total(prices)\n"],
    ids=["import", "name", "syntax"],
)  # fmt: skip
def test_an_edit_that_breaks_the_test_in_another_way_is_a_part_of_the_fix(
    desk: Desk, half: str
) -> None:
    desk.begin(cart_py=CART, test_cart_py=TEST_CART)
    desk.red("pytest -q")
    whole = "def whole(prices):\n    return sum(prices)\n"
    desk.write("cart.py", f"{whole}{half}")
    desk.red("pytest -q")
    desk.write("cart.py", f"{whole}\n\ndef total(prices):\n    return whole(prices)\n")
    desk.green("pytest -q")
    desk.learnt(
        fact("assert 2 == 7", "-return len(prices)", "+def whole(prices):",
             "+return sum(prices)", "+return whole(prices)")
    )  # fmt: skip


CHECK = """\
#include <stdio.h>
#include "cart.h"
int main(void) {
  int got = total(3, 4), bad = got != 7;
  if (bad) printf("check.c:5:test_total:FAIL: Expected 7 Was %d\\n", got);
  else printf("check.c:5:test_total:PASS\\n");
  printf("\\n-----------------------\\n1 Tests %d Failures 0 Ignored\\n%s\\n",
         bad, bad ? "FAIL" : "OK");
  return bad;
}
"""
LISTS = """\
cmake_minimum_required(VERSION 3.10)
project(cart C)
enable_testing()
add_executable(check check.c)
add_executable(other other.c)
add_test(NAME check COMMAND check)
add_test(NAME other COMMAND other)
"""
BUILD = "sh -c 'cmake -S . -B build && cmake --build build && ctest --test-dir build {}'"


def test_a_program_that_ctest_shows_only_where_it_fails_is_fixed_when_it_passes(desk: Desk) -> None:
    needs("cmake")
    needs("cc")
    desk.begin(
        cart_h="static int total(int a, int b) {\n  return a;\n}\n",
        check_c=CHECK,
        other_c="int main(void) { return 0; }\n",
        CMakeLists_txt=LISTS,
    )
    desk.write(".gitignore", "build/\n")
    desk.repo.commit("what is built is no source")
    line = BUILD.format("--output-on-failure")
    desk.red(line)
    desk.swap("cart.h", "return a;", "return a - b;")
    desk.red(line)
    desk.swap("cart.h", "return a - b;", "int sum = a + b\n  return sum;")
    desk.red(line)
    desk.swap("cart.h", "a + b\n", "a + b;\n")
    desk.green(line)
    desk.learnt(fact("Expected 7 Was", "-return a;", "+int sum = a + b;", "+return sum;", failed=1))


GO_SHOP = """\
package shop

func Average(values []int) int {
	sum := 0
	for _, value := range values {
		sum += value
	}
	return sum / len(values)
}

func Double(number int) int {
	return number + number + 1
}
"""
GO_TEST = """\
package shop

import "testing"

func TestEmpty(t *testing.T) {
	if Average(nil) != 0 {
		t.Fatal("not 0")
	}
}

func TestDouble(t *testing.T) {
	if got := Double(2); got != 4 {
		t.Errorf("Double(2) = %d, want 4", got)
	}
}
"""


def test_after_a_panic_go_lists_all_that_fails(desk: Desk) -> None:
    """What hid the second failure was mended by the first edit, and not by the second."""
    needs("go")
    desk.env["GOCACHE"] = str(HOME / ".cache" / "go-build")
    desk.begin(go_mod="module example.org/shop\n\ngo 1.18\n", shop_go=GO_SHOP, shop_test_go=GO_TEST)
    desk.red("go test ./...")
    desk.swap(
        "shop.go", "\treturn sum /", "\tif len(values) == 0 {\n\t\treturn 0\n\t}\n\treturn sum /"
    )
    desk.red("go test ./...")
    desk.swap("shop.go", "number + number + 1", "number + number")
    desk.green("go test ./...")
    desk.learnt(
        fact("divide by zero", "+if len(values) == 0 {", "+return 0", "+}"),
        fact("Double(2) = 5, want 4", "-return number + number + 1", "+return number + number"),
    )
