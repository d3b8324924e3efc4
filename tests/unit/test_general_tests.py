"""Tests of a runner that nobody knows: name, place and values are found by their form."""

import os

import pytest

from gitmem.matching.general_tests import failing_tests
from gitmem.matching.parse import parse
from gitmem.matching.text import clean
from gitmem.output.failure import Failure
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
