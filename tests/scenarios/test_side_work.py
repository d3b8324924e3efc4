"""Other work, other tests and other causes beside a failure are no part of its fix."""

from tests.scenarios.desk import Desk, fact, needs


def test_what_was_checked_out_for_other_work_is_no_part_of_a_mend(desk: Desk) -> None:
    """The fix on a branch held what another branch had in a file that nobody edited there."""
    desk.begin(
        a_py='def total(xs): return xs[0]["price"]\n',
        b_py="def first(s): return s[5]\n",
        ta_py='import a\nassert a.total([{"cost": 2}, {"cost": 3}]) == 5, "wrong total"\n',
        tb_py='import b\nassert b.first("abc") == "a", "wrong first"\n',
    )
    desk.sh("git checkout -q -b other")
    desk.red("python3 ta.py")
    desk.swap("a.py", '"price"', '"cost"')
    desk.red("python3 ta.py")
    desk.sh("git stash -q && git checkout -q -")
    desk.red("python3 tb.py")
    desk.swap("b.py", "s[5]", "s[0]")
    desk.green("python3 tb.py")
    desk.repo.commit("Take the first letter")
    desk.sh("git checkout -q other && git stash pop -q")
    desk.swap("a.py", 'xs[0]["cost"]', 'sum(x["cost"] for x in xs)')
    desk.green("python3 ta.py")
    last = '+def total(xs): return sum(x["cost"] for x in xs)'
    desk.learnt(
        fact("KeyError", '-def total(xs): return xs[0]["price"]', last),
        fact("wrong total", '-def total(xs): return xs[0]["cost"]', last),
    )


def test_a_function_with_the_name_of_its_test_is_code(desk: Desk) -> None:
    """Its mend was told as a change of the test, and held the edit made for another test's file."""
    needs("node")
    desk.begin(
        u_js="exports.up = (s) => {\n  return s.toUpper()\n}\n\n"
        "exports.sum = (xs) => {\n  return xs.reduce((a, b) => a - b)\n}\n",
        up__up_test_js='const { up } = require("../u"), a = require("node:assert")\n'
        'require("node:test")("up", () => a.equal(up("a"), "A"))\n',
        sum__sum_test_js='const { sum } = require("../u"), a = require("node:assert")\n'
        'require("node:test")("sum", () => a.equal(sum([1, 2]), 3))\n',
    )
    up, sum_of = "node --test up/up_test.js", "node --test sum/sum_test.js"
    desk.red(up)
    desk.red(sum_of)
    desk.swap("u.js", "a - b", "a + b")
    desk.red(up)
    desk.swap("u.js", "toUpper()", "toUpperCase()")
    desk.green(up)
    assert "edits" not in desk.said
    desk.green(sum_of)
    desk.learnt(
        fact("toUpper is not a function", "-return s.toUpper()", "+return s.toUpperCase()"),
        fact("sum: ", "-return xs.reduce((a, b) => a - b)", "+return xs.reduce((a, b) => a + b)"),
    )


FIXTURE = (
    "import pytest, m\n@pytest.fixture\ndef db(): return m.connect()\n"
    'def test_size(db): assert m.size("ab") == 2\ndef test_db(db): assert db == 1\n'
)


def test_a_fixture_that_works_again_is_over_where_its_test_fails_by_itself(desk: Desk) -> None:
    """It was learnt with the next edit too, which mended what one of the tests asked."""
    desk.begin(
        m_py='def connect(): raise ConnectionError("no db")\ndef size(s): return len(s) + 1\n',
        test_m_py=FIXTURE,
    )
    desk.red("pytest -q")
    desk.swap("m.py", 'raise ConnectionError("no db")', "return 1")
    desk.red("pytest -q")
    gone = '-def connect(): raise ConnectionError("no db")'
    connection = fact("no db", gone, "+def connect(): return 1")
    desk.learnt(connection)
    desk.swap("m.py", "len(s) + 1", "len(s)")
    desk.green("pytest -q")
    size = fact("test_size", "-def size(s): return len(s) + 1", "+def size(s): return len(s)")
    desk.learnt(connection, size)


