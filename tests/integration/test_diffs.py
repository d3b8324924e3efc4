"""The reader of unified diffs, held against git, GNU diff and what they say of the same change."""

import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.diffs import Hunk, read_files, read_parts
from tests.conftest import Checkout
from tests.depth import amount, deep

_NAMES = (
    "a.py", "b", "a/b", "b/a", "a b.py", "a b/c d", "ends with blank ", "ü.py", "日本/語.txt",
    'quo"te', "tab\there", "back\\slash", "new\nline", "-- x", "/dev/null"[1:], "\udcff.txt",
)  # fmt: skip
_LINES = st.one_of(
    st.text(alphabet="ab \té", max_size=3),
    st.sampled_from([
        "-- a/x", "++ b/x", "- ", "-", "+", "@@ -1 +1 @@", "diff --git a/x b/x", "# cut: 3",
        "\\ No newline at end of file", "rename from x", "\r", "x\r", "index 123456..654321", "",
    ]),
)  # fmt: skip
_CONTENTS = st.one_of(
    st.builds(
        lambda lines, end: ("\n".join(lines) + end).encode(),
        st.lists(_LINES, max_size=12),
        st.sampled_from(["", "\n"]),
    ),
    st.sampled_from([b"", b"\0binary", b"\0other\n"]),
)


class _File(NamedTuple):
    content: bytes
    mode: str


_TREES = st.dictionaries(
    st.sampled_from(_NAMES),
    st.builds(_File, _CONTENTS, st.sampled_from(["100644", "100755"])),
    max_size=4,
).filter(lambda tree: not ({"a/b", "a"} <= tree.keys() or {"b", "b/a"} <= tree.keys()))
_PROPERTY = settings(
    max_examples=amount(share=20, ci=60, whole=600),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def _run(folder: Path, *command: str, stdin: bytes = b"", codes: tuple[int, ...] = (0,)) -> bytes:
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=False)
    assert done.returncode in codes, done.stderr
    return done.stdout


def _commit(folder: Path, name: str, tree: dict[str, _File]) -> None:
    """Make a commit of its own of some files, without a work tree."""
    stream = [b"commit refs/heads/%s\ncommitter A <a@example.com> 0 +0000\ndata 0\n"
              b"deleteall\n" % name.encode()]  # fmt: skip
    for path, file in tree.items():
        quoted = "".join({'"': '\\"', "\\": "\\\\", "\n": "\\n"}.get(c, c) for c in path)
        stream += [
            f'M {file.mode} inline "{quoted}"\n'.encode(errors="surrogateescape"),
            b"data %d\n%s\n" % (len(file.content), file.content),
        ]
    _run(folder, "git", "fast-import", "--quiet", "--force", stdin=b"".join(stream))


def _applied(old: bytes, hunks: tuple[Hunk, ...]) -> bytes:
    """Apply hunks at their places and nowhere else, as a check of every line and number."""
    before = old.decode(errors="surrogateescape")
    lines = before.split("\n")
    if not before or before.endswith("\n"):
        lines.pop()
    made: list[str] = []
    at = 0
    ends = before.endswith("\n") or not before
    for hunk in hunks:
        assert hunk.whole
        gone = hunk.side("-")
        start = hunk.start if gone else hunk.old_start
        made += lines[at:start]
        assert lines[start : start + len(gone)] == gone
        at = start + len(gone)
        assert len(made) == (hunk.new_start - 1 if hunk.side("+") else hunk.new_start)
        made += hunk.side("+")
        if at == len(lines):
            assert hunk.old_ends == (ends or not gone)
            ends = hunk.new_ends if hunk.side("+") else True
    made += lines[at:]
    text = "\n".join(made) + ("\n" if made and ends else "")
    return text.encode(errors="surrogateescape")


def _path(name: str) -> str:
    return name.encode(errors="surrogateescape").decode(errors="replace")


