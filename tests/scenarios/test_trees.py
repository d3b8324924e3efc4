"""What git does between the runs, and what comes and goes by itself, fools nobody."""

from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact
from tests.scenarios.test_edit import CLOCK, GOOD, TEST_CLOCK


def bug(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)


def test_another_persons_commit_is_no_edit_of_mine(desk: Desk) -> None:
    bug(desk)
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.repo.commit("theirs", "--author=Bob <bob@example.com>")
    desk.green("pytest -q")
    desk.silent()


def test_another_branch_that_was_checked_out_is_no_edit(desk: Desk) -> None:
    bug(desk)
    desk.repo.git("checkout", "-q", "-b", "mended")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.repo.commit("mended")
    desk.repo.git("checkout", "-q", "main")
    desk.red("pytest -q")
    desk.repo.git("checkout", "-q", "mended")
    desk.green("pytest -q")
    desk.silent()


def test_a_mend_that_was_stashed_and_popped_is_a_mend(desk: Desk) -> None:
    bug(desk)
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.repo.git("stash", "-q")
    desk.red("pytest -q")
    desk.repo.git("stash", "pop", "-q")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))


@deep
@only_deep
def test_an_amended_commit_with_the_mend_is_a_mend(desk: Desk) -> None:
    bug(desk)
    desk.write("notes.py", "x = 1\n")
    desk.repo.commit("notes")
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.repo.commit("notes and a mend", "--amend")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_a_comment_between_red_and_green_of_a_flaky_test_is_no_fix(desk: Desk) -> None:
    switch = desk.repo.parent / "switch"
    check = f"assert not os.path.exists({str(switch)!r})"
    test = f"import os\nimport clock\n\n\ndef test_it():\n    {check}\n"
    desk.begin(clock_py=CLOCK, test_it_py=test)
    switch.touch()
    desk.red("pytest -q")
    switch.unlink()
    desk.green("pytest -q")
    switch.touch()
    desk.red("pytest -q")
    desk.write("clock.py", f"# a clock\n{CLOCK}")
    switch.unlink()
    desk.green("pytest -q")
    desk.silent()


def test_several_records_are_forgotten_at_once(desk: Desk) -> None:
    desk.begin()
    for name in ("one", "two", "three"):
        desk.sh(f"gitmem add note --title {name} --body text --tag noise")
    desk.sh("gitmem list kind:note")
    ids = [line.split()[0] for line in desk.said.splitlines()]
    assert desk.sh(f"gitmem forget --yes {ids[0]} {ids[1]}") == 0, desk.said
    desk.sh("gitmem list kind:note")
    assert [line.split()[0] for line in desk.said.splitlines()] == ids[2:]
    assert desk.sh("gitmem forget --yes --where 'kind:note tag:noise'") == 0, desk.said
    desk.sh("gitmem list kind:note")
    assert "note-" not in desk.said


def test_a_red_run_that_is_dismissed_teaches_nothing(desk: Desk) -> None:
    bug(desk)
    desk.red("pytest -q")
    desk.sh("gitmem runs")
    run = desk.said.split()[0]
    assert desk.sh(f"gitmem undo {run}") == 0, desk.said
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.silent()
    assert "learnt" not in desk.said