def test_a_class_that_can_be_set_up_again_is_over_where_its_tests_fail(desk: Desk) -> None:
    """A class or a module that could not be set up was mended by all edits up to the last one."""
    desk.begin(
        db_py='class Db:\n    def open(self): raise OSError("disk is read-only")\n',
        text_py="def slug(t): return t.lower()\n",
        test_x_py="import unittest, db, text\nclass Store(unittest.TestCase):\n    @classmethod\n"
        "    def setUpClass(cls): cls.db = db.Db().open()\n"
        '    def test_slug(self): self.assertEqual(text.slug("A b"), "a-b")\n',
    )
    desk.red("python3 -m unittest test_x")
    desk.swap("db.py", 'raise OSError("disk is read-only")', "return self")
    desk.red("python3 -m unittest test_x")
    opened = fact(
        "read-only",
        '-def open(self): raise OSError("disk is read-only")',
        "+def open(self): return self",
    )
    desk.learnt(opened)
    desk.swap("text.py", "lower()", 'lower().replace(" ", "-")')
    desk.green("python3 -m unittest test_x")
    slug = fact(
        "test_slug",
        "-def slug(t): return t.lower()",
        '+def slug(t): return t.lower().replace(" ", "-")',
    )
    desk.learnt(opened, slug)


def test_what_two_tests_missed_is_over_where_one_passes(desk: Desk) -> None:
    """Where the other went on to another error, what both had missed had that error's edit too."""
    desk.begin(
        m_py="def rows(): return open_db()\ndef label(n): return n.lo()\n",
        test_m_py="import unittest, m\nclass T(unittest.TestCase):\n"
        "    def test_rows(self): self.assertEqual(m.rows(), ['A'])\n"
        "    def test_label(self): self.assertEqual([m.label(n) for n in m.rows()], ['a'])\n",
    )
    desk.red("python3 -m unittest test_m")
    desk.swap("m.py", "def rows()", "def open_db(): return ['A']\ndef rows()")
    desk.red("python3 -m unittest test_m")
    desk.swap("m.py", "n.lo()", "n.lower()")
    desk.green("python3 -m unittest test_m")
    desk.learnt(
        fact("open_db", "+def open_db(): return ['A']"),
        fact(
            "no attribute 'lo'", "-def label(n): return n.lo()", "+def label(n): return n.lower()"
        ),
    )


def test_an_edit_that_breaks_a_neighbour_is_told_and_its_mend_is_a_slip(desk: Desk) -> None:
    """The line was left out of the fix, and nothing said which; putting it back was a fix."""
    needs("node")
    desk.begin(
        list_js="exports.join = (xs) => {\n  return xs.join(';')\n}\n\n"
        "exports.last = (xs) => {\n  return xs[xs.length - 1]\n}\n",
        list_test_js="const t = require('node:test'), a = require('node:assert')\n"
        "const { join, last } = require('./list')\n"
        "t('joins', () => a.equal(join(['a', 'b']), 'a,b'))\n"
        "t('last', () => a.equal(last([1, 2]), 2))\n",
    )
    desk.red("node --test list_test.js")
    desk.swap("list.js", "';'", "','")
    desk.swap("list.js", "length - 1", "length")
    desk.red("node --test list_test.js")
    edit = "list.js: replace `return xs[xs.length - 1]` by `return xs[xs.length]`"
    assert f"last passed before this edit: {edit}" in desk.said
    joined = fact("joins: ", "-return xs.join(';')", "+return xs.join(',')")
    desk.learnt(joined)
    desk.swap("list.js", "length]", "length - 1]")
    desk.green("node --test list_test.js")
    assert "an edit made it, and the next one took it away" in desk.said
    desk.learnt(joined)
    assert not desk.drafts()


def test_a_neighbour_that_one_function_breaks_is_told(desk: Desk) -> None:
    """An edit of one line that mended a test and broke another was told as a mend alone."""
    desk.begin(
        money_py="def fmt(n): return str(n)\n",
        test_money_py="import unittest, money\nclass T(unittest.TestCase):\n"
        "    def test_cents(self): self.assertEqual(money.fmt(1.5), '1.50')\n"
        "    def test_none(self): self.assertEqual(money.fmt(None), 'None')\n",
    )
    desk.red("python3 -m unittest test_money")
    desk.swap("money.py", "str(n)", "f'{n:.2f}'")
    desk.red("python3 -m unittest test_money")
    assert "gitmem: learnt  test_money.T.test_cents" in desk.said
    edit = "money.py: replace `def fmt(n): return str(n)` by"
    assert f"test_none passed before this edit: {edit}" in desk.said


def test_an_attempt_that_is_taken_back_beside_the_mend_is_a_slip(desk: Desk) -> None:
    """What it had made fail in other words was offered as a fix of its own, with all edits."""
    desk.begin(
        app_py="import conf\ndef port(): return conf.SERVER['port']\nprint(port())\n",
        conf_py="SERVER = {'prt': 80}\n",
    )
    desk.red("python3 app.py")
    desk.swap("app.py", "'port'", "'ports'")
    desk.red("python3 app.py")
    desk.swap("app.py", "'ports'", "'port'")
    desk.swap("conf.py", "'prt'", "'port'")
    desk.green("python3 app.py")
    desk.learnt(fact("'port'", "-SERVER = {'prt': 80}", "+SERVER = {'port': 80}"))
    assert not desk.drafts()


