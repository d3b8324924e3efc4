"""HEAD moves between red and green: the code at both ends is known, so what was edited is learnt.

What other commits brought is no part of it, and where nobody can tell, the reason is said.
"""

import time

from tests.scenarios.desk import Desk, fact, needs

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


def next_second() -> None:
    """Wait until git, which knows whole seconds, sees that what comes is later."""
    time.sleep(1 - time.time() % 1)


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
    for text in ("two", "three"):  # of one commit it is told which
        desk.write("p.py", f"print({text!r})\n")
        desk.repo.commit(text)
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


def test_in_a_hook_of_the_first_commit_the_edit_is_what_is_committed(desk: Desk) -> None:
    """Without a commit before, and with a failure in a test alone, all files were the fix."""
    desk.sh("gitmem init")
    hook = desk.repo / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\ngitmem run -- python3 -m unittest -q\n")
    hook.chmod(0o755)
    desk.write("m.py", "def f(): return 1\n")
    test = "import unittest, m\nclass T(unittest.TestCase):\n    def test_f(self): {}\n"
    desk.write("test_m.py", test.format("self.assertEqual(m.f(), 2)"))
    assert desk.sh("git add -A && git commit -q -m one") != 0, desk.said
    desk.repo.add("junk.txt", "junk\n")
    desk.swap("m.py", "1", "2")
    assert desk.sh("git add m.py && git commit -q -m one") == 0, desk.said
    assert desk.drafts() == ["m.py: replace `def f(): return 1` by `def f(): return 2`"]
    assert "junk.txt" not in desk.said


def test_a_file_that_another_branch_has_is_found_by_the_switch(desk: Desk) -> None:
    """It was "no tracked file changed: what did it?", though one did."""
    desk.begin(r_py="print(open('a.txt').read())\n", a_txt="a\n")
    desk.repo.git("checkout", "-q", "-b", "other")
    desk.repo.git("rm", "-q", "a.txt")
    desk.repo.commit("Drop it")
    desk.red("python3 r.py")
    desk.repo.git("checkout", "-q", "main")
    desk.green("python3 r.py")
    desk.silent()
    assert "you switched branches" in desk.said


def test_a_snapshot_that_git_removed_is_said(desk: Desk) -> None:
    """It was "cause unknown" without a reason."""
    bug(desk)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.repo.git("gc", "-q", "--prune=now")
    desk.green("python3 p.py")
    desk.silent()
    assert "git removed the snapshot" in desk.said


def test_two_terminals_with_two_bugs_teach_two_fixes(desk: Desk) -> None:
    """The second fix held the first one's edit as well, and was titled by it."""
    desk.begin(p_py=KEY, q_py="print([][0])\n")
    desk.red("python3 p.py")
    desk.red("python3 q.py")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    desk.write("q.py", "print([1][0])\n")
    desk.green("python3 q.py")
    desk.learnt(fact("KeyError", *GOOD), fact("IndexError", "-print([][0])", "+print([1][0])"))


def learnt_once(desk: Desk) -> None:
    bug(desk)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")


def test_an_uncommitted_edit_that_breaks_it_again_is_named_and_no_range(desk: Desk) -> None:
    """A range of commits to search was offered, though the newest of them is good."""
    learnt_once(desk)
    desk.repo.commit("mend")
    desk.repo.add("o", "o\n")
    desk.repo.commit("Add o")
    desk.write("p.py", KEY)
    desk.red("python3 p.py")
    assert "your uncommitted edit of p.py" in desk.said
    assert "runs bisect" not in desk.said


def test_the_search_that_is_offered_can_be_made(desk: Desk) -> None:
    """``gitmem runs bisect`` said that the error did not come back, just after run had."""
    learnt_once(desk)
    desk.repo.commit("mend")
    desk.write("p.py", KEY)
    desk.repo.commit("break it")
    desk.red("python3 p.py")
    (offered,) = [line for line in desk.said.splitlines() if "gitmem runs bisect" in line]
    command = offered.partition("with: ")[2]
    assert desk.sh(f"{command} --yes") == 0, desk.said
    assert "break it" in desk.said


