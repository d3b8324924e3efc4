"""HEAD moves between red and green: the code at both ends is known, so what was edited is learnt.

What other commits brought is no part of it, and where nobody can tell, the reason is said.
"""

from tests.scenarios.desk import Desk, fact

KEY = 'print({}["b"])\n'
MENDED = "print(1)\n"
GOOD = ('-print({}["b"])', "+print(1)")


def bug(desk: Desk) -> None:
    desk.begin(p_py=KEY)


def on_a_feature(desk: Desk) -> None:
    """Be on a branch with a commit of its own; the other branch went on."""
    bug(desk)
    desk.repo.git("checkout", "-q", "-b", "feature")
    desk.repo.add("q.txt", "feature\n")
    desk.repo.commit("feature")
    desk.repo.git("checkout", "-q", "main")
    desk.repo.add("r.txt", "main\n")
    desk.repo.commit("main goes on")
    desk.repo.git("checkout", "-q", "feature")


def test_a_mend_in_an_amended_commit_is_learnt(desk: Desk) -> None:
    """It was "no longer failing; cause unknown", and kept nowhere."""
    bug(desk)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.git("commit", "-q", "-a", "--amend", "--no-edit")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_a_mend_before_a_rebase_is_learnt(desk: Desk) -> None:
    """It was "no longer failing; cause unknown"."""
    on_a_feature(desk)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.commit("Print one")
    desk.repo.git("rebase", "-q", "main")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_a_mend_after_a_rebase_is_learnt(desk: Desk) -> None:
    """It was "no longer failing; cause unknown"."""
    on_a_feature(desk)
    desk.red("python3 p.py")
    desk.repo.git("rebase", "-q", "main")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_a_fixup_that_is_squashed_by_a_rebase_is_learnt(desk: Desk) -> None:
    """It was "no longer failing; cause unknown"."""
    desk.begin(o_py="x = 1\n")
    desk.write("p.py", KEY)
    desk.repo.commit("Print b")
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.git("commit", "-q", "-a", "--fixup", "HEAD")
    desk.sh("GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash HEAD~2")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_a_commit_that_is_taken_back_and_made_anew_is_learnt(desk: Desk) -> None:
    """``git reset --soft`` made it "cause unknown"."""
    desk.begin(o_py="x = 1\n")
    desk.write("p.py", KEY)
    desk.repo.commit("Print b")
    desk.red("python3 p.py")
    desk.repo.git("reset", "-q", "--soft", "HEAD~1")
    desk.write("p.py", MENDED)
    desk.repo.commit("Print one")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_what_a_merge_brought_beside_a_mend_is_no_part_of_it(desk: Desk) -> None:
    """The whole mend was "cause unknown" as soon as others' work came in."""
    on_a_feature(desk)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.commit("Print one")
    desk.repo.git("merge", "-q", "--no-edit", "main")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_where_the_other_branch_changed_the_failing_file_the_reason_is_said(desk: Desk) -> None:
    """It was "cause unknown" without a reason."""
    on_a_feature(desk)
    desk.repo.git("checkout", "-q", "main")
    desk.write("p.py", "print(2)\n")
    desk.repo.commit("two")
    desk.repo.git("checkout", "-q", "feature")
    desk.red("python3 p.py")
    desk.repo.git("rebase", "-q", "main")
    desk.green("python3 p.py")
    desk.silent()
    assert "other commits changed p.py" in desk.said


def test_an_edit_elsewhere_while_others_work_came_in_is_a_draft_with_the_reason(desk: Desk) -> None:
    """What mended it can't be told; nothing was kept, and no reason said."""
    on_a_feature(desk)
    desk.repo.git("checkout", "-q", "main")
    desk.repo.add("data.txt", "1\n")
    desk.repo.commit("data")
    desk.repo.git("checkout", "-q", "feature")
    desk.write("p.py", "print(len(open('data.txt').read()) / len(open('q.txt').read()[7:-1]))\n")
    desk.repo.commit("division")
    desk.repo.add("data.txt", "12\n")
    desk.red("python3 p.py")
    desk.repo.git("stash", "-q", "-u")
    desk.repo.git("rebase", "-q", "main")
    desk.repo.add("q.txt", "feature, longer\n")
    desk.green("python3 p.py")
    desk.silent()
    assert "other commits came in meanwhile" in desk.said


def test_a_switch_of_branches_is_told_and_ends_nothing(desk: Desk) -> None:
    """It was "cause unknown", and back on the branch the same failure was ``new``."""
    desk.begin(p_py=MENDED)
    desk.repo.git("checkout", "-q", "-b", "feature")
    desk.write("p.py", KEY)
    desk.repo.commit("b")
    desk.red("python3 p.py")
    desk.repo.git("checkout", "-q", "main")
    desk.green("python3 p.py")
    assert "you switched branches" in desk.said
    desk.repo.git("checkout", "-q", "feature")
    desk.red("python3 p.py")
    assert "still failing, no fix known" in desk.said
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_a_commit_of_something_else_between_is_no_part_of_the_fix(desk: Desk) -> None:
    """The file ``o`` was named first in the fix of ``p.py``."""
    bug(desk)
    desk.red("python3 p.py")
    desk.repo.add("o", "o\n")
    desk.repo.commit("Add o")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_a_module_that_was_committed_first_and_is_used_by_the_mend_is_part_of_it(
    desk: Desk,
) -> None:
    bug(desk)
    desk.red("python3 p.py")
    desk.repo.add("lookup.py", "b = 1\n")
    desk.repo.commit("Add a lookup")
    desk.write("p.py", "import lookup\n\nprint(lookup.b)\n")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", GOOD[0], "+import lookup", "+print(lookup.b)", "+b = 1"))


def test_in_a_hook_of_a_commit_the_edit_is_what_is_committed(desk: Desk) -> None:
    """An untracked file that is in no commit stood in the fix."""
    bug(desk)
    hook = desk.repo / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\ngitmem run -- python3 p.py\n")
    hook.chmod(0o755)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.add("junk.txt", "junk\n")
    assert desk.sh("git add p.py && git commit -q -m mend") == 0, desk.said
    desk.learnt(fact("KeyError", *GOOD))


def test_a_snapshot_that_git_removed_is_said(desk: Desk) -> None:
    """It was "cause unknown" without a reason."""
    bug(desk)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.git("gc", "-q", "--prune=now")
    desk.green("python3 p.py")
    desk.silent()
    assert "git removed the snapshot" in desk.said
