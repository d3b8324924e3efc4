"""What is learnt from an assistant's commands, in the ways in which assistants run tools."""

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.e2e.running import SCRIPTS, ok, run
from tests.e2e.test_assistant_hooks import Session

if TYPE_CHECKING:
    from tests.conftest import Checkout

CALC = """\
def average(values):
    return sum(values) / len(values)


def double(number):
    return number + number + 1
"""
TESTS = """\
from calc import average, double


def test_empty():
    assert average([]) == 0


def test_double():
    assert double(2) == 4


def test_one():
    assert average([1]) == 1
"""
AVERAGE = ("/ len(values)", "/ (len(values) or 1)")
DOUBLE = ("number + number + 1", "number + number")
AVERAGED = "replace `return sum(values) / len(values)` by `return sum(values) / (len(values) or 1)`"
DOUBLED = "replace `return number + number + 1` by `return number + number`"
BOTH = [
    ("test_double: assert 5 == 4", DOUBLED),
    ("ZeroDivisionError: division by zero", AVERAGED),
]
UNUSED = "import os\n\nprint(unknown)\n"
TYPED = "x: int = 'a'\n\n\ndef text(y: int) -> str:\n    return y\n"


@pytest.fixture
def session(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session in a repository with two bugs that have nothing to do with each other."""
    monkeypatch.setenv("PATH", f"{SCRIPTS}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTEST_ADDOPTS", "")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    repo.add("calc.py", CALC)
    repo.add("test_calc.py", TESTS)
    repo.add(".gitignore", "__pycache__\n.*_cache\n")
    ok(repo, "init")
    repo.commit()
    return Session(repo)


def swap(session: Session, old: str, new: str, name: str = "calc.py") -> None:
    """Edit a file in one place."""
    file = Path(session.folder, name)
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def learnt(session: Session) -> list[tuple[str, str]]:
    """Give the error and the edit of each draft."""
    lines = run(session.folder, "drafts").out.splitlines()
    titles = [line.partition("  ")[2] for line in lines if not line.startswith(" ")]
    edits = [
        line.partition(": ")[2].partition("  draft ")[0] for line in lines if "  draft " in line
    ]
    return sorted(zip(titles, edits, strict=True))


@pytest.mark.parametrize(
    "commands",
    [["python -m pytest 2>&1 | tail -5"] * 3,
     ["python -m pytest -q 2>&1 | grep -E 'FAILED|passed|failed'"] * 3,
     ["python -m pytest -q || true"] * 3,
     ["python -m pytest -q; echo EXIT $?"] * 3,
     ["(cd . && python -m pytest -q)", "time python -m pytest",
      "A=1 timeout 60 python -m pytest -q"],
     ["python -m pytest -q", "python -m pytest -q 2>&1 | tail -9", "python -m pytest && git log"],
     ["python -m pytest -q", "python -m pytest --lf -q 2>&1 | tail -5", "python -m pytest --lf -q"],
     ["python -m pytest -q", "python -m pytest --lf -q", "cd . && python -m pytest"]],
    ids=["tail", "grep", "true", "echo", "wrapped", "shorter", "last-failed",
         "last-failed-then-all"],
)  # fmt: skip
def test_each_of_two_mends_is_one_fix(session: Session, commands: list[str]) -> None:
    """Though a pipe hides the exit code, the counts tell that no failure was cut off."""
    session.bash(commands[0])
    swap(session, *AVERAGE)
    assert AVERAGED in session.bash(commands[1])
    swap(session, *DOUBLE)
    assert DOUBLED in session.bash(commands[2])
    assert learnt(session) == sorted(BOTH)


def test_what_stands_in_quotes_joins_no_commands(session: Session) -> None:
    line = "python -c 'from calc import average; print(average([]) or 1)' && echo 'a; b'"
    session.bash(line)
    swap(session, *AVERAGE)
    assert AVERAGED in session.bash(line)


def test_what_another_part_of_a_line_tested_is_not_mended(session: Session) -> None:
    test = "python -m pytest -q test_calc.py::test_"
    session.bash(f"{test}one && {test}double")
    swap(session, *AVERAGE)
    session.bash(f"{test}one && echo ok")
    session.bash(f"{test}one || {test}double; echo {test}double")
    assert learnt(session) == []


def test_of_what_was_cut_off_nothing_is_learnt(session: Session) -> None:
    session.bash("python -m pytest 2>&1 | tail -5")
    Path(session.folder, "calc.py").write_text(f"{CALC}\n\nUSELESS = 1\n")
    session.bash("python -m pytest 2>&1 | tail -2")
    assert learnt(session) == []


def test_bugs_in_functions_beside_each_other_are_two(session: Session) -> None:
    session.bash("python -m pytest -q")
    swap(session, *AVERAGE)
    swap(session, *DOUBLE)
    session.bash("python -m pytest -q")
    assert learnt(session) == sorted(BOTH)
    Path(session.folder, "calc.py").write_text(CALC)
    for draft in run(session.folder, "drafts").out.splitlines()[::3]:
        shown = yaml.safe_load(ok(session.folder, "drafts", "show", draft.split()[0]))
        patch = shown["fixes"][-1]["patch"].encode()
        subprocess.run(["git", "apply", "-"], cwd=session.folder, input=patch, check=True)
    assert session.bash("python -m pytest -q") == ""


def test_a_linter_says_of_each_rule_whether_it_is_kept(session: Session) -> None:
    Path(session.folder, "unused.py").write_text(UNUSED)
    session.bash("ruff check unused.py")
    swap(session, "import os\n\n", "", "unused.py")
    session.bash("ruff check unused.py")
    assert learnt(session) == [("`os` imported but unused", "remove `import os`")]


def test_what_a_linter_mends_itself_no_edit_mended(session: Session) -> None:
    Path(session.folder, "unused.py").write_text(UNUSED)
    subprocess.run(["git", "add", "unused.py"], cwd=session.folder, check=True)
    subprocess.run(["git", "commit", "-qm", "more"], cwd=session.folder, check=True)
    session.bash("ruff check unused.py")
    session.bash("ruff check --fix unused.py")
    swap(session, "unknown", "1", "unused.py")
    session.bash("ruff check unused.py")
    assert learnt(session) == [
        ("Undefined name `unknown`", "replace `print(unknown)` by `print(1)`")
    ]


def test_what_a_checker_says_through_a_pipe_is_no_success(session: Session) -> None:
    Path(session.folder, "typed.py").write_text(TYPED)
    session.bash("mypy typed.py")
    swap(session, "'a'", "1", "typed.py")
    session.bash("mypy . 2>&1 | tail -5")
    assert "passed" not in ok(session.folder, "runs")
    swap(session, "return y", "return str(y)", "typed.py")
    session.bash("mypy .")
    assert "passed" in ok(session.folder, "runs").splitlines()[0]
    assert learnt(session)


def test_a_build_that_asks_for_the_same_shows_what_was_mended(session: Session) -> None:
    Path(session.folder, "Makefile").write_text("all:\n\tpython check.py\n")
    Path(session.folder, "check.py").write_text("import calc\ncalc.average([])\n")
    session.bash("make all")
    swap(session, *AVERAGE)
    session.bash("make -s all")
    assert learnt(session) == BOTH[1:]


def test_of_failures_of_which_the_same_is_known_it_is_told_once(session: Session) -> None:
    swap(session, *DOUBLE)
    swap(session, "/ len(values)", "/ len(lost)")
    session.bash("python -m pytest -q")
    swap(session, "len(lost)", "(len(values) or 1)")
    session.bash("python -m pytest -q")
    (draft,) = ok(session.folder, "drafts").splitlines()[::3]
    ok(session.folder, "drafts", "keep", draft.split()[0])
    swap(session, "(len(values) or 1)", "len(lost)")
    told = session.bash("python -m pytest -q")
    assert told.count("new since your last edit") == 1
    assert told.count("same error: `NameError: name 'lost' is not defined`") == 1


def test_what_only_silences_is_called_no_fix(session: Session) -> None:
    Path(session.folder, "typed.py").write_text("x: int = 'a'\n")
    session.bash("mypy typed.py")
    swap(session, "'a'", "'a'  # type: ignore", "typed.py")
    told = session.bash("mypy typed.py")
    assert "no fix" in told
    assert "drafted" not in told
    assert session.tell("stop") == ""
    assert "draft" not in session.tell("session")


def test_a_merge_that_was_resolved_is_no_bug(session: Session) -> None:
    def git(*words: str) -> None:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words]
        subprocess.run(command, cwd=session.folder, capture_output=True, check=False)

    swap(session, *DOUBLE)
    git("commit", "-qam", "double")
    git("checkout", "-q", "-b", "other", "HEAD~")
    swap(session, "number + number + 1", "2 * number")
    git("commit", "-qam", "other")
    git("merge", "-")
    calc = Path(session.folder, "calc.py")
    assert "<<<<<<<" in calc.read_text()
    test = "python -m pytest -q test_calc.py::test_double"
    session.bash(test)
    calc.write_text(CALC.replace(*DOUBLE))
    assert session.bash(test) == ""
    assert learnt(session) == []


def test_what_was_edited_before_a_runner_went_on_to_the_next_failure_mended_the_first(
    session: Session,
) -> None:
    test = "python -m pytest -q -x -p no:randomly"
    session.bash(test)
    swap(session, *AVERAGE)
    assert AVERAGED in session.bash(test)
    swap(session, *DOUBLE)
    assert DOUBLED in session.bash(test)
    assert learnt(session) == sorted(BOTH)


def test_a_runner_that_stops_at_another_failure_of_the_same_test_tells_nothing(
    session: Session,
) -> None:
    test = "python -m pytest -q -x -p no:randomly"
    session.bash(test)
    swap(session, "/ len(values)", "/ lost(values)")
    assert "drafted" not in session.bash(test)


SCRIPT = """\
import sys
from calc import average

names = {}
print(names["rate"], file=sys.stderr)
print(average([]))
"""
RATE = ('names["rate"]', 'names.get("rate")')


def test_what_could_not_be_read_is_mended_when_its_code_fails_in_another_way(
    session: Session,
) -> None:
    Path(session.folder, "script.py").write_text("from calc import average\n\nprint(average([]))\n")
    swap(session, "average(values):", "average(values)")
    subprocess.run(["git", "add", "-A"], cwd=session.folder, check=True)
    subprocess.run(["git", "commit", "-qm", "broken"], cwd=session.folder, check=True)
    session.bash("python script.py")
    swap(session, "average(values)\n", "average(values):\n")
    session.bash("python script.py")
    swap(session, *AVERAGE)
    session.bash("python script.py")
    colon = "replace `def average(values)` by `def average(values):`"
    assert learnt(session) == [("SyntaxError: expected ':'", colon), BOTH[1]]


def test_an_edit_of_what_failed_behind_it_mended_no_line_that_had_run(session: Session) -> None:
    Path(session.folder, "script.py").write_text(SCRIPT)
    session.bash("python script.py")
    swap(session, *RATE, "script.py")
    session.bash("python script.py")
    swap(session, *AVERAGE)
    session.bash("python script.py")
    (error, edit), other = learnt(session)
    assert (error, other) == ("KeyError: 'rate'", BOTH[1])
    assert "names.get" in edit
    assert "len(values)" not in edit


def test_what_fails_while_another_failure_is_handled_does_not_show_that_one_gone(
    session: Session,
) -> None:
    calc = Path(session.folder, "calc.py")
    calc.write_text(f"names = {{}}\n\n\n{CALC}")
    lines = SCRIPT.replace("average\n\nnames = {}", "average, names\n\n").splitlines()
    tried = [*lines[:4], "try:", f"    {lines[4]}", "finally:", f"    {lines[5]}", ""]
    Path(session.folder, "script.py").write_text("\n".join(tried).replace("([])", "([1])"))
    session.bash("python script.py")
    swap(session, "[1]", "[]", "script.py")
    session.bash("python script.py")
    swap(session, *AVERAGE)
    swap(session, "names = {}", 'names = {"rate": 1}')
    session.bash("python script.py")
    fix = ok(session.folder, "drafts").partition("KeyError: 'rate'\n")[2].partition("\n")[0]
    assert "calc.py" in fix


CART = """\
def total(prices):
    return sum(prices) + 1


def cheapest(prices):
    return min(prices)


def label(name):
    return name.strip().upper()


def pick(items):
    return items[len(items)]


def rate():
    return 0.19
"""
CART_TESTS = """\
from cart import cheapest, label, pick, rate, total


def test_total():
    assert total([1, 2]) == 3


def test_cheapest_of_none():
    assert cheapest([]) is None


def test_label():
    assert label(" tea ") == "Tea"


def test_pick():
    assert pick([1, 2]) == 2


def test_rate():
    assert rate() == 0.2
"""


@pytest.fixture
def cart(session: Session) -> Session:
    """The same with five bugs in one file, of which three show in their tests only."""
    Path(session.folder, "calc.py").unlink()
    Path(session.folder, "test_calc.py").unlink()
    Path(session.folder, "cart.py").write_text(CART)
    Path(session.folder, "test_cart.py").write_text(CART_TESTS)
    subprocess.run(["git", "add", "-A"], cwd=session.folder, check=True)
    subprocess.run(["git", "commit", "-qm", "a cart"], cwd=session.folder, check=True)
    return session


def test_what_mends_one_of_several_holds_nothing_of_what_mended_the_others(cart: Session) -> None:
    cart.bash("pytest -q")
    swap(cart, "prices) + 1", "prices) - 1", "cart.py")
    cart.bash("pytest -q")
    swap(cart, "prices) - 1", "prices)", "cart.py")
    swap(cart, "min(prices)", "min(prices, default=None)", "cart.py")
    cart.bash("python -m pytest -q 2>&1 | tail -20")
    swap(cart, ".upper()", ".title()", "cart.py")
    cart.bash("pytest -q test_cart.py::test_label")
    swap(cart, "== 0.2", "== 0.19", "test_cart.py")
    cart.bash("pytest -q")
    drafts = dict(learnt(cart))
    assert drafts["test_label: assert 'TEA' == 'Tea'"] == (
        "replace `return name.strip().upper()` by `return name.strip().title()`"
    )
    assert drafts["test_rate: assert 0.19 == 0.2"] == (
        "test_cart.py: replace `assert rate() == 0.2` by `assert rate() == 0.19`"
    )
    # Of the one that stays, nobody tried anything.
    swap(cart, "items[len(items)]", "items[-1]", "cart.py")
    cart.bash("pytest -q")
    assert "did not help" not in run(cart.folder, "drafts").out


def test_what_still_fails_is_not_called_new(cart: Session) -> None:
    error = "IndexError: list index out of range"
    ok(cart.folder, "add", "note", "--title", error, "--body", f"{error} comes of an empty list")
    assert "new, nothing recorded" in cart.bash("pytest -q -k pick")
    swap(cart, "items[len(items)]", "items[len(items) + 1]", "cart.py")
    assert "still failing, nothing recorded" in cart.bash("pytest -q -k pick")


def test_a_test_that_fails_by_another_name_is_not_mended(cart: Session) -> None:
    for old, new in (("prices) + 1", "prices)"), ("== 0.2", "== 0.19"), ('"Tea"', '"TEA"'),
                     ("min(prices)", "min(prices, default=None)")):  # fmt: skip
        name = "test_cart.py" if old[0] in '="' else "cart.py"
        swap(cart, old, new, name)
    cart.bash("pytest -q")
    swap(cart, "def test_pick", "def test_pick_last", "test_cart.py")
    cart.bash("pytest -q")
    assert learnt(cart) == []
    swap(cart, "items[len(items)]", "items[-1]", "cart.py")
    cart.bash("pytest -q")
    assert {edit for _, edit in learnt(cart)} == {
        "replace `return items[len(items)]` by `return items[-1]`"
    }


def test_what_an_edit_made_and_the_next_took_away_is_no_lesson(session: Session) -> None:
    """It was drafted beside the fix, and told as the fix of what failed in that way elsewhere."""
    swap(session, *DOUBLE)
    subprocess.run(["git", "commit", "-qam", "more"], cwd=session.folder, check=True)
    session.bash("python -m pytest -q")
    swap(session, "/ len(values)", "/ len(values)[1]")
    assert "new since your last edit" in session.bash("python -m pytest -q")
    swap(session, "/ len(values)[1]", AVERAGE[1])
    session.bash("python -m pytest -q")
    assert learnt(session) == BOTH[1:]