def test_a_lesson_whose_records_git_cleaned_away_is_a_draft_again(desk: Desk) -> None:
    """It was told with the id of a draft that ``drafts``, ``keep`` and ``show`` did not know."""
    bug(desk)
    desk.repo.git("checkout", "-q", "-b", "side")
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    desk.repo.git("clean", "-fdxq")
    desk.repo.git("checkout", "-q", "p.py")
    desk.red("python3 p.py")
    (name,) = {line.rpartition("draft ")[2] for line in desk.said.splitlines() if "draft " in line}
    desk.sh("gitmem drafts")
    assert name in desk.said
    assert desk.sh(f"gitmem drafts keep {name}") == 0, desk.said
    desk.learnt(fact("KeyError", *GOOD))


def test_a_record_that_somebody_forgot_leaves_no_draft(desk: Desk) -> None:
    learnt_once(desk)
    desk.sh("gitmem forget --yes --where 'kind:fix'")
    desk.sh("gitmem forget --yes --where 'kind:error'")
    assert desk.drafts() == []


def test_a_memory_outside_of_a_sparse_checkout_is_named_and_not_written_over(desk: Desk) -> None:
    """``init`` wrote over the team's settings, and what the team knows was ``new``."""
    desk.begin(src__a_py="print(1 / 0)\n")
    desk.sh("gitmem config capture.mode draft --team")
    desk.sh("gitmem add error --type ZeroDivisionError --message 'division by zero'")
    desk.repo.commit("memory")
    for way in ("--cone", "--cone --sparse-index", "--no-cone"):
        desk.sh(f"rm -rf ../c; git clone -q --no-checkout . ../c; cd ../c; "
                f"git sparse-checkout set {way} src; git checkout -q")  # fmt: skip
        for command in ("status", "init", "hint 'ZeroDivisionError: division by zero'"):
            assert desk.sh(f"cd ../c && gitmem {command}") != 0, desk.said
            assert "git sparse-checkout add .memory" in desk.said
        desk.sh("cd ../c && gitmem run -- python3 src/a.py")
        assert "nothing is recorded: the memory is outside of this sparse checkout" in desk.said
        desk.sh("cd ../c && git status --short")
        assert desk.said == ""
        desk.sh("cd ../c && git sparse-checkout add .memory && gitmem run -- python3 src/a.py")
        assert "known  ZeroDivisionError" in desk.said


def test_a_packages_memory_outside_of_a_sparse_checkout_is_named_too(desk: Desk) -> None:
    """In a package ``init`` was offered, and ``init --here`` wrote over the team's settings."""
    desk.begin(shop__a_py="print(1 / 0)\n")
    assert desk.sh("cd shop && gitmem init --here && gitmem config capture.mode draft --team") == 0
    desk.repo.commit("memory")
    desk.sh("git clone -q --no-checkout . ../c; cd ../c; "
            "git sparse-checkout set --no-cone '/*' '!/shop/.memory'; git checkout -q")  # fmt: skip
    for command in ("status", "init", "init --here", "hint 'ZeroDivisionError'"):
        assert desk.sh(f"cd ../c/shop && gitmem {command}") != 0, desk.said
        assert "sparse-checkout add shop/.memory" in desk.said
    assert desk.sh("cd ../c && gitmem status") == 0, desk.said
    desk.sh("cd ../c && git status --short")
    assert desk.said == ""


def test_a_memory_that_is_half_outside_of_a_sparse_checkout_says_so(desk: Desk) -> None:
    """With the errors in and the fixes out, a solved error was *open*, without a word."""
    desk.begin(src__a_py="print(1 / 0)\n")
    desk.sh("gitmem add error --type ZeroDivisionError --message 'division by zero'")
    desk.sh("gitmem resolve err 'Check it'")
    desk.repo.commit("memory")
    desk.sh("git clone -q --no-checkout . ../c; cd ../c; "
            "git sparse-checkout set --cone src .memory/errors; git checkout -q")  # fmt: skip
    desk.sh("cd ../c/src && gitmem list")
    (said,) = [line for line in desk.said.splitlines() if "a part of the memory" in line]
    command = said.partition("to bring it: ")[2]
    assert desk.sh(f"cd ../c/src && {command} && gitmem list") == 0
    assert "resolved" in desk.said
    assert "a part of the memory" not in desk.said


