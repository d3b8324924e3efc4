"""One edit after the other, each of which mends one error and brings another to light.

The second stands where the first stood, and is another one: each is learnt with its own edit.
"""

import os

from tests.accounts import HOME
from tests.scenarios.desk import Desk, fact, needs

DATABASE = """\
import sqlite3

from schema import SQL


def run(db, sql):
    return db.execute(sql).fetchall()


db = sqlite3.connect(":memory:")
for sql in SQL:
    run(db, sql)
"""
TOTAL = 'SQL = ["SELECT total FROM orders"]'
CREATED = 'SQL = ["CREATE TABLE orders (id, price)", "SELECT total FROM orders"]'
PRICE = 'SQL = ["CREATE TABLE orders (id, price)", "SELECT price FROM orders"]'


def test_a_table_and_a_column_that_are_missing(desk: Desk) -> None:
    """W1: the column was "still failing", CREATE TABLE did not help, the table was lost."""
    desk.begin(db_py=DATABASE, schema_py=f"{TOTAL}\n")
    desk.red("python3 db.py")
    desk.write("schema.py", f"{CREATED}\n")
    desk.red("python3 db.py")
    _is_new(desk, "no such column: total")
    desk.write("schema.py", f"{PRICE}\n")
    desk.green("python3 db.py")
    _is_over(desk)
    desk.learnt(
        fact("no such table: orders", f"-{TOTAL}", f"+{CREATED}"),
        fact("no such column: total", f"-{CREATED}", f"+{PRICE}"),
    )


def test_two_headers_that_are_missing(desk: Desk) -> None:
    """W2: the second header was "still failing", and learnt alone, with two edits."""
    needs("gcc")
    needs("make")
    main = '#include "tax.h"\n#include "rate.h"\n\nint main(void) { return TAX + RATE; }\n'
    desk.begin(main_c=main)
    desk.write("Makefile", "main: main.c\n\tgcc -o main main.c\n")
    desk.write(".gitignore", "main\n")
    desk.repo.commit("how it is built")
    desk.red("make")
    desk.write("tax.h", "#define TAX 1\n")
    desk.red("make")
    _is_new(desk, "rate.h")
    desk.write("rate.h", "#define RATE -1\n")
    desk.green("make")
    _is_over(desk)
    desk.learnt(fact("tax.h", "+#define TAX 1"), fact("rate.h", "+#define RATE -1"))


CART = """\
module Cart where

total :: [Int] -> Int
total items = roundUp (sum items)

label :: Int -> String
label n = "Total " ++ show n
"""


def test_a_name_out_of_scope_and_a_type(desk: Desk) -> None:
    """W3: the type error of one line was fixed by the edit of another line."""
    needs("ghc")
    desk.begin(Cart_hs=CART)
    desk.write(".gitignore", "*.o\n*.hi\n")
    desk.repo.commit("what is built")
    desk.red("ghc -c Cart.hs")
    desk.write("Cart.hs", CART.replace("roundUp (sum items)", "sum items").replace("show n", "n"))
    desk.red("ghc -c Cart.hs")
    _is_new(desk, "Couldn't match")
    desk.swap("Cart.hs", "++ n", "++ show n")
    desk.green("ghc -c Cart.hs")
    _is_over(desk)
    # The second was made and mended between two commits: it is a draft.
    for line in ("roundUp (sum items)` by `total items = sum items`", "++ n` by `label n = "):
        assert line in desk.said


JOB = """\
import java.nio.file.*;

public class Job {
    static double rate() throws Exception {
        return Double.parseDouble(Files.readString(Path.of("rate.txt")).trim());
    }

    public static void main(String[] args) {
        try {
            System.out.println(rate());
        } catch (Exception e) {
            throw new RuntimeException("Job failed", e);
        }
    }
}
"""


def test_two_causes_behind_one_wrapper(desk: Desk) -> None:
    """W4: both were one error, and what brought the file did not help."""
    needs("java")
    desk.begin(Job_java=JOB)
    desk.red("java Job.java")
    desk.write("rate.txt", "1,5\n")
    desk.red("java Job.java")
    _is_new(desk, "Job failed")
    desk.write("rate.txt", "1.5\n")
    desk.green("java Job.java")
    _is_over(desk)
    desk.learnt(fact("Job failed", "+1,5"), fact("Job failed", "-1,5", "+1.5"))


