"""Of several files with one id that counts which git brought first, however they are named."""

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.git.first_come import places
from gitmem.git.git_dirs import find
from gitmem.memory import Memory
from tests.depth import amount
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout


@pytest.fixture
def first(repo: "Checkout") -> Path:
    """Give the file of a note that is committed."""
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "the true one", "--body", "b", "--tag", "t")
    repo.commit("one")
    (file,) = repo.glob(".memory/notes/*/*/*.yaml")
    return file


def forged(first: Path, folder: str, title: str = "a forged one") -> Path:
    """Write a file with the id of another one, under a name that comes before it."""
    other = first.parents[2] / folder / f"a-{first.name[-20:]}"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_text(first.read_text().replace("the true one", title))
    return other


def leading(repo: "Checkout") -> str:
    with Memory.open(str(repo)) as memory:
        (row,) = memory.list()
        return row.title


def test_a_copy_does_not_take_the_place_of_what_came_first(repo: "Checkout", first: Path) -> None:
    """The first path spoke: a copy in the folder of an earlier year took over an id."""
    other = forged(first, "2001/01")
    assert leading(repo) == "the true one"
    repo.git("add", "-A")
    refused = run(repo, "hooks", "run", "pre-commit")
    assert f"{other.name}:" in refused.err
    assert "is also in notes/" in refused.err
    early = "2001-01-01T00:00:00Z"
    repo.git("commit", "-q", "-m", "a copy", "--date", early)
    for words in (("list",), ("search", "one"), ("show", first.stem[-15:]), ("log",), ("context",)):
        told = run(repo, *words).out
        assert "a forged one" not in told, words
    (repo / "red.txt").write_text("FAILED")
    for words in (("check",), ("review", "HEAD~1..HEAD"), ("ci", "red.txt")):
        done = run(repo, *words)
        assert f"{other.name}" in done.out, (words, done)
        assert "duplicate-id" in done.out, (words, done)
        assert "nothing to review" not in done.err
    assert run(repo, "index", "verify").code == 0


def test_nor_on_a_branch_that_was_dated_earlier_nor_after_a_move(
    repo: "Checkout", first: Path
) -> None:
    repo.git("checkout", "-q", "-b", "theirs", "HEAD~1")
    repo.git("checkout", "-q", "main", "--", ".memory")
    other = forged(first, "2001/01")
    repo.git("rm", "-q", "-f", "--", str(first.relative_to(repo)))
    repo.commit("early", "--date", "2001-01-01T00:00:00Z")
    assert leading(repo) == "a forged one"  # there is no other there
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "theirs")
    assert other.exists()
    assert leading(repo) == "the true one"
    moved = first.parents[2] / "2030/01" / first.name
    moved.parent.mkdir(parents=True)
    repo.git("mv", str(first), str(moved))
    assert leading(repo) == "the true one"
    repo.commit("moved")
    assert leading(repo) == "the true one"
    ok(repo, "index", "rebuild")
    assert leading(repo) == "the true one"


def test_another_commit_puts_them_in_order_anew(repo: "Checkout", first: Path) -> None:
    """As long as neither is committed nobody knows; what git then has first is what counts."""
    twin = first.parents[2] / "2031/01" / first.name
    twin.parent.mkdir(parents=True)
    text = first.read_text().replace("the true one", "another one")
    with Memory.open(str(repo)) as memory:
        assert [row.title for row in memory.list()] == ["the true one"]
        repo.git("rm", "-q", "--cached", str(first))
        repo.git("commit", "-q", "-m", "untracked")
        twin.write_text(text)
        assert [row.title for row in memory.list()] == ["the true one"]
    twin_only = str(twin.relative_to(repo))
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("add", twin_only)
    repo.git("commit", "-q", "-m", "the other one is the first here")
    assert leading(repo) == "another one"


_NUMBERS = itertools.count()
_STEPS = st.lists(
    st.tuples(st.sampled_from(("add", "move", "edit", "delete", "branch")), st.integers(0, 3)),
    min_size=2,
    max_size=9,
)


@given(steps=_STEPS)
@settings(
    max_examples=amount(share=6, ci=30, whole=200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_order_is_that_of_the_first_parents(
    make_repo: "Callable[..., Checkout]", steps: list[tuple[str, int]]
) -> None:
    """A model keeps when each name came; git's dates are drawn to mislead."""
    repo = make_repo(f"repo{next(_NUMBERS)}")
    came: dict[int, int] = {}
    names = {number: f"m/notes/2026/0{9 - number}/x-note-0000000001.yaml" for number in range(4)}
    ever: dict[str, int] = {}
    for place, (what, number) in enumerate(steps):
        name, date = names[number], f"20{40 - place}-01-01T00:00:00Z"
        if what in {"add", "branch"} and number not in came:
            if what == "branch":
                repo.git("checkout", "-q", "-b", f"b{place}", "main~0")
            repo.add(name, f"{place}\n")
            repo.commit("add", "--date", date)
            if what == "branch":
                repo.git("checkout", "-q", "main")
                repo.git("merge", "-q", "--no-ff", "--no-edit", f"b{place}")
            came[number] = ever.setdefault(name, place)
        elif what == "move" and number in came:
            names[number] = name.replace("x-", f"x{place}-")
            repo.git("mv", name, names[number])
            repo.commit("move", "--date", date)
            ever[names[number]] = came[number]
        elif what == "edit" and number in came:
            repo.add(name, f"edited {place}\n")
            repo.commit("edit", "--date", date)
        elif what == "delete" and number in came:
            repo.git("rm", "-q", name)
            repo.commit("delete", "--date", date)
            del came[number]
    git_dirs = find(str(repo))
    assert git_dirs is not None
    paths = {names[number].removeprefix("m/"): place for number, place in came.items()}
    told = places(git_dirs, "m", [*paths, "notes/2026/01/y-note-0000000001.yaml"])
    assert sorted(told, key=told.__getitem__) == sorted(paths, key=paths.__getitem__)
