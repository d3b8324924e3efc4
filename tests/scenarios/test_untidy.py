"""Days on which several things go wrong, and nobody mends them one at a time."""

from tests.accounts import HOME
from tests.scenarios.desk import Desk, fact, needs

BOX = """def area(w, h):
    return w + h


def name():
    return 'Box'


def last(xs):
    return xs[len(xs)]
"""
TEST_AREA = "import box\n\n\ndef test_area():\n    assert box.area(2, 5) == 10\n"
TEST_LAST = "import box\n\n\ndef test_last():\n    assert box.last([1, 2]) == 2\n"
IMPORTS = "from box import area, ping"
AREA = fact("test_area: assert 7 == 10", "-return w + h", "+return w * h")
LAST = fact("list index out of range", "-return xs[len(xs)]", "+return xs[-1]")


def test_two_terminals_mend_two_functions_of_one_file(desk: Desk) -> None:
    """The first was gone without a cause, and its edit was part of the second one's fix."""
    desk.begin(box_py=BOX, test_area_py=TEST_AREA, test_last_py=TEST_LAST)
    desk.red("pytest -q test_area.py")
    desk.red("pytest -q test_last.py")
    desk.swap("box.py", "w + h", "w * h")
    desk.green("pytest -q test_area.py")
    desk.swap("box.py", "xs[len(xs)]", "xs[-1]")
    desk.green("pytest -q test_last.py")
    desk.learnt(AREA, LAST)


def test_each_test_that_is_run_alone_has_its_own_edit(desk: Desk) -> None:
    """What had mended the first was part of the second one's fix, as both are in one file."""
    test = TEST_AREA + TEST_LAST.removeprefix("import box\n")
    desk.begin(box_py=BOX, test_box_py=test)
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w * h")
    desk.green("pytest -q test_box.py::test_area")
    desk.swap("box.py", "xs[len(xs)]", "xs[-1]")
    desk.green("pytest -q")
    desk.learnt(AREA, LAST)


def test_of_one_edit_the_code_mends_one_test_and_the_other_is_changed(desk: Desk) -> None:
    """They were one error of two tests, with the code's edit as the fix of both."""
    test = TEST_AREA + "\n\ndef test_name():\n    assert box.name() == 'box'\n"
    desk.begin(box_py=BOX, test_box_py=test)
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w * h")
    desk.swap("test_box.py", "'box'", "'Box'")
    desk.green("pytest -q")
    desk.learnt(AREA)
    (draft,) = desk.drafts()
    assert draft.startswith("test changed: test_box.py"), draft


def test_what_comes_and_goes_for_a_while_takes_no_edit_of_other_code(desk: Desk) -> None:
    """It failed in both red runs, and nothing that it names leads to what was edited."""
    order = (
        "import os\n\n\ndef names():\n    open('.git/n', 'a').write('x')\n"
        "    return ['b', 'a'] if os.path.getsize('.git/n') < 3 else ['a', 'b']\n"
    )
    test = "import order\n\n\ndef test_names():\n    assert order.names() == ['a', 'b']\n"
    desk.begin(box_py=BOX, order_py=order, test_box_py=TEST_AREA, test_order_py=test)
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w - h")
    desk.red("pytest -q")
    desk.swap("box.py", "w - h", "w * h")
    desk.green("pytest -q")
    assert "gone  test_names: assert ['b', 'a'] == ['a', 'b']" in desk.said
    desk.learnt(fact("test_area", "-return w + h", "+return w * h", failed=1))


def test_a_formatter_that_ran_beside_a_mend_changed_no_test(desk: Desk) -> None:
    """It was told as a test that was changed, by lines of all files."""
    desk.begin(box_py=BOX.replace("w, h", " w,h "), other_py="A = {'a':1}\n")
    desk.write("test_box.py", TEST_AREA.replace(" == 10", "==10"))
    desk.repo.commit("a test")
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w * h")
    desk.sh("ruff format -q --no-cache .")
    desk.green("pytest -q")
    assert "box.py: replace `return w + h` by `return w * h` (also other.py)" not in desk.said
    assert "\n  box.py: replace `return w + h` by `return w * h`\n" in desk.said


def test_a_module_that_is_moved_and_mended_at_once_is_a_fix(desk: Desk) -> None:
    """Its test takes it in by the new name: that was told as a test that was changed."""
    desk.begin(box_py=BOX, test_box_py=TEST_AREA)
    desk.red("pytest -q")
    desk.sh("git mv box.py shapes.py")
    desk.swap("shapes.py", "w + h", "w * h")
    desk.write("test_box.py", TEST_AREA.replace("box", "shapes"))
    desk.green("pytest -q")
    assert "shapes.py: replace `return w + h` by `return w * h` (moved from box.py)" in desk.said
    assert "gitmem: learnt" in desk.said


