"""What is worth keeping: bugs of committed code, whoever wrote the test when."""

import pytest

from tests.scenarios.desk import Desk, fact

CLOCK = "def hour(seconds):\n    return seconds // 60\n"
TEST_CLOCK = "from clock import hour\n\n\ndef test_hour():\n    assert hour(7200) == 2\n"
GOOD = ("-return seconds // 60", "+return seconds // 3600")


def test_test_first_for_a_bug_of_committed_code(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK)
    desk.write("test_clock.py", TEST_CLOCK)
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_a_feature_that_grows_test_by_test_is_no_bug(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK.replace("60", "3600"))
    desk.write("test_clock.py", TEST_CLOCK.replace("hour", "minute").replace("== 2", "== 120"))
    desk.red("pytest -q")
    desk.write("clock.py", CLOCK.replace("60", "3600") + "\n\ndef minute(seconds):\n    return 1\n")
    desk.red("pytest -q")
    desk.swap("clock.py", "return 1", "return seconds // 60")
    desk.green("pytest -q")
    desk.silent()


def test_a_commit_that_says_fix_keeps_its_drafts(desk: Desk) -> None:
    desk.begin()
    desk.sh("gitmem hooks install")
    desk.write("clock.py", CLOCK)
    desk.write("test_clock.py", TEST_CLOCK)
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.silent()
    desk.sh("git add -A")
    desk.sh("git commit -q -m 'Fix the hour: it has 3600 seconds'")
    if "took longer than two seconds" in desk.said:
        pytest.skip("this machine is too busy for a hook, which gives up after two seconds")
    desk.sh("gitmem list kind:fix")
    assert "Fix the hour: it has 3600 seconds" in desk.said


def test_a_committed_mend_takes_the_words_of_its_commit(desk: Desk) -> None:
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK)
    desk.red("pytest -q")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.repo.commit("Hours have 3600 seconds")
    desk.green("pytest -q")
    assert "Hours have 3600 seconds" in desk.said
    desk.learnt(fact("assert 120 == 2", *GOOD))


def test_the_folder_belongs_to_the_command(desk: Desk) -> None:
    desk.begin(sub__clock_py=CLOCK, sub__test_clock_py=TEST_CLOCK)
    desk.red("pytest -q", "sub")
    desk.swap("sub/clock.py", "// 60", "// 3600")
    desk.green("pytest -q", "sub")
    desk.learnt(fact("assert 120 == 2", *GOOD))
    desk.sh("gitmem show $(gitmem list kind:error | cut -d' ' -f1)")
    assert "cd sub && pytest -q" in desk.said


def test_what_a_run_wrote_is_taken_back(desk: Desk) -> None:
    test_test_first_for_a_bug_of_committed_code(desk)
    assert desk.sh("gitmem undo --yes") == 0, desk.said
    assert desk.recorded() == []
    assert desk.sh("gitmem list kind:error") == 0
    assert desk.said.strip() in {"", "note: nothing found"} or "err-" not in desk.said
    desk.green("pytest -q")
    assert desk.recorded() == []
