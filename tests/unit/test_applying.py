"""Applying stored patches to texts that have moved on: surely, or not at all."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.capture.applying import (
    PatchRefusedError,
    new_text,
    patched,
    read_patch,
    splices,
)

OLD = "".join(f"line {number}\n" for number in range(20))
NEW = OLD.replace("line 9\n", "line nine\nand a half\n")


def diff(old: str, new: str, name: str = "a.py", context: int = 3) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True),
        f"a/{name}", f"b/{name}", n=context,
    )  # fmt: skip
    mark = "\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else f"{line}\n{mark}" for line in lines)


def apply(text: str, patch: str) -> str:
    (part,) = read_patch(patch)
    return patched(text, splices(text, part.hunks))


_LINE = st.text(alphabet="abc ", max_size=4)
_TEXT = st.lists(_LINE, min_size=1, max_size=30).map(lambda lines: "\n".join(lines) + "\n")


@given(_TEXT, _TEXT)
def test_a_patch_makes_of_the_old_text_the_new_one(old: str, new: str) -> None:
    patch = diff(old, new, context=1000)
    if not patch or not old.strip():
        return
    assert apply(old, patch) == new


@given(st.integers(0, 6), st.integers(0, 6))
def test_lines_added_or_removed_elsewhere_only_move_it(above: int, below: int) -> None:
    text = "top\n" * above + OLD + "bottom\n" * below
    assert apply(text, diff(OLD, NEW)) == "top\n" * above + NEW + "bottom\n" * below


def test_line_ends_of_the_text_stay() -> None:
    crlf = OLD.replace("\n", "\r\n")
    assert apply(crlf, diff(OLD, NEW)) == NEW.replace("\n", "\r\n")


def test_changed_context_at_the_ends_is_forgiven() -> None:
    moved = OLD.replace("line 6\n", "line six\n").replace("line 12\n", "line twelve\n")
    made = apply(moved, diff(OLD, NEW))
    assert made == moved.replace("line 9\n", "line nine\nand a half\n")


@pytest.mark.parametrize(
    "text",
    [
        OLD.replace("line 9\n", "line IX\n"),
        OLD.replace("line 8\n", "line eight\n"),
        "",
        "\n".join(["unrelated"] * 40),
    ],
)
def test_where_the_line_itself_or_the_one_beside_it_changed_it_is_refused(text: str) -> None:
    with pytest.raises(PatchRefusedError):
        apply(text, diff(OLD, NEW))


def test_two_possible_places_are_none() -> None:
    block = "a\nb\nc\nd\ne\n"
    patch = diff(block, block.replace("c\n", "C\n"))
    text = "x\n" * 3 + block + "y\n" + block
    with pytest.raises(PatchRefusedError):
        apply(text, patch)


def test_what_is_there_already_needs_nothing() -> None:
    (part,) = read_patch(diff(OLD, NEW))
    assert splices(NEW, part.hunks) == []


def test_half_of_it_there_already_is_refused() -> None:
    new = OLD.replace("line 2\n", "two\n").replace("line 15\n", "fifteen\n")
    (part,) = read_patch(diff(OLD, new))
    with pytest.raises(PatchRefusedError, match="already"):
        splices(OLD.replace("line 2\n", "two\n"), part.hunks)


def test_a_new_file_and_quoted_names() -> None:
    text = (
        'diff --git "a/na\\303\\257ve.py" "b/na\\303\\257ve.py"\nnew file mode 100644\n'
        "index 0000000..1234567\n--- /dev/null\n"
        '+++ "b/na\\303\\257ve.py"\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n'
    )
    (part,) = read_patch(text)
    assert (part.old, part.new) == ("", "naïve.py")
    assert new_text(part) == "one\ntwo"


def test_several_files_renames_and_deletions_are_told_apart() -> None:
    text = (
        diff(OLD, NEW, "a.py")
        + "diff --git a/old.py b/new.py\nsimilarity index 100%\n"
        + "rename from old.py\nrename to new.py\n"
        + "diff --git a/gone.py b/gone.py\ndeleted file mode 100644\nindex 1234567..0000000\n"
        + "--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        + "diff --git a/empty.py b/empty.py\nnew file mode 100644\nindex 0000000..e69de29\n"
    )
    found = [(part.old, part.new, len(part.hunks)) for part in read_patch(text)]
    assert found == [("a.py", "a.py", 1), ("old.py", "new.py", 0), ("gone.py", "", 1),
                     ("", "empty.py", 0)]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no diff at all",
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n",
        "diff --git a/x b/x\nBinary files a/x and b/x differ\n",
        "diff --git a/x b/x\nGIT binary patch\nliteral 3\n",
        diff(OLD, NEW) + "# cut: 300 more characters\n",
        "@@ -1 +1 @@\n-a\n+b\n",
    ],
)
def test_what_is_no_whole_text_patch_is_refused(text: str) -> None:
    with pytest.raises(PatchRefusedError):
        read_patch(text)


@given(st.text(alphabet="ab+-@ \\\n\t/0123", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parts = read_patch("--- a/x\n+++ b/x\n" + text)
    except PatchRefusedError:
        return
    for part in parts:
        try:
            splices("a\nb\n", part.hunks)
        except PatchRefusedError:
            continue
