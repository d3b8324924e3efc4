"""The edit that fixed it is what the developer changed between the runs, nothing else."""

import pytest

from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact, needs

CLOCK = "def hour(seconds):\n    return seconds // 60\n"
TEST_CLOCK = "from clock import hour\n\n\ndef test_hour():\n    assert hour(7200) == 2\n"
GOOD = ("-return seconds // 60", "+return seconds // 3600")


def bug(desk: Desk) -> None:
    """Commit a bug with its test."""
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)


def mend(desk: Desk) -> None:
    desk.swap("clock.py", "// 60", "// 3600")


@pytest.mark.parametrize(
    ("red", "green"),
    [
        ("pytest -q > red.txt 2>&1", "pytest -q > green.txt 2>&1"),
        ("pytest -q > out.txt 2>&1", "pytest -q > out.txt 2>&1"),
        ("pytest -q 2>&1 | tee build.log; exit ${PIPESTATUS[0]}",
         "pytest -q 2>&1 | tee build.log; exit ${PIPESTATUS[0]}"),
        ("pytest -q 2>&1 | tee red.out; exit ${PIPESTATUS[0]}",
         "pytest -q 2>&1 | tee green.out; exit ${PIPESTATUS[0]}"),
        ("sh -c 'pytest -q; code=$?; date > ran.txt; exit $code'",
         "sh -c 'pytest -q; code=$?; date > ran.txt; exit $code'"),
    ],
    ids=["two-files", "one-file", "tee", "tee-two", "command-writes"],
)  # fmt: skip
def test_what_is_written_during_a_run_is_no_edit(desk: Desk, red: str, green: str) -> None:
    bug(desk)
    desk.red(red)
    mend(desk)
    desk.green(green)
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_other_command_lines_pair_by_test(desk: Desk) -> None:
    bug(desk)
    desk.write("config.py", "RATE = 1\n")
    desk.repo.commit("a setting")
    desk.red("pytest -q --tb=line")
    mend(desk)
    desk.green("pytest -v test_clock.py")
    desk.repo.commit("hours have 3600 seconds")
    desk.write("config.py", "RATE = 2\n")
    desk.green("pytest -q --tb=line")
    desk.learnt(fact("assert 120 == 2", *GOOD))


@pytest.mark.parametrize(
    ("red", "green", "folder"),
    [
        ("pytest -q", "pytest -v", "."),
        ("pytest -q", "pytest test_clock.py::test_hour", "."),
        ("pytest -q", "python -m pytest -q -k hour", "."),
        ("pytest -q", "pytest -q ..", "sub"),
    ],
)
def test_any_watched_run_in_which_it_passes_will_do(
    desk: Desk, red: str, green: str, folder: str
) -> None:
    bug(desk)
    desk.write("pytest.ini", "[pytest]\n")
    desk.write("sub/data.txt", "data\n")
    desk.repo.commit("settings")
    desk.red(red)
    mend(desk)
    desk.green(green, folder)
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_another_test_that_passes_proves_nothing(desk: Desk) -> None:
    bug(desk)
    desk.write("test_other.py", "def test_fine():\n    pass\n")
    desk.red("pytest -q")
    mend(desk)
    desk.green("pytest -q test_other.py")
    desk.silent()
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))


@deep
@only_deep
def test_a_second_failure_that_stays_blocks_nothing(desk: Desk) -> None:
    bug(desk)
    desk.write("test_other.py", "def test_never():\n    raise OSError('no disk')\n")
    desk.repo.commit("another failure")
    desk.red("pytest -q")
    mend(desk)
    desk.red("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_names_that_are_not_ascii_are_shown_as_they_are(desk: Desk) -> None:
    desk.begin()
    desk.write("größe.py", CLOCK)
    desk.write("test_clock.py", TEST_CLOCK.replace("clock", "größe"))
    desk.repo.commit("a bug")
    desk.red("pytest -q")
    desk.swap("größe.py", "// 60", "// 3600")
    desk.green("pytest -q")
    assert "größe.py" in desk.said
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_a_mode_change_says_so(desk: Desk) -> None:
    desk.begin(scripts__hi_sh="#!/bin/sh\necho hi\n")
    desk.red("./scripts/hi.sh")
    (desk.repo / "scripts/hi.sh").chmod(0o755)
    desk.green("./scripts/hi.sh")
    assert "make scripts/hi.sh executable" in desk.said


def test_types_that_say_the_same_in_two_files_are_one_error(desk: Desk) -> None:
    """Half of it is mended first: the fix is what mended both."""
    needs("mypy")
    desk.begin(a_py="x: int = 'a'\n", b_py="y: int = 'b'\n")
    desk.red("mypy .")
    desk.swap("a.py", "int", "str")
    desk.red("mypy .")
    desk.silent()
    desk.swap("b.py", "int", "str")
    desk.green("mypy a.py b.py")
    desk.learnt(
        fact("Incompatible types", "-x: int = 'a'", "+x: str = 'a'",
             "-y: int = 'b'", "+y: str = 'b'")
    )  # fmt: skip


@pytest.mark.parametrize("plugin", ["1", "0"])
@pytest.mark.parametrize(
    ("red", "green"),
    [
        ('bash -c "pytest 2>&1 | tail -30"', 'bash -c "pytest 2>&1 | tail -30"'),
        ('bash -c "pytest 2>&1 | tail -30"', "pytest -q"),
        ('sh -c "pytest -q | cat; true"', "pytest test_clock.py::test_hour"),
        ("pytest -x --tb=short", "pytest -q --tb=native"),
        ("python -m pytest test_clock.py", "pytest -rA"),
    ],
)
def test_an_exit_code_that_a_pipe_hides(desk: Desk, plugin: str, red: str, green: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    bug(desk)
    desk.sh(f"gitmem run -- {red}")
    assert "gitmem: new" in desk.said, desk.said
    mend(desk)
    desk.green(green)
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_a_crash_behind_a_pipe_is_told_and_one_that_is_caught_is_not(desk: Desk) -> None:
    """A program that ended in an exception has failed, whatever the line of shell says."""
    crash = "def f(): return 1 / 0\n"
    desk.begin(
        bad_py=f"{crash}f()\n",
        log_py=f"""import traceback
{crash}def g():
    try: f()
    except ZeroDivisionError: traceback.print_exc()
g()
""",
    )
    for line in ("'python3 bad.py | tee log'", "'python3 bad.py 2>&1 | cat'"):
        desk.green(f"sh -c {line}")
        assert "ZeroDivisionError: division by zero" in desk.said.partition("gitmem: ")[2]
        assert "exit code hidden by the pipe" in desk.said
    desk.green("sh -c 'python3 log.py | tee log'")
    assert "gitmem: " not in desk.said


def test_failed_tests_of_a_suite_that_ends_with_0_are_told_and_nothing_is_learnt(
    desk: Desk,
) -> None:
    """It was silent: the exit code decided alone, though the suite counts what failed."""
    desk.begin(
        cart_py="def price(n):\n    return n + 1\n",
        suite_py="""import unittest
from cart import price
class CartTest(unittest.TestCase):
    def test_price(self): self.assertEqual(price(2), 2)
unittest.main(exit=False)
""",
    )
    desk.green("python3 suite.py")
    assert "gitmem: new" in desk.said, desk.said
    assert "3 != 2" in desk.said.partition("gitmem: ")[2]
    assert "exit code 0, tests failed" in desk.said
    desk.write("cart.py", "def price(n):\n    return n\n")
    desk.green("python3 suite.py")
    assert "gitmem: learnt" not in desk.said
