"""Lines that name an edit: what it does, without what only looks otherwise."""

from gitmem.capture.composing import test_changed_fields as as_changed_test
from gitmem.capture.composing import worked_fields
from gitmem.capture.episodes import Episode
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.following_tests import follows_code
from gitmem.capture.outside import is_beside
from gitmem.capture.own_words import may_concern, with_callers
from gitmem.capture.patch_hunks import hunks_of, runs_through
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.silencing import changes_test
from gitmem.capture.titles import approach, title
from gitmem.matching.titles import title_of
from tests.unit.test_episodes import history


def patch_of(**files: str) -> Patch:
    """Make a patch of files by name (``__`` for a folder, ``_py`` for an ending), each a hunk."""
    text = ""
    for name, hunk in files.items():
        path = ".".join(name.replace("__", "/").rsplit("_", 1))
        sizes = [sum(line[0] in f" {sign}" for line in hunk.splitlines()) for sign in "-+"]
        text += f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
        text += f"@@ -1,{sizes[0]} +1,{sizes[1]} @@\n{hunk}"
    return parse_patch(text)


def failure_of(message: str, test: str, **fields: object) -> FingerprintedFailure:
    """Make a failure of a test."""
    known = {"message": message, "test": {"name": test}, **fields}
    return FingerprintedFailure("x", "x", "", "", "", "", known, (test,))


def test_what_a_formatter_did_is_no_part_of_a_title() -> None:
    patch = patch_of(
        box_py="-def area( w,h ):\n-    return w+h\n+def area(w, h):\n+    return w * h\n",
        name_py="-NAMES = {'a':1}\n+NAMES = {\"a\": 1}\n",
    )
    assert title(patch) == "box.py: replace `return w+h` by `return w * h`"
    only = patch_of(name_py="-NAMES = {'a':1}\n+NAMES = {\"a\": 1}\n")
    assert title(only) == "name.py: replace `NAMES = {'a':1}` by `NAMES = {\"a\": 1}`"


def test_one_mend_of_several_files_is_told_once() -> None:
    same = "-return x.name\n+return x.name if x else None\n"
    patch = patch_of(a_py=same, b_py=same, c_py=same, d_py=same)
    assert approach(patch) == (
        "a.py, b.py, c.py and 1 more: replace `return x.name` by `return x.name if x else None`"
    )


def test_another_commit_of_a_submodule_and_another_link_are_told_as_such() -> None:
    patch = patch_of(lib=f"-Subproject commit {'1' * 40}\n+Subproject commit {'2' * 40}\n")
    assert title(patch) == "lib: its commit 2222222222 took the place of 1111111111"
    link = parse_patch(
        "diff --git a/now.json b/now.json\nindex 1111111..2222222 120000\n--- a/now.json\n"
        "+++ b/now.json\n@@ -1 +1 @@\n-conf/b.json\n\\ No newline at end of file\n+conf/a.json\n"
        "\\ No newline at end of file\n"
    )
    assert title(link) == "now.json: link to `conf/a.json` instead of `conf/b.json`"


def test_of_several_places_the_one_where_it_failed_is_the_title() -> None:
    patch = parse_patch(
        "diff --git a/box.py b/box.py\n--- a/box.py\n+++ b/box.py\n"
        "@@ -1,2 +1 @@\n-import os\n-\n+\n@@ -30,2 +29,2 @@\n def last(xs):\n-    return xs[9]\n"
        "+    return xs[-1]\n"
    )
    place = {"file": "box.py", "line": 31}
    failure = failure_of("out of range", "t.py::test_x", location=place)
    (run, green) = history(("a" * 8, "x"), ("b" * 8, ""))
    fields = worked_fields(Episode(failure, (run,), green), patch)
    assert fields["title"] == "box.py: replace `return xs[9]` by `return xs[-1]`"


def test_a_test_that_was_changed_is_told_by_its_own_lines() -> None:
    patch = patch_of(m_py="-return s\n+return s.strip()\n", test_m_py="-assert x == 3\n+assert x\n")
    changed = as_changed_test({"title": "m.py: replace `return s` by `return s.strip()`"}, patch)
    assert changed["title"] == "test changed: test_m.py: replace `assert x == 3` by `assert x`"


def test_another_form_of_an_assertion_changes_no_test() -> None:
    frame = {"file": "test_m.py", "line": 1, "code": "assert area(2, 5)==10"}
    failure = failure_of("assert 7 == 10", "test_m.py::test_area", frames=[frame])
    form = "-assert area(2, 5)==10\n+assert area(2, 5) == 10\n"
    assert not changes_test(patch_of(test_m_py=form), failure)
    assert changes_test(patch_of(test_m_py=form.replace("== 10", "== 7")), failure)


