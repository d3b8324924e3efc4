"""Untidy days with many tools: two bugs of neighbouring functions, and mends that are no edits."""

import socket
import sys
from contextlib import closing
from typing import NamedTuple

import pytest

from tests.scenarios.desk import Desk, Fact, fact, needs

PACKAGE = '{"name": "x", "version": "1.0.0"}\n'
TOTAL = ("xs[0]", "sum(xs)")


class Day(NamedTuple):
    """Two bugs in one file, one mended after the other; a run of all after each.

    Attributes:
        line: the command.
        files: the project, by name.
        swaps: file, old and new text, in the order of the mends.
        facts: what is to be recorded after each.

    """

    line: str
    files: dict[str, str]
    swaps: tuple[tuple[str, str, str], tuple[str, str, str]]
    facts: tuple[Fact, Fact]


SUM_JS = ("s.js", "n + 2", "n + 1")
SUM_FACT = ("-exports.f = (n) => n + 2", "+exports.f = (n) => n + 1")
CODE_JS = 'exports.f = (n) => n + 2\nexports.g = (s) => s.split(";")\n'
SPLIT_JS = ("s.js", 's.split(";")', 's.split(",")')
SPLIT_FACT = ('-exports.g = (s) => s.split(";")', '+exports.g = (s) => s.split(",")')
CART_PHP = (
    "<?php\nclass Cart {\n"
    "    public static function total(array $xs): int { return $xs[0]; }\n"
    "    public static function name($s): string { return strtoupper($s->name); }\n}\n"
)
CART_TEST_PHP = (
    "<?php\nrequire_once __DIR__ . '/Cart.php';\nuse PHPUnit\\Framework\\TestCase;\n"
    "class CartTest extends TestCase {\n"
    "    public function testAdds(): void { $this->assertSame(7, Cart::total([3, 4])); }\n"
    "    public function testName(): void { $this->assertSame('A', Cart::name('a')); }\n}\n"
)
CART_RB = "def total(xs)\n  xs.first\nend\n\ndef label(c)\n  c[:nme].upcase\nend\n"
TOTAL_RB = ("cart.rb", "xs.first", "xs.sum")
LABEL_RB = ("cart.rb", ":nme", ":name")
LABEL_FACT = fact("undefined method", "-c[:nme].upcase", "+c[:name].upcase")
CTEST = (
    "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\n"
    "add_executable(ta ta.c m.c)\nadd_executable(tb tb.c m.c)\n"
    "add_test(NAME adds COMMAND ta)\nadd_test(NAME caps COMMAND tb)\n"
)
DAYS = {
    "python3": Day(
        "pytest -q",
        {
            "m_py": "def total(xs):\n    return xs[0]\ndef name(s):\n    return s.name\n",
            "test_m_py": "import m\ndef test_total(): assert m.total([3, 4]) == 7\n"
            "def test_name(): assert m.name('a') == 'a'\n",
        },
        (("m.py", *TOTAL), ("m.py", "s.name", "s")),
        (
            fact("test_total: assert 3 == 7", "-return xs[0]", "+return sum(xs)"),
            fact("no attribute 'name'", "-return s.name", "+return s"),
        ),
    ),
    "phpunit": Day(
        "phpunit CartTest.php",
        {"Cart_php": CART_PHP, "CartTest_php": CART_TEST_PHP, "_gitignore": "*.cache\n"},
        (("Cart.php", "$xs[0]", "array_sum($xs)"), ("Cart.php", "$s->name", "$s")),
        (
            fact(
                "testAdds: Failed asserting that 3 is identical to 7",
                "-public static function total(array $xs): int { return $xs[0]; }",
                "+public static function total(array $xs): int { return array_sum($xs); }",
            ),
            fact(
                'Attempt to read property "name" on string',
                "-public static function name($s): string { return strtoupper($s->name); }",
                "+public static function name($s): string { return strtoupper($s); }",
            ),
        ),
    ),
    "rspec": Day(
        "rspec -I .",
        {
            "cart_rb": CART_RB,
            "spec__cart_spec_rb": 'require "cart"\nRSpec.describe "cart" do\n'
            '  it("adds") { expect(total([3, 4])).to eq(7) }\n'
            '  it("labels") { expect(label({name: "a"})).to eq("A") }\nend\n',
        },
        (LABEL_RB, TOTAL_RB),
        (LABEL_FACT, fact("cart adds: expected 7, got 3", "-xs.first", "+xs.sum")),
    ),
    "ruby": Day(
        "ruby t.rb",
        {
            "cart_rb": CART_RB,
            "t_rb": 'require "minitest/autorun"\nrequire_relative "cart"\n'
            "class T < Minitest::Test\n  def test_total; assert_equal 7, total([3, 4]); end\n"
            '  def test_label; assert_equal "A", label({name: "a"}); end\nend\n',
        },
        (TOTAL_RB, LABEL_RB),
        (fact("T#test_total: expected 7, got 3", "-xs.first", "+xs.sum"), LABEL_FACT),
    ),
    "node": Day(
        "node --test",
        {
            "package_json": PACKAGE,
            "s_js": CODE_JS,
            "s.test_js": "const test = require('node:test'), assert = require('node:assert')\n"
            "const { f, g } = require('./s')\n"
            "test('adds one', () => assert.equal(f(1), 2))\n"
            "test('splits', () => assert.deepEqual(g('a,b'), ['a', 'b']))\n",
        },
        (SUM_JS, SPLIT_JS),
        (
            fact("adds one: 3 == 2", *SUM_FACT),
            fact("splits: Expected values to be loosely deep-equal: expected [ 'a', 'b' ], got"
                 " [ 'a,b' ]", *SPLIT_FACT),
        ),
    ),
    "mocha": Day(
        "mocha s.test.js",
        {
            "package_json": PACKAGE,
            "s_js": CODE_JS,
            "s.test_js": "const assert = require('assert')\nconst { f, g } = require('./s')\n"
            "it('adds one', () => assert.strictEqual(`${f(1)} or so`, '2 or so'))\n"
            "it('splits', () => assert.deepStrictEqual(g('a,b'), ['a', 'b']))\n",
        },
        (SUM_JS, SPLIT_JS),
        (
            fact("adds one: Expected values to be strictly equal: 2 or so, got 3 or so", *SUM_FACT),
            fact("splits: Expected values to be strictly deep-equal: expected", *SPLIT_FACT),
        ),
    ),
    "vitest": Day(
        "vitest run --globals",
        {
            "package_json": PACKAGE,
            "s_js": CODE_JS,
            "s.test_js": "const { f, g } = require('./s')\n"
            "test('adds one', () => expect(f(1)).toBe(2))\n"
            "test('splits', () => expect({ parts: g('a,b') }).toEqual({ parts: ['a', 'b'] }))\n",
        },
        (SPLIT_JS, SUM_JS),
        (
            fact("splits: expected { parts: [ 'a,b' ] } to deeply equal", *SPLIT_FACT),
            fact("adds one: expected 3 to be 2", *SUM_FACT),
        ),
    ),
    "ctest": Day(
        "sh -c 'cmake --build b >b/log && ctest --test-dir b --output-on-failure'",
        {
            "_gitignore": "b\n",
            "CMakeLists_txt": CTEST,
            "m_c": "int add(int a, int b) { return a - b; }\nint cap(int a) { return a; }\n",
            "ta_c": "#include <assert.h>\nint add(int, int);\n"
            "int main(void) { assert(add(2, 3) == 5); return 0; }\n",
            "tb_c": "#include <assert.h>\nint cap(int);\n"
            "int main(void) { assert(cap(12) == 10); return 0; }\n",
        },
        (("m.c", "a - b", "a + b"), ("m.c", "return a; ", "return a > 10 ? 10 : a; ")),
        (
            fact(
                "adds: Assertion `add(2, 3) == 5' failed",
                "-int add(int a, int b) { return a - b; }",
                "+int add(int a, int b) { return a + b; }",
            ),
            fact(
                "caps: Assertion `cap(12) == 10' failed",
                "-int cap(int a) { return a; }",
                "+int cap(int a) { return a > 10 ? 10 : a; }",
            ),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("tool", DAYS)
def test_two_bugs_of_neighbours_are_two_fixes(desk: Desk, tool: str) -> None:
    """The second had both edits, and it was said that it took two."""
    needs(tool)
    day = DAYS[tool]
    desk.begin(**day.files)
    if tool == "ctest":
        assert desk.sh("cmake -S . -B b") == 0, desk.said
    desk.red(day.line)
    for (file, old, new), last in zip(day.swaps, (False, True), strict=True):
        desk.swap(file, old, new)
        (desk.green if last else desk.red)(day.line)
        assert desk.said.count("gitmem: learnt") == 1, desk.said
        assert "it took" not in desk.said
    desk.learnt(*day.facts)


def test_an_error_of_mocha_before_any_test_has_its_words(desk: Desk) -> None:
    """It was titled by the file that is listed below it."""
    needs("mocha")
    test = "const { f } = require('./calc')\nit('adds', () => { if (f(1) !== 2) throw f })\n"
    code = CODE_JS.replace("n + 2", "n + 1")
    desk.begin(**{"package_json": PACKAGE, "s.test_js": test, "s_js": code})
    desk.red("mocha s.test.js")
    assert "new  Error: Cannot find module './calc'\n" in desk.said
    desk.sh("git mv s.js calc.js")
    desk.green("mocha s.test.js")
    desk.learnt(fact("Cannot find module './calc'", "calc.js"))


def test_a_test_that_takes_in_the_right_file_is_a_fix(desk: Desk) -> None:
    """What it asserts stays: it was told as a test that was changed."""
    needs("mocha")
    test = "const { f } = require('./ss')\nit('adds', () => { if (f(1) !== 2) throw f })\n"
    code = CODE_JS.replace("n + 2", "n + 1")
    desk.begin(**{"package_json": PACKAGE, "s.test_js": test, "s_js": code})
    desk.red("mocha s.test.js")
    desk.swap("s.test.js", "./ss", "./s")
    desk.green("mocha s.test.js")
    line = "const { f } = require"
    desk.learnt(fact("Cannot find module './ss'", f"-{line}('./ss')", f"+{line}('./s')"))


def test_warnings_of_python_are_no_failures(desk: Desk) -> None:
    names = "def names(path):\n    f = open(path)\n    return f.read().split()\n"
    test = (
        "import unittest, warnings, lib\nclass T(unittest.TestCase):\n"
        "    def test_names(self): self.assertEqual(lib.names('n.txt'), ['a', 'b'])\n"
        "    def test_old(self): warnings.warn('old', DeprecationWarning)\n"
    )
    desk.begin(lib_py=names, test_lib_py=test, n_txt="b a\n")
    desk.red("python3 -W default -m unittest")
    assert "ResourceWarning: Enable tracemalloc" in desk.said
    assert desk.said.count("gitmem: new") == 1
    desk.swap("lib.py", "f.read().split()", "sorted(f.read().split())")
    desk.green("python3 -W default -m unittest")
    edit = ("-return f.read().split()", "+return sorted(f.read().split())")
    desk.learnt(fact("test_names: Lists differ: ['b', 'a'] != ['a', 'b']", *edit))


def test_linters_and_tests_of_one_recipe_have_an_edit_each(desk: Desk) -> None:
    recipe = "check:\n\truff check --isolated --no-cache .\n\tmypy --cache-dir=/dev/null .\n"
    recipe += "\tpython3 -m unittest -q\n"
    test = "import unittest\n\nimport m\n\n\nclass T(unittest.TestCase):\n"
    test += "    def test_f(self) -> None:\n        self.assertEqual(m.g(3), 4)\n"
    code = "import os\n\n\ndef f(n: int) -> str:\n    return n\n\n\n"
    code += "def g(n: int) -> int:\n    return n\n"
    desk.begin(Makefile=recipe, m_py=code, test_m_py=test)
    desk.red("make check")
    desk.swap("m.py", "import os\n\n\n", "")
    desk.red("make check")
    desk.swap("m.py", "-> str:\n    return n", "-> str:\n    return str(n)")
    desk.red("make check")
    desk.swap("m.py", "-> int:\n    return n", "-> int:\n    return n + 1")
    desk.green("make check")
    desk.learnt(
        fact("`os` imported but unused", "-import os"),
        fact("Incompatible return value type", "-return n", "+return str(n)"),
        fact("test_f: 3 != 4", "-return n", "+return n + 1"),
    )


def test_what_a_linter_mends_by_itself_is_no_part_of_the_next_edit(desk: Desk) -> None:
    needs("eslint")
    rules = 'export default [{ rules: { "no-undef": "error", "prefer-const": "error" } }]\n'
    code = "export const f = () => { let a = 1; return a + b }\n"
    desk.begin(**{"package_json": PACKAGE, "eslint.config_mjs": rules, "s_js": code})
    desk.red("eslint s.js")
    desk.red("eslint --fix s.js")
    text = (desk.repo / "s.js").read_text(encoding="utf-8")
    assert "const a" in text
    desk.swap("s.js", "a + b", "a")
    desk.green("eslint s.js")
    assert "Use 'const' instead: `eslint --fix s.js` mended it" in desk.said
    edit = ("-export const f = () => { const a = 1; return a + b }",)
    desk.learnt(
        fact("'b' is not defined", *edit, "+export const f = () => { const a = 1; return a }")
    )


def test_a_file_outside_that_was_edited_makes_no_failure_flaky(desk: Desk) -> None:
    desk.begin(p_py="print(open('../data.csv').read().split(',')[1])\n")
    desk.red("python3 p.py")
    (desk.repo.parent / "data.csv").write_text("a\n", encoding="utf-8")
    desk.red("python3 p.py")
    assert "passes  FileNotFoundError" in desk.said
    (desk.repo.parent / "data.csv").write_text("a,b\n", encoding="utf-8")
    desk.green("python3 p.py")
    assert "IndexError: list index out of range: passes, and no tracked file changed" in desk.said
    assert "flaky" not in desk.said
    desk.silent()


def test_a_package_that_a_watched_command_installed_is_proposed(desk: Desk) -> None:
    """The environment lies in the repository, and git ignores it."""
    code = "import tabby\nprint(tabby.__name__)\n"
    desk.begin(p_py=code, wheel__tabby_py="", _gitignore="venv\n")
    desk.sh(f"{sys.executable} -m venv --without-pip venv")
    desk.red("venv/bin/python p.py")
    line = f"cp wheel/tabby.py venv/lib/python3.{sys.version_info.minor}/site-packages"
    desk.green(line)
    desk.green("venv/bin/python p.py")
    assert f"what did it? gitmem resolve --last '{line}'" in desk.said
    desk.silent()


def test_a_fix_of_another_work_tree_that_is_merged_is_told_as_a_guess(desk: Desk) -> None:
    desk.begin(p_py="print({}['b'])\n")
    desk.red("python3 p.py")
    desk.sh("git worktree add -q ../w -b mend; echo 'print(1)' > ../w/p.py")
    desk.sh("git -C ../w commit -qam 'Print one'")
    desk.sh("git merge -q mend")
    desk.green("python3 p.py")
    assert "KeyError: 'b': maybe fixed by commit" in desk.said
    desk.silent()


def test_a_service_that_was_started_is_asked_for(desk: Desk) -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 2).close()\n"
    desk.begin(p_py=code)
    desk.red("python3 p.py")
    with closing(socket.create_server(("127.0.0.1", port))):
        desk.green("python3 p.py")
    assert "ConnectionRefusedError" in desk.said
    assert "passes, and no tracked file changed: what did it?" in desk.said
    desk.silent()


def test_a_wrong_edit_that_was_committed_and_reverted_is_kept_as_one(desk: Desk) -> None:
    box = "def area(w, h):\n    return w + h\n"
    test = "import box\n\n\ndef test_area():\n    assert box.area(2, 5) == 10\n"
    desk.begin(box_py=box, test_box_py=test)
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w - h")
    desk.repo.commit("Try minus")
    desk.red("pytest -q")
    desk.sh("git revert --no-edit HEAD")
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w * h")
    desk.repo.commit("Multiply the sides")
    desk.green("pytest -q")
    desk.learnt(fact("test_area", "-return w + h", "+return w * h", failed=1))
    assert "\n  Multiply the sides\n" in desk.said


def test_a_module_and_its_test_that_move_in_the_mend_are_a_fix(desk: Desk) -> None:
    """The test has another name, and another module in its body: nothing was told."""
    box = "def area(w, h):\n    return w + h\n"
    test = "import box\n\n\ndef test_area():\n    assert box.area(2, 5) == 10\n"
    desk.begin(box_py=box, test_box_py=test)
    desk.red("pytest -q")
    desk.sh("git mv box.py shapes.py; git mv test_box.py test_shapes.py")
    desk.write("test_shapes.py", test.replace("box", "shapes"))
    desk.swap("shapes.py", "w + h", "w * h")
    desk.green("pytest -q")
    assert "shapes.py: replace `return w + h` by `return w * h` (moved from box.py)" in desk.said
    assert "gitmem: learnt  test_area: assert 7 == 10" in desk.said


def test_types_of_neighbouring_lines_have_an_edit_each(desk: Desk) -> None:
    """A compiler may hide an error, so the first was learnt at the end: with both edits."""
    needs("tsc")
    code = "export const f = (n: number): string => n\n"
    code += "export const g = (s: string): number => s.lenght\n"
    desk.begin(m_ts=code, tsconfig_json='{"compilerOptions": {"strict": true, "types": []}}\n')
    desk.red("tsc --noEmit -p .")
    desk.swap("m.ts", "lenght", "length")
    desk.red("tsc --noEmit -p .")
    desk.swap("m.ts", "=> n\n", "=> `${n}`\n")
    desk.green("tsc --noEmit -p .")
    first, second = code.splitlines()
    desk.learnt(
        fact("'lenght' does not exist", f"-{second}", f"+{second.replace('lenght', 'length')}"),
        fact("'number' is not assignable", f"-{first}", f"+{first[:-1]}`${{n}}`"),
    )


def test_a_package_that_a_file_of_tests_misses_is_the_error(desk: Desk) -> None:
    """Node passes on what ended the file as comments: "test failed", and its version, were read."""
    needs("node")
    test = "const pad = require('pads')\nrequire('node:test')('pads', () => pad())\n"
    desk.write("a.test.js", test)
    desk.write(".gitignore", "node_modules\n")
    desk.begin(package_json='{"name": "x"}\n')
    line = "node --test --test-reporter=tap"
    desk.red(line)
    assert desk.said.count("gitmem: new") == 1
    desk.write("node_modules/pads/index.js", "module.exports = () => 1\n")
    desk.swap("package.json", '"x"', '"x", "dependencies": {"pads": "1"}')
    desk.green(line)
    added = '+{"name": "x", "dependencies": {"pads": "1"}}'
    desk.learnt(fact("Cannot find module 'pads'", '-{"name": "x"}', added))
