"""Failures that say little, runs of nothing, long messages: what is kept and told of them."""

import pytest

from tests.scenarios.desk import Desk, fact, needs
from tests.scenarios.test_edit import CLOCK, GOOD, TEST_CLOCK

MAKEFILE = "all: check\n\ncheck:\n\t@grep -q 42 {0} || (echo 'check: wrong sum' >&2; exit 1)\n"


def test_a_run_of_no_test_passes_nothing(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)
    desk.red("pytest -q")
    desk.write("notes.py", "x = 1\n")
    desk.sh("gitmem run -- sh -c 'pytest -q -k nothing; true'")
    desk.silent()
    assert "learnt" not in desk.said
    assert desk.drafts() == []
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD, "+x = 1"))


def test_what_make_says_is_kept_and_found(desk: Desk) -> None:
    needs("make")
    desk.begin(sum_txt="41\n")
    desk.write("Makefile", MAKEFILE.format("sum.txt"))
    desk.repo.commit("a wrong sum")
    desk.red("make")
    assert "check: wrong sum" in desk.said.partition("gitmem:")[2]
    assert desk.sh("gitmem add error --last") == 0, desk.said
    desk.sh("gitmem search 'wrong sum'")
    assert "err-" in desk.said
    desk.sh("gitmem show $(gitmem list kind:error | cut -d' ' -f1)")
    assert "check" in desk.said


def test_an_exit_code_alone_is_no_identity(desk: Desk) -> None:
    desk.begin(a_sh="exit 3\n", b_sh="exit 3\n")
    desk.red("sh a.sh")
    desk.write("a.sh", "exit 0\n")
    desk.green("sh a.sh")
    desk.silent()
    desk.red("sh b.sh")
    told = desk.said.partition("gitmem:")[2]
    assert "known" not in told
    assert "similar" not in told


def test_a_test_program_that_crashes_again_is_not_known(desk: Desk) -> None:
    needs("cmake")
    needs("cc")
    desk.begin(
        CMakeLists_txt="cmake_minimum_required(VERSION 3.10)\nproject(cart C)\nenable_testing()\n"
        "add_executable(check check.c)\nadd_test(NAME check COMMAND check)\n",
        cart_h="static int first(int *items) { return items[0]; }\n"
        "static int last(int *items) { return items[2]; }\n",
        check_c='#include "cart.h"\nint main(void) { int a[3] = {0};\n'
        "  return first(0) + last(a); }\n",
    )
    desk.write(".gitignore", "build/\n")
    desk.repo.commit("what is built is no source")
    line = "sh -c 'cmake -S . -B build && cmake --build build && ctest --test-dir build'"
    desk.red(line)
    desk.swap("cart.h", "return items[0];", "return items ? items[0] : 0;")
    desk.green(line)
    desk.repo.commit("fix: no cart is an empty one")
    desk.learnt(fact("SegFault", "-static int first(int *items) { return items[0]; }",
                     "+static int first(int *items) { return items ? items[0] : 0; }"))  # fmt: skip
    desk.swap("check.c", "last(a)", "last(0)")
    desk.red(line)
    desk.tells()
    assert "similar" in desk.said, desk.said
    assert "items ? items[0] : 0" in desk.said, desk.said


@pytest.mark.parametrize("tool", ["npx", "npm"])
def test_what_npm_scripts_say_is_kept(desk: Desk, tool: str) -> None:
    needs(tool)
    desk.begin(check_js="console.error('check: wrong sum'); process.exit(1);\n")
    desk.write("package.json", '{"name": "shop", "bin": "check.js",'
               ' "scripts": {"test": "node check.js"}}\n')  # fmt: skip
    desk.repo.commit("a wrong sum")
    desk.red("npm test" if tool == "npm" else "npx --no -c 'node check.js'")
    assert "wrong sum" in desk.said.partition("gitmem:")[2], desk.said


def test_a_long_message_is_cut_where_it_is_told(desk: Desk) -> None:
    test = "def test_long():\n    raise ValueError('word ' * 2000)\n"
    desk.begin(test_long_py=test)
    desk.red("pytest -q --tb=line")
    told = desk.said[desk.said.index("gitmem: new") :]
    assert len(told) < 1000, len(told)
    desk.sh("gitmem runs attempts")
    assert len(desk.said) < 2000, len(desk.said)


def test_an_error_of_the_last_run_needs_no_typing(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)
    desk.red("pytest -q")
    assert desk.sh("gitmem add error --last") == 0, desk.said
    desk.sh("gitmem show $(gitmem list kind:error | cut -d' ' -f1)")
    assert "assert 120 == 2" in desk.said
    assert "pytest -q" in desk.said
    assert desk.sh("gitmem resolve --last 'an hour has 3600 seconds'") == 0, desk.said
    desk.red("pytest -q")
    assert "an hour has 3600 seconds" in desk.said