def test_a_panic_that_the_code_caught_is_no_failure_of_another_test(desk: Desk) -> None:
    """A stack that the code printed in a passing test got an error, and the other test's fix."""
    needs("go")
    desk.begin(
        go_mod="module x\n\ngo 1.21\n",
        x_go='package x\n\nimport (\n\t"fmt"\n\t"runtime/debug"\n)\n\n'
        "func Safe(f func()) (ok bool) {\n\tdefer func() {\n"
        '\t\tif r := recover(); r != nil {\n\t\t\tfmt.Println("panic:", r)\n'
        "\t\t\tdebug.PrintStack()\n\t\t}\n\t}()\n\tf()\n\treturn true\n}\n\n"
        "func Next(n int) int {\n\treturn n + 2\n}\n",
        x_test_go='package x\n\nimport "testing"\n\nfunc TestSafe(t *testing.T) {\n'
        '\tif Safe(func() { panic("boom") }) {\n\t\tt.Error("not caught")\n\t}\n}\n\n'
        "func TestNext(t *testing.T) {\n\tif got := Next(1); got != 2 {\n"
        '\t\tt.Errorf("Next(1) is %d", got)\n\t}\n}\n',
    )
    desk.red("go test ./...")
    assert "panic: boom" not in desk.said.partition("gitmem: ")[2]
    desk.swap("x.go", "n + 2", "n + 1")
    desk.green("go test ./...")
    desk.learnt(fact("Next(1) is 3", "-return n + 2", "+return n + 1"))


def test_a_rule_that_is_taken_out_beside_a_mend_is_silenced(desk: Desk) -> None:
    """What a linter was not asked any more was recorded as fixed, by the mend of something else."""
    desk.begin(
        ruff_toml='[lint]\nselect = ["F401", "F821"]\n',
        a_py="import os\n\n\ndef f():\n    return cnt + 1\n",
    )
    desk.red("ruff check --no-cache .")
    desk.swap("a.py", "cnt", "1")
    desk.swap("ruff.toml", '["F401", "F821"]', '["F821"]')
    desk.green("ruff check --no-cache .")
    assert "by taking `F401` out of ruff.toml, not fixed" in desk.said
    desk.learnt(fact("Undefined name `cnt`", "-return cnt + 1", "+return 1 + 1"))


def test_what_belongs_to_neither_of_two_mends_keeps_them_apart(desk: Desk) -> None:
    """One more file in the edit, and two bugs of two modules were one error with one fix."""
    desk.begin(
        shapes_py="def area(w, h): return w + h\n",
        people_py="def initials(name): return name[0]\n",
        other_py="X = 1\n",
        test_all_py="import unittest, shapes, people\nclass T(unittest.TestCase):\n"
        "    def test_area(self): self.assertEqual(shapes.area(2, 5), 10)\n"
        "    def test_initials(self): self.assertEqual(people.initials('Ann Lee'), 'AL')\n",
    )
    desk.red("python3 -m unittest test_all")
    desk.swap("shapes.py", "w + h", "w * h")
    desk.swap("people.py", "name[0]", "''.join(w[0] for w in name.split())")
    desk.swap("other.py", "1", "2")
    desk.green("python3 -m unittest test_all")
    more = ("-X = 1", "+X = 2")
    desk.learnt(
        fact("test_area", "-def area(w, h): return w + h", "+def area(w, h): return w * h", *more),
        fact(
            "test_initials",
            "-def initials(name): return name[0]",
            "+def initials(name): return ''.join(w[0] for w in name.split())",
            *more,
        ),
    )


def test_what_tests_share_is_mended_like_code(desk: Desk) -> None:
    """An error raised in a fixture was "test changed", though no test asks anything else now."""
    desk.begin(
        conftest_py='import pytest\nCONF = {"url": "x"}\n@pytest.fixture\n'
        'def db(): return CONF["dsn"]\n',
        test_a_py="def test_a(db): assert db == 'x'\n",
        test_b_py="def test_b(db): assert db == 'x'\n",
    )
    desk.red("pytest -q")
    desk.swap("conftest.py", '"dsn"', '"url"')
    desk.green("pytest -q")
    desk.learnt(fact("'dsn'", '-def db(): return CONF["dsn"]', '+def db(): return CONF["url"]'))


