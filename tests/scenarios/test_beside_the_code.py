"""What mended it is no edit of the code: it is named where it is seen, else asked for once.

An unrelated later edit never takes its place, and a later edit that did mend it is learnt.
"""

import pytest

from tests.scenarios.desk import Desk, fact


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