def test_a_comment_mends_no_test(desk: Desk) -> None:
    comes = "import os\n\n\ndef test_x():\n    known = os.path.exists('.git/x')\n"
    desk.begin(box_py=BOX, test_x_py=f"{comes}    open('.git/x', 'w').close()\n    assert known\n")
    desk.red("pytest -q")
    desk.swap("box.py", "def area", "# TODO: check\ndef area")
    desk.green("pytest -q")
    desk.silent()
    assert not desk.drafts()


def test_a_draft_does_not_stay_beside_the_records_of_its_edit(desk: Desk) -> None:
    desk.begin(box_py=BOX.replace("w + h", "w * h"), test_box_py=TEST_AREA)
    desk.swap("box.py", "w * h", "w + h")
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "abs(w * h)")
    desk.green("pytest -q")
    assert desk.drafts() == ["box.py: replace `return w + h` by `return abs(w * h)`"]
    desk.swap("box.py", "abs(w * h)", "w + h")
    desk.repo.commit("simpler")
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "abs(w * h)")
    desk.green("pytest -q")
    desk.learnt(fact("test_area", "-return w + h", "+return abs(w * h)"))
    assert not desk.drafts()


def test_a_test_that_unittest_runs_by_its_class_has_passed(desk: Desk) -> None:
    """It was open until all ran, and its edit was part of the other one's fix."""
    test = (
        "import unittest\n\nimport box\n\n\nclass TestArea(unittest.TestCase):\n"
        "    def test_area(self): self.assertEqual(box.area(2, 5), 10)\n\n\n"
        "class TestLast(unittest.TestCase):\n"
        "    def test_last(self): self.assertEqual(box.last([1, 2]), 2)\n"
    )
    desk.begin(box_py=BOX, test_box_py=test)
    desk.red("python3 -m unittest")
    desk.swap("box.py", "w + h", "w * h")
    desk.green("python3 -m unittest test_box.TestArea")
    desk.swap("box.py", "xs[len(xs)]", "xs[-1]")
    desk.green("python3 -m unittest")
    desk.learnt(AREA._replace(error="test_area: 7 != 10"), LAST)


def test_a_test_that_go_runs_by_its_name_has_passed(desk: Desk) -> None:
    needs("go")
    desk.env["GOCACHE"] = str(HOME / ".cache" / "go-build")
    test = 'package x\n\nimport "testing"\n'
    for name in ("Area", "Last"):
        test += f"\nfunc Test{name}(t *testing.T) {{\n\tif got := {name}(); got != 10 {{\n"
        test += f'\t\tt.Errorf("{name} is %d", got)\n\t}}\n}}\n'
    code = "package x\n\nfunc Area() int { return 7 }\n\nfunc Last() int { return 8 }\n"
    desk.begin(go_mod="module x\n\ngo 1.18\n", x_go=code, x_test_go=test)
    desk.red("go test .")
    desk.swap("x.go", "return 7", "return 10")
    desk.green("go test -run TestArea .")
    desk.swap("x.go", "return 8", "return 10")
    desk.green("go test .")
    desk.learnt(
        fact("Area is 7", "-func Area() int { return 7 }", "+func Area() int { return 10 }"),
        fact("Last is 8", "-func Last() int { return 8 }", "+func Last() int { return 10 }"),
    )


def test_what_comes_and_goes_beside_a_bug_takes_no_edit_of_a_function_it_never_names(
    desk: Desk,
) -> None:
    """Both tests stand in one file, which takes the edited function in; one of them calls it."""
    box = BOX + "\n\ndef ping():\n    try:\n        return open('.git/up').close() is None\n"
    box += "    except OSError:\n        return not open('.git/up', 'w')\n"
    test = TEST_AREA + "\n\ndef test_ping():\n    assert box.ping(), 'the worker is gone'\n"
    desk.begin(box_py=box, test_box_py=test.replace("box.", "").replace("import box", IMPORTS))
    desk.red("pytest -q")
    assert "new  AssertionError: the worker is gone" in desk.said
    desk.swap("box.py", "w + h", "w * h")
    desk.green("pytest -q")
    assert "gone  AssertionError: the worker is gone: no longer failing" in desk.said
    desk.learnt(AREA)


def test_linters_of_a_recipe_are_over_where_its_tests_run(desk: Desk) -> None:
    """What the first of them had found was learnt at the end, titled by other lines."""
    recipe = "check:\n\truff check --no-cache box.py\n\tpytest -q\n"
    desk.begin(Makefile=recipe, box_py=f"import os\n\n\n{BOX}", test_box_py=TEST_AREA)
    desk.red("make check")
    desk.swap("box.py", "import os\n\n\n", "")
    desk.red("make check")
    desk.learnt(fact("`os` imported but unused", "-import os"))


