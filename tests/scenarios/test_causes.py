"""One cause is one record: what one edit mended together, and what can be told apart."""

from tests.scenarios.desk import Desk, fact

PRICES = "def total(items):\n    return sum(items)\n"
MANY = """import prices
import pytest


@pytest.mark.parametrize('n', range(15))
def test_{0}(n):
    assert prices.total([n]) == n
"""
TEST_TOTAL = "from prices import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
TEST_HOUR = "from clock import hour\n\n\ndef test_hour():\n    assert hour(3600) == 1\n"


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


def test_a_test_that_fails_in_several_ways_is_one_error(desk: Desk) -> None:
    """One case raises something else, the other nothing at all."""
    desk.begin(style_py=STYLE, test_style_py=TEST_STYLE)
    desk.red("pytest -q")
    known = "{'red': 31}.get(colour) or int(colour)"
    fixed = STYLE.replace("{'red': 31}[colour]", known)
    desk.write("style.py", fixed.replace("colour[:-1]", "int(colour)"))
    desk.green("pytest -q")
    mended = ("-return colour[:-1]", "+return int(colour)")
    desk.learnt(fact("KeyError", "-code = {'red': 31}[colour]", f"+code = {known}", *mended))


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
