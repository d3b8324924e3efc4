"""Work trees, heads and clones of all kinds: a mend is a mend there, too."""

import pytest

from tests.conftest import Checkout
from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact
from tests.scenarios.test_edit import CLOCK, GOOD, TEST_CLOCK


def bug(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)


def mend(desk: Desk) -> None:
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))


@pytest.mark.parametrize("kind", ["worktree", "shallow"])
def test_a_mend_in_another_checkout(desk: Desk, kind: str) -> None:
    bug(desk)
    desk.repo.commit("more", "--allow-empty")
    other = desk.repo.parent / "other"
    if kind == "worktree":
        desk.repo.git("worktree", "add", "-q", str(other))
    else:
        desk.repo.git("clone", "-q", "--depth", "1", f"file://{desk.repo}", str(other))
    mend(desk.at(Checkout(other)))
    desk.silent()  # where nothing was run


def test_a_mend_on_a_detached_head(desk: Desk) -> None:
    bug(desk)
    desk.repo.git("checkout", "-q", "--detach")
    mend(desk)


def test_a_mend_where_a_rebase_stops_stays_a_draft(desk: Desk) -> None:
    """The code is half of one commit and half of another: nobody can say whose bug it was."""
    bug(desk)
    desk.write("one.py", "X = 1\n")
    desk.repo.commit("one")
    desk.env["GIT_SEQUENCE_EDITOR"] = "sed -i s/^pick/edit/"
    assert desk.sh("git rebase -q -i HEAD~1") == 0, desk.said
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.silent()
    assert desk.drafts() == ["clock.py: replace `return seconds // 60` by `return seconds // 3600`"]


def test_two_runs_at_once_see_one_failure(desk: Desk) -> None:
    bug(desk)
    desk.sh("gitmem run -- pytest -q & gitmem run -- pytest -q test_clock.py; wait")
    mend(desk)


def test_runs_at_once_teach_once(desk: Desk) -> None:
    """They wait for each other, so none has ended before all have begun."""
    there = desk.repo.parent / "there"
    waits = (
        f"import os\nimport pathlib\nimport time\n\nthere = pathlib.Path({str(there)!r})\n"
        "there.joinpath(str(os.getpid())).touch()\nwhile len([*there.iterdir()]) < 4:\n"
        "    time.sleep(0.01)\n"
    )
    bug(desk)
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.write("conftest.py", waits)
    there.mkdir()
    desk.sh("for flag in -q -v -s -l; do gitmem run -- pytest $flag & done; wait")
    assert desk.said.count("gitmem: learnt") == 1
    (fixed,) = desk.recorded()
    assert "+return seconds // 3600" in fixed.lines
    assert desk.drafts() == []


def test_without_git_nothing_is_taken_for_a_fix(desk: Desk) -> None:
    folder = desk.repo.parent / "plain"
    folder.mkdir()
    plain = desk.at(Checkout(folder))
    assert plain.sh("gitmem init") == 0, plain.said
    plain.write("clock.py", CLOCK)
    plain.write("test_clock.py", TEST_CLOCK)
    plain.red("pytest -q")
    assert "gitmem: new  test_hour: assert 120 == 2" in plain.said
    plain.swap("clock.py", "// 60", "// 3600")
    plain.green("pytest -q")
    plain.silent()


@deep
@only_deep
def test_features_that_were_committed_meanwhile_are_no_part_of_a_mend(desk: Desk) -> None:
    bug(desk)
    desk.red("pytest -q")
    for number in range(4):
        desk.write(f"feature{number}.py", "X = 1\n" * 20)
        desk.repo.commit(f"feature {number}")
        desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))
