"""What mended it is no edit of the code: it is named where it is seen, else asked for once.

An unrelated later edit never takes its place, and a later edit that did mend it is learnt.
"""

import pytest

from tests.scenarios.desk import Desk, fact, needs


def test_an_ignored_cache_that_was_removed_is_named(desk: Desk) -> None:
    """It was "flaky: passed without a code change"."""
    desk.begin(
        _gitignore=".cache\n",
        t_py="import os\nn = int(open('.cache/v').read()) if os.path.exists('.cache/v') else 0\n",
    )
    desk.write(".cache/v", "x\n")
    desk.red("python3 t.py")
    desk.sh("rm -r .cache")
    desk.green("python3 t.py")
    assert "what did it?" in desk.said
    assert ".cache was removed" in desk.said
    assert "flaky" not in desk.said
    desk.write("t.py", "n = 0\n")
    desk.green("python3 t.py")
    desk.silent()


def test_an_ignored_file_deep_in_a_folder_that_was_edited_is_named(desk: Desk) -> None:
    desk.begin(_gitignore="local/\n", t_py="print(int(open('local/a/n').read()))\n")
    desk.write("local/a/n", "x\n")
    desk.red("python3 t.py")
    desk.write("local/a/n", "1\n")
    desk.green("python3 t.py")
    assert "local was changed" in desk.said
    desk.silent()


@pytest.mark.parametrize("where", ["__pycache__", ".pytest_cache"])
def test_what_tools_leave_behind_is_no_reason(desk: Desk, where: str) -> None:
    once = ".git/once"
    desk.begin(
        _gitignore=f"{where}/\n",
        t_py=f"import os\nif not os.path.exists({once!r}):\n    open({once!r}, 'w')\n    1 / 0\n",
    )
    desk.red("python3 t.py")
    desk.write(f"{where}/x", "x\n")
    desk.green("python3 t.py")
    assert "flaky  ZeroDivisionError" in desk.said


def test_a_pass_with_a_variable_ends_nothing(desk: Desk) -> None:
    """The edit that mended it for everybody was not learnt: the failure counted as gone."""
    desk.begin(k_py='import os\nprint({"a": 1}[os.environ.get("K", "b")])\n')
    desk.red("python3 k.py")
    desk.sh("K=a gitmem run -- python3 k.py")
    assert "$K was set" in desk.said
    desk.swap("k.py", '"b"', '"a"')
    desk.green("python3 k.py")
    desk.learnt(
        fact(
            "KeyError",
            '-print({"a": 1}[os.environ.get("K", "b")])',
            '+print({"a": 1}[os.environ.get("K", "a")])',
        )
    )


def test_an_edit_is_not_learnt_while_the_variable_is_set(desk: Desk) -> None:
    desk.begin(k_py='import os\nprint({"a": 1}[os.environ.get("K", "b")])\n', o_py="x = 1\n")
    desk.red("python3 k.py")
    desk.sh("K=a gitmem run -- python3 k.py")
    desk.write("o.py", "x = 2\n")
    desk.sh("K=a gitmem run -- python3 k.py")
    desk.silent()


def test_where_a_file_is_named_a_variable_is_not_proposed(desk: Desk) -> None:
    """A file outside was made; a variable that differed by chance was proposed as the fix."""
    outside = desk.repo.parent / "settings.txt"
    desk.begin(k_py=f"print(open({str(outside)!r}).read())\n")
    desk.red("python3 k.py")
    outside.write_text("x")
    desk.sh("BAR=1 gitmem run -- python3 k.py")
    assert "what did it?" in desk.said
    assert "BAR" not in desk.said
    desk.silent()


def test_an_edit_in_a_submodule_is_no_flaky_failure(desk: Desk) -> None:
    """It was "flaky: passed without a code change", as the submodule was not compared."""
    desk.begin(readme_txt="x\n")
    desk.sh(
        "git init -q ../lib && cd ../lib && echo 'print(1 / 0)' > a.py && git add -A"
        " && git -c user.name=a -c user.email=a@b.c commit -qm x"
    )
    assert desk.sh(
        "git -c protocol.file.allow=always submodule --quiet add ../lib lib && git commit -qam lib"
    ) == 0, desk.said  # fmt: skip
    desk.red("python3 lib/a.py")
    desk.write("lib/a.py", "print(1 / 1)\n")
    desk.green("python3 lib/a.py")
    assert "lib, a repository of its own: not compared" in desk.said
    assert "flaky" not in desk.said
    desk.silent()
    desk.sh("gitmem why lib/a.py:1")
    assert "lib/a.py is in lib, a repository of its own" in desk.said


