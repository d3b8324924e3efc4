"""Titles tell what was done and what failed: the failure's own file, the function, the values."""

import re

import pytest

from gitmem.capture.titles import says_nothing
from gitmem.matching.titles import record_title_of, title_of
from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, needs
from tests.scenarios.projects import PROJECTS, require

SHOP = """import rates


def total(prices):
    taxed = []
    for price in prices:
        taxed.append(price + rates.of(price))
    return taxed[len(prices)]


def other():
    return 1
"""
MENDED = """import rates


def total(prices):
    taxed = 0
    for price in prices:
        if price:
            taxed += price
            taxed += rates.of(price)
            taxed += 0 * price
    return taxed


def other():
    return 1
"""
TEST_SHOP = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
SIZE = re.compile(r"^change .* \(\+\d+ -\d+ lines\)$")


def titles(desk: Desk, kind: str) -> list[str]:
    """Give the titles of what is recorded."""
    assert desk.sh(f"gitmem list kind:{kind}") == 0, desk.said
    return [line.split("  ")[-1] for line in desk.said.splitlines() if "-" in line]


def test_a_fix_of_a_comparison_is_named_by_what_its_test_calls(desk: Desk) -> None:
    """No frame stands in the code; other files, one before it in the alphabet, changed as well."""
    desk.begin(
        cart_py="def total(prices):\n    return sum(prices) + 1\n", about_py="VERSION = 1\n",
        ship_py="def ship(order):\n    return order\n",
        test_cart_py="from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    )  # fmt: skip
    desk.red("pytest -q")
    desk.write("cart.py", "def total(prices):\n    return sum(prices)\n")
    desk.write("ship.py", "def ship(order):\n    return order.id\n")
    desk.write("about.py", "VERSION = 2\n")
    desk.green("pytest -q")
    edit = "cart.py: replace `return sum(prices) + 1` by `return sum(prices)`"
    assert titles(desk, "fix") == [f"{edit} (also about.py, ship.py)"]
    assert desk.sh("gitmem show fix-") == 0, desk.said
    assert f"approach: {edit} (also about.py, ship.py)" in desk.said


def test_a_fix_is_named_by_the_file_and_the_function_of_the_failure(desk: Desk) -> None:
    """Beside it a changelog, a test and a file that stands before it in the alphabet changed."""
    desk.begin(
        shop_py=SHOP, rates_py="def of(price):\n    return 0 * price\n",
        about_py="VERSION = '1.0.0'\n", CHANGELOG_md="# Changes\n", test_shop_py=TEST_SHOP,
    )  # fmt: skip
    desk.red("pytest -q")
    desk.write("shop.py", MENDED)
    desk.write("about.py", "VERSION = '1.0.1'\n")
    desk.write("CHANGELOG.md", "# Changes\n\n- The total of a shop is right.\n")
    desk.green("pytest -q")
    (title,) = titles(desk, "fix")
    assert title.startswith("shop.py"), title
    assert "total" in title, title
    assert "CHANGELOG" not in title, title
    assert not SIZE.match(title), title


def test_a_fix_of_two_faults_is_named_by_what_mended_each(desk: Desk) -> None:
    """An import that went was left out, so that its fault was told the other one's mend."""
    desk.begin(till_py="import os\n\n\ndef is_shut(till):\n    return till == None\n")
    desk.red("ruff check --select E,F till.py")
    desk.write("till.py", "def is_shut(till):\n    return till is None\n")
    desk.green("ruff check --select E,F till.py")
    edit = "replace `import os` / `return till == None` by `return till is None`"
    assert titles(desk, "fix") == [f"till.py: {edit}"]


def test_a_fix_of_one_line_is_that_line(desk: Desk) -> None:
    desk.begin(shop_py="def total(a):\n    return max(a)\n", test_shop_py=TEST_SHOP)
    desk.red("pytest -q")
    desk.swap("shop.py", "max", "sum")
    desk.green("pytest -q")
    assert titles(desk, "fix") == ["shop.py: replace `return max(a)` by `return sum(a)`"]


def test_a_fix_of_two_files_is_the_line_of_the_one_where_it_failed(desk: Desk) -> None:
    """No frame lies in it: the test names it where it failed."""
    desk.begin(
        about_py="NAME = 'x'\n", zeta_py="def total(a):\n    return max(a)\n",
        test_zeta_py="import zeta\n\n\ndef test_it():\n    assert zeta.total([1, 2]) == 3\n",
    )  # fmt: skip
    desk.red("pytest -q")
    desk.swap("zeta.py", "max", "sum")
    desk.swap("about.py", "x", "y")
    desk.green("pytest -q")
    line = "zeta.py: replace `return max(a)` by `return sum(a)` (also about.py)"
    assert titles(desk, "fix") == [line]


SAYS = {
    "an address": ("raise ValueError(f'no price of {object()}')", "no price of <object object>"),
    "a time": ("raise ValueError('closed at 2026-11-22 10:11:12')", "closed at "),
    "a missing name": ("return price", "name 'price' is not defined"),
}


def test_a_short_file_that_is_moved_is_named_by_the_line_that_changed(desk: Desk) -> None:
    """It was the class that came in one file and went in another, which nobody had touched."""
    desk.begin(stock_py="class Stock:\n    count = 1 / 0\n", t_py="import stock\n")
    desk.red("python3 t.py")
    desk.sh("git mv stock.py shelf.py && sed -i 's/stock/shelf/' t.py")
    desk.swap("shelf.py", "1 / 0", "0")
    desk.green("python3 t.py")
    assert "replace `count = 1 / 0` by `count = 0` (moved from stock.py)" in desk.said


@pytest.mark.parametrize("name", SAYS)
def test_an_error_keeps_what_tells_and_not_what_varies(desk: Desk, name: str) -> None:
    line, words = SAYS[name]
    desk.begin(shop_py=f"def total(prices):\n    {line}\n", test_shop_py=TEST_SHOP)
    desk.red("pytest -q")
    desk.swap("shop.py", line, "return sum(prices)")
    desk.green("pytest -q")
    (title,) = titles(desk, "error")
    assert words in title
    assert not re.search(r"0x[0-9a-f]{6}|10:11:12", title), title


COMPILED = {
    "junit": ("a - b", "a - discount", ("cannot find symbol", "variable discount")),
    "cargo": ("a - b", "a - discount", ("E0425", "discount")),
    "go": ("a - b", "a - discount", ("undefined: discount",)),
}


@deep
@only_deep
@pytest.mark.parametrize("tool", COMPILED)
def test_what_a_compiler_misses_is_named(desk: Desk, tool: str) -> None:
    project, (old, bad, words) = PROJECTS[tool], COMPILED[tool]
    desk.env |= require(project)
    desk.begin()
    for path, text in project.files.items():
        desk.write(path, text)
    desk.swap(project.mend.path, old, bad)
    desk.repo.commit("a discount")
    desk.red(project.command)
    desk.swap(project.mend.path, bad, project.mend.new)
    desk.green(project.command)
    (title,) = titles(desk, "error")
    assert all(word in title for word in words), title


def test_the_values_of_a_matcher_are_in_the_title(desk: Desk) -> None:
    needs("jest")
    desk.begin(total_js="exports.total = () => 4;\n", package_json='{"name": "shop"}\n')
    desk.write(
        "total.test.js",
        "const {total} = require('./total.js');\n"
        "test('total', () => { expect(total()).toBe(3); });\n",
    )
    desk.repo.commit("a wrong total")
    desk.red("jest --ci")
    desk.swap("total.js", "4", "3")
    desk.green("jest --ci")
    (title,) = titles(desk, "error")
    assert "expected 3, received 4" in title, title


def test_the_values_of_an_assertion_are_in_the_title_where_its_lines_are_cut_off(
    desk: Desk,
) -> None:
    """The format that Node writes into a pipe has them in fields of their own."""
    needs("node")
    desk.begin(total_js="exports.total = () => 'four';\n")
    desk.write(
        "total.test.js",
        "const test = require('node:test');\n"
        "const assert = require('node:assert');\n"
        "const {total} = require('./total.js');\n"
        "test('total', () => { assert.strictEqual(total(), 'three'); });\n",
    )
    desk.repo.commit("a wrong total")
    desk.red("node --test --test-reporter tap")
    desk.swap("total.js", "four", "three")
    desk.green("node --test --test-reporter tap")
    (title,) = titles(desk, "error")
    assert title.endswith("strictly equal: three, got four"), title


def test_a_comparison_is_named_by_its_test(desk: Desk) -> None:
    """In a list stood ``AssertionError: assert 2 == 3``, whatever had failed."""
    desk.begin(shop_py="def total(a):\n    return max(a)\n", test_shop_py=TEST_SHOP)
    desk.red("pytest -q")
    desk.swap("shop.py", "max", "sum")
    desk.green("pytest -q")
    assert titles(desk, "error") == ["test_total: assert 2 == 3"]
    desk.repo.commit("sums")
    desk.swap("shop.py", "sum", "max")
    desk.red("pytest -q")
    assert "known  test_total: assert 2 == 3" in desk.said


def test_a_subject_that_says_nothing_gives_way_to_the_patch(desk: Desk) -> None:
    """``wip`` was what had worked."""
    desk.begin(p_py="print({}['b'])\n")
    desk.red("python3 p.py")
    desk.write("p.py", "print({}.get('b'))\n")
    desk.repo.commit("wip")
    desk.green("python3 p.py")
    assert titles(desk, "fix") == ["p.py: replace `print({}['b'])` by `print({}.get('b'))`"]


@pytest.mark.parametrize(
    ("subject", "is_empty"),
    [
        ("wip", True),
        ("fix", True),
        ("Fix tests", True),
        ("fixup! Sum the prices", True),
        ("fix: typo", True),
        ("[WIP] prices", True),
        ("Update cart.rb", True),
        ("Sum the prices", False),
        ("Fix Twice", False),
        ("fix(cart): sum of no prices", False),
    ],
)
def test_what_a_subject_says(subject: str, *, is_empty: bool) -> None:
    assert says_nothing(subject) is is_empty


def test_a_text_over_several_lines_is_not_cut_in_the_middle_of_a_diff() -> None:
    """The title was ``a line that is long`` with the sign that goes on in source code."""
    message = "a line\\n' +\n  'a line\\n' +\n  'a line\\n' == '"
    fields = {
        "tool": "node",
        "error_type": "AssertionError",
        "message": message,
        "test": {"name": "tree", "status": "failed"},
    }
    title = title_of(fields)
    assert title == "AssertionError: 'a line\u2026' == ''"
    assert record_title_of(fields, title) == "tree: 'a line\u2026' == ''"
