"""What guards told and what came of it: noted in the clone, looked up for statistics."""

import os
from typing import TYPE_CHECKING

import pytest

from gitmem.answers.guard_tally import GuardTally
from gitmem.memory import GitHooks, Memory
from gitmem.render.figures import stats
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from tests.conftest import Checkout

BROKEN = "def share(cart, people):\n    paid = total(cart)\n    return paid / people\n"
FIXED = BROKEN.replace("    return", "    if people < 1:\n        return paid\n    return")


@pytest.fixture
def fix(repo: "Checkout") -> str:
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN)
    repo.commit("a cart")
    repo.add("cart.py", FIXED)
    patch = repo.git("diff") + "\n"
    with Memory.open(str(repo)) as memory:
        error = memory.add(
            "error",
            {"title": "ZeroDivisionError", "error_type": "ZeroDivisionError", "message": "0"},
        )
        fix = memory.resolve(error.id, {"approach": "ask first", "patch": patch})
    repo.commit("fix it")
    return fix.id


def told(repo: "Checkout") -> None:
    """Stage the code before the fix, and let the hook tell."""
    repo.add("cart.py", BROKEN)
    repo.git("add", "-A")
    assert GitHooks(str(repo), ".memory").guard_staged().taken_back


def tally(repo: "Checkout") -> GuardTally | None:
    with Memory.open(str(repo)) as memory:
        return memory.statistics.stats().guards


def test_nothing_told_is_nothing_counted(repo: "Checkout", fix: str) -> None:
    assert tally(repo) is None
    repo.add("cart.py", f"# {fix}\n{FIXED}")
    repo.git("add", "-A")
    GitHooks(str(repo), ".memory").guard_staged()
    assert tally(repo) is None


def test_what_is_not_committed_yet_waits_and_a_repeated_telling_is_one(
    repo: "Checkout", fix: str
) -> None:
    told(repo)
    told(repo)
    assert tally(repo) == GuardTally(1, 0, 0, 0, 0, 1)
    repo.add("other.py", "x = 1\n")
    repo.git("add", "other.py")
    repo.git("commit", "-q", "-m", "other", "other.py")
    assert tally(repo) == GuardTally(1, 0, 0, 0, 0, 1)
    with Memory.open(str(repo)) as memory:
        assert memory.statistics.stats(by="type").guards is None
        assert memory.statistics.stats(filters="kind:error").guards is None


def test_changed_before_the_commit(repo: "Checkout", fix: str) -> None:
    told(repo)
    repo.add("cart.py", FIXED.replace("paid = ", "paid = 0 + "))
    repo.commit("another way")
    assert tally(repo) == GuardTally(1, 1, 0, 0, 0, 0)


def test_meant_by_a_record_or_by_the_message(repo: "Checkout", fix: str) -> None:
    told(repo)
    repo.commit(f"the caller asks now, so {fix} may go")
    assert tally(repo) == GuardTally(1, 0, 1, 0, 0, 0)


def test_said_to_be_meant(repo: "Checkout", fix: str) -> None:
    told(repo)
    with Memory.open(str(repo)) as memory:
        memory.history.say_meant(fix)
    assert tally(repo) == GuardTally(1, 0, 1, 0, 0, 0)


def test_committed_all_the_same_and_the_error_came_back(repo: "Checkout", fix: str) -> None:
    told(repo)
    repo.commit("tidy")
    assert tally(repo) == GuardTally(1, 0, 0, 1, 0, 0)
    with Memory.open(str(repo)) as memory:
        first = memory.list("kind:error")[0]
        memory.add("error", {"title": "again", "message": "0", "links": {"duplicates": [first.id]}})
    expected = GuardTally(1, 0, 0, 1, 1, 0)
    assert tally(repo) == expected
    # What came of it does not change with what is committed later.
    repo.add("cart.py", FIXED)
    repo.commit("back again")
    assert tally(repo) == expected
    with Memory.open(str(repo)) as memory:
        lines = list(stats(memory.statistics.stats(), Painter(colour=False)))
    (line,) = (line for line in lines if line.startswith("guards"))
    assert "1 told: 1 committed all the same, of which 1 came back" in line


def test_the_command_and_an_edit_of_an_assistant_count_and_a_range_does_not(
    repo: "Checkout", fix: str
) -> None:
    repo.add("cart.py", BROKEN)
    with Memory.open(str(repo)) as memory:
        memory.history.guard(work_tree=True)
        assert memory.statistics.stats().guards is None
        memory.history.guard(work_tree=True, by="command")
        assert memory.statistics.stats().guards == GuardTally(1, 0, 0, 0, 0, 1)
        repo.commit("tidy")
        repo.add("cart.py", FIXED)
        repo.commit("back again")
        edit = {"cart.py": BROKEN}
        (taken,) = memory.history.edited.untold("a session", edit)
        assert taken.fix.id == fix
        assert memory.history.edited.untold("a session", edit) == []
        assert memory.statistics.stats().guards == GuardTally(2, 0, 0, 1, 0, 1)


def test_a_journal_that_can_not_be_written_keeps_nothing_from_being_told(
    repo: "Checkout", fix: str
) -> None:
    with Memory.open(str(repo)) as memory:
        journal = memory.workspace.journal.directory
    os.makedirs(journal, exist_ok=True)
    os.mkdir(os.path.join(journal, "guards.jsonl"))
    told(repo)