def _told_by_git(folder: Path, *options: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Give (old mode, new mode, status) by the old and the new name, as git says without a diff."""
    said = _run(folder, "git", "diff-tree", "-r", "--raw", "-z", *options, "old", "new").decode(
        errors="replace"
    )
    told = {}
    words = iter(said.split("\0")[:-1])
    for word in words:
        old_mode, new_mode, _, _, status = word.removeprefix(":").split(" ")
        old = new = next(words)
        if status[0] in "RC":
            new = next(words)
        pair = ("" if status == "A" else old, "" if status == "D" else new)
        told[pair] = (old_mode, new_mode, status[0])
    return told


@deep
@_PROPERTY
@given(
    _TREES,
    _TREES,
    st.sampled_from(["-U0", "-U1", "-U3", "-U100"]),
    st.sampled_from(["true", "false"]),
    st.sampled_from([(), ("--no-prefix",), ("--src-prefix=i/", "--dst-prefix=w/"), ("-M", "-C")]),
    st.booleans(),
)
def test_what_git_shows_is_read_as_git_means_it(
    repo: Checkout,
    old: dict[str, _File],
    new: dict[str, _File],
    context: str,
    quoted: str,
    options: tuple[str, ...],
    moved: bool,  # noqa: FBT001  drawn
) -> None:
    if moved and old:  # so that there are renames
        name = next(iter(old))
        new = {path: file for path, file in new.items() if path != name} | {"moved ü": old[name]}
    _commit(repo, "old", old)
    _commit(repo, "new", new)
    found = ("-M",) if "-M" not in options else ()
    said = _run(repo, "git", "-c", f"core.quotePath={quoted}", "diff-tree", "-r", "-p",
                "--full-index", *found, context, *options, "old", "new")  # fmt: skip
    files = read_files(said.decode(errors="surrogateescape"))
    told = _told_by_git(repo, *found, *(one for one in options if one in {"-M", "-C"}))

    assert {(_path(file.old), _path(file.new)) for file in files} == told.keys()
    contents = {_path(path): file.content for path, file in old.items()}
    wanted = {_path(path): file.content for path, file in new.items()}
    for file in files:
        old_mode, new_mode, status = told[_path(file.old), _path(file.new)]
        if status in "AD" or old_mode != new_mode:
            assert (file.header.old_mode or "000000", file.header.new_mode or "000000") == (
                old_mode,
                new_mode,
            )
        before = contents.get(_path(file.old), b"")
        after = wanted.get(_path(file.new), b"")
        if before != after and b"\0" in before + after:
            assert file.header.binary
            assert not file.hunks
        else:
            assert not file.header.binary
            assert _applied(before, file.hunks) == after
        if file.new and before != after:
            blob = _run(repo, "git", "hash-object", "--stdin", "--no-filters", stdin=after)
            assert file.header.new_blob == blob.decode().strip()
    assert "".join(file.text for file in files).encode(errors="surrogateescape") == said


@deep
@_PROPERTY
@given(_TREES, st.randoms(use_true_random=False))
def test_a_diff_that_lacks_a_line_is_not_whole(
    repo: Checkout, tree: dict[str, _File], random: Random
) -> None:
    """As ``git apply`` finds it corrupt, so is it told here."""
    _commit(repo, "old", {})
    _commit(repo, "new", tree)
    said = _run(repo, "git", "diff-tree", "-r", "-p", "old", "new").decode()
    lines = said.split("\n")[:-1]
    inside = [at for at, line in enumerate(lines) if line[:1] == "+" and line[:4] != "+++ "]
    if not inside:
        return
    del lines[random.choice(inside)]
    cut = "\n".join(lines) + "\n"
    refused = subprocess.run(
        ["git", "apply", "--numstat"],
        cwd=repo,
        input=cut.encode(),
        capture_output=True,
        check=False,
    )
    assert refused.returncode
    files = read_files(cut)
    assert not all(hunk.whole for file in files for hunk in file.hunks)


@deep
@_PROPERTY
@given(_CONTENTS, _CONTENTS, st.sampled_from(["-u", "-U0", "-U1"]))
@pytest.mark.skipif(not shutil.which("diff"), reason="GNU diff is not here")
def test_what_diff_shows_is_read(tmp_path: Path, old: bytes, new: bytes, context: str) -> None:
    name = "na ïve.py"
    for folder, content in (("a", old), ("b", new)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_bytes(content)
    said = _run(tmp_path, "diff", "-r", context, "a", "b", codes=(0, 1, 2))
    files = read_files(said.decode(errors="surrogateescape"))
    if old == new:
        assert files == []
    elif b"\0" in old + new:
        assert [file.header.binary for file in files] == [True]
    else:
        (file,) = files
        assert (file.old, file.new) == (name, name)
        assert _applied(old, file.hunks) == new


def test_what_patch_rejects_is_read(tmp_path: Path) -> None:
    """``patch`` writes hunks that it can't place into a file of rejects, a diff again."""
    (tmp_path / "x.py").write_text("entirely\nother\n")
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-one\n+uno\n two\n"
    _run(tmp_path, "patch", "-p1", stdin=diff.encode(), codes=(1,))
    (file,) = read_files((tmp_path / "x.py.rej").read_text())
    assert (file.old, file.new) == ("x.py", "x.py")
    assert file.hunks[0].lines == (("-", "one"), ("+", "uno"), (" ", "two"))


def test_a_mail_with_a_patch(repo: Checkout) -> None:
    repo.add("a.py", "one\n")
    repo.commit("first")
    repo.add("a.py", "one\ntwo\n")
    repo.commit("A subject\n\n--- not a header\nrename from nowhere")
    (file,) = read_files(repo.git("format-patch", "--stdout", "-1") + "\n")
    assert (file.old, file.new) == ("a.py", "a.py")
    assert file.hunks[0].lines == ((" ", "one"), ("+", "two"))
    assert file.hunks[0].whole


def test_a_merge_is_told_and_not_read(repo: Checkout) -> None:
    repo.add("x", "-- a\nb\n")
    repo.commit("base")
    repo.git("checkout", "-qb", "side")
    repo.add("x", "side\nb\n")
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.add("x", "main\nb\n")
    repo.commit("main")
    repo.git("merge", "side", code=1)
    repo.add("x", "both\nb\n")
    repo.commit("merge")
    (file,) = read_files(repo.git("diff-tree", "--cc", "-p", "HEAD") + "\n")
    assert file.header.combined
    assert (file.old, file.new, file.hunks) == ("x", "x", ())


def test_remarks_between_files_belong_to_none() -> None:
    part = "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-# a\n+# b\n"
    text = part.format("x") + "# left out: y (+1 -2 lines)\n" + part.format("z") + "[cut: 9]\n"
    pieces = list(read_parts(text))
    assert [one if isinstance(one, str) else one.path for one in pieces] == [
        "x", "# left out: y (+1 -2 lines)", "z", "[cut: 9]",
    ]  # fmt: skip


def test_too_many_lines_in_a_hunk_are_read_and_told() -> None:
    (file,) = read_files("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n d\n")
    assert file.hunks[0].lines == (("-", "a"), ("+", "b"), ("+", "c"), (" ", "d"))
    assert not file.hunks[0].whole


def test_blanks_that_were_lost_on_the_way_are_put_back() -> None:
    (file,) = read_files("--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n\n-a\n+b\n\n")
    assert file.hunks[0].lines == ((" ", ""), ("-", "a"), ("+", "b"), (" ", ""), (" ", ""))
    assert file.hunks[0].whole


def test_a_diff_with_line_ends_of_another_system() -> None:
    text = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"
    (file,) = read_files(text.replace("\n", "\r\n"))
    assert (file.old, file.new) == ("x", "y")
    assert file.hunks[0].lines == (("-", "a\r"), ("+", "b\r"))


@given(st.text(alphabet='ab+-@ \\\n\t/0123#"', max_size=200), st.booleans())
def test_any_text_is_read(text: str, head: bool) -> None:  # noqa: FBT001  drawn
    for file in read_files("--- a/x\n+++ b/x\n" * head + text):
        for hunk in file.hunks:
            assert all(sign in {" ", "+", "-"} for sign, _ in hunk.lines)