def test_an_edit_in_a_repository_inside_is_no_flaky_failure(desk: Desk) -> None:
    """A work tree or clone that lies inside and that nobody ignores was not compared."""
    desk.begin(readme_txt="x\n")
    assert desk.sh("git worktree add -q tree") == 0
    tree = desk.repo / "tree" / "a.py"
    tree.write_text("print(1 / 0)\n")
    desk.red("python3 tree/a.py")
    tree.write_text("print(1 / 1)\n")
    desk.green("python3 tree/a.py")
    assert "tree, a repository of its own: not compared" in desk.said
    assert "flaky" not in desk.said
    desk.silent()


@pytest.mark.parametrize("how", ["--assume-unchanged", "--skip-worktree"])
def test_an_edit_of_a_file_that_git_passes_over_is_no_flaky_failure(desk: Desk, how: str) -> None:
    """Git says of such a file that it is as committed, whatever is done to it."""
    desk.begin(settings_py="print(1 / 0)\n")
    desk.sh(f"git update-index {how} settings.py")
    desk.red("python3 settings.py")
    desk.write("settings.py", "print(1 / 1)\n")
    desk.green("python3 settings.py")
    assert "settings.py was changed" in desk.said
    assert "flaky" not in desk.said
    desk.silent()


GENERATOR = "open('schema.sql', 'w').write('create table post (title)')\n"
LATEST = (
    "import os, sqlite3\n"
    "db = sqlite3.connect(':memory:')\n"
    "if os.path.exists('schema.sql'): db.executescript(open('schema.sql').read())\n"
    "row = db.execute('select title from post').fetchone()\n"
    "print(row[0])\n"
)


def test_what_a_watched_generator_wrote_is_the_fix_and_not_a_later_edit(desk: Desk) -> None:
    """The edit after it was recorded for "no such table", and its own error had no record."""
    desk.begin(gen_py=GENERATOR, latest_py=LATEST)
    desk.red("python3 latest.py")
    desk.green("python3 gen.py")
    desk.red("python3 latest.py")
    desk.swap("latest.py", "row[0]", "row and row[0]")
    desk.green("python3 latest.py")
    desk.learnt(
        fact("no such table", "+create table post (title)"),
        fact("TypeError", "-print(row[0])", "+print(row and row[0])"),
    )
    desk.sh("gitmem list kind:fix")
    assert "run `python3 gen.py`: it writes schema.sql" in desk.said


def test_a_linter_that_mends_what_it_found_is_named(desk: Desk) -> None:
    """The cause was "unknown", though a watched command had made the edit."""
    needs("ruff")
    desk.begin(m_py="import os\n")
    desk.red("ruff check m.py")
    desk.green("ruff check --fix -q m.py")
    desk.green("ruff check m.py")
    desk.silent()
    assert "`ruff check --fix -q m.py` mended it" in desk.said


def test_what_a_command_wrote_that_has_nothing_to_do_with_it_is_no_fix(desk: Desk) -> None:
    desk.begin(
        doc_py="open('page.html', 'w').write('x')\n",
        t_py="import os\nif not os.path.exists('.git/o'):\n    open('.git/o', 'w')\n    1 / 0\n",
    )
    desk.red("python3 t.py")
    desk.green("python3 doc.py")
    desk.green("python3 t.py")
    desk.silent()


def test_of_a_mend_in_two_files_the_one_that_brings_what_is_missing_leads(desk: Desk) -> None:
    """The unrelated line of another file came first."""
    desk.begin(gen_py=GENERATOR, latest_py=LATEST)
    desk.red("python3 latest.py")
    desk.sh("python3 gen.py")
    desk.swap("latest.py", "row[0]", "row and row[0]")
    desk.green("python3 latest.py")
    desk.sh("gitmem list kind:fix")
    assert "schema.sql: add" in desk.said
    assert "(also latest.py)" in desk.said


def test_an_answer_of_a_pack_is_found_beside_own_records_that_only_look_alike(desk: Desk) -> None:
    """An own fix of another language was all that was found."""
    desk.env["GITMEM_PACKS_OFF"] = ""
    desk.begin()
    desk.sh("gitmem add error --message 'runtime error: index out of range [5] with length 3'")
    desk.sh("gitmem resolve err 'Check len'")
    desk.sh("gitmem search 'IndexError: list index out of range'")
    first, rest = desk.said.split("\n", 1)
    assert "pack python" in first, desk.said
    assert "Check len" in rest


def test_a_large_file_that_is_in_no_snapshot(desk: Desk) -> None:
    """A tracked file of 26 MB was edited, and the failure that this ended was called flaky."""
    test = "def test_it():\n    assert open('data.bin', 'rb').read()[-1:] == b'x'\n"
    desk.begin(test_it_py=test)
    data = desk.repo / "data.bin"
    data.write_bytes(bytes(26_000_000))
    desk.repo.commit("data")
    desk.red("pytest -q")
    with data.open("ab") as file:
        file.write(b"x")
    desk.green("pytest -q")
    assert "flaky" not in desk.said
    assert "data.bin" in desk.said
