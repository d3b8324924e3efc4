"""One cause is one record: what one edit mended together, and what can be told apart."""

import json

import pytest

from tests.accounts import HOME
from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact, needs

PRICES = "def total(items):\n    return sum(items)\n"
MANY = """import prices
import pytest


@pytest.mark.parametrize('n', range(15))
def test_{0}(n):
    assert prices.total([n]) == n
"""
TEST_TOTAL = "from prices import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
TEST_HOUR = "from clock import hour\n\n\ndef test_hour():\n    assert hour(3600) == 1\n"


GO_TABLE = """package shop

import "testing"

func TestPrice(t *testing.T) {
	for name, want := range map[string]int{"tea": 3, "cake": 4} {
		t.Run(name, func(t *testing.T) {
			if got := Price(want); got != want {
				t.Errorf("%s costs %d, want %d", name, got, want)
			}
		})
	}
}
"""
GO_WORDS = """package shop

import "testing"

func TestPrice(t *testing.T) {
	for name, want := range map[string]int{"tea": 3, "cake": 4} {
		t.Run(name, func(t *testing.T) {
			if name == "tea" && Price(want) != want {
				t.Error("tea has no price")
			} else if Price(want) < 0 {
				t.Fatal("who pays for eating cake?")
			}
		})
	}
}
"""
GO_SWAP = ("-func Price(n int) int { return -n }", "+func Price(n int) int { return n }")


def test_one_renamed_function_is_one_error_and_one_fix(desk: Desk) -> None:
    desk.begin(prices_py=PRICES.replace("total", "sum_of"), test_a_py=MANY.format("a"),
               test_b_py=MANY.format("b"))  # fmt: skip
    desk.red("pytest -q")
    told = [line for line in desk.said.splitlines() if line.startswith(("gitmem:", "  "))]
    assert len([line for line in told if "gitmem" in line]) <= 5, desk.said
    desk.swap("prices.py", "sum_of", "total")
    desk.green("pytest -q")
    told = desk.said[desk.said.index("gitmem:") :].splitlines()
    assert len(told) <= 5, told
    assert "(30 tests)" in told[0]
    desk.learnt(fact("has no attribute 'total'", "-def sum_of(items):", "+def total(items):"))


@deep
def test_a_rename_that_breaks_more_tests_than_are_read_is_one_fix(desk: Desk) -> None:
    many = MANY.replace("range(15)", "range(130)")
    desk.begin(prices_py=PRICES.replace("total", "sum_of"), test_a_py=many.format("a"),
               test_b_py=many.format("b"))  # fmt: skip
    desk.red("pytest -q")
    assert desk.said.count("gitmem: new") == 1
    desk.swap("prices.py", "sum_of", "total")
    desk.green("pytest -q")
    assert " tests or more)" in desk.said
    desk.learnt(fact("has no attribute 'total'", "-def sum_of(items):", "+def total(items):"))


@deep
@only_deep
@pytest.mark.parametrize(
    ("table", "errors"),
    [(GO_TABLE, [" costs "]), (GO_WORDS, ["tea has no price", "who pays for eating cake?"])],
    ids=["other values", "other words"],
)
def test_rows_of_a_table_in_go_that_one_edit_mended(
    desk: Desk, table: str, errors: list[str]
) -> None:
    """Rows that differ in values are one error; what says something else is one of its own."""
    needs("go")
    desk.env["GOCACHE"] = str(HOME / ".cache" / "go-build")
    desk.begin(
        go_mod="module example.org/shop\n\ngo 1.18\n",
        shop_go="package shop\n\nfunc Price(n int) int { return -n }\n",
        shop_test_go=table,
    )
    desk.red("go test ./...")
    desk.swap("shop.go", "-n", "n")
    desk.green("go test ./...")
    desk.learnt(*(fact(error, *GO_SWAP) for error in errors))
    assert len(list((desk.repo / ".memory" / "fixes").rglob("*.yaml"))) == 1


