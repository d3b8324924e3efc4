"""What only silences a failure is no fix: it is kept here, told as that, and never recorded."""

from pathlib import Path

import pytest

from tests.accounts import HOME
from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact, needs

CLOCK = "def hour(seconds):\n    return seconds // 60\n"
TEST_CLOCK = (
    "import pytest\nimport unittest\nfrom clock import hour\n\n\n"
    "def test_other():\n    assert hour(0) == 0\n\n\n"
    "def test_hour():\n    assert hour(7200) == 2\n"
)
AT = "def test_hour():"


def bug(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)
    desk.red("pytest -q")


@pytest.mark.parametrize("plugin", ["1", "0"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (AT, f"@pytest.mark.skip\n{AT}"),
        (AT, f"@pytest.mark.xfail\n{AT}"),
        (AT, f'@unittest.skip("later")\n{AT}'),
        (AT, f'{AT}\n    pytest.skip("later")'),
        (f"{AT}\n    assert hour(7200) == 2\n", ""),
        (AT, "def check_hour():"),
    ],
    ids=["skip", "xfail", "unittest", "inside", "deleted", "renamed"],
)
def test_a_test_that_is_not_run_is_not_fixed(desk: Desk, plugin: str, old: str, new: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    bug(desk)
    desk.swap("test_clock.py", old, new)
    desk.green("pytest -q")
    desk.silent()
    assert "learnt" not in desk.said


HOUR = f"{AT}\n    assert hour(7200) == 2\n"
HEAD = "import pytest\nfrom clock import hour\n\n\n"


@pytest.mark.parametrize("plugin", ["1", "0"])
@pytest.mark.parametrize("way", ["renamed", "moved", "file"])
def test_a_mend_beside_another_name_of_its_test_is_a_fix(desk: Desk, plugin: str, way: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    bug(desk)
    desk.swap("clock.py", "// 60", "// 3600")
    if way == "renamed":
        desk.swap("test_clock.py", "test_hour", "test_hours")
    elif way == "moved":
        desk.swap("test_clock.py", HOUR, "")
        desk.write("test_hours.py", HEAD + HOUR)
    else:
        desk.repo.git("mv", "test_clock.py", "test_hours.py")
    desk.green("pytest -q")
    (recorded,) = desk.recorded()
    assert recorded.error.endswith(": assert 120 == 2")
    assert {"-return seconds // 60", "+return seconds // 3600"} <= recorded.lines


@pytest.mark.parametrize("plugin", ["1", "0"])
@pytest.mark.parametrize("body", ["    assert hour(7200)\n", "    pass\n", "    pytest.skip()\n"])
def test_another_name_of_another_test_is_no_fix(desk: Desk, plugin: str, body: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    bug(desk)
    desk.swap("clock.py", "// 60", "// 3600")
    desk.swap("test_clock.py", HOUR, f"def test_hours():\n{body}")
    desk.green("pytest -q")
    desk.silent()


def test_what_silences_is_said(desk: Desk) -> None:
    desk.begin(test_clock_sh="set -e\necho start\nfalse\n")
    desk.red("sh test_clock.sh")
    desk.swap("test_clock.sh", "false", "false || true")
    desk.green("sh test_clock.sh")
    desk.silent()
    assert "gitmem: silenced" in desk.said
    assert "`|| true` in test_clock.sh, not fixed" in desk.said


def test_a_deselected_test_proves_nothing(desk: Desk) -> None:
    bug(desk)
    desk.write("notes.py", "x = 1\n")
    desk.green("pytest -q --deselect test_clock.py::test_hour")
    desk.green("pytest -q -k other")
    desk.silent()


def test_a_deleted_file_of_tests_fixes_nothing(desk: Desk) -> None:
    bug(desk)
    desk.write("test_more.py", "def test_more():\n    pass\n")
    (desk.repo / "test_clock.py").unlink()
    desk.green("pytest -q")
    desk.silent()


def test_an_assertion_that_is_weakened_stays_here(desk: Desk) -> None:
    bug(desk)
    desk.swap("test_clock.py", "assert hour(7200) == 2", "assert True")
    desk.green("pytest -q")
    desk.silent()


@pytest.mark.parametrize("plugin", ["1", "0"])
def test_an_edit_beside_an_assertion_that_is_weakened_stays_here(desk: Desk, plugin: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK, day_py="LONG = 24\n")
    desk.red("pytest -q")
    desk.swap("test_clock.py", "assert hour(7200) == 2", "assert hour(7200)")
    desk.swap("day.py", "24", "25")
    desk.green("pytest -q")
    desk.silent()
    (title,) = desk.drafts()
    assert title.startswith("test changed: ")


def test_a_mend_beside_a_skip_of_another_test_is_a_fix(desk: Desk) -> None:
    bug(desk)
    desk.swap("clock.py", "// 60", "// 3600")
    desk.swap("test_clock.py", "def test_other", "@pytest.mark.skip\ndef test_other")
    desk.green("pytest -q")
    desk.learnt(
        fact("assert 120 == 2", "-return seconds // 60", "+return seconds // 3600",
             "+@pytest.mark.skip")
    )  # fmt: skip


@pytest.mark.parametrize("way", ["stash", "checkout"])
def test_an_edit_that_is_taken_back_fixes_nothing(desk: Desk, way: str) -> None:
    desk.begin(clock_py=CLOCK.replace("60", "3600"), test_clock_py=TEST_CLOCK)
    desk.swap("clock.py", "3600", "60")
    desk.red("pytest -q")
    desk.repo.git(*(["stash", "-q"] if way == "stash" else ["checkout", "-q", "clock.py"]))
    desk.green("pytest -q")
    desk.silent()
    assert desk.drafts() == []


def test_documents_fix_nothing(desk: Desk) -> None:
    desk.begin(test_port_py="import os\n\n\ndef test_port():\n    assert os.environ['SHOP_PORT']\n")
    desk.red("pytest -q")
    desk.write("README.md", "Set SHOP_PORT.\n")
    desk.env["SHOP_PORT"] = "80"
    desk.green("pytest -q")
    desk.silent()
    assert "gitmem resolve --last" in desk.said
    assert "$SHOP_PORT was set" in desk.said


@deep
@only_deep
def test_flaky_is_known_in_the_end(desk: Desk) -> None:
    switch = desk.repo.parent / "switch"
    test = f"import os\n\n\ndef test_dice():\n    assert not os.path.exists({str(switch)!r})\n"
    desk.begin(test_dice_py=test)
    for _ in range(3):
        switch.touch()
        desk.red("pytest -q")
        switch.unlink()
        desk.green("pytest -q")
        assert "gitmem: flaky" in desk.said
    switch.touch()
    desk.red("pytest -q")
    assert "known flaky, passed 3 times" in desk.said
    desk.silent()


LINTS = {
    "ruff": ("ruff check --no-cache .", "a.py", "import os\n", "import os  # noqa: F401\n"),
    "mypy": ("mypy a.py", "a.py", "x: int = 'a'\n", "x: int = 'a'  # type: ignore\n"),
    "tsc": ("tsc --noEmit a.ts", "a.ts", "const n: number = 'x';\n",
            "// @ts-ignore\nconst n: number = 'x';\n"),
    "eslint": ("eslint a.js", "a.js", "var a = 1;;\n",
               "// eslint-disable-next-line no-extra-semi, no-unused-vars\nvar a = 1;;\n"),
}  # fmt: skip


@pytest.mark.parametrize("tool", LINTS)
def test_a_linter_that_is_told_to_be_silent(desk: Desk, tool: str) -> None:
    needs(tool)
    command, file, bad, quiet = LINTS[tool]
    desk.begin()
    desk.write("eslint.config.js", "module.exports = [{rules: {'no-extra-semi': 'error'}}];\n")
    desk.write(file, bad)
    desk.repo.commit("a mistake")
    desk.red(command)
    desk.write(file, quiet)
    desk.green(command)
    desk.silent()
    assert "gitmem: silenced" in desk.said


def test_a_bar_that_is_lowered(desk: Desk) -> None:
    """Of complexity here; of coverage it is the same, see ``tests/unit/test_silencing.py``."""
    needs("ruff")
    rule = '[lint]\nselect = ["C901"]\n[lint.mccabe]\nmax-complexity = {}\n'
    body = "".join(f"    if x == {n}:\n        return {n}\n" for n in range(4))
    desk.begin(ruff_toml=rule.format(3), a_py=f"def pick(x):\n{body}")
    desk.red("ruff check --no-cache .")
    desk.write("ruff.toml", rule.format(9))
    desk.green("ruff check --no-cache .")
    desk.silent()
    assert "gitmem: silenced" in desk.said


NODE = "const test = require('node:test');\n{}('sum', () => {{ throw new Error('wrong sum'); }});\n"
GO = """package shop

import "testing"

func TestSum(t *testing.T) {{
\t{}
\tt.Fatal("wrong sum")
}}
"""


def test_a_skip_in_node(desk: Desk) -> None:
    needs("node")
    desk.begin()
    desk.write("sum.test.js", NODE.format("test"))
    desk.repo.commit("a failing test")
    desk.red("node --test")
    desk.write("sum.test.js", NODE.format("test.skip"))
    desk.green("node --test")
    desk.silent()


@deep
@only_deep
def test_a_skip_in_go(desk: Desk) -> None:
    needs("go")
    desk.env["GOCACHE"] = str(HOME / ".cache" / "go-build")
    desk.begin(go_mod="module shop\n\ngo 1.20\n")
    desk.write("sum_test.go", GO.format("t.Log()"))
    desk.repo.commit("a failing test")
    desk.red("go test ./...")
    desk.write("sum_test.go", GO.format('t.Skip("later")'))
    desk.green("go test ./...")
    desk.silent()


def dice(desk: Desk) -> Path:
    """Commit a test that fails while a file outside the repository is there; give that file."""
    switch = desk.repo.parent / "switch"
    check = f"assert not os.path.exists({str(switch)!r})"
    test = f"import os\nimport shop\n\n\ndef test_dice():\n    {check}\n"
    desk.begin(shop_py="X = 1\n", test_dice_py=test)
    return switch


@deep
@only_deep
def test_proof_of_flakiness_withdraws_a_recorded_fix(desk: Desk) -> None:
    switch = dice(desk)
    switch.touch()
    desk.red("pytest -q")
    desk.swap("shop.py", "1", "2")
    switch.unlink()
    desk.green("pytest -q")
    assert "gitmem: learnt" in desk.said
    switch.touch()
    desk.red("pytest -q")
    assert "gitmem: withdrawn" in desk.said
    desk.silent()
    desk.sh("gitmem list kind:fix")
    assert "unverified" in desk.said
    switch.unlink()
    desk.green("pytest -q")
    assert "gitmem: flaky" in desk.said
    assert "withdrawn" not in desk.said
    assert desk.sh("gitmem check") == 0, desk.said
    switch.touch()
    desk.red("pytest -q")
    assert "worked" not in desk.said
    desk.silent()


@deep
@only_deep
def test_proof_of_flakiness_drops_a_draft(desk: Desk) -> None:
    switch = dice(desk)
    desk.env["GITMEM_CAPTURE_MODE"] = "draft"
    switch.touch()
    desk.red("pytest -q")
    desk.swap("shop.py", "1", "2")
    switch.unlink()
    desk.green("pytest -q")
    assert len(desk.drafts()) == 1
    switch.touch()
    desk.red("pytest -q")
    assert desk.drafts() == []
    assert "worked" not in desk.said


EXAMPLES = """\
def add(a, b):
    \"\"\"Add.

    >>> add(1, 2)
    3
    \"\"\"
    return a + b + 1


def half(a):
    \"\"\"Halve.

    >>> half(4)
    2.0
    \"\"\"
    return a / 0
"""


def test_an_example_in_a_docstring_is_a_test(desk: Desk) -> None:
    """What it expects is no fix; the mend holds nothing of what was taken back in between."""
    command = "pytest -q --doctest-modules calc.py"
    desk.begin(calc_py=EXAMPLES)
    desk.red(command)
    desk.swap("calc.py", "    3\n", "    4\n")
    desk.red(command)
    assert "test changed  add(1, 2) gave 4, not 3" in desk.said
    desk.swap("calc.py", "    4\n", "    3\n")
    desk.red(command)
    desk.swap("calc.py", "b + 1", "b")
    desk.swap("calc.py", "/ 0", "/ 2")
    desk.green(command)
    change = ("-return a + b + 1", "+return a + b", "-return a / 0", "+return a / 2")
    desk.learnt(fact("add(1, 2) gave 4, not 3", *change), fact("division by zero", *change))


CALLS = "import names\n\n\n" + "\n".join(
    f"def test_{n}():\n    assert names.total([{n}]) == {n}\n" for n in range(5)
)


def test_a_test_that_follows_the_code_is_a_fix(desk: Desk) -> None:
    """It was ``test changed``, and stayed a draft."""
    desk.begin(names_py="def sum_of(items):\n    return sum(items)\n", test_names_py=CALLS)
    desk.red("pytest -q")
    desk.write("test_names.py", CALLS.replace("names.total", "names.sum_of"))
    desk.green("pytest -q")
    assert "learnt  AttributeError" in desk.said, desk.said
    assert "test_names.py: `names.total` is `names.sum_of` now, in 5 lines" in desk.said


def test_a_test_that_expects_another_name_is_no_fix(desk: Desk) -> None:
    """Beside the new name a value changed that the test expects."""
    desk.begin(names_py="def sum_of(items):\n    return sum(items)\n", test_names_py=CALLS)
    desk.red("pytest -q")
    edited = CALLS.replace("names.total", "names.sum_of").replace("[3]) == 3", "[4]) == 4")
    desk.write("test_names.py", edited)
    desk.green("pytest -q")
    assert "test changed" in desk.said, desk.said
    desk.silent()
