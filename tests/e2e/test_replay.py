"""Replays of a history's real fixes: what is mined, what is compared, nothing left behind."""

import json
import os
import sys
from pathlib import Path

import pytest

from benchmarks.replay.__main__ import main
from benchmarks.replay.judging import Judgement, says_something
from benchmarks.replay.mining import mine
from benchmarks.replay.playing import Learnt, MetAgain
from benchmarks.replay.proving import Truth, failing_tests, wants_something_new
from tests.conftest import Checkout
from tests.depth import deep, only_deep

CLOCK = "def hour(seconds):\n    return seconds // 60\n"
TEST = "from clock import hour\n\n\ndef test_hour():\n    assert hour(7200) == {hours}\n"
COMMAND = f"{sys.executable} -m pytest -q -p no:cacheprovider {{tests}}"


@pytest.fixture
def history(repo: Checkout) -> Checkout:
    """A history of two fixes, and of commits that are none."""
    repo.add("clock.py", CLOCK)
    repo.add("tests/test_clock.py", TEST.format(hours=120))
    repo.commit("Tell the hour")
    repo.add("clock.py", CLOCK.replace("60", "3600"))
    repo.add("tests/test_clock.py", TEST.format(hours=2))
    repo.add("CHANGES.md", "- an hour has 3600 seconds\n")
    repo.commit("Fix the hour")
    repo.add("README.md", "Tells the hour.\n")
    repo.commit("Fix a word of the readme")
    repo.add("names.py", "def initials(name):\n    return name[0] + '.'\n")
    repo.commit("Initials")
    wrong = "def initials(name):\n    return '.'.join(one[0] for one in name.split()) + '.'\n"
    repo.add("names.py", wrong)
    test = "from names import initials\n\n\ndef test_initials():\n    assert {call}\n"
    repo.add("tests/test_names.py", test.format(call="initials('Ada Byron') == 'A.B.'"))
    repo.commit("Initials were wrong with two names")
    return repo


def test_only_fixes_with_source_and_tests_are_mined(history: Checkout) -> None:
    found = list(mine(history))
    assert [bug.subject for bug in found] == ["Initials were wrong with two names", "Fix the hour"]
    assert found[1].tests == ("tests/test_clock.py",)
    assert found[1].code.files == {"clock.py"}
    assert "CHANGES.md" in found[1].code_patch
    assert len(found[1].hunks) == 1


def test_a_fix_that_was_picked_to_another_branch_is_one(history: Checkout) -> None:
    history.git("checkout", "-q", "-b", "stable", "HEAD~3")
    fixed = history.git("show", "main:clock.py", "main:tests/test_clock.py")
    history.add("clock.py", fixed.partition("from clock")[0])
    history.add("tests/test_clock.py", TEST.format(hours=2))
    history.commit("Fix the hour of the stable branch")
    history.git("merge", "-q", "--no-edit", "main")
    assert len(list(mine(history))) == 2