def test_tests_that_follow_the_name_of_an_argument_are_a_fix(desk: Desk) -> None:
    """They were "test changed": the name of an argument was none that a message misses."""
    desk.begin(
        m_py="def box(width, height=1): return width * height\n",
        test_m_py="import m\ndef test_a(): assert m.box(w=2) == 2\n"
        "def test_b(): assert m.box(w=3, height=2) == 6\n",
    )
    desk.red("pytest -q")
    desk.write("test_m.py", (desk.repo / "test_m.py").read_text().replace("w=", "width="))
    desk.green("pytest -q")
    desk.learnt(
        fact(
            "unexpected keyword argument 'w'",
            "-def test_a(): assert m.box(w=2) == 2",
            "+def test_a(): assert m.box(width=2) == 2",
            "-def test_b(): assert m.box(w=3, height=2) == 6",
            "+def test_b(): assert m.box(width=3, height=2) == 6",
        )
    )


def test_a_fix_is_not_named_by_the_import_that_followed(desk: Desk) -> None:
    """Of a module that was moved and mended, the title told the line that takes it in."""
    desk.begin(
        util_py='def slug(t):\n    """Make a slug."""\n    t = t.strip()\n'
        '    return t.replace(" ", "_")\n',
        pages_py='from util import slug\n\n\ndef page(t):\n    return f"/{slug(t)}"\n',
        test_pages_py="import unittest, pages\nclass T(unittest.TestCase):\n"
        "    def test_page(self): self.assertEqual(pages.page('a b'), '/a-b')\n",
    )
    desk.red("python3 -m unittest test_pages")
    desk.sh("git mv util.py slugs.py")
    desk.swap("slugs.py", '"_"', '"-"')
    desk.swap("pages.py", "from util", "from slugs")
    desk.green("python3 -m unittest test_pages")
    assert 'slugs.py: replace `return t.replace(" ", "_")` by' in desk.said


def test_what_was_not_compiled_is_over_where_it_is_linked(desk: Desk) -> None:
    """A header that was missing was mended by all edits up to the program that works."""
    needs("gcc")
    desk.write("Makefile", "all: app\n\t./app\napp: main.c calc.c\n\tgcc -o app main.c calc.c\n")
    desk.begin(
        _gitignore="app\n",
        main_c='#include "clac.h"\nint main(void) { return half(8) == 4 ? 0 : 3; }\n',
        calc_h="int half(int n);\n",
        calc_c="int halve(int n) { return n / 2; }\n",
    )
    desk.red("make")
    desk.swap("main.c", "clac", "calc")
    desk.red("make")
    header = fact("clac.h", '-#include "clac.h"', '+#include "calc.h"')
    desk.learnt(header)
    desk.swap("calc.c", "halve", "half")
    desk.green("make")
    link = fact(
        "undefined reference",
        "-int halve(int n) { return n / 2; }",
        "+int half(int n) { return n / 2; }",
    )
    desk.learnt(header, link)


def test_rows_that_say_the_same_say_when(desk: Desk) -> None:
    """The same error of two scripts was two equal rows: nobody saw which was which."""
    desk.begin(a_py='print({}["b"])\n', b_py='x = {}\nprint(x["b"])\n')
    for name in ("a.py", "b.py"):
        desk.red(f"python3 {name}")
        desk.swap(name, '["b"]', '.get("b")')
        desk.green(f"python3 {name}")
    desk.sh("gitmem list kind:error")
    rows = [line.partition("  ")[2] for line in desk.said.splitlines()]
    assert len(rows) == 2, desk.said
    assert all(row.endswith(" UTC") for row in rows)
    desk.sh("gitmem list kind:fix")
    assert "UTC" not in desk.said


def test_a_fix_that_a_rebase_brought_is_told_as_a_guess(desk: Desk) -> None:
    """Its own commit was made anew upon the fix, and the cause was told as unknown."""
    desk.begin(m_py="def half(n): return n / 3\n", t_py="import m\nassert m.half(4) == 2, 'half'\n")
    desk.sh("git worktree add -q ../side -b side")
    desk.sh("echo x > o && git add o && git commit -qm 'Add o'", "../side")
    desk.red("python3 t.py", "../side")
    desk.swap("m.py", "n / 3", "n / 2")
    desk.repo.commit("Halve by two")
    desk.sh("git tag halved")
    desk.sh("git rebase -q halved", "../side")
    desk.green("python3 t.py", "../side")
    assert "maybe fixed by commit" in desk.said
    assert "'Halve by two'" in desk.said
    desk.silent()