def test_work_that_was_put_aside_before_a_mend_is_no_part_of_it(desk: Desk) -> None:
    """What ``git stash`` took away was in the patch, and the bug seemed not to be committed."""
    desk.begin(box_py=BOX, other_py="A = 1\n", test_box_py=TEST_AREA)
    desk.write("other.py", "A = 1\nB = 2\n")
    desk.red("pytest -q")
    desk.sh("git stash -q")
    desk.swap("box.py", "w + h", "w * h")
    desk.green("pytest -q")
    desk.learnt(AREA)


def test_an_edit_of_other_code_beside_a_variable_mends_nothing(desk: Desk) -> None:
    app = "import os\nprint({'a': 1}[os.environ.get('MODE', 'b')])\n"
    desk.begin(app_py=app, other_py="A = 1\n")
    desk.red("python3 app.py")
    desk.swap("other.py", "A = 1", "A = 2")
    desk.env["MODE"] = "a"
    desk.green("python3 app.py")
    assert "no edit explains it: what did it? gitmem resolve --last '$MODE was set'" in desk.said
    desk.silent()


def test_a_script_that_runs_and_fails_could_be_started(desk: Desk) -> None:
    """It was said that the missing mode may come and go."""
    desk.begin(go_sh="#!/bin/sh\nset -u\necho $PORTT\n")
    desk.red("./go.sh")
    desk.sh("chmod +x go.sh")
    desk.red("./go.sh")
    assert "learnt  ./go.sh: Permission denied\n  make go.sh executable" in desk.said
    desk.swap("go.sh", "$PORTT", "${PORT:-1}")
    desk.green("./go.sh")
    assert "learnt  PORTT: parameter not set" in desk.said


def test_what_was_written_anew_for_a_test_is_no_flaky_failure(desk: Desk) -> None:
    needs("jest")
    desk.begin(package_json='{"name": "x"}\n', v_js="exports.v = () => ({ a: 1 })\n")
    test = "test('shape', () => expect(require('./v').v()).toMatchSnapshot())\n"
    desk.write("v.test.js", test)
    desk.sh("jest")
    desk.repo.commit("a snapshot")
    desk.swap("v.js", "a: 1", "a: 2")
    desk.red("jest --ci")
    desk.green("jest --ci -u")
    assert "changed what its test compares with: __snapshots__/v.test.js.snap" in desk.said
    desk.silent()


def test_lines_that_only_print_are_no_attempt(desk: Desk) -> None:
    desk.begin(box_py=BOX, test_box_py=TEST_AREA)
    desk.red("pytest -q")
    desk.swap("box.py", "    return w + h", "    print('w', w)\n    return w + h")
    desk.red("pytest -q")
    desk.swap("box.py", "    print('w', w)\n    return w + h", "    return w * h")
    desk.green("pytest -q")
    desk.learnt(AREA)


def test_what_a_later_edit_uses_is_part_of_it(desk: Desk) -> None:
    """The second mend calls a function that came with the first one."""
    box = "def first(xs):\n    return xs[0]\n\n\ndef last(xs):\n    return xs[len(xs)]\n"
    test = "import box\n\n\ndef test_first():\n    assert box.first([]) is None\n\n\n"
    desk.begin(box_py=box, test_box_py=f"{test}def test_last():\n    assert box.last([]) is None\n")
    desk.red("pytest -q")
    pick = "def pick(xs, at):\n    return xs[at] if xs else None\n\n\n"
    desk.write("box.py", pick + box.replace("xs[0]", "pick(xs, 0)"))
    desk.green("pytest -q test_box.py::test_first")
    desk.swap("box.py", "xs[len(xs)]", "pick(xs, -1)")
    desk.green("pytest -q")
    patches = [one.lines for one in desk.recorded()]
    assert all("+def pick(xs, at):" in lines for lines in patches), patches


def test_of_two_commits_made_of_one_edit_only_the_mend_is_the_fix(desk: Desk) -> None:
    desk.begin(box_py=BOX, other_py="A = 1\n", test_box_py=TEST_AREA)
    desk.red("pytest -q")
    desk.swap("box.py", "w + h", "w * h")
    desk.swap("other.py", "A = 1", "A = 2")
    desk.sh("git commit -qam wip; git reset -q HEAD~")
    desk.sh("git commit -qm 'Multiply the sides' box.py; git commit -qm 'Another value' other.py")
    desk.green("pytest -q")
    assert "\n  Multiply the sides\n" in desk.said
    desk.learnt(AREA)


