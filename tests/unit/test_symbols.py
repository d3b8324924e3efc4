"""The function or class around lines: parsed in Python, read off common forms elsewhere."""

import pytest

from gitmem.matching.symbols import defines, definition_of, symbol_at

PYTHON = """\
import os


class Card:
    limit = 3

    @property
    def left(self):
        return 1

    def charge(self, amount):
        def inner():
            return 2
        if amount:
            return inner()
        return 0


async def late():
    return 3
""".splitlines()


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        (1, 1, ""), (4, 4, "Card"), (5, 5, "Card"), (7, 7, "Card.left"), (9, 9, "Card.left"),
        (11, 11, "Card.charge"), (13, 13, "Card.charge.inner"), (15, 16, "Card.charge"),
        (9, 12, "Card"), (20, 20, "late"), (4, 20, ""), (99, 99, ""), (0, 1, ""), (5, 4, ""),
    ],
)  # fmt: skip
def test_python_is_parsed(first: int, last: int, name: str) -> None:
    assert symbol_at("a/card.py", PYTHON, first, last) == name


def test_python_that_does_not_parse_has_no_symbols() -> None:
    assert symbol_at("a.py", ["def broken(:", "    pass"], 2, 2) == ""
    assert symbol_at("a.py", ["x = 1\0"], 1, 1) == ""


@pytest.mark.parametrize(
    ("path", "text", "line", "name"),
    [
        ("a.js", "export async function pay(card) {\n  return 1;\n}", 2, "pay"),
        ("a.ts", "export class Card {\n  left() {\n    return 1;\n  }\n}", 2, "Card"),
        ("a.ts", "const pay = async (card) => {\n  return 1;\n};", 2, "pay"),
        (
            "a.go",
            "func (c *Card) Pay(n int) error {\n\tif n > 0 {\n\t\treturn nil\n\t}\n}",
            3,
            "Pay",
        ),
        (
            "a.rs",
            "impl Card {\n    pub(crate) fn pay(&self) -> u8 {\n        1\n    }\n}",
            3,
            "pay",
        ),
        ("A.java", "public final class Card {\n  int n = 1;\n}", 2, "Card"),
        ("a.rb", "module Pay\n  class Card\n    def left\n      1\n    end\n  end\nend", 4, "left"),
        ("a.c", "int pay(int n)\n{\n    return n;\n}", 3, ""),
        ("a.txt", "Some words.\n  More words.", 2, ""),
        ("a.js", "function pay() {\n}\nlet x = 1;", 3, ""),
        ("a.js", "function one() {\n  1\n}\nwhile (1) {\n  2\n}", 5, ""),
        ("a.js", "let x = 1;\nfunction pay() {\n  1\n}", 2, "pay"),
    ],
)
def test_other_languages_by_their_common_forms(path: str, text: str, line: int, name: str) -> None:
    assert symbol_at(path, text.splitlines(), line, line) == name


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [
        ("Card", (4, 4, 16)),
        ("Card.left", (7, 8, 9)),
        ("Card.charge", (11, 11, 16)),
        ("Card.charge.inner", (12, 12, 13)),
        ("late", (19, 19, 20)),
        ("charge", None),
        ("nowhere", None),
        ("", None),
    ],
)
def test_a_definition_is_found_by_its_name(symbol: str, lines: tuple[int, int, int] | None) -> None:
    assert definition_of("a.py", PYTHON, symbol) == lines


def test_a_definition_that_is_half_typed_is_found_and_one_of_two_is_not() -> None:
    typed = [*PYTHON[:14], "        return self.charge(", *PYTHON[15:]]
    assert definition_of("a.py", typed, "Card.charge") == (11, 11, 16)
    assert definition_of("a.py", [*PYTHON, "async def late():", "    pass"], "late") is None


@pytest.mark.parametrize(
    ("path", "text", "symbol", "lines"),
    [
        ("a.py", "def pay(\n    card,\n):\n    return 1\n\n\nx = 1", "pay", (1, 1, 4)),
        ("a.js", "let x = 1;\nfunction pay()\n{\n  1\n}\npay();", "pay", (2, 2, 5)),
        ("a.rs", "#[test]\nfn pay() {\n    1\n}\n\nfn two() {}", "pay", (1, 2, 4)),
        ("a.go", "func (c *Card) Pay(n int) {\n\tn++\n}\n", "Pay", (1, 1, 3)),
    ],
)
def test_definitions_of_other_forms(
    path: str, text: str, symbol: str, lines: tuple[int, int, int]
) -> None:
    assert definition_of(path, text.splitlines(), symbol) == lines


def test_a_line_that_defines_says_so() -> None:
    assert defines("    def charge(self, amount):", "Card.charge")
    assert not defines("    charge(amount)", "Card.charge")
    assert not defines("def other():", "Card.charge")
