"""The pure parts of reading pictures: rows, grid, sizes, rules, and what is put right."""

import pytest

from gitmem.matching.editors import shown
from gitmem.output.failure import FailureLocation
from gitmem.pictures import grid
from gitmem.pictures.images import Box
from gitmem.pictures.repair import repaired
from gitmem.pictures.rows import between, columns, pitch
from gitmem.pictures.rules import rule
from gitmem.pictures.shapes import Glyph, reshaped, sizes


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ('  Fi1e "a.py", line 1O, in f', '  File "a.py", line 10, in f'),
        ('  File "a.py", line ll, in f', '  File "a.py", line 11, in f'),
        ("c/main.c:8:2l: error: x", "c/main.c:8:21: error: x"),
        ("src/price.ts(4,l): error TS232Z: x", "src/price.ts(4,1): error TS2322: x"),
        ("error[EO277]: cannot add '&str' to ^u32`", "error[E0277]: cannot add `&str` to ^u32`"),
        ("E   0SError: no database", "E   OSError: no database"),
        ("    at 0bject.<anonymous>", "    at Object.<anonymous>"),
        ("at 0x7fa74b48abl0>", "at 0x7fa74b48ab10>"),
        ("2 failed, 1l passed", "2 failed, 11 passed"),
        ("Main.lambda$main$O(Main.java:18)", "Main.lambda$main$0(Main.java:18)"),
        ("Traceback\uff08most recent call last\uff09:", "Traceback(most recent call last):"),
        ("undeclared \u2018total'", "undeclared 'total'"),
        ('  File "indent.py", Line 3', '  File "indent.py", line 3'),
        ("[gwO] [ 28%] FAILED tests/test_cart.py::test_total",
         "[gw0] [ 28%] FAILED tests/test_cart.py::test_total"),
        ("rb/shop.rb:12:in *block in main'", "rb/shop.rb:12:in `block in main'"),
        ('rb/nil.rb:4:in "<main>!', "rb/nil.rb:4:in `<main>'"),
        ("Dictionary'2.get_Item(TKey key)", "Dictionary`2.get_Item(TKey key)"),
        ('typed.py:7: error: Value of type "int" [return-value]',
         'typed.py:7: error: Value of type "int"  [return-value]'),
        ("    at com.example. shop. Cart.discount(Cart.java:41) ~[x]",
         "    at com.example.shop.Cart.discount(Cart.java:41) ~[x]"),
        ("at java.util.0ptional.map(Optional.java:260)",
         "at java.util.Optional.map(Optional.java:260)"),
        ("project/typed. py :7:12 - error", "project/typed.py:7:12 - error"),
        ("UNIQuE constraint failed", "UNIQUE constraint failed"),
        ('error[E0277]: cannot add "&str` to `u32`', "error[E0277]: cannot add `&str` to `u32`"),
    ],
)  # fmt: skip
def test_what_can_mean_one_thing_only_is_put_right(read: str, meant: str) -> None:
    assert repaired(read) == meant
    assert repaired(meant) == meant


@pytest.mark.parametrize(
    "line",
    [
        "line is too long", "the code is bad, status Is unknown", "for l in lines: l1 += 1",
        "took 0ms, 0b1011, 0xff", "read the line IO wrote",
        "IO error at line I wrote", "base of all", "items[0]",
        "raise ValueError(lO)", "user@host.io:lib", "SOSError", "index Zero", "argument Bob",
        "Line 3 of the poem", "see gwO", "looked in 'main'", "it's 2", "at home. Then (a.java:3)",
        "py.typed: error in [name]", "the URLs, IDs and APIs", "version 1.0rc1, a.0beta",
        'he said "so` there',
    ],
)  # fmt: skip
def test_words_stay_as_they_were_read(line: str) -> None:
    assert repaired(line) == line


def ink(pattern: str, width: int, wide: int) -> list[bool]:
    """Draw letters of some pixels in cells of ``width``; a blank is an empty cell."""
    made: list[bool] = []
    for sign in pattern:
        rim = (width - wide) // 2
        cell = [False] * rim + [sign != " "] * wide
        made += cell + [False] * (width - len(cell))
    return made


def test_the_grid_is_found_and_empty_cells_are_blanks() -> None:
    lines = [ink("can't compare  naive", 9, 6), ink("  and aware datetimes", 9, 6)]
    found = grid.grid(lines, 18)
    assert found is not None
    assert found.width == pytest.approx(9, abs=0.05)
    cells = grid.cells(lines[0], found.width)
    assert "".join(" x"[one] for one in cells.filled) == "xxxxx xxxxxxx  xxxxx"
    assert grid.spread("can'tcomparenaive", cells.filled) == "can't compare  naive"
    assert grid.words(cells.filled) == [(0, 5), (6, 7), (15, 5)]


def test_letters_of_their_own_widths_have_no_grid() -> None:
    wide = [3, 9, 5, 11, 4, 7, 12, 3, 6, 10, 8, 5, 13, 4, 9, 6, 11, 3, 7, 5, 12, 8]
    line = [flag for one in wide for flag in [True] * one + [False] * 2]
    assert grid.grid([line, line[40:]], 18) is None
    assert grid.grid([], 18) is None
    assert grid.cells([False] * 5, 9).filled == ()


