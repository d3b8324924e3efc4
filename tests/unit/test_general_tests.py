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