def test_an_argument_of_another_function(desk: Desk) -> None:
    """W5: an argument of another function was "still failing", no fix known."""
    needs("mypy")
    desk.begin(a_py='def area(w: int) -> int:\n    return w\n\n\narea("x")\n')
    desk.red("mypy a.py")
    desk.write("a.py", "def vol(w: int, h: str) -> int:\n    return w * len(h)\n\n\nvol(1, 7)\n")
    desk.red("mypy a.py")
    _is_new(desk, 'Argument 2 to "vol"')
    assert 'gitmem: learnt  Argument 1 to "area"' in desk.said
    desk.swap("a.py", "vol(1, 7)", 'vol(1, "7")')
    desk.green("mypy a.py")
    _is_over(desk)
    desk.learnt(
        fact('to "area"', "-def area(w: int) -> int:", "-return w", '-area("x")',
             "+def vol(w: int, h: str) -> int:", "+return w * len(h)", "+vol(1, 7)")
    )  # fmt: skip


def test_the_same_argument_with_another_wrong_type_is_no_fix(desk: Desk) -> None:
    needs("mypy")
    desk.begin(a_py='def area(w: int) -> int:\n    return w\n\n\narea("x")\n')
    desk.red("mypy a.py")
    desk.swap("a.py", 'area("x")', 'area(b"x")')
    desk.red("mypy a.py")
    desk.silent()
    desk.swap("a.py", 'area(b"x")', "area(1)")
    desk.green("mypy a.py")
    assert '+area(b"x")' not in {line for one in desk.recorded() for line in one.lines}


def test_a_line_that_was_mended_in_two_steps_is_mended_by_both(desk: Desk) -> None:
    desk.begin(sum_py="def total():\n    return 4 + None\n\n\ntotal()\n")
    desk.red("python3 sum.py")
    desk.swap("sum.py", "4 + None", "4 - None")
    desk.red("python3 sum.py")
    desk.swap("sum.py", "4 - None", "4")
    desk.green("python3 sum.py")
    desk.learnt(fact("unsupported operand", "-return 4 + None", "+return 4"))


def test_a_crash_is_over_where_the_code_runs_past_it(desk: Desk) -> None:
    """It was learnt at the end only, when nothing failed any more."""
    desk.begin(k_py="import jsn\n", m_py="import k\ndef f(n): return n + 2\n")
    desk.write("t.py", "import m\nassert m.f(1) == 2, 'f is wrong'\n")
    desk.repo.commit("a check")
    desk.red("python3 t.py")
    desk.swap("k.py", "jsn", "json")
    desk.red("python3 t.py")
    _is_new(desk, "f is wrong")
    desk.learnt(fact("No module named 'jsn'", "-import jsn", "+import json"))


SUITE = """\
import unittest

import settings
import shop


class T(unittest.TestCase):
    def test_total(self): self.assertEqual(shop.total([3, 4]), 7)


settings.APPS["shop"]
unittest.main()
"""


def test_a_crash_before_the_tests_is_over_where_they_run(desk: Desk) -> None:
    """Its fix was what mended the tests later, too, and that came first in its title."""
    desk.begin(settings_py="APPS = {}\n", shop_py="def total(xs): return xs[0]\n", suite_py=SUITE)
    desk.red("python3 suite.py")
    desk.swap("settings.py", "{}", '{"shop": 1}')
    desk.red("python3 suite.py")
    _is_new(desk, "3 != 7")
    crash = fact("KeyError: 'shop'", "-APPS = {}", '+APPS = {"shop": 1}')
    desk.learnt(crash)
    desk.swap("shop.py", "xs[0]", "sum(xs)")
    desk.green("python3 suite.py")
    total = fact("3 != 7", "-def total(xs): return xs[0]", "+def total(xs): return sum(xs)")
    desk.learnt(crash, total)


