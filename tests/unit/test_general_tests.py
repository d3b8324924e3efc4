"""Tests of a runner that nobody knows: name, place and values are found by their form."""

import os

import pytest

from gitmem.matching.fault_lists import faults
from gitmem.matching.general_tests import failing_tests
from gitmem.matching.parse import parse
from gitmem.matching.tested_faults import with_tests
from gitmem.matching.text import clean
from gitmem.output.failure import Failure
from gitmem.tools.common.compared import whole_name
from tests.tools.test_corpus import FOLDERS

BELOW = """\
running 2 checks
[FAIL] cart adds prices (0.3 ms)
    lib/cart.zz:14: values differ
    expected: 4
    actual: 3
[ok] cart is zero (0.1 ms)
[FAIL] cart knows its name (0.1 ms)
    lib/cart.zz:31: values differ
    expected: tea
    actual: cake
2 of 3 tests failed
"""
ABOVE = """\
lib/cart.zz:14: values differ
  expected: 4
  got: 3
(failed) adds prices [0.41ms]
(pass) is zero [0.04ms]
lib/cart.zz:31: values differ
  expected: tea
  got: cake
(failed) knows its name [0.08ms]

3 tests, 2 failed
"""
BOXED = """\
Error: zz::shell::column_not_found

  \u00d7 Cannot find column 'price'
   \u256d\u2500[cart.zz:2:7]
 1 \u2502 let a = 1
 2 \u2502 print $a.price
   \u00b7       \u2500\u2500\u252c\u2500\u2500
   \u2570\u2500\u2500\u2500\u2500
"""
"""A code alone stands above what it is about: that is one failure."""
LINTER = """\
src/cart.zz
  \u2718 no-unused  'total' is never used
    expected: use
    actual: none
found 1 problem in 1 file
"""


def told(failures: list[Failure]) -> list[tuple[str, str, str, str]]:
    return [
        (
            failure.test.name if failure.test else "",
            f"{failure.location.file}:{failure.location.line}" if failure.location else "",
            failure.test.expected if failure.test else "",
            failure.test.actual if failure.test else "",
        )
        for failure in failures
    ]


def real(tool: str, name: str) -> list[str]:
    with open(os.path.join(FOLDERS[tool], f"{name}.txt"), encoding="utf-8") as file:
        return clean(file.read()).split("\n")


def test_what_stands_below_a_headline_is_about_its_test() -> None:
    assert told(parse(BELOW)) == [
        ("cart adds prices", "lib/cart.zz:14", "4", "3"),
        ("cart knows its name", "lib/cart.zz:31", "tea", "cake"),
    ]


def test_what_stands_above_a_headline_is_about_its_test() -> None:
    assert told(parse(ABOVE)) == [
        ("adds prices", "lib/cart.zz:14", "4", "3"),
        ("knows its name", "lib/cart.zz:31", "tea", "cake"),
    ]


def test_a_line_with_a_mark_is_no_test_where_none_are_counted() -> None:
    assert failing_tests(LINTER.splitlines()) == []
    assert not any(failure.test for failure in parse(LINTER))


@pytest.mark.parametrize(
    ("tool", "name", "wanted"),
    [
        ("ava", "one", [("adds prices", "one/one.test.js:4", "4", "3")]),
        (
            "ava",
            "list",
            [
                ("adds prices", "cart.test.js:4", "4", "3"),
                ("same list", "cart.test.js:8", "3,", "2,"),
            ],
        ),
        (
            "jest",
            "fail",
            [
                ("sum \u203a adds", "src/sum.test.cjs:4", "3", "-1"),
                ("sum \u203a finds a price", "src/sum.cjs:2", "", ""),
            ],
        ),
        (
            "bun",
            "test",
            [
                ("adds prices", "/home/ann/shop/bun/cart.test.ts:6", "3", "2"),
                ("cart > first price", "/home/ann/shop/bun/cart.test.ts:3", "", ""),
                ("cart > same list", "/home/ann/shop/bun/cart.test.ts:14", "3,", "2,"),
                ("cart > throws", "/home/ann/shop/bun/cart.test.ts:17", '"empty"', "0"),
            ],
        ),
    ],
)
def test_outputs_of_runners_are_read_without_knowing_them(
    tool: str, name: str, wanted: list[tuple[str, str, str, str]]
) -> None:
    assert told(failing_tests(real(tool, name))) == wanted


