"""Trees of one form: what is defined, how complex it is, when two are the same pattern."""

import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.learning.patterns import (
    CodePattern,
    changed,
    fresh,
    is_worth_keeping,
    outermost,
    patterns,
)
from gitmem.syntax import treesitter
from gitmem.syntax.definitions import complexity, definitions, level
from gitmem.syntax.languages import PARSED, known_as, language_of
from gitmem.syntax.parse import LONGEST, parse, readable
from gitmem.syntax.pattern_digest import digest
from tests.depth import sampled

SAMPLES = {
    "python": '''\
import os

class Card(Base):
    """A card."""

    limit = 3

    def pay(self, amount: int) -> bool:
        """Pay."""
        for attempt in range(self.limit):
            try:
                return ask(amount, attempt)
            except (TimeoutError, net.Refused):
                continue
        return False

    async def fetch(self):
        return await self.get()


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def search(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
''',
    "javascript": """\
const http = require('http');

/** A card. */
class Card {
  pay(amount) {
    for (const attempt of this.attempts) {
      try {
        return ask(amount, attempt);
      } catch (error) {
        log(error);
      }
    }
    return false;
  }

  async fetch() {
    return await this.get();
  }
}

const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));

function search(items, wanted) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
""",
    "typescript": """\
import { ask } from './net.js';
import type { Bank } from './bank.js';

/** A card. */
export class Card {
  constructor(private readonly bank: Bank) {}

  async pay(amount: number): Promise<boolean> {
    return (await ask(amount)) ?? this.bank.open ? true : false;
  }
}

export function fib(n: number): number {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
""",
    "go": """\
package pay

import (
	"fmt"
	"sort"

	"example.org/shop/net"
)

// Card is a card.
type Card struct {
	Limit int
}

// Pay pays.
func (c *Card) Pay(amount int) error {
	for i := 0; i < c.Limit; i++ {
		if err := net.Ask(amount); err != nil {
			return fmt.Errorf("pay: %w", err)
		}
	}
	return nil
}

func Sorted(items []int) {
	sort.Slice(items, func(i, j int) bool { return items[i] < items[j] })
}
""",
    "rust": """\
use crate::net::{ask, Bank};

mod bank;

/// A card.
pub struct Card {
    limit: i32,
}

impl Card {
    pub async fn pay(&self, amount: i32) -> Result<bool, Error> {
        let told = ask(amount).await?;
        match told {
            1 => Ok(true),
            2 => Ok(false),
            _ => Err(Error),
        }
    }
}

#[test]
fn it_pays() {
    let mut left = vec![1];
    while let Some(one) = left.pop() {
        left.push(one);
    }
}
""",
    "java": """\
import java.util.List;

/** A card. */
public class Card {
    private int limit;

    public int pay(int amount) throws Refused {
        try {
            for (int attempt : attempts) {
                if (attempt > 1 && amount > 2) {
                    return this.pay(attempt);
                }
            }
        } catch (Refused error) {
            throw error;
        }
        return 1;
    }

    @Test
    void itPays() {
        assert pay(1) == 1;
    }
}
""",
}


def found(text: str, language: str = "python") -> dict[str, CodePattern]:
    return {one.name: one for one in patterns(parse(text, language))}


def test_s2_14_functions_and_methods_are_found_in_every_language() -> None:
    assert {
        language: [(one.what, one.qualified) for one in definitions(parse(text, language))
                   if one.what != "class"]
        for language, text in SAMPLES.items()
    } == {
        "python": [("method", "Card.pay"), ("method", "Card.fetch"), ("function", "fib"),
                   ("function", "search")],
        "javascript": [("method", "Card.pay"), ("method", "Card.fetch"), ("function", "fib"),
                       ("function", "search")],
        "typescript": [("method", "Card.constructor"), ("method", "Card.pay"),
                       ("function", "fib")],
        "go": [("method", "Card.Pay"), ("function", "Sorted")],
        "rust": [("method", "Card.pay"), ("function", "it_pays")],
        "java": [("method", "Card.pay"), ("method", "Card.itPays")],
    }  # fmt: skip


def test_s2_15_s2_20_classes_are_found_with_the_number_of_their_methods() -> None:
    assert {
        language: [(one.name, one.methods) for one in definitions(parse(text, language))
                   if one.what == "class"]
        for language, text in SAMPLES.items()
    } == {
        "python": [("Card", 2)], "javascript": [("Card", 2)], "typescript": [("Card", 2)],
        "go": [("Card", 1)], "rust": [("Card", 1)], "java": [("Card", 2)],
    }  # fmt: skip