def test_two_unrelated_failures_get_their_own_part(desk: Desk) -> None:
    desk.begin(
        prices_py="def total(items):\n    return max(items)\n",
        clock_py="def hour(seconds):\n    return seconds / 0\n",
        test_prices_py=TEST_TOTAL,
        test_clock_py=TEST_HOUR,
    )
    desk.red("pytest -q")
    desk.swap("prices.py", "max", "sum")
    desk.swap("clock.py", "/ 0", "/ 3600")
    desk.green("pytest -q")
    desk.learnt(
        fact("division by zero", "-return seconds / 0", "+return seconds / 3600"),
        fact("assert 2 == 3", "-return max(items)", "+return sum(items)"),
    )


STYLE = """def style(colour):
    code = {'red': 31}[colour]
    return f'{code}m'


# What follows is
# for those
# who want
# no style.
def plain(colour):
    return colour[:-1]
"""
TEST_STYLE = """import pytest
from style import plain, style


@pytest.mark.parametrize('show', [style, plain])
def test_unknown_colours(show):
    with pytest.raises(ValueError):
        show('blue')
"""


SHOP_JS = """exports.add = (parts) => {
  return parts;
};
exports.name = 'shop';
exports.open = true;
exports.street = 'Main';
exports.number = 1;
exports.city = 'Bonn';
exports.join = (parts, more) => {
  return parts.concat(more);
};
"""
SHOP_TEST_JS = """const test = require('tape');
const shop = require('./shop.js');
const few = new RangeError('an order has at most five parts');
test('adds parts', (t) => {
  t.throws(() => shop.add([1, 2, 3, 4, 5, 6]), few, 'a sixth part is refused');
  t.end();
});
test('joins orders', (t) => {
  t.throws(() => shop.join([1, 2, 3], [4, 5, 6]), few, 'so are two halves that are too many');
  t.end();
});
"""
CHECKED = "if (parts.length > 5) throw new RangeError('an order has at most five parts');"


def test_a_test_that_fails_in_several_ways_is_an_error_for_each(desk: Desk) -> None:
    """One case raises something else, the other nothing at all: each is found again."""
    desk.begin(style_py=STYLE, test_style_py=TEST_STYLE)
    desk.red("pytest -q")
    known = "{'red': 31}.get(colour) or int(colour)"
    fixed = STYLE.replace("{'red': 31}[colour]", known)
    desk.write("style.py", fixed.replace("colour[:-1]", "int(colour)"))
    desk.green("pytest -q")
    edit = (
        "-code = {'red': 31}[colour]", f"+code = {known}",
        "-return colour[:-1]", "+return int(colour)",
    )  # fmt: skip
    desk.learnt(fact("KeyError", *edit), fact("DID NOT RAISE", *edit))
    assert desk.said.count("fix-") == 1, desk.said


@deep
@only_deep
def test_tests_that_miss_the_same_error_are_one_error(desk: Desk) -> None:
    """Each assertion has words of its own, and each test its own part of the edit."""
    needs("tape")
    desk.begin(shop_js=SHOP_JS, test_shop_js=SHOP_TEST_JS, package_json='{"name": "shop"}\n')
    desk.red("tape test_shop.js")
    added = SHOP_JS.replace("  return parts;", f"  {CHECKED}\n  return parts;")
    desk.write("shop.js", added.replace("return parts.concat(", "return exports.add(parts.concat("))
    desk.swap("shop.js", "concat(more)", "concat(more))")
    desk.green("tape test_shop.js")
    whole = ("-return parts.concat(more);", "+return exports.add(parts.concat(more));")
    desk.learnt(fact("a sixth part is refused", f"+{CHECKED}", *whole))
    desk.sh("gitmem list kind:error --json")
    (error,) = json.loads(desk.said)["records"]
    assert "expected [RangeError: an order has at most five parts]" in error["title"]