DEFINED = """\
======================================
File "lib/cart.zz", line 14, in cart.total
Failed example:
    total(1, 2)
Expected:
    4
Got:
    3
======================================
File "lib/cart.zz", line 31, in cart.name
Failed example:
    name()
Expected:
    tea
Got:
    cake
======================================
2 items had failures
"""
STARTED = """\
=== RUN   Total
    lib/cart.zz:14: with two prices
    lib/cart.zz:16: total is 3, want 4
=== RUN   Name
    lib/cart.zz:31: got cake; want tea
--- FAIL: Total (0.00s)
--- FAIL: Name (0.00s)
2 tests, 2 failed
"""
OFFSETS = """\
--- FAIL: Total (0.00s)
panic: no price
goroutine 7 [running]:
runner.call(0x1)
\t/usr/local/zz/src/runner/runner.zz:197 +0x232
shop.Total(0x2)
\t/home/ann/shop/cart.zz:15 +0x28
1 test, 1 failed
"""
STREAMED = """\
# Failed test 'adds prices'
# at cart.zz line 14.
#      got: '3'
# expected: '4'
not ok 1 - adds prices
ok 2 - is zero
1..2
# 1 test failed
"""
BUILD = """\
lib/bad.zz:3:23: error: undefined: rate
FAILED bad
[FAIL] cart adds prices (0.3 ms)
    lib/cart.zz:14: values differ
    expected: 4
    actual: 3
1 of 2 tests failed
"""
LEVELS = """\
ERROR: lib/cart.zz:14:
ERROR:    source `rates' does not exist
ERROR: lib/cart.zz:31:
ERROR:    unknown procedure: name
"""


def test_a_place_and_what_is_defined_there_head_what_was_tried() -> None:
    assert told(parse(DEFINED)) == [
        ("cart.total", "lib/cart.zz:14", "4", "3"),
        ("cart.name", "lib/cart.zz:31", "tea", "cake"),
    ]


def test_what_stands_below_the_line_that_starts_a_test_is_about_it() -> None:
    found = failing_tests(STARTED.splitlines())
    assert [each[:2] for each in told(found)] == [
        ("Total", "lib/cart.zz:16"),
        ("Name", "lib/cart.zz:31"),
    ]
    assert found[0].message.startswith("total is 3, want 4")


def test_the_innermost_own_step_of_a_stack_with_offsets_is_the_place() -> None:
    (failure,) = failing_tests(OFFSETS.splitlines())
    assert told([failure]) == [("Total", "/home/ann/shop/cart.zz:15", "", "")]
    assert failure.message == "panic: no price"


def test_what_a_stream_does_not_say_of_a_test_is_read_where_it_is_said() -> None:
    assert told(parse(STREAMED)) == [("adds prices", "cart.zz:14", "'4'", "'3'")]


def test_what_did_not_compile_is_told_beside_the_tests_that_failed() -> None:
    assert {each[1] for each in told(parse(BUILD))} == {"lib/bad.zz:3", "lib/cart.zz:14"}


def test_a_level_before_each_line_is_no_part_of_the_place_or_the_message() -> None:
    assert [(each.tool, each.message, each.location and each.location.line)
            for each in parse(LEVELS)] == [
        ("", "source `rates' does not exist", 14),
        ("", "unknown procedure: name", 31),
    ]  # fmt: skip


def test_a_step_of_a_trace_without_its_margin_is_no_test() -> None:
    trace = [
        "Traceback (most recent call last):",
        'File "lib/cart.zz", line 14, in total',
        "with prices() as each:",
        'File "lib/cart.zz", line 31, in prices',
        "expected: 4",
        "actual: 3",
        "1 test failed",
    ]
    assert failing_tests(trace) == []


def test_a_step_that_is_fine_ends_what_is_said_of_the_one_above() -> None:
    steps = ["core --- FAILED", "lint --- ok", "error: conf.zz:3: bad key", "2 steps, 1 failed"]
    assert failing_tests(steps) == []


PENDING = """\
Pending: (these are expected to fail)
  1) cart is shipped
     # lib/cart.zz:23
     expected: 1
          got: 2

Failures:
  1) cart adds prices
     # lib/cart.zz:14
     expected: 4
          got: 3

3 examples, 1 failure, 1 pending
"""
NUMBERED = """\
  1) Failure:
Cart#adds [cart.zz:27]:
Expected: 1
  Actual: 2

  2) Error:
Cart#ships:
NoRate: no rate of EUR
    cart.zz:41

3 runs, 2 assertions, 2 failures
"""
HEADED = """\
test cart::ships ... FAILED
---- cart::ships stdout ----
looking at the rates
thread 'cart::ships' stopped at lib/cart.zz:48:9:
no rate of EUR
  at ./lib/cart.zz:48
1 test, 1 failed
"""
TITLED = """\
-------------------------------
adds prices
  of tea
-------------------------------
lib/cart.zz:11
...............................
lib/cart.zz:14: FAILED: four is not three
-------------------------------
knows its name
-------------------------------
lib/cart.zz:30
...............................
lib/cart.zz:31: FAILED: "tea" == "cake"
===============================
3 test cases, 2 failed
"""
NAMING = """\
lib/cart.zz:14: error: test adds: wrong answer
lib/cart.zz:31: error: in "cart/names": wrong name
lib/cart.zz:35: error: -[ShopTests.Cart ships] : no rate
3 tests, 3 failed
"""


def test_what_is_not_run_has_not_failed() -> None:
    assert told(parse(PENDING)) == [("cart adds prices", "lib/cart.zz:14", "4", "3")]


def test_a_numbered_failure_ends_where_the_next_one_begins() -> None:
    assert [each[:2] for each in told(parse(NUMBERED))] == [
        ("Cart#adds", "cart.zz:27"),
        ("Cart#ships", "cart.zz:41"),
    ]