CONFIG = """\
import fs from "node:fs"

export const config = () => JSON.parse(fs.readFileSync("app.json", "utf8"))
"""
CONFIG_TEST = """\
import assert from "node:assert"
import test from "node:test"

import { config } from "./config.mjs"

test("it has a port", () => assert.equal(config().port, 80))
"""


def test_one_test_that_fails_in_three_ways_is_mended_by_three_edits(desk: Desk) -> None:
    """All was learnt at the end, the first two with edits that were made for the last one."""
    needs("node")
    desk.begin(config_mjs=CONFIG)
    desk.write("config.test.mjs", CONFIG_TEST)
    desk.repo.commit("a test")
    desk.red("node --test config.test.mjs")
    trailing, wrong, right = '{"port": 81,}', '{"port": 81}', '{"port": 80}'
    desk.write("app.json", f"{trailing}\n")
    desk.red("node --test config.test.mjs")
    _is_new(desk, "SyntaxError")
    missing = fact("ENOENT", f"+{trailing}")
    desk.learnt(missing)
    desk.write("app.json", f"{wrong}\n")
    desk.red("node --test config.test.mjs")
    _is_new(desk, "81 == 80")
    unread = fact("SyntaxError", f"-{trailing}", f"+{wrong}")
    desk.learnt(missing, unread)
    desk.write("app.json", f"{right}\n")
    desk.green("node --test config.test.mjs")
    desk.learnt(missing, unread)
    assert desk.drafts() == [f"app.json: replace `{wrong}` by `{right}`"]


def test_a_test_that_fails_in_another_way_before_it_gets_there_ends_nothing(desk: Desk) -> None:
    """A wrong edit breaks what runs before: nobody has seen the place of the first again."""
    price = "def price(d):\n    d = dict(d)\n    return d['cost'] * 2\n"
    test = "import m\n\ndef test_price():\n    assert m.price({'price': 2}) == 4\n"
    desk.begin(m_py=price, test_m_py=test)
    command = "python3 -m pytest -q -p no:cacheprovider"
    desk.red(command)
    desk.swap("m.py", "dict(d)", "dict(*d)")
    desk.red(command)
    desk.silent()
    desk.write("m.py", price.replace("cost", "price"))
    desk.green(command)
    desk.learnt(fact("KeyError: 'cost'", "-return d['cost'] * 2", "+return d['price'] * 2"))


def test_an_earlier_row_that_fails_now_ends_nothing(desk: Desk) -> None:
    """The wrong edit was learnt, as the code seemed to have come further."""
    number = (
        "def number(s):\n    if s == 'x':\n        raise ValueError('bad x')\n    return int(s)\n"
    )
    test = (
        "import m\n\ndef test_all():\n    for text, number in [('1', 1), ('x', 0)]:\n"
        "        got = m.number(text)\n        assert got == number\n"
    )
    desk.begin(m_py=number, test_m_py=test)
    command = "python3 -m pytest -q -p no:cacheprovider"
    desk.red(command)
    desk.swap("m.py", "int(s)", "int(s) + 1")
    desk.red(command)
    desk.silent()


def test_what_was_edited_for_a_failure_that_stayed_is_no_part_of_another_fix(desk: Desk) -> None:
    needs("go")
    test = 'package PKG\n\nimport "testing"\n\nfunc TestF(t *testing.T) {\n\tif F() != 1 {\n'
    test += '\t\tt.Error("F of PKG is not 1")\n\t}\n}\n'
    desk.begin()
    desk.write("go.mod", "module x\n\ngo 1.21\n")
    for name, one in (("a", "g()"), ("b", "2")):
        desk.write(f"{name}/{name}.go", f"package {name}\n\nfunc F() int {{ return {one} }}\n")
        desk.write(f"{name}/{name}_test.go", test.replace("PKG", name))
    desk.repo.commit("two packages")
    desk.red("go test ./...")
    desk.swap("a/a.go", "g()", "1")
    desk.red("go test ./...")
    desk.swap("b/b.go", "2", "1")
    desk.green("go test ./...")
    desk.learnt(
        fact("undefined: g", "-func F() int { return g() }", "+func F() int { return 1 }"),
        fact("F of b is not 1", "-func F() int { return 2 }", "+func F() int { return 1 }"),
    )