def test_of_three_failures_that_one_edit_of_two_files_ended_each_has_its_file(desk: Desk) -> None:
    """All three had the whole edit: two tests of one function share a part of it."""
    models = "def total(xs):\n    return xs[0]\n"
    views = "import models\n\n\ndef show(user):\n    return user['nam']\n"
    test = (
        "import unittest, models, views\n\n\nclass T(unittest.TestCase):\n"
        "    def test_total(self): self.assertEqual(models.total([1, 2]), 3)\n"
        "    def test_none(self): self.assertEqual(models.total([]), 0)\n"
        "    def test_show(self): self.assertEqual(views.show({'name': 'a'}), 'a')\n"
    )
    desk.begin(models_py=models, views_py=views, tests_py=test)
    desk.red("python3 -m unittest tests")
    desk.swap("models.py", "xs[0]", "sum(xs)")
    desk.swap("views.py", "'nam'", "'name'")
    desk.green("python3 -m unittest tests")
    first = ("-return xs[0]", "+return sum(xs)")
    desk.learnt(
        fact("list index out of range", *first),
        fact("test_total: 1 != 3", *first),
        fact("KeyError: 'nam'", "-return user['nam']", "+return user['name']"),
    )


def test_another_row_of_a_test_does_not_come_back(desk: Desk) -> None:
    row = "import m, pytest\n@pytest.mark.parametrize('n,w', [(3, 4)])\n"
    row += "def test_inc(n, w): assert m.inc(n) == w\n"
    desk.begin(m_py="def inc(n): return n\n", test_m_py=row)
    desk.red("pytest -q")
    desk.swap("m.py", "return n", "return n + 1")
    desk.green("pytest -q")
    desk.repo.commit("inc")
    desk.swap("test_m.py", "(3, 4)", "(10, 12)")
    desk.red("pytest -q")
    assert "new  test_inc[10-12]: assert 11 == 12" in desk.said
    assert "came back" not in desk.said


def test_what_a_generator_wrote_is_not_the_test_that_is_edited_next(desk: Desk) -> None:
    latest = (
        "import os, sqlite3\n\n\ndef latest():\n    db = sqlite3.connect(':memory:')\n"
        "    if os.path.exists('schema.sql'): db.executescript(open('schema.sql').read())\n"
        "    return db.execute('select title from post').fetchone()\n"
    )
    test = "import latest\n\n\ndef test_latest(): assert latest.latest() == 'x'\n"
    write = "open('schema.sql', 'w').write('create table post (title)')\n"
    desk.begin(gen_py=write, latest_py=latest, test_latest_py=test)
    desk.red("pytest -q")
    desk.green("python3 gen.py")
    desk.red("pytest -q")
    desk.swap("test_latest.py", "== 'x'", "is None")
    desk.green("pytest -q")
    desk.learnt(fact("no such table: post", "+create table post (title)"))
    assert all(draft.startswith("test changed") for draft in desk.drafts())


def test_a_shell_in_german_says_the_same(desk: Desk) -> None:
    desk.begin(a_txt="x\n")
    desk.sh("gitmem hint 'x.sh: Zeile 1: [1: Kommando nicht gefunden.'")
    german = desk.said
    assert "new  [1: command not found" in german
    desk.sh("gitmem hint 'x.sh: line 1: [1: command not found'")
    assert desk.said == german


def test_a_limit_of_time_alone_keeps_a_draft_and_says_why(desk: Desk) -> None:
    desk.begin(t_py="import time\ntime.sleep(30)\n")
    desk.red("timeout 1 python3 t.py")
    desk.write("t.py", "pass\n")
    desk.green("timeout 1 python3 t.py")
    assert "(the command says no more than that it failed)" in desk.said
    desk.silent()


def test_what_a_merge_resolved_is_no_commit_of_the_branch(desk: Desk) -> None:
    """The commit on the other branch was told as what maybe fixed it; it fixed something else."""
    desk.begin(p_py="print({}['b'])\n")
    desk.sh("git checkout -qb topic; echo \"print({}.get('b'))\" > p.py; git commit -qam get")
    desk.sh("git checkout -q -; echo \"print({}['c'])\" > p.py; git commit -qam c")
    desk.red("python3 p.py")
    assert desk.sh("git merge -q topic") != 0
    desk.write("p.py", "print({}.get('c'))\n")
    desk.sh("git commit -qam 'Merge topic'")
    desk.green("python3 p.py")
    assert "gone  KeyError: 'c': " in desk.said
    assert "fixed by commit" not in desk.said
    desk.silent()
