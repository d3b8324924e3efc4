"""Days on which several things go wrong, and nobody mends them one at a time."""

from tests.scenarios.desk import Desk, fact

BOX = """def area(w, h):
    return w + h


def name():
    return 'Box'


def last(xs):
    return xs[len(xs)]
"""
TEST_AREA = "import box\n\n\ndef test_area():\n    assert box.area(2, 5) == 10\n"
TEST_LAST = "import box\n\n\ndef test_last():\n    assert box.last([1, 2]) == 2\n"
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
    assert "gone  AssertionError: assert ['b', 'a'] == ['a', 'b']" in desk.said
    desk.learnt(fact("test_area", "-return w + h", "+return w * h", failed=1))