def test_each_part_of_an_edit_that_mended_one_case_is_everybodys(desk: Desk) -> None:
    """The second part follows while the first one is not committed."""
    ends = "def ends(text):\n    return text[0] + text[-1:]\n"
    code = ends + "\n" * 6 + "def starts(text):\n    return text[0]\n"
    test = (
        "import pytest\nfrom words import ends, starts\n\n\n"
        "@pytest.mark.parametrize('call', [ends, starts])\n"
        "def test_nothing(call):\n    assert call('') == ''\n"
    )
    desk.begin(words_py=code)
    desk.write("test_words.py", test)
    desk.red("pytest -q")
    desk.swap("words.py", "text[0] +", "text[:1] +")
    desk.red("pytest -q")
    desk.swap("words.py", "    return text[0]\n", "    return text[:1]\n")
    desk.green("pytest -q")
    desk.learnt(
        fact("IndexError", "-return text[0] + text[-1:]", "+return text[:1] + text[-1:]"),
        fact("IndexError", "-return text[0]", "+return text[:1]"),
    )


def test_errors_that_say_the_same_are_merged(desk: Desk) -> None:
    desk.begin()
    desk.sh("gitmem add error --title 'frobnicate times out' --message 'frobnicate: timed out'")
    desk.sh("gitmem add error --title 'frobnicate is too slow' --message 'frobnicate: slow'")
    desk.sh("gitmem list kind:error --json")
    newer, older = (row["id"] for row in json.loads(desk.said)["records"])
    desk.sh(f"gitmem resolve {newer} 'raise the limit of frobnicate'")
    assert desk.sh(f"gitmem edit merge {older} {newer}") == 0, desk.said
    desk.sh("gitmem search frobnicate")
    assert older in desk.said
    assert newer not in desk.said
    desk.sh(f"gitmem show {older}")
    assert "raise the limit of frobnicate" in desk.said
    assert "resolved" in desk.said
    desk.sh("gitmem hint 'Error: frobnicate: slow'")
    assert "raise the limit" in desk.said, desk.said
    assert desk.sh(f"gitmem show {newer}") == 0
    assert "frobnicate is too slow" in desk.said
    assert desk.sh("gitmem check") == 0, desk.said
    assert desk.sh(f"gitmem edit merge {newer} {older}") != 0
    assert desk.sh(f"gitmem edit merge {older} {newer}") == 0


FRAMES = "def test_{0}():\n    import shop\n\n    assert shop.{0}() == 1\n"


@deep
@only_deep
def test_two_failures_of_one_file_get_their_own_hunks(desk: Desk) -> None:
    body = "\n\n".join(f"def {name}():\n    return {name!r}[5]\n" for name in ("one", "two"))
    gap = "\n".join(f"x{n} = {n}" for n in range(20))
    desk.begin(
        shop_py=body.replace("\n\n\ndef two", f"\n\n{gap}\n\n\ndef two"),
        test_one_py=FRAMES.format("one"),
        test_two_py=FRAMES.format("two"),
    )
    desk.red("pytest -q")
    desk.swap("shop.py", "'one'[5]", "1")
    desk.swap("shop.py", "'two'[5]", "1")
    desk.repo.commit("fix both")
    desk.green("pytest -q")
    desk.sh("gitmem list kind:fix")
    facts = desk.recorded()
    assert {one.lines for one in facts} <= {
        frozenset({f"-return '{name}'[5]", "+return 1"}) for name in ("one", "two")
    } | {frozenset({"-return 'one'[5]", "-return 'two'[5]", "+return 1"})}, facts


def test_what_cannot_be_told_apart_is_one_fix_of_both(desk: Desk) -> None:
    desk.begin(
        rates_py="BASE = 2\nSTEP = 0\n",
        shop_py="import rates\n\n\ndef total():\n    return rates.BASE\n",
        clock_py="import rates\n\n\ndef hour():\n    return 1 / rates.STEP\n",
        test_shop_py="from shop import total\n\n\ndef test_total():\n    assert total() == 3\n",
        test_clock_py="from clock import hour\n\n\ndef test_hour():\n    assert hour() == 1\n",
    )
    desk.red("pytest -q")
    desk.write("rates.py", "BASE = 3\nSTEP = 1\n")
    desk.write("other.py", "X = 1\n")
    desk.green("pytest -q")
    desk.sh("gitmem list kind:fix")
    fixes = [line for line in desk.said.splitlines() if "fix-" in line]
    assert len(fixes) == 1, desk.said
    desk.sh("gitmem show $(gitmem list kind:fix | cut -d' ' -f1)")
    assert desk.said.count("err-") >= 2, desk.said
    assert "is not known" in desk.said
