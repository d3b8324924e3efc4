"""What an output tells of tests that passed, failed or were skipped; the outputs are real."""

import pytest

from gitmem.matching.basis import EXIT, GUESS, TOOL, basis, exited
from gitmem.matching.parse import Parser, parse
from gitmem.output.cases import FAILED, PASSED, SKIPPED, Report
from gitmem.output.failure import Failure, Test


def read_tests(output: bytes | str) -> Report | None:
    parser = Parser()
    parser.feed(output)
    parser.close()
    return parser.report()


def ended(output: str) -> list[tuple[str, str, str]]:
    report = read_tests(output)
    assert report
    return [(case.status, case.where, case.name) for case in report.cases]


PYTEST = """\
tests/test_cart.py::test_empty PASSED                                    [ 20%]
tests/test_cart.py::test_rate[at - x] PASSED                             [ 40%]
tests/test_cart.py::TestFirst::test_later SKIPPED (later)                [ 60%]
tests/test_cart.py::TestFirst::test_hope XFAIL                           [ 80%]
[gw1] [100%] PASSED tests/test_cart.py::test_rate[gr\xfcn]
=========== 3 passed, 1 skipped, 1 xfailed, 1 warning in 0.10s ===========
"""
UNITTEST = """\
test_ok (tests.test_unit.CartTest.test_ok)
Sums are right. ... ok
test_skipped (tests.test_unit.CartTest.test_skipped) ... skipped 'not now'
test_old (tests.test_unit.CartTest) ... ok
test_loud (tests.test_unit.CartTest.test_loud) ... looking
ok
----------------------------------------------------------------------
Ran 4 tests in 0.007s

OK (skipped=1)
"""
CARGO = """\
     Running unittests src/lib.rs (target/debug/deps/shop-507999230d6984fa)

running 3 tests
test tests::empty ... ok
test tests::later ... ignored, needs a database
test tests::panics - should panic ... ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.37s

     Running tests/shop.rs (target/debug/deps/shop-d530873e218775a5)

running 1 test
test tests::empty ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.39s
"""
GO = """\
=== RUN   TestRates
=== RUN   TestRates/summer
--- PASS: TestRates (0.00s)
    --- PASS: TestRates/summer (0.00s)
=== RUN   TestLater
    cart_test.go:28: no database
--- SKIP: TestLater (0.00s)
PASS
ok  \tshop/cart\t0.003s
=== RUN   TestRates
--- PASS: TestRates (0.00s)
PASS
ok  \tshop/price\t0.003s
"""
JEST = """\
PASS jest/cart.test.cjs
  \u2713 sums nothing (8 ms)
  cart
    \u25cb skipped later
    \u270e todo some day
    with gr\xf6\xdfe
      \u2713 is small 1 (3 ms)

Tests:       1 skipped, 1 todo, 2 passed, 4 total
"""
SPEC = """\
\u2714 sums nothing (1.008202ms)
\ufe63 later (0.118385ms) # SKIP
\u2716 some day (33.99623ms) # TODO
\u25b6 cart
  \u2714 is fine (0.266234ms)
\u2714 cart (10.398833ms)
\u2139 tests 4
\u2139 suites 1
\u2139 pass 2
\u2139 fail 0
\u2139 cancelled 0
\u2139 skipped 1
\u2139 todo 1
"""
TAP = """\
TAP version 13
# Subtest: sums nothing
ok 1 - sums nothing
  ---
  duration_ms: 1.125314
  ...
# Subtest: later
ok 2 - later # SKIP
# Subtest: some day
not ok 3 - some day # TODO
# Subtest: cart
    # Subtest: is fine
    ok 1 - is fine
    1..1
ok 4 - cart
1..4
# tests 4
# suites 1
# pass 2
# fail 0
# cancelled 0
# skipped 1
# todo 1
"""
TAPE = """\
TAP version 13
# sums nothing
ok 1 nothing is zero
ok 2 still here
# SKIP later
# compares
ok 3 alike

1..3
# tests 3
# pass  3

# ok
"""
CTEST = """\
      Start 1: ok
1/3 Test #1: ok ...............................   Passed    0.01 sec
      Start 2: skipped
2/3 Test #2: skipped ..........................***Skipped   0.00 sec
3/3 Test #3: disabled .........................***Not Run (Disabled)   0.00 sec

100% tests passed, 0 tests failed out of 2
"""
GTEST = """\
[ RUN      ] Cart.Empty
[       OK ] Cart.Empty (0 ms)
[  SKIPPED ] Cart.Later (0 ms)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
"""
MINITEST = """\
Cart#test_0001_is fine = 0.00 s = .
TestCart#test_later = 0.00 s = S

2 runs, 1 assertions, 0 failures, 0 errors, 1 skips
"""
UNITY = """\
test/test_cart.c:12:test_adds:PASS
test/test_cart.c:20:test_later:IGNORE: no database

-----------------------
2 Tests 0 Failures 1 Ignored
OK
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (PYTEST, [
            (PASSED, "", "tests/test_cart.py::test_empty"),
            (PASSED, "", "tests/test_cart.py::test_rate[at - x]"),
            (SKIPPED, "", "tests/test_cart.py::TestFirst::test_later"),
            (SKIPPED, "", "tests/test_cart.py::TestFirst::test_hope"),
            (PASSED, "", "tests/test_cart.py::test_rate[gr\xfcn]"),
        ]),
        (UNITTEST, [
            (PASSED, "", "tests.test_unit.CartTest.test_ok"),
            (SKIPPED, "", "tests.test_unit.CartTest.test_skipped"),
            (PASSED, "", "tests.test_unit.CartTest.test_old"),
            (PASSED, "", "tests.test_unit.CartTest.test_loud"),
        ]),
        (CARGO, [
            (PASSED, "shop src/lib.rs", "tests::empty"),
            (SKIPPED, "shop src/lib.rs", "tests::later"),
            (PASSED, "shop src/lib.rs", "tests::panics"),
            (PASSED, "shop tests/shop.rs", "tests::empty"),
        ]),
        (GO, [
            (PASSED, "shop/cart", "TestRates"),
            (PASSED, "shop/cart", "TestRates/summer"),
            (SKIPPED, "shop/cart", "TestLater"),
            (PASSED, "shop/price", "TestRates"),
        ]),
        (JEST, [
            (PASSED, "jest/cart.test.cjs", "sums nothing"),
            (SKIPPED, "jest/cart.test.cjs", "cart \u203a later"),
            (SKIPPED, "jest/cart.test.cjs", "cart \u203a some day"),
            (PASSED, "jest/cart.test.cjs", "cart \u203a with gr\xf6\xdfe \u203a is small 1"),
        ]),
        (SPEC, [
            (PASSED, "", "sums nothing"),
            (SKIPPED, "", "later"),
            (SKIPPED, "", "some day"),
            (PASSED, "", "cart \u203a is fine"),
        ]),
        (TAP, [
            (PASSED, "", "sums nothing"),
            (SKIPPED, "", "later"),
            (SKIPPED, "", "some day"),
            (PASSED, "", "cart \u203a is fine"),
        ]),
        (TAPE, [(PASSED, "", "sums nothing"), (SKIPPED, "", "later"), (PASSED, "", "compares")]),
        (CTEST, [(PASSED, "", "ok"), (SKIPPED, "", "skipped"), (SKIPPED, "", "disabled")]),
        (GTEST, [(PASSED, "", "Cart.Empty"), (SKIPPED, "", "Cart.Later")]),
        (MINITEST, [(PASSED, "", "Cart#test_0001_is fine"), (SKIPPED, "", "TestCart#test_later")]),
        (UNITY, [
            (PASSED, "test/test_cart.c", "test_adds"),
            (SKIPPED, "test/test_cart.c", "test_later"),
        ]),
    ],
    ids=["pytest", "unittest", "cargo", "go", "jest", "spec", "tap", "tape", "ctest", "gtest",
         "minitest", "unity"],
)  # fmt: skip
def test_each_test_and_how_it_ended(output: str, expected: list[tuple[str, str, str]]) -> None:
    assert ended(output) == expected
    assert parse(output) == []
    report = read_tests(output.encode())
    assert report is not None
    assert report.complete
    assert report.ran == sum(status != SKIPPED for status, _, _ in expected)


@pytest.mark.parametrize(
    "output",
    [
        "============ no tests ran in 0.01s ============\n",
        "4 deselected in 0.01s\n",
        "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n",
        "ok  \tshop/cart\t0.019s [no tests to run]\n?   \tshop/empty\t[no test files]\n",
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n",
        "No tests were found!!!\n",
        "0 examples, 0 failures\n",
        "No tests executed!\n",
        "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n",
        "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n",
    ],
)
def test_a_run_of_nothing_is_one(output: str) -> None:
    report = read_tests(output)
    assert report is not None
    assert report.ran == 0


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("2 failed, 3 passed, 1 skipped, 1 error in 1.17s", (3, 2, 1, 1)),
        ("Tests:       1 failed, 1 skipped, 2 passed, 4 total", (2, 1, 0, 1)),
        ("      Tests  4 failed | 3 passed | 1 skipped | 1 todo (9)", (3, 4, 0, 2)),
        ("Tests: 7, Assertions: 4, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1.",
         (2, 2, 1, 2)),
        ("[ERROR] Tests run: 9, Failures: 3, Errors: 1, Skipped: 1", (4, 3, 1, 1)),
        ("7 tests completed, 1 failed, 2 skipped", (4, 1, 0, 2)),
        ("Failed!  - Failed:     2, Passed:     3, Skipped:     1, Total:     6, Duration: 20 ms",
         (3, 2, 0, 1)),
        ("7 examples, 2 failures, 3 pending", (2, 2, 0, 3)),
    ],
)  # fmt: skip
def test_summaries_are_counted(line: str, counts: tuple[int, int, int, int]) -> None:
    report = read_tests(line + "\n")
    assert report is not None
    assert report.counts
    assert tuple(report.counts.values()) == counts


def test_files_packages_and_classes_are_told_as_a_whole() -> None:
    report = read_tests(
        "tests/test_cart.py ..s                       [ 60%]\n"
        "PASS src/sum.test.js\n"
        "ok  \tshop/cart\t0.004s\n"
        "FAIL\tshop/price\t0.005s\n"
        "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s"
        " -- in shop.CartTest\n"
    )
    assert report is not None
    assert [(group.name, group.bad) for group in report.groups] == [
        ("tests/test_cart.py", False),
        ("src/sum.test.js", False),
        ("shop/cart", False),
        ("shop/price", True),
        ("shop.CartTest", False),
    ]
    assert report.groups[0].counts == {PASSED: 2, SKIPPED: 1}


def test_a_failure_belongs_to_its_test() -> None:
    report = read_tests(
        "test tests::empty ... ok\n"
        "test tests::sums ... FAILED\n"
        "\n---- tests::sums stdout ----\n\n"
        "thread 'tests::sums' panicked at src/lib.rs:21:9:\nboom\n\n"
    )
    assert report is not None
    passed, failed = report.cases
    assert (passed.status, failed.status) == (PASSED, FAILED)
    assert [failure.message for failure in failed.failures] == ["boom"]


@pytest.mark.parametrize(
    "output",
    ["", "look, the token is broken\n", "12 tests to write\n", "ok then, 3 of them\n",
     "2024-05-01 12:00:00 worker ok\n", "PASS the salt\n", "the test is ... ok, I think\n"],
)  # fmt: skip
def test_prose_is_no_test(output: str) -> None:
    assert read_tests(output) is None


@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_however_the_output_comes(size: int) -> None:
    whole = PYTEST + UNITTEST + CARGO + GO + JEST
    parser = Parser()
    data = whole.encode()
    for at in range(0, len(data), size):
        parser.feed(data[at : at + size])
    parser.close()
    assert parser.report() == read_tests(whole)


def test_what_a_failure_is_known_by() -> None:
    assert basis(Failure("make", message="make exited with 2")) == EXIT
    assert basis(Failure("queue", message=exited("queue", 139))) == EXIT
    assert basis(Failure("make", message="[check] Error 2")) == EXIT
    assert basis(Failure("make", message="[check] check: wrong sum")) == TOOL
    assert basis(Failure(message="frobnicate: cannot open device")) == GUESS
    assert basis(Failure("pytest", message="no", test=Test("test_a"))) == TOOL


def test_a_command_that_says_little_is_told_by_what_it_states() -> None:
    parser = Parser("npx check")
    parser.feed("checking the sums\nsum of 1 and 2: 3\ncheck: wrong sum\n\n> done\n")
    (failure,) = parser.close()
    assert failure.message == "check: wrong sum"
    assert "sum of 1 and 2: 3" in failure.excerpt
    assert basis(failure) == GUESS


def test_a_command_that_states_nothing_is_told_by_its_exit_code() -> None:
    idle = Parser("npx check")
    idle.feed("checking the sums\nsum of 1 and 2: 3\n1 check failed\n")
    assert all(basis(failure) == EXIT for failure in idle.close())
    assert basis(idle.ending("npx", 1)) == EXIT, "a line that only counts is no identity"
    silent = Parser("false")
    silent.close()
    assert basis(silent.ending("false", 1)) == EXIT


def test_the_same_words_of_two_recipes_are_two_failures() -> None:
    (first,) = parse("it is missing\nmake: *** [Makefile:3: a] Error 1\n")
    (second,) = parse("it is missing\nmake: *** [Makefile:5: b] Error 1\n")
    assert (first.message, second.message) == ("[a] it is missing", "[b] it is missing")
    (shell,) = parse("cat: a.txt: No such file or directory\nmake: *** [Makefile:3: a] Error 1\n")
    assert shell.message == "[a] cat: a.txt: No such file or directory"
    (quiet,) = parse("make: *** [Makefile:9: quiet] Error 2\n")
    assert basis(quiet) == EXIT


@pytest.mark.parametrize(
    "line",
    [
        "--- PASS: TestRates (..00s)",
        "        PASS [   0.0.1s] shop tests::empty",
        "1/3 Test #1: ok ...............................   Passed    0..01 sec",
        "CartTest#test_rate = 0.0.1 s = .",
    ],
)
def test_a_time_that_is_no_number_is_no_end_of_the_reading(line: str) -> None:
    assert ended(f"{line}\nok  \tshop/cart\t0.003s\n--- PASS: TestLater (0.00s)\n") == [
        (PASSED, "", "TestLater")
    ]
