"""Patches as sets of changed lines."""

import pytest

from gitmem.capture.patches import kept_in, likeness, parse_patch, taken_back

_DIFF = """\
diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@ def f():
 same
-    old
+    new
+
+--- a line that looks like a header
"""


def patch(*lines: str, file: str = "x") -> str:
    body = "".join(f"{line}\n" for line in lines)
    return f"diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n{body}"


def test_a_diff_is_read() -> None:
    found = parse_patch(_DIFF)
    assert found.files == {"src/a.py"}
    assert found.lines == {
        ("src/a.py", "-", "old"),
        ("src/a.py", "+", "new"),
        ("src/a.py", "+", "--- a line that looks like a header"),
    }


@pytest.mark.parametrize(
    ("head", "file"),
    [
        ("--- /dev/null\n+++ b/new.py\n", "new.py"),
        ("--- a/old.py\n+++ /dev/null\n", "old.py"),
        ("--- a/with blank.py\t\n+++ b/with blank.py\t\n", "with blank.py"),
    ],
)
def test_names_of_files(head: str, file: str) -> None:
    text = f"diff --git a/{file} b/{file}\n{head}@@ -1 +1 @@\n+x\n"
    assert parse_patch(text).lines == {(file, "+", "x")}
    assert parse_patch(text).files == {file}


def test_renames_and_binary_files_have_no_lines() -> None:
    text = (
        "diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n"
        "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n"
    )
    found = parse_patch(text)
    assert found.files == {"b.py", "x.png"}
    assert found.lines == frozenset()
    assert found


def test_nothing_is_no_patch() -> None:
    assert not parse_patch("")
    assert not parse_patch("\n")


def test_likeness() -> None:
    one, other = parse_patch(patch("-a", "+b")), parse_patch(patch("-a", "+c"))
    assert likeness(one, one) == 1
    assert likeness(one, other) == pytest.approx(1 / 3)
    assert likeness(one, parse_patch(patch("-a", "+b", file="y"))) == 0
    assert likeness(parse_patch(""), parse_patch("")) == 0


def test_indentation_and_blank_lines_count_for_nothing() -> None:
    one, other = parse_patch(patch("+a  b", "+")), parse_patch(patch("+    a b"))
    assert likeness(one, other) == 1


def test_kept() -> None:
    whole = parse_patch(patch("-a", "+b", "+c"))
    assert kept_in(parse_patch(patch("-z", "+b")), whole) == 1
    assert kept_in(parse_patch(patch("+b", "+y")), whole) == 0.5
    assert kept_in(parse_patch(patch("-z")), whole) == 0
    assert kept_in(parse_patch(""), whole) == 0


@pytest.mark.parametrize(
    ("edit", "since", "share"),
    [
        (("-a", "+b"), ("-b", "+a"), 1),
        (("-a", "+b"), ("-b", "+c"), 1),
        (("-a", "+b"), ("+c",), 0),
        (("-a", "+b"), ("-b", "+b"), 0),  # moved within its file
        (("+b", "+c"), ("-b",), 0.5),
        (("-a",), ("+a",), 1),
        (("-a",), ("+z",), 0),
        ((), ("+a",), 0),
    ],
)
def test_taken_back(edit: tuple[str, ...], since: tuple[str, ...], share: float) -> None:
    assert taken_back(parse_patch(patch(*edit)), parse_patch(patch(*since))) == share