def test_a_function_of_the_code_is_no_test_of_its_name() -> None:
    """``test('first', …)`` is no function, and ``first`` in the code is not it."""
    patch = patch_of(lib_js="-function first(xs) { return xs[0].name }\n+function first() {}\n")
    place = {"file": "lib.js", "line": 1, "code": "function first(xs) { return xs[0].name }"}
    failure = failure_of("Cannot read", "first", frames=[place], tool="jest")
    assert not changes_test(patch, failure)


def test_a_test_that_takes_a_moved_module_follows_the_code() -> None:
    failure = failure_of("assert 7 == 10", "test_a.py::test_area")
    moved = (
        "diff --git a/box.py b/shapes.py\nsimilarity index 90%\nrename from box.py\n"
        "rename to shapes.py\n--- a/box.py\n+++ b/shapes.py\n@@ -1 +1 @@\n-w + h\n+w * h\n"
    )
    test = "-import box\n+import shapes\n-assert box.area(2, 5) == 10\n"
    follows = patch_of(test_a_py=f"{test}+assert shapes.area(2, 5) == 10\n").text
    assert follows_code(parse_patch(moved + follows), [failure])
    assert not follows_code(parse_patch(follows), [failure])
    asks_less = patch_of(test_a_py=f"{test}+assert shapes.area(2, 5) == 7\n").text
    assert not follows_code(parse_patch(moved + asks_less), [failure])


def test_comments_mend_no_test_unless_a_tool_obeys_them() -> None:
    failure = failure_of("assert False", "test_a.py::test_x")
    for comment in ("# TODO: check", "# what this is for"):
        assert is_beside(failure, patch_of(box_py=f"+{comment}\n"))
    for obeyed in ("# type: ignore", "#!/bin/sh", "# -*- coding: latin-1 -*-", "x = 1  # one"):
        assert not is_beside(failure, patch_of(box_py=f"+{obeyed}\n"))
    assert not is_beside(failure, patch_of(box_go="+//go:build linux\n"))
    assert not is_beside(failure, patch_of(box_c="+#include <stdio.h>\n"))


def test_a_test_named_after_a_function_runs_through_it() -> None:
    (hunk,) = hunks_of(patch_of(x_go=" func Last(xs []int) int {\n-\treturn 1\n+\treturn 2\n }\n"))
    assert runs_through(hunk, failure_of("Last = 1", "TestLast"))
    assert runs_through(hunk, failure_of("Last = 1", "test_last_of_none"))
    assert not runs_through(hunk, failure_of("Area = 7", "TestArea"))
    assert not runs_through(hunk, failure_of("Area = 7", "TestFirstAndLast"))


def test_a_test_concerns_what_it_and_the_helpers_beside_it_name() -> None:
    text = (
        "from calc import (\n    half,\n    ping,\n)\n\n\ndef near(n):\n    return half(n)\n\n\n"
        "def test_half():\n    assert half(4) == 2\n\n\ndef test_ping():\n    assert ping()\n"
    )
    ping = failure_of("no answer", "test_calc.py::test_ping")
    assert may_concern(text, ping, {"half"})  # a helper does, which any test may call
    alone = text.replace("def near(n):\n    return half(n)\n\n\n", "")
    assert not may_concern(alone, ping, {"half"})
    assert may_concern(alone, ping, {"ping"})
    assert may_concern(alone, failure_of("", "test_calc.py::test_half[1]"), {"half"})
    assert may_concern(alone, failure_of("", "test_calc.py::test_gone"), {"half"})  # who knows
    inner = "def half(n):\n    return n / 2\n\n\ndef ping():\n    return wait(half)\n"
    assert with_callers(inner, {"half"}) == {"half", "ping"}
    assert with_callers(inner, {"ping"}) == {"ping"}


def test_where_what_differs_was_cut_out_it_is_shown_from_the_values() -> None:
    message = "assert '<html>.../html>' == '<html>.../html>'\n  Skipping 50 characters"
    values = {"expected": "'<html>" + "x" * 60 + "Nothing'", "actual": "'<html>" + "x" * 60 + "No'"}
    fields = {"message": message, "error_type": "AssertionError", "tool": "pytest"}
    shown = title_of({**fields, "test": {"name": "t.py::test_page", **values}})
    around = "\u2026" + "x" * 18
    assert shown == f"AssertionError: expected {around}Nothing', got {around}No'"
    same = {"name": "t.py::test_page", "expected": "[1, ...]", "actual": "[1, ...]"}
    shown = title_of({**fields, "test": same})
    assert shown == "AssertionError: two values differ where they were cut"