def test_s2_16_s2_18_error_handling_is_found_with_what_it_handles() -> None:
    some = found(SAMPLES["python"])
    assert some["handling TimeoutError, Refused in Card.pay"].category == "error handling"
    assert some["handling TimeoutError, Refused in Card.pay"].code.startswith("try:\n    return")
    assert some["Card.pay"].traits == ("error handling", "retry")
    assert "handling Refused in Card.pay" in found(SAMPLES["java"], "java")
    assert "error handling" in found(SAMPLES["go"], "go")["Card.Pay"].traits
    assert "error handling" in found(SAMPLES["rust"], "rust")["Card.pay"].traits
    assert "retry" in found(SAMPLES["javascript"], "javascript")["Card.pay"].traits


def test_s2_17_shapes_of_algorithms_are_recognised() -> None:
    python, script = found(SAMPLES["python"]), found(SAMPLES["javascript"], "javascript")
    for some in (python, script):
        assert some["fib"].traits == ("recursion",)
        assert some["search"].traits == ("binary search",)
        assert some["fib"].category == some["search"].category == "algorithm"
    assert found(SAMPLES["go"], "go")["Sorted"].traits == ("sorting",)
    assert found(SAMPLES["rust"], "rust")["it_pays"].traits == ("work list",)
    assert "recursion" in found(SAMPLES["java"], "java")["Card.pay"].traits
    nested = "def f(rows):\n    for row in rows:\n        for one in row:\n            g(one)\n"
    assert found(nested)["f"].traits == ("nested loops",)
    cached = "@functools.lru_cache(maxsize=None)\ndef f(n):\n    return g(n)\n"
    assert found(cached)["f"].traits == ("memoised",)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return g(n) // 2\n",
        "def f(xs):\n    while xs:\n        g(xs.pop() // 2)\n",
        "def f(f2):\n    return f2(1)\n",
    ],
)
def test_what_only_looks_like_an_algorithm_is_called_none(text: str) -> None:
    assert found(text)["f"].traits == ()


def test_s2_21_async_is_found() -> None:
    assert found(SAMPLES["python"])["Card.fetch"].traits == ("async",)
    for language in ("javascript", "typescript", "rust"):
        some = found(SAMPLES[language], language)
        assert any("async" in one.traits for one in some.values()), language


@pytest.mark.parametrize(
    ("body", "ways"),
    [
        ("return 1", 1),
        ("if a:\n        return 1\n    return 2", 2),
        ("if a:\n        pass\n    elif b:\n        pass\n    else:\n        pass", 3),
        ("return a and b and c", 3),
        ("return a if b else c", 2),
        ("return [x for x in y if x if z]", 4),
        ("for x in y:\n        while z:\n            pass", 3),
        ("try:\n        a()\n    except B:\n        pass\n    except C:\n        pass", 3),
        ("match a:\n        case 1:\n            pass\n        case _:\n            pass", 2),
        ("def inner():\n        if a:\n            pass\n    return inner", 2),
    ],
)
def test_s2_19_complexity_is_mccabes(body: str, ways: int) -> None:
    (one, *_) = definitions(parse(f"def f(a, b, c, y, z):\n    {body}\n", "python"))
    assert complexity(one.node) == ways


def test_s2_19_complexity_is_the_same_measure_in_every_language() -> None:
    said = {
        "python": "def f(a, b):\n    if a and b:\n        return 1\n    return 2\n",
        "javascript": "function f(a, b) { if (a && b) { return 1; } return 2; }",
        "typescript": "function f(a: X, b: X) { if (a && b) { return 1; } return 2; }",
        "go": "package a\nfunc f(a, b bool) int { if a && b { return 1 }; return 2 }",
        "rust": "fn f(a: bool, b: bool) -> i32 { if a && b { return 1; } 2 }",
        "java": "class A { int f(boolean a, boolean b) { if (a && b) return 1; return 2; } }",
    }
    for language, text in said.items():
        ways = [complexity(one.node) for one in definitions(parse(text, language))
                if one.name == "f"]  # fmt: skip
        assert ways == [3], language
    assert [level(ways) for ways in (1, 5, 6, 10, 11)] == ["low", "low", "medium", "medium", "high"]


# --- the same pattern ---------------------------------------------------------------------------

