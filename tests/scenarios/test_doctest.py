"""Examples in docstrings and documents, run by doctest itself: tests like others."""

import pytest

from tests.scenarios.desk import Desk, fact

TOTAL = '''\
def total(prices):
    """Add up prices.

    >>> total([1, 2])
    3
    """
    return sum(prices[1:])


def mean(prices):
    """Give the mean.

    >>> mean([2, 4])
    3.0
    """
    return total(prices) / len(prices[1:])
'''
SHARES = '''\
def shares(count):
    """Share.

    >>> for n in range(1):
    ...     if n == 0:
    ...         for part in shares(n + 2):
    ...             print(part)
    0.5
    1
    """
    return [1 / count] * count
'''
FIRST = '''\
def first(prices):
    """Give the first price.

    >>> first([])
    """
    return prices[0]
'''
LAST = '''\
def last(prices):
    """Give the last price.

    >>> last([])
    Traceback (most recent call last):
    ValueError: empty
    """
    return prices[-1]
'''
THREE = "total([1, 2]) gave 2, not 3"
HALF = "gave 0.5 0.5, not 0.5 1"
TRACE = "    Traceback (most recent call last):\n    IndexError: list index out of range\n"
EDITS = [
    (TOTAL, THREE, "    3\n", "    2\n"),
    (TOTAL, THREE, ">>> total([1, 2])", ">>> total([1, 3])"),
    (TOTAL, THREE, "2])\n", "2])  # doctest: +SKIP\n"),
    (TOTAL, THREE, "\n    >>> total([1, 2])\n    3\n", ""),
    (TOTAL, THREE, "    >>> total([1, 2])\n    3\n", "    Sums up.\n"),
    (SHARES, HALF, "    1\n", "    0.5\n"),
    (SHARES, HALF, "print(part)", "print(part if n else [.5, 1].pop(0))"),
    (FIRST, "IndexError", ">>> first([])\n", f">>> first([])\n{TRACE}"),
    (FIRST, "IndexError", ">>> first([])\n", ">>> first([3])\n    3\n"),
    (LAST, "IndexError", "ValueError: empty", "IndexError: list index out of range"),
]
TELLING = [EDITS[0], EDITS[5], EDITS[7], EDITS[9]]


RUNS = [
    (command, plugin, *edit)
    for command, plugin, edits in (
        ("python -m doctest shop.py", "", EDITS),
        ("python -m doctest -v shop.py", "", TELLING),
        ("pytest -q --doctest-modules", "1", TELLING),
        ("pytest -q --doctest-modules", "0", TELLING),
    )
    for edit in edits
]


@pytest.mark.parametrize(
    ("command", "plugin", "code", "error", "old", "new"), RUNS, ids=range(len(RUNS))
)
def test_an_edit_of_an_example_is_no_fix(
    desk: Desk, command: str, plugin: str, code: str, error: str, old: str, new: str
) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    desk.begin(shop_py=code)
    desk.red(command)
    assert error in desk.said.partition("gitmem: new")[2]
    desk.swap("shop.py", old, new)
    desk.sh(f"gitmem run -- {command}")
    desk.silent()
    assert "learnt" not in desk.said


MENDED = ("-return sum(prices[1:])", "+return sum(prices)")


def test_a_mend_of_the_function_is_the_fix_and_its_attempt_is_not(desk: Desk) -> None:
    desk.begin(shop_py=TOTAL.partition("\n\n\n")[0] + "\n")
    desk.red("python -m doctest shop.py")
    desk.swap("shop.py", "(prices[1:])", "(prices[1:]) + 0")
    desk.red("python -m doctest shop.py")
    desk.swap("shop.py", "prices[1:]) + 0", "prices)")
    desk.green("python -m doctest -v shop.py")  # asks for the same
    desk.learnt(fact(THREE, *MENDED, failed=1))
    desk.swap("shop.py", "sum(prices)", "sum(prices[1:])")
    desk.red("python -m doctest shop.py")
    desk.tells(THREE, "sum(prices)")


def test_one_of_two_is_mended_while_the_other_still_fails(desk: Desk) -> None:
    desk.begin(shop_py=TOTAL)
    desk.red("python -m doctest shop.py")
    desk.swap("shop.py", "sum(prices[1:])", "sum(prices)")
    desk.red("python -m doctest shop.py")
    desk.learnt(fact(THREE, *MENDED))


def test_a_file_that_fails_before_hides_the_next_one(desk: Desk) -> None:
    """It ends with the first file in which something failed."""
    desk.begin(first_py="def f():\n    return 1\n", shop_py=TOTAL)
    desk.red("python -m doctest first.py shop.py")
    desk.write("first.py", FIRST)
    desk.red("python -m doctest first.py shop.py")
    desk.silent()


def test_an_example_of_a_document(desk: Desk) -> None:
    document = "Use it:\n\n>>> from shop import total\n>>> total([1, 2])\n3\n"
    desk.begin(use_md=document, shop_py=TOTAL.partition("\n\n\n")[0] + "\n")
    desk.red("python -m doctest use.md")
    desk.swap("use.md", "\n3\n", "\n2\n")
    desk.green("python -m doctest use.md")
    desk.silent()
    desk.swap("use.md", "\n2\n", "\n3\n")
    desk.red("python -m doctest use.md")
    desk.swap("shop.py", "prices[1:]", "prices")
    desk.green("python -m doctest use.md")
    desk.learnt(fact(THREE, *MENDED))