LARGEST = """\
package x

func Max(a []int) int {
\tm := 0
\tfor _, v := range a {
\t\tif v > m {
\t\t\tm = w
\t\t}
\t}
\treturn m
}
"""
LARGEST_TEST = """\
package x

import "testing"

func TestMax(t *testing.T) {
\tif got := Max([]int{-2, -1}); got != -1 {
\t\tt.Fatalf("Max = %d, want -1", got)
\t}
}
"""


def test_what_did_not_compile_is_over_where_tests_fail(desk: Desk) -> None:
    """Go counts no test where nothing compiles, and its fix was both edits, at the end."""
    needs("go")
    desk.begin(x_go=LARGEST)
    desk.write("go.mod", "module x\n\ngo 1.21\n")
    desk.write("x_test.go", LARGEST_TEST)
    desk.repo.commit("a test")
    desk.red("go test ./...")
    desk.swap("x.go", "m = w", "m = v")
    desk.red("go test ./...")
    _is_new(desk, "Max = 0, want -1")
    name = fact("undefined: w", "-m = w", "+m = v")
    desk.learnt(name)
    desk.swap("x.go", "m := 0", "m := a[0]")
    desk.green("go test ./...")
    desk.learnt(name, fact("Max = 0, want -1", "-m := 0", "+m := a[0]"))


def test_a_file_that_the_next_error_misses_is_no_part_of_the_first_fix(desk: Desk) -> None:
    desk.begin(d_sh='set -eu\ncp "$FROM" out.txt\n')
    desk.red("bash d.sh")
    desk.swap("d.sh", '"$FROM"', '"${FROM:-in.txt}"')
    desk.red("bash d.sh")
    desk.write("in.txt", "in\n")
    desk.green("bash d.sh")
    edit = ('-cp "$FROM" out.txt', '+cp "${FROM:-in.txt}" out.txt')
    desk.learnt(fact("FROM: unbound variable", *edit))
    assert desk.drafts() == ["in.txt: add `in`"]


MINUS = "return xs.reduce((a, b) => a - b, 0);"
BAR = 'return "Total " + n.foo.bar;'
JEST = """\
function total(xs) {
  return xs.reduce((a, b) => a - b, 0);
}

function label(n) {
  return "Total " + n.foo.bar;
}

module.exports = { total, label };
"""
JEST_TEST = """\
const { total, label } = require("./m.js");
test("bill", () => {
  expect(total([1, 2])).toBe(3);
  expect(label(3)).toBe("Total 3");
});
"""
RUST = """\
pub fn total(xs: &[i32]) -> i32 {
    xs.iter().fold(0, |a, b| a - b)
}

pub fn label(n: i32) -> String {
    let shown: Option<i32> = None;
    format!("Total {}", shown.unwrap_or_else(|| panic!("no label for {n}")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn bill() {
        assert_eq!(super::total(&[1, 2]), 3);
        assert_eq!(super::label(3), "Total 3");
    }
}
"""
RUBY = """\
def total(xs)
  xs.reduce(0) { |a, b| a - b }
end

def label(n)
  "Total #{n.foo}"
end
"""
RUBY_TEST = """\
require "minitest/autorun"
require_relative "m"

class TestBill < Minitest::Test
  def test_bill
    assert_equal 3, total([1, 2])
    assert_equal "Total 3", label(3)
  end
end
"""
GO = """\
package main

import "fmt"

func label(n int) string {
\treturn "Total " + n
}

func first(xs []int) int {
\treturn xs[5]
}

func main() {
\tfmt.Println(label(3), first([]int{1}))
}
"""
LINTED = """\
def total(xs):
    return sum(xs) + rate


def label(n):
    return "Total" + n
"""
LINTED_TEST = """\
import unittest

import m


class TestBill(unittest.TestCase):
    def test_label(self):
        self.assertEqual(m.label("a"), "Total a")
"""