_SAME = {
    "python": [
        ('def add(items, one):\n    """Say."""\n    total = items + [one]  # grow\n'
        "    return total\n"),
        "def more( xs,\n  x ):\n    ys = (xs+[x])\n\n    return ys\n",
    ],
    "javascript": [
        ("function add(items, one) {\n  // grow\n  const total = f(items, 'a');\n"
        "  return g(total, one)\n}"),
        'function more(xs, x) { const ys = (f(xs, "b",)); return g(ys, x); }',
    ],
    "typescript": [
        ("const add = async (items: A[], one: A) => { let total = f(items);\n"
        "  return total.x(one) }"),
        "const more = async (xs: A[],\n  x: A,\n) => {\n  let ys = f(xs);\n  return ys.x(x);\n};",
    ],
    "go": [
        "package a\nfunc add(items []int, one int) int {\n\ttotal := f(items)\n\treturn total+one}",
        "package b\n// More.\nfunc more(xs []int, x int) int { ys := f(xs); return ys + x }",
    ],
    "rust": [
        "fn add(items: &[i32], one: i32) -> i32 { let total = f(items); total + one }",
        "fn more(\n  xs: &[i32],\n  x: i32,\n) -> i32 {\n  // grow\n  let ys = f(xs);\n  ys + x\n}",
    ],
    "java": [
        "class A { int add(int[] items, int one) { int total = f(items); return total + one; } }",
        ("class A {\n int more(int[] xs, int x) {\n  /* grow */ int ys = (f(xs));\n"
        "  return ys + x;\n }\n}"),
    ],
}  # fmt: skip


def _function(text: str, language: str) -> str:
    (one,) = [one for one in definitions(parse(text, language)) if one.what != "class"]
    return digest(one.node, language)


@pytest.mark.parametrize("language", PARSED)
def test_s2_50_layout_comments_and_names_of_locals_make_no_new_pattern(language: str) -> None:
    one, other = _SAME[language]
    assert _function(one, language) == _function(other, language)


@pytest.mark.parametrize("language", PARSED)
def test_another_function_called_or_another_operator_makes_a_new_pattern(language: str) -> None:
    text = _SAME[language][0]
    other = text.replace("+", "-") if "+" in text else text.replace("f(", "h(")
    assert other != text
    assert _function(text, language) != _function(other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n"),
        ("def f(a):\n    return a.x()\n", "def f(a):\n    return a.y()\n"),
        ("def f(a):\n    return f(a)\n", "def f(a):\n    return g(a)\n"),
        ("def f(a):\n    return await_(a)\n", "async def f(a):\n    return await_(a)\n"),
        ("def f(a):\n    return a < 1\n", "def f(a):\n    return a <= 1\n"),
        ("class A:\n    def x(self): return 1\n", "class A:\n    def y(self): return 1\n"),
    ],
)
def test_what_differs_in_what_it_does_is_another_pattern(one: str, other: str) -> None:
    first, second = (next(iter(definitions(parse(text, "python")))) for text in (one, other))
    assert digest(first.node, "python") != digest(second.node, "python")


def test_digests_are_the_same_in_every_version_of_python() -> None:
    text = (
        "@keep\ndef f(a: int, *b, c=1, **d) -> str:\n"
        "    with open(a) as g, h:\n        x: list[int] = [i async for i in g if i]\n"
        "    match x:\n        case [1, *rest] if rest:\n            del x\n"
        "    return f'{a!r:>{c}} of {b}' 'and' f\"{d}\" + rb'x'.decode()\n"
    )
    assert _function(text, "python") == "9cdd9013bbc793ee150b71c5b2b28632"


_NAMES = st.lists(
    st.from_regex(r"[a-z]{2,5}_[a-z]{2,4}", fullmatch=True), min_size=4, max_size=4, unique=True
)


@given(_NAMES, _NAMES, st.integers(1, 8), st.booleans())
@settings(max_examples=60, deadline=None)
def test_renaming_locals_and_laying_out_anew_never_changes_the_digest(
    one: list[str],
    other: list[str],
    depth: int,
    blank: bool,  # noqa: FBT001  drawn
) -> None:
    def text(names: list[str], step: str, between: str) -> str:
        own, first, second, third = names
        lines = [
            f"def {own}({first}, {second}=1):",
            f"{step}for {third} in fetch({first}):",
            f"{step}{step}if {third}.ready and {second} > 1:",
            f"{step}{step}{step}{own}({third}, {second})",
            f"{step}return {first}",
        ]
        return between.join(["\n".join(lines[:1]), *lines[1:]]) + "\n"

    plain = _function(text(one, "    ", "\n"), "python")
    renamed = _function(text(other, " " * depth, "\n\n" if blank else "\n"), "python")
    assert plain == renamed


# --- anything at all ----------------------------------------------------------------------------

_ODD = ("def f(", "}", "{", "((((", "'''", "class", "\\", "\t", "\x0c", "é")
_PIECES = st.sampled_from([*_ODD, *(one for text in SAMPLES.values() for one in text.split("\n"))])


@given(st.sampled_from(PARSED), st.one_of(st.binary(max_size=300), st.binary(max_size=40)))
@example("python", b"\x00")
@example("python", "x = '\ud800'".encode("utf-8", "surrogatepass"))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_without_failing_and_always_alike(language: str, data: bytes) -> None:
    text = data.decode("utf-8", errors="replace")
    assert patterns(parse(text, language)) == patterns(parse(text, language))


