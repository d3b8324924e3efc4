"""Text fitted to a terminal: nothing that somebody came for is cut away."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.render.figures import answer, has_room, views
from gitmem.render.text import (
    Painter,
    Part,
    as_text,
    first_paragraph,
    one_line,
    painted,
    safe,
    width_of,
)

_APPROACH = (
    "src/cart.py: replace `return sum(p * (1 + rate) for p in prices) + 1` by "
    "`return sum(p * (1 + rate) for p in prices)`"
)
_PARTS: list[Part] = [
    ("worked    ", ("green",)),
    (_APPROACH, ()),
    ("fix-awaexbqr0b Ann Example 2026-11-21", ("dim",)),
]
_WORDS = st.lists(
    st.text(st.sampled_from("abc日é "), max_size=30).map(lambda text: " ".join(text.split())),
    max_size=5,
)


def test_a_block_holds_all_of_its_parts() -> None:
    assert Painter(width=80).block(2, _PARTS, 12) == [
        "  worked      src/cart.py: replace `return sum(p * (1 + rate) for p in prices) +",
        "              1` by `return sum(p * (1 + rate) for p in prices)`",
        "              fix-awaexbqr0b Ann Example 2026-11-21",
    ]


def test_a_pipe_gets_one_line() -> None:
    assert Painter().block(2, _PARTS, 12) == [Painter().line(2, _PARTS)]
    assert "\n" not in Painter().line(2, _PARTS)


def test_a_part_that_has_a_line_of_its_own_is_not_broken() -> None:
    parts: list[Part] = [("one two three", ()), ("four five six", ())]
    assert Painter(width=20).block(0, parts) == ["one two three", "four five six"]


def test_colour_ends_on_its_line() -> None:
    lines = list(Painter(colour=True, width=40).block(2, _PARTS, 12))
    assert lines
    for line in lines:
        assert line.count("\x1b[") == 2 * line.count("\x1b[0m")


@given(_WORDS, st.integers(20, 60), st.integers(0, 6), st.integers(0, 12))
@settings(max_examples=300, deadline=None)
def test_nothing_is_lost_and_nothing_is_too_wide(
    texts: list[str], width: int, indent: int, hang: int
) -> None:
    lines = Painter(width=width).block(indent, [(text, ()) for text in texts], hang)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", "".join(texts))
    widest = max(width, indent + hang + 20)  # a narrower place is for the terminal to break
    assert all(width_of(line) <= widest for line in lines)


def test_what_stands_behind_a_title_is_kept() -> None:
    line = Painter(width=60).line(0, [("err-1", ()), ("a long title " * 9, ())], ("on ben", ()))
    assert line.endswith("…  on ben")
    assert width_of(line) == 60
    assert Painter().line(0, [("err-1", ())], ("on ben", ())) == "err-1  on ben"
    assert Painter(width=60).line(0, [("err-1", ())], ("x" * 90, ())).endswith("…")


_COLUMNS = ("id", "title", "count")
_ROWS = (("err-73h0e22t55", "a title that is far too long for this terminal " * 3, 12_345),)


def test_columns_of_text_give_way_and_numbers_do_not() -> None:
    head, row = answer(_COLUMNS, _ROWS, Painter(width=60))
    assert width_of(row) == width_of(head) == 60
    assert row.startswith("err-73h0e22t55  a title that")
    assert row.endswith("…  12345")
    assert not has_room(_COLUMNS, _ROWS, Painter(width=60))
    assert has_room(_COLUMNS, _ROWS, Painter())
    assert has_room(_COLUMNS, (("err-1", "short", 1),), Painter(width=60))


def test_gaps_give_way_before_a_column_is_lost() -> None:
    columns = tuple(f"number_{at}" for at in range(8))
    head, row = answer(columns, (tuple(range(8)),), Painter(width=72))
    assert head == " ".join(columns)
    assert row.endswith("7")


@pytest.mark.parametrize("width", [8, 20])
def test_a_table_that_can_not_be_made_narrow_enough_is_cut(width: int) -> None:
    lines = list(answer(("number", "other"), ((10**30, 10**30),), Painter(width=width)))
    assert all(width_of(line) <= width for line in lines)


def test_columns_of_views_are_all_there() -> None:
    names = " ".join(f"column_{number}" for number in range(20))
    lines = list(views((("attempts", names),), Painter(width=80)))
    assert len(lines) > 1
    assert " ".join(" ".join(lines).split()) == f"attempts {names}"
    assert all(width_of(line) <= 80 for line in lines)


@pytest.mark.parametrize(("text", "shown"), [
    ("Fix the mean\n\nAn empty cart\nhas none.\n", "Fix the mean …"),
    ("replace a\nby b\n", "replace a by b"),
    ("\n\nwait longer\n\n", "wait longer"),
    ("", ""),
])  # fmt: skip
def test_of_a_commit_message_its_subject_is_quoted(text: str, shown: str) -> None:
    assert first_paragraph(text) == shown


@pytest.mark.parametrize("sign", ["\x1b", "\u202e", "\u200b", "\ufdd0", "\ufffe", "\U0001ffff"])
def test_what_could_hide_or_act_becomes_a_visible_mark(sign: str) -> None:
    assert one_line(f"a{sign}b") == "a\ufffdb"


def test_no_sign_that_acts_is_left_of_all_there_are() -> None:
    """A byte of a file's name that is no UTF-8 reached the terminal as it was, in ``runs``."""
    turns = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    acting = [
        sign
        for sign in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}
        or unicodedata.bidirectional(sign) in turns
        or (unicodedata.category(sign) == "Cf" and sign in "\u061c\u180e\u200b\u200e\u200f\ufeff")
    ]
    assert len(acting) > 2_100
    for sign in set(acting) - set("\t\n\r"):
        assert {safe(f"a{sign}b"), painted(f"a{sign}b"), as_text(f"a{sign}b")} == {"a\ufffdb"}


@given(st.text(st.characters(categories=["L", "Cs", "Cc", "Zs"]), max_size=20))
def test_what_is_printed_is_text_in_every_locale(text: str) -> None:
    for printed in (safe(text), painted(text), as_text(text)):
        assert printed.encode().decode() == printed
        assert not re.search("[\x80-\x9f]", printed)


@pytest.mark.parametrize("sign", ["é", "漢", "😀", "\ufffd", "\ufdcf", "\U000f0000"])
def test_characters_stay(sign: str) -> None:
    assert one_line(f"a{sign}b") == f"a{sign}b"
