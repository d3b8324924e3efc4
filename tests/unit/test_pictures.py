"""The pure parts of reading pictures: rows, grid, sizes, rules, and what is put right."""

import pytest

from gitmem.matching.editors import shown
from gitmem.matching.failure import Location
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
    assert failure.location == Location(
        "src/price.ts", 2, 3, "return prices.map((p) => p.amount);"
    )  # fmt: skip


def test_an_editor_without_problems_shows_none() -> None:
    assert shown("price.ts\nPROBLEMS\nNo problems have been detected.\n") == ()