@given(st.sampled_from(PARSED), st.lists(_PIECES, max_size=30))
@settings(max_examples=150, deadline=None)
def test_any_pieces_of_source_are_read_without_failing(language: str, lines: list[str]) -> None:
    parsed = parse("\n".join(lines), language)
    for one in patterns(parsed):
        assert 1 <= one.first <= one.last <= len(parsed.lines)
        assert one.ways >= 1
        assert len(one.digest) == 32


@sampled(14)
@pytest.mark.parametrize("language", PARSED)
@pytest.mark.parametrize("piece", ["(", "[", "{", "1+", "a.", "if x {", "-"])
def test_source_that_is_nested_too_deeply_is_passed_over(language: str, piece: str) -> None:
    parsed = parse(piece * 20_000, language)
    assert isinstance(patterns(parsed), list)


def test_text_beyond_the_limit_is_not_read() -> None:
    text = f"# {'x' * 97}\n" * (LONGEST // 100 + 1) + "def beyond():\n    return 1\n"
    assert found(text) == {}


def test_a_broken_python_file_still_gives_its_whole_definitions() -> None:
    text = SAMPLES["python"].replace("import os", "print 'old'") + "\ndef cut(\n"
    parsed = parse(text, "python")
    assert parsed.damaged
    names = {one.name: (one.first, one.last) for one in patterns(parsed)}
    whole = {
        one.name: (one.first, one.last) for one in patterns(parse(SAMPLES["python"], "python"))
    }
    assert names == whole


def test_a_broken_function_is_no_pattern_worth_keeping() -> None:
    some = found("function f(a) { if (a) { return g( ; } return h(a); }", "javascript")
    assert not any(is_worth_keeping(one) for one in some.values())


# --- choosing from a change ---------------------------------------------------------------------


def _changed(text: str, *numbers: int) -> list[str]:
    parsed = parse(text, "python")
    return [one.name for one in changed(patterns(parsed), set(numbers), parsed.lines)]


def test_s2_22_of_a_change_the_new_whole_or_the_function_around_it_is_taken() -> None:
    text = SAMPLES["python"]
    every = range(1, len(text.split("\n")))
    assert _changed(text, *every) == ["Card", "fib", "search"]
    assert _changed(text, 11) == ["Card.pay"]
    assert _changed(text, 22, 24, 31) == ["fib", "search"]
    assert _changed(text, 1) == []
    assert _changed(text) == []


def test_of_a_long_function_only_the_new_error_handling_is_taken() -> None:
    body = "".join(f"    step({number})\n" for number in range(70))
    text = f"def long():\n{body}    try:\n        go()\n    except OSError:\n        stop()\n"
    assert _changed(text, 72, 73, 74, 75) == ["handling OSError in long"]
    assert _changed(text, 20) == []


def test_only_what_can_teach_anything_is_worth_keeping() -> None:
    text = (
        "def get(self):\n    return self.x\n\n"
        "def test_it():\n    a()\n    b()\n\n"
        "class Data:\n    a: int\n    b: int\n\n"
        "def real(a):\n    b = f(a)\n    return b\n"
    )
    assert [one.name for one in found(text).values() if is_worth_keeping(one)] == ["real"]


def test_s2_50_the_same_pattern_is_kept_once() -> None:
    some = patterns(parse("\n".join(_SAME["python"]), "python"))
    assert len(some) == 2
    assert fresh(some, set()) == some[:1]
    assert fresh(some, {some[1].digest}) == []
    assert [one.name for one in outermost(patterns(parse(SAMPLES["python"], "python")))] == [
        "Card", "fib", "search",
    ]  # fmt: skip


# --- the extra ----------------------------------------------------------------------------------


def test_without_the_extra_python_is_read_alike_and_others_say_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = patterns(parse(SAMPLES["python"], "python"))
    treesitter._parser.cache_clear()

    def no_spec(name: str, *_: Any) -> None:
        assert name.startswith("tree_sitter")

    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    monkeypatch.setattr("importlib.util.find_spec", no_spec)
    assert patterns(parse(SAMPLES["python"], "python")) == before
    assert readable("python")
    assert not readable("go")
    with pytest.raises(EnvironmentProblem, match="go can't be read") as caught:
        parse(SAMPLES["go"], "go")
    assert caught.value.hint == 'pip install "gitmem-native[code]"'


def test_a_language_without_a_grammar_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="cobol"):
        parse("", "cobol")
    assert language_of("src/a.py") == "python"
    assert language_of("notes.txt") == ""
    assert known_as(" JS ") == "javascript"
