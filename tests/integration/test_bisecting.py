"""An error that came back: what became of its fix, and the commit that brought it back."""

from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import ConflictError, NotFoundError
from gitmem.memory import Memory
from gitmem.render.history import regression as plain
from gitmem.render.history_json import regression as as_json
from gitmem.render.text import Painter
from tests.depth import sampled

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.answers.places import Regression
    from tests.conftest import Checkout

GOOD = "def total(prices):\n    return sum(price for price in prices)\n"
BAD = "def total(prices):\n    return max(prices)\n"
SHOWS = "grep -q 'sum(price for price' total.py"
ERROR = {"title": "total is wrong", "message": "assert 3 == 6", "error_type": "AssertionError"}


def build(shop: "Checkout", *, patch: bool = True, command: str = SHOWS) -> dict[str, str]:
    """Make a history: an error, its fix, some commits of which the fourth breaks it again."""
    Memory.init(str(shop))
    shop.add("total.py", BAD)
    shop.commit("start")
    made: dict[str, str] = {}
    with Memory.open(str(shop)) as memory:
        made["error"] = memory.add("error", ERROR).id
        shop.add("total.py", GOOD)
        fields: dict[str, Any] = {"approach": "sum them", "verification": {"command": command}}
        if patch:
            fields["patch"] = shop.git("diff") + "\n"
        made["fix"] = memory.resolve(made["error"], fields if command else {"approach": "sum"}).id
    made["good"] = shop.commit("sum the prices")
    for number in range(7):
        shop.add("other.py", f"x = {number}\n")
        if number == 4:
            shop.add("total.py", BAD)
        commit = shop.commit(f"step {number}")
        if number == 4:
            made["culprit"] = commit
    with Memory.open(str(shop)) as memory:
        again = {**ERROR, "links": {"duplicates": [made["error"]]}}
        made["again"] = memory.add("error", again).id
    made["bad"] = shop.commit("it is back")
    shop.commit("later")
    return made


def told(shop: "Path", reference: str) -> "Regression":
    with Memory.open(str(shop)) as memory:
        return memory.history.regression(reference)


def test_what_became_of_the_fix(repo: "Checkout") -> None:
    made = build(repo)
    found = told(repo, made["again"])
    for reference in ("error", "again"):
        found = told(repo, made[reference])
        assert (found.error.id, found.fix.id) == (made["again"], made["fix"])
        assert (found.commit, found.held) == (made["good"], True)
        assert (found.lines, found.alive) == (1, 0)
        assert (found.good, found.bad) == (made["good"], made["bad"])
        assert found.command == SHOWS
    text = "\n".join(plain(found, Painter()))
    assert made["good"][:10] in text
    assert "the fix's lines are all gone" in text
    assert f"gitmem runs bisect {made['again']}" in text
    assert as_json(found)["script"][0] == (
        f"git bisect start {made['bad'][:10]} {made['good'][:10]}"
    )


def test_the_lines_of_a_fix_that_was_written_down_later_lead_to_its_commit(
    repo: "Checkout",
) -> None:
    Memory.init(str(repo))
    repo.add("total.py", BAD)
    repo.commit("start")
    repo.add("total.py", GOOD)
    patch = repo.git("diff") + "\n"
    fixed = repo.commit("sum")
    repo.git("mv", "total.py", "sums.py")
    repo.commit("rename")
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", ERROR).id
        memory.resolve(error, {"approach": "sum", "patch": patch})
        memory.add("error", {**ERROR, "links": {"duplicates": [error]}})
    repo.commit("written down")
    found = told(repo, error)
    assert (found.commit, found.lines, found.alive) == (fixed, 1, 1)


def test_a_fix_of_another_branch_is_not_part_of_this_one(repo: "Checkout") -> None:
    made = build(repo)
    repo.git("checkout", "-q", "-b", "other", f"{made['good']}~1")
    repo.git("checkout", "-q", "main", "--", ".memory")
    repo.git("reset", "-q")
    found = told(repo, made["error"])
    assert (found.commit, found.held) == (made["good"], False)
    assert found.script == []
    assert "not part of" in "\n".join(plain(found, Painter()))


