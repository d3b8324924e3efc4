"""A traceback that somebody shortened, or that our own excerpt did, is still one traceback."""

import pytest

from gitmem.matching.parse import main_failure, parse
from gitmem.output.failure import LINES, excerpt

HEAD = """Traceback (most recent call last):
  File "/home/ann/shop/tests/test_tree.py", line 7, in test_depth
    assert depth(tree) == 3
"""
TAIL = """  File "/home/ann/shop/tree.py", line 12, in depth
    return 1 + max(map(depth, node.children))
RecursionError: maximum recursion depth exceeded
"""


@pytest.mark.parametrize("cut", ["...\n", "  ...\n", "…\n", "[...]\n", "[… 24 lines …]\n"])
@pytest.mark.parametrize("left", ["", "    return walk(node)\n"])
def test_what_was_raised_is_read_behind_a_cut(cut: str, left: str) -> None:
    whole = main_failure(HEAD + TAIL)
    cut_short = main_failure(HEAD + cut + left + TAIL)

    assert (cut_short.error_type, cut_short.message) == (whole.error_type, whole.message)
    assert [frame.function for frame in cut_short.frames] == ["test_depth", "depth"]


def test_a_cut_may_stand_right_before_what_was_raised() -> None:
    failure = main_failure(HEAD + "...\nRecursionError: maximum recursion depth exceeded\n")

    assert failure.error_type == "RecursionError"
    assert [frame.function for frame in failure.frames] == ["test_depth"]


def test_an_excerpt_of_our_own_says_the_same_as_the_whole() -> None:
    frames = "".join(
        f'  File "/home/ann/shop/step{number}.py", line {number}, in step{number}\n    go()\n'
        for number in range(1, LINES)
    )
    lines = (HEAD + frames + TAIL).splitlines()

    again = main_failure(excerpt(lines, 0, len(lines)))

    assert again.error_type == "RecursionError"
    assert again.frames[-1].function == "depth"


@pytest.mark.parametrize("after", ["and so on\n", "    more = 1\n    less = 2\n", ""])
def test_dots_that_no_traceback_follows_end_it(after: str) -> None:
    (failure,) = parse(HEAD + "...\n" + after)

    assert failure.error_type == ""
    assert failure.excerpt == HEAD.rstrip("\n")


CHAIN = """Traceback (most recent call last):
  File "/home/ann/shop/cart.py", line 12, in <module>
    main()
    ~~~~^^
  File "/home/ann/shop/cart.py", line 9, in main
    return total(
        rows,
    )
  File "/home/ann/shop/sums.py", line 4, in total
    return rows["price"]
           ~~~~^^^^^^^^^
KeyError: 'price'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/ann/shop/shop.py", line 14, in <module>
    raise ShopError("no price") from error
shop.errors.ShopError: no price
"""


@pytest.mark.parametrize("trace", [CHAIN, HEAD + TAIL])
@pytest.mark.parametrize("margin", ["", "    "])
def test_a_traceback_that_lost_its_indentation_is_one_failure(trace: str, margin: str) -> None:
    (whole,) = parse(trace)
    (flat,) = parse("".join(f"{margin}{line.strip()}\n" for line in trace.splitlines()))

    assert (flat.error_type, flat.message) == (whole.error_type, whole.message)
    assert flat.frames == whole.frames
    assert [cause.error_type for cause in flat.causes] == [
        cause.error_type for cause in whole.causes
    ]


def test_frames_without_code_and_without_indentation_have_none() -> None:
    (flat,) = parse(
        "Traceback (most recent call last):\n"
        'File "/home/ann/shop/cart.py", line 12, in <module>\n'
        'File "/home/ann/shop/cart.py", line 9, in main\n'
        "KeyError: 'price'\ndone\n"
    )

    assert (flat.error_type, flat.message) == ("KeyError", "'price'")
    assert [frame.code for frame in flat.frames] == ["", ""]