def test_bugs_that_an_early_stop_hid_are_recorded_too(desk: Desk) -> None:
    """With ``pytest -x`` those behind the first stayed drafts: the file was edited by then."""
    desk.begin(
        m_py="def a(): return 1\n\n\ndef b(): return [][0]\n",
        test_m_py="import m\n\n\ndef test_a(): assert m.a() == 2\n"
        "\n\ndef test_b(): assert m.b() == 1\n",
    )
    desk.red("pytest -x -q")
    desk.swap("m.py", "return 1", "return 2")
    desk.red("pytest -x -q")
    desk.swap("m.py", "[][0]", "1")
    desk.green("pytest -x -q")
    desk.learnt(
        fact("assert 1 == 2", "-def a(): return 1", "+def a(): return 2"),
        fact("IndexError", "-def b(): return [][0]", "+def b(): return 1"),
    )


def test_that_git_ignores_the_records_is_said_once_where_they_are_written(desk: Desk) -> None:
    """``run`` said nothing, and the fix was committed without its error."""
    desk.begin(_gitignore="errors/\n", p_py=KEY)
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    assert "git ignores .memory by .gitignore:1" in desk.said
    desk.write("p.py", 'print([]["b"])\n')
    desk.repo.commit("another")
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    assert "learnt" in desk.said
    assert "git ignores" not in desk.said


def test_a_command_that_was_stopped_has_not_failed(desk: Desk) -> None:
    """``timeout -s INT`` gave a new error, KeyboardInterrupt."""
    desk.begin(s_py="import time\n\ntime.sleep(60)\n")
    desk.red("timeout -s INT 1 python3 s.py")
    assert "gitmem:" not in desk.said
    desk.write("s.py", "print(1)\n")
    desk.green("timeout -s INT 1 python3 s.py")
    desk.silent()


def test_a_script_in_ruby_that_was_stopped_has_not_failed(desk: Desk) -> None:
    """Its last step was the failure."""
    needs("ruby")
    desk.begin(s_rb="sleep 60\n")
    desk.red("timeout -s INT 1 ruby s.rb")
    assert "gitmem:" not in desk.said


def test_a_mend_on_a_branch_of_its_own_that_is_merged_is_learnt(desk: Desk) -> None:
    """Checking out another branch in between made it "cause unknown"."""
    bug(desk)
    desk.red("python3 p.py")
    next_second()
    desk.repo.git("checkout", "-q", "-b", "fix")
    desk.write("p.py", MENDED)
    desk.repo.commit("Print one")
    desk.repo.git("checkout", "-q", "main")
    desk.repo.git("merge", "-q", "fix")
    desk.green("python3 p.py")
    desk.learnt(fact("KeyError", *GOOD))


def test_going_back_to_older_code_is_told_and_no_fix(desk: Desk) -> None:
    """``git reset --hard`` was "cause unknown" without a reason."""
    desk.begin(p_py=MENDED)
    desk.write("p.py", KEY)
    desk.repo.commit("b")
    desk.red("python3 p.py")
    desk.repo.git("reset", "-q", "--hard", "HEAD~1")
    desk.green("python3 p.py")
    desk.silent()
    assert "other code was checked out" in desk.said


def test_another_branchs_fix_is_not_the_edit_that_was_made_there(desk: Desk) -> None:
    desk.begin(p_py=KEY, q_py="print(1)\n")
    desk.repo.git("checkout", "-q", "-b", "mended")
    desk.write("p.py", MENDED)
    desk.repo.commit("Print one")
    desk.repo.git("checkout", "-q", "main")
    desk.red("python3 p.py")
    desk.repo.git("checkout", "-q", "mended")
    desk.write("q.py", "print(2)\n")
    desk.green("python3 p.py")
    desk.silent()
    assert "you switched branches" in desk.said


def test_a_mend_in_a_merge_that_is_not_finished_is_told_with_the_reason(desk: Desk) -> None:
    """It said only that the cause is unknown."""
    bug(desk)
    desk.repo.git("checkout", "-q", "-b", "feature")
    desk.write("p.py", KEY.replace("]", "], 1"))
    desk.repo.commit("feature")
    desk.repo.git("checkout", "-q", "main")
    desk.write("p.py", KEY.replace("]", "], 2"))
    desk.repo.commit("main goes on")
    desk.red("python3 p.py")
    assert desk.sh("git merge feature") != 0
    desk.red("python3 p.py")
    desk.write("p.py", MENDED)
    desk.green("python3 p.py")
    assert "cause unknown: another branch was being merged meanwhile" in desk.said
    desk.learnt()