def test_boxes_become_rows_and_columns() -> None:
    left = [Box(0, 20 * n, 90, 20 * n + 15) for n in range(4)]
    right = [Box(200, 20 * n + 2, 300, 20 * n + 17) for n in range(4)]
    assert columns([*right, *left]) == [left, right]
    # Fewer than three at the right are no column: the progress of a test run.
    assert columns([*left, right[0]])[0][0] == Box(0, 0, 300, 17)
    assert pitch(left) == 20
    missing = [*left[:2], *left[3:]]
    assert [found for _, found in between(missing, 20)] == [True, True, False, True]
    assert columns([]) == []
    assert pitch(left[:1]) == 0


def test_the_size_of_a_letter_tells_capitals() -> None:
    def glyphs(text: str, tall: str) -> list[Glyph]:
        return [
            Glyph(sign, 9 * at, 2 if big == "T" else 5, 9 * at + 6, 12)
            for at, (sign, big) in enumerate(zip(text, tall, strict=True))
        ]

    line = glyphs("AroSError", "T..TT....")
    known = sizes([line, glyphs("DEmn", "TT..")])
    assert known is not None
    assert "".join(reshaped(glyphs("osError", "TTT...."), known, 9)) == "OSError"
    assert "".join(reshaped(glyphs("SOlo", "..T."), known, 9)) == "solo"
    assert "".join(reshaped(glyphs("A1o", "TTT"), known, 9)) == "A10"
    assert sizes([]) is None


def test_a_stroke_on_the_line_is_no_hyphen() -> None:
    letters = [Glyph(one, 9 * at, 2 if one in "AD" else 5, 9 * at + 6, 12)
               for at, one in enumerate("ADmn")]  # fmt: skip
    known = sizes([letters])
    assert known is not None

    def told(letter: str, top: int) -> str:
        return "".join(reshaped([*letters, Glyph(letter, 36, top, 44, top + 1)], known, 9))[-1]

    assert [told(one, 13) for one in "-_\u2014"] == ["_"] * 3
    assert [told(one, 8) for one in "-_\u2014"] == ["-"] * 3


def test_carets_stars_waves_and_bold_lines_are_told_by_their_outline() -> None:
    def cells(top: int, bottom: int, count: int) -> list[Box | None]:
        return [Box(10 * at, top, 10 * at + 8, bottom) for at in range(count)]

    def told(count: int, top: int, bottom: int, *sides: tuple[int, int], tall: int = 24) -> str:
        outline = [Box(0, high, 3, low) for high, low in sides]
        return rule(cells(top, bottom, count), [(top, bottom)], tall, 20, 10,
                    [outline] * count, alone=True)  # fmt: skip

    assert told(3, 5, 10, (7, 10), (5, 8), (7, 10)) == "^^^"
    assert told(3, 5, 10, (6, 9), (5, 10), (6, 9)) == ""  # ***
    assert told(4, 10, 13, (10, 12), (10, 13), (11, 13)) == "~~~~"
    assert told(4, 10, 13, (10, 13), (10, 13), (10, 13)) == "----"
    # One caret in a line of its own may be tall.
    assert told(1, 3, 12, (7, 12), (3, 8), (7, 12)) == "^"
    assert told(1, 3, 12, (3, 12), (3, 12), (3, 12)) == ""


def test_rules_are_told_by_their_ink() -> None:
    def cells(top: int, bottom: int, count: int = 4) -> list[Box | None]:
        return [Box(10 * at, top, 10 * at + 8, bottom) for at in range(count)]

    def told(some: list[Box | None], bands: list[tuple[int, int]], *, alone: bool = False) -> str:
        return rule(some, bands, 24, 20, 10, alone=alone)

    assert told(cells(8, 14), [(8, 9), (13, 14)]) == "===="
    assert told(cells(11, 12), [(11, 12)]) == "----"
    assert told(cells(21, 22), [(21, 22)]) == "____"
    assert told(cells(5, 10), [(5, 10)]) == "^^^^"
    assert told([*cells(5, 10, 1), *cells(10, 13, 3)], [(5, 13)]) == "^~~~"
    assert told(cells(5, 10, 1), [(5, 10)], alone=True) == "^"
    # Low letters, such as those of "error", are as thick as carets and stand on the line.
    assert told(cells(12, 18), [(12, 18)]) == ""
    assert told(cells(12, 18), [(12, 18)], alone=True) == "^^^^"
    # Letters, and what is too short to be one beside words.
    assert told(cells(5, 18), [(5, 18)]) == ""
    assert told(cells(5, 10, 2), [(5, 10)]) == ""
    assert told([*cells(11, 12, 2), *cells(6, 16, 1)], [(6, 16)]) == ""


PANEL = """price.ts
src > price.ts
2 return prices.map((p) => p.amount);
Type 'string' is not assignable to type 'number. ts(2322)
PROBLEMS OUTPUT TERMINAL
price.ts src 1
\u25cf Type 'string' is not assignable to type 'number. ts(2322) [Ln 2, Col 3]
"""


def test_s4_57_the_panel_of_problems_names_file_line_and_code() -> None:
    (failure,) = shown(PANEL)
    assert failure.tool == "typescript"
    assert failure.code == "TS2322"
    assert failure.message == "Type 'string' is not assignable to type 'number'."
    assert failure.location == FailureLocation(
        "src/price.ts", 2, 3, "return prices.map((p) => p.amount);"
    )  # fmt: skip


def test_an_editor_without_problems_shows_none() -> None:
    assert shown("price.ts\nPROBLEMS\nNo problems have been detected.\n") == ()