def test_the_commit_is_found_and_everything_is_as_before(repo: "Checkout") -> None:
    made = build(repo)
    branch, head = repo.git("branch", "--show-current"), repo.git("rev-parse", "HEAD")
    repo.add("untracked.txt", "stays\n")
    lines: list[str] = []
    with Memory.open(str(repo)) as memory:
        ended = memory.history.bisect(memory.history.regression(made["error"]), lines.append)
    assert ended.commit == made["culprit"]
    assert ended.subject == "step 4"
    assert any("is the first bad commit" in line for line in lines)
    assert repo.git("branch", "--show-current") == branch
    assert repo.git("rev-parse", "HEAD") == head
    assert repo.git("status", "--porcelain") == "?? untracked.txt"
    assert repo.git("for-each-ref", "refs/bisect") == ""
    assert not (repo / ".git" / "BISECT_LOG").exists()


@sampled(2)
@pytest.mark.parametrize("command", ["true", "false", "exit 125", "exit 200", "no-such-program"])
def test_a_command_that_says_the_same_at_both_ends_finds_nothing(
    repo: "Checkout", command: str
) -> None:
    made = build(repo)
    head = repo.git("rev-parse", "HEAD")
    with Memory.open(str(repo)) as memory:
        found = memory.history.regression(made["error"])._replace(command=command)
        ended = memory.history.bisect(found, lambda _line: None)
    assert ended.commit == ""
    assert "did not" in ended.why_not
    assert repo.git("branch", "--show-current") == "main"
    assert repo.git("rev-parse", "HEAD") == head


def test_never_in_a_tree_with_changes_nor_in_the_middle_of_something(repo: "Checkout") -> None:
    made = build(repo)
    with Memory.open(str(repo)) as memory:
        found = memory.history.regression(made["error"])
        repo.add("other.py", "changed\n")
        with pytest.raises(ConflictError, match="in no commit"):
            memory.history.bisect(found, print)
        assert (repo / "other.py").read_text() == "changed\n"
        repo.git("checkout", "-q", "other.py")
        repo.git("bisect", "start")
        with pytest.raises(ConflictError, match="bisect is under way"):
            memory.history.bisect(found, print)
        assert (repo / ".git" / "BISECT_LOG").exists()


def test_the_work_tree_comes_back_when_somebody_interrupts(repo: "Checkout") -> None:
    made = build(repo)

    def interrupt(_line: str) -> None:
        raise KeyboardInterrupt

    with Memory.open(str(repo)) as memory:
        found = memory.history.regression(made["error"])
        with pytest.raises(KeyboardInterrupt):
            memory.history.bisect(found, interrupt)
    assert repo.git("branch", "--show-current") == "main"
    assert not (repo / ".git" / "BISECT_LOG").exists()


def test_what_lacks_is_said(repo: "Checkout") -> None:
    made = build(repo, patch=False, command="")
    found = told(repo, made["error"])
    assert found.lines == 0
    assert found.script == []
    with Memory.open(str(repo)) as memory:
        with pytest.raises(NotFoundError, match="no command shows"):
            memory.history.bisect(found, print)
        other = memory.add("error", {**ERROR, "title": "another"}).id
        with pytest.raises(NotFoundError, match="no recorded fix of"):
            memory.history.regression(other)
        memory.resolve(other, {"approach": "mended"})
        with pytest.raises(NotFoundError, match="did not come back"):
            memory.history.regression(other)


def test_it_is_told_of_a_failure_that_shows_now(repo: "Checkout") -> None:
    made = build(repo)
    with Memory.open(str(repo)) as memory:
        errors = memory.list("kind:error")
        fixes = memory.list("kind:fix")
        found = memory.history.came_back(errors, fixes)
        assert found
        assert found.commit == made["good"]
        assert memory.history.came_back(errors, []) is None