@deep
@only_deep
@pytest.mark.slow
def test_a_history_is_replayed_and_nothing_is_left(
    history: Checkout,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = history.git("status", "--porcelain", "--ignored")
    figures = tmp_path / "figures.json"
    code = main([str(history), "--command", COMMAND, "--json", str(figures)])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "not met" not in said
    ways = json.loads(figures.read_text(encoding="utf-8"))
    assert len(ways) == 2
    for one in ways.values():
        assert one["counts"]["bugs"] == one["counts"]["met"] == 2
        assert one["counts"]["records"] == 4
        assert one["counts"]["right"] == 2
        assert not one["remarks"]
    assert os.listdir(scratch) == []
    assert history.git("status", "--porcelain", "--ignored") == before


def test_a_folder_that_is_no_repository_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert f"there is no folder {tmp_path / 'none'}" in capsys.readouterr().err


# --- the comparison ------------------------------------------------------------------------------

OUTPUT = "E       assert 120 == 2\nFAILED tests/test_clock.py::test_hour - assert 120 == 2\n"
ERROR: dict[str, object] = {
    "kind": "error",
    "title": "AssertionError: assert 120 == 2",
    "message": "assert 120 == 2",
    "location": {"file": "tests/test_clock.py"},
    "test": {"name": "tests/test_clock.py::test_hour"},
}


def judged(truth: Truth, **records: dict[str, object]) -> Judgement:
    """Judge what was recorded, ids being names of arguments."""
    judgement = Judgement()
    named = {name.replace("_", "-"): one for name, one in records.items()}
    judgement.learnt(Learnt(truth, named, len(named), (), ()))
    return judgement


@pytest.fixture
def truth(history: Checkout) -> Truth:
    """What is true of the first fix."""
    return Truth(list(mine(history))[1], OUTPUT, failing_tests(OUTPUT))


def fix_record(patch: str, outcome: str = "worked") -> dict[str, object]:
    """Describe a fix of the error."""
    title = "clock.py: replace `60` by `3600`"
    links = {"fixes": ["err-1"]}
    return {"kind": "fix", "title": title, "patch": patch, "outcome": outcome, "links": links}


def test_what_is_as_the_commit_is_is_right(truth: Truth) -> None:
    judgement = judged(truth, err_1=ERROR, fix_1=fix_record(truth.bug.code.text))
    counts = judgement.counts
    assert (counts["recorded"], counts["true"], counts["wanted"], counts["found"]) == (5, 5, 5, 5)
    assert (counts["wrong attributions"], counts["junk"], judgement.remarks) == (0, 0, [])


def test_lines_of_another_edit_are_a_wrong_attribution(truth: Truth) -> None:
    patch = truth.bug.code.text.replace("3600", "60 * 60")
    counts = judged(truth, err_1=ERROR, fix_1=fix_record(patch)).counts
    assert (counts["wrong attributions"], counts["true"], counts["found"]) == (1, 3, 3)


def test_an_attempt_that_nobody_made_is_not_true(truth: Truth) -> None:
    patch = truth.bug.code.text
    records = {"fix_1": fix_record(patch), "fix_2": fix_record(patch, "failed")}
    counts = judged(truth, err_1=ERROR, **records).counts
    assert counts["recorded"] - counts["true"] == 1


def test_an_error_that_was_not_printed_is_junk(truth: Truth) -> None:
    other = {**ERROR, "message": "1 failed in 3 s", "test": {"name": "tests/test_clock.py"}}
    counts = judged(truth, err_1=other, fix_1=fix_record(truth.bug.code.text)).counts
    assert counts["junk"] == 1
    assert counts["found"] == 3


def test_a_first_part_in_another_file_may_be_left_out(truth: Truth) -> None:
    note = "diff --git a/note.py b/note.py\n--- a/note.py\n+++ b/note.py\n@@ -1 +1 @@\n-a\n+b\n"
    bug = truth.bug._replace(code_patch=truth.bug.code_patch + note)
    assert truth._replace(bug=bug).needed == bug.code.lines
    assert truth._replace(bug=bug, partial=note).needed == truth.bug.code.lines


def test_what_was_redacted_is_no_lie(truth: Truth) -> None:
    other = {**ERROR, "message": "assert <redacted:password> == 2"}
    counts = judged(truth, err_1=other, fix_1=fix_record(truth.bug.code.text)).counts
    assert (counts["junk"], counts["found"]) == (0, 5)


def test_a_test_of_a_new_name_shows_no_bug(history: Checkout) -> None:
    history.add(
        "clock.py", CLOCK.replace("60", "3600") + "\n\ndef minute(seconds):\n    return 0\n"
    )
    history.add("tests/test_clock.py", TEST.format(hours=0).replace("hour", "minute"))
    history.commit("Fix that there were no minutes")
    bug = next(mine(history))
    said = "E   ImportError: cannot import name '{}' from 'clock'\n"
    assert wants_something_new(bug, said.format("minute"))
    assert not wants_something_new(bug, said.format("second"))
    lacks = "E   AttributeError: module 'clock' has no attribute 'minute'\n"
    failed = "FAILED tests/test_clock.py::test_{} - AttributeError\n"
    assert wants_something_new(bug, lacks + failed.format("one"))
    assert not wants_something_new(bug, lacks + failed.format("one") + failed.format("two"))


def test_nothing_recorded_is_missing(truth: Truth) -> None:
    counts = judged(truth).counts
    assert (counts["wanted"], counts["found"], counts["records"]) == (5, 0, 0)


def test_another_fix_told_first_is_wrong(truth: Truth) -> None:
    judgement = Judgement()
    learnt = Learnt(truth, {"fix-1": fix_record(truth.bug.code.text)}, 2, (), ())
    judgement.met_again(learnt, MetAgain(("fix-2", "fix-1"), later=True))
    judgement.met_again(learnt, MetAgain(("fix-1", "fix-2"), later=False))
    assert (judgement.counts["met"], judgement.counts["right"]) == (2, 1)


@pytest.mark.parametrize(
    "title",
    [
        "src/a.py, hour(): add `return seconds` … (+5 -2 lines)",
        "clock.py: replace `60` by `3600`",
        "AssertionError: assert 120 == 2",
    ],
)
def test_titles_that_say_something(title: str) -> None:
    assert says_something(title)


@pytest.mark.parametrize(
    "title", ["change src/a.py, CHANGES.md (+5 -2 lines)", "make exited with 2", "pytest -q failed"]
)
def test_titles_that_say_nothing(title: str) -> None:
    assert not says_something(title)