def test_what_is_printed_before_a_failure_is_not_its_reason() -> None:
    (failure,) = failing_tests(HEADED.splitlines())
    assert failure.message.startswith("no rate of EUR")
    assert told([failure])[0][1] == "lib/cart.zz:48"


def test_a_title_between_rules_names_the_test_of_the_faults_below() -> None:
    lines = TITLED.splitlines()
    read = [fault.failure for fault in with_tests(faults(lines), lines)]
    assert [each[:2] for each in told(read)] == [
        ("adds prices \u203a of tea", "lib/cart.zz:14"),
        ("knows its name", "lib/cart.zz:31"),
    ]
    uncounted = lines[:-1]
    assert not any(each.failure.test for each in with_tests(faults(uncounted), uncounted))


def test_a_fault_that_names_its_test_is_of_it() -> None:
    lines = NAMING.splitlines()
    read = [fault.failure for fault in with_tests(faults(lines), lines)]
    assert [each[0] for each in told(read)] == ["adds", "cart/names", "ShopTests.Cart ships"]
    assert [each.message for each in read] == ["wrong answer", "wrong name", "no rate"]


@pytest.mark.parametrize(
    ("told_as", "whole"),
    [
        ("test adds prices (CartTest)", "CartTest \u203a adds prices"),
        ("test_adds (tests.cart.Cart)", "tests.cart.Cart.test_adds"),
        ("test_adds (tests.cart.Cart.test_adds)", "tests.cart.Cart.test_adds"),
        ("test_adds (tests.cart.Cart) (code='A')", "tests.cart.Cart.test_adds (code='A')"),
        ("adds prices \u2500\u2500\u2500\u2500", "adds prices"),
        ("adds (slow)", "adds (slow)"),
    ],
)
def test_a_test_is_named_with_its_suite_first(told_as: str, whole: str) -> None:
    assert whole_name(told_as) == whole


def places(text: str) -> list[tuple[str, str, str]]:
    """Give code, place and first line of each failure."""
    return [
        (
            one.code,
            f"{one.location.file}:{one.location.line or ''}" if one.location else "",
            one.message.partition("\n")[0],
        )
        for one in parse(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOXED, [("zz::shell::column_not_found", "cart.zz:2", "Cannot find column 'price'")]),
        ("zz: bad option at line 12 of till.conf\n", [("", "till.conf:12", "zz: bad option")]),
        ("till.zz[7]: total must be set\n", [("", "till.zz:7", "total must be set")]),
        (
            "till.zz: 4.9: no matching variable 'totl'\n",
            [("", "till.zz:4", "no matching variable 'totl'")],
        ),
        (
            "till.zz (line 4): Missing end of this block\n",
            [("", "till.zz:4", "Missing end of this block")],
        ),
        (
            "ZzSyntaxError: unclosed bracket (line 3 in 'till.zz')\n  call(\n      ^\n",
            [("", "till.zz:3", "unclosed bracket")],
        ),
        (
            "till.zz\n  3:5-3:13  warning  `teh` is misspelt  no-typos  words\n\n1 warning\n",
            [("no-typos", "till.zz:3", "`teh` is misspelt")],
        ),
        (
            "Unused files (1)\nprice.zz\nUnlisted dependencies (1)\nplum  index.zz:4:9\n",
            [
                ("", "", "Unused files: price.zz"),
                ("", "index.zz:4", "Unlisted dependencies: plum"),
            ],
        ),
        (
            'In till.md\n=====\nSo it was sold.\n^^\n"So" says nothing on line 3 at column 0\n',
            [("", "till.md:3", '"So" says nothing')],
        ),
    ],
)
def test_what_is_wrong_and_where_is_read_in_any_form(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert places(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "price.js (3) was written\n",
        "Listening at line 3 of the queue\n",
        "In till.md\nThe price is told on line 3 at column 0 in grey.\n",
    ],
)
def test_what_only_looks_like_one_of_these_forms_is_nothing(text: str) -> None:
    assert not [one for one in parse(text) if one.severity == "error"]


def test_the_title_of_a_scenario_is_the_test_of_the_exception_below() -> None:
    text = (
        "Feature: Cart\n\n  Scenario: adds prices\n    Given a cart with 2\n"
        "    Then the price is 4\n      AssertionError: price is 3\n\n"
        "  Scenario: is empty\n    Given a cart\n\n2 scenarios (1 passed, 1 failed)\n"
    )
    (failure,) = parse(text)
    assert failure.test
    assert (failure.error_type, failure.test.name) == ("AssertionError", "adds prices")


def test_values_of_a_comparison_may_stand_in_a_line_each() -> None:
    lines = ["a cart", "  \u2717 adds prices", "    \u00bb expected 4,", "\tgot\t 3", "1 broken"]
    (failure,) = failing_tests(lines)
    assert failure.test
    assert (failure.test.name, failure.test.expected, failure.test.actual) == (
        "adds prices", "4", "3",
    )  # fmt: skip