def _one_edit_each(desk: Desk, command: str, file: str, *edits: tuple[str, str]) -> None:
    """Edit twice; the first failure is learnt when the second one shows, not at the end."""
    desk.repo.commit("all of it")
    desk.red(command)
    desk.swap(file, *edits[0])
    desk.red(command)
    assert "gitmem: learnt" in desk.said, desk.said
    _is_over(desk)
    desk.swap(file, *edits[1])
    desk.green(command)
    _is_over(desk)
    desk.learnt(*(fact("", f"-{old}", f"+{new}") for old, new in edits))


def test_a_test_of_jest_that_fails_further_down(desk: Desk) -> None:
    needs("jest")
    desk.begin(m_js=JEST, package_json="{}\n")
    desk.write("m.test.js", JEST_TEST)
    _one_edit_each(
        desk, "jest", "m.js", (MINUS, MINUS.replace("-", "+")), (BAR, BAR.replace(".foo.bar", ""))
    )


def test_a_test_of_rust_that_fails_further_down(desk: Desk) -> None:
    needs("cargo")
    for name, place in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")):
        desk.env[name] = os.environ.get(name) or str(HOME / place)
    manifest = '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n'
    desk.begin(src__lib_rs=RUST, Cargo_toml=manifest)
    desk.write(".gitignore", "target\nCargo.lock\n")
    _one_edit_each(
        desk,
        "cargo test -q",
        "src/lib.rs",
        ("xs.iter().fold(0, |a, b| a - b)", "xs.iter().fold(0, |a, b| a + b)"),
        ("let shown: Option<i32> = None;", "let shown = Some(n);"),
    )


def test_a_test_of_minitest_that_fails_further_down(desk: Desk) -> None:
    needs("ruby")
    desk.begin(m_rb=RUBY, test_m_rb=RUBY_TEST)
    _one_edit_each(
        desk,
        "ruby test_m.rb",
        "m.rb",
        ("xs.reduce(0) { |a, b| a - b }", "xs.reduce(0) { |a, b| a + b }"),
        ('"Total #{n.foo}"', '"Total #{n}"'),
    )


def test_a_go_program_runs_so_it_was_compiled(desk: Desk) -> None:
    needs("go")
    desk.begin(main_go=GO, go_mod="module m\n\ngo 1.20\n")
    _one_edit_each(
        desk,
        "go run .",
        "main.go",
        ('return "Total " + n', 'return "Total " + fmt.Sprint(n)'),
        ("return xs[5]", "return xs[0]"),
    )


def test_make_comes_to_the_tests_so_the_linter_passed(desk: Desk) -> None:
    needs("ruff")
    needs("make")
    desk.begin(m_py=LINTED, test_m_py=LINTED_TEST)
    desk.write(".gitignore", ".ruff_cache\n")
    desk.write(
        "Makefile", "test: lint\n\tpython3 -m unittest -q test_m\nlint:\n\truff check m.py\n"
    )
    _one_edit_each(
        desk,
        "make test",
        "m.py",
        ("return sum(xs) + rate", "return sum(xs)"),
        ('return "Total" + n', 'return "Total " + n'),
    )


def test_a_branch_that_is_taken_now_ends_nothing_of_the_other(desk: Desk) -> None:
    """It stands further down, and nothing shows that the first one holds."""
    cart = "KIND = 'new'\ndef total(xs): return sum(xs) - 1\ndef label(n): return n.foo\n"
    test = """\
import unittest

import m


class TestBill(unittest.TestCase):
    def test_bill(self):
        if m.KIND == "new":
            self.assertEqual(m.total([1]), 1)
        else:
            self.assertEqual(m.label(3), "Total 3")
"""
    desk.begin(m_py=cart, test_m_py=test)
    desk.red("python3 -m unittest -q test_m")
    desk.swap("m.py", "'new'", "'old'")
    desk.red("python3 -m unittest -q test_m")
    assert "learnt" not in desk.said, desk.said
    desk.silent()


def _is_new(desk: Desk, words: str) -> None:
    line = next(each for each in desk.said.splitlines() if each.startswith("gitmem: "))
    assert line.startswith("gitmem: new"), desk.said
    assert words in line, desk.said
    _is_over(desk)


def _is_over(desk: Desk) -> None:
    for words in ("still failing", "did not help", "came back", "it took 2 edits"):
        assert words not in desk.said, desk.said
