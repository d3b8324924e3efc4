"""The memory at any revision is what a checkout of that revision would give."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import NotFoundError
from gitmem.memory import Memory, Reader
from tests.answers import derived_folder, fill
from tests.depth import sampled
from tests.random_records import memory as random_memory
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

_QUESTIONS = ("connection", "timeout kind:error", '"connection timeout"', "status:open", "tim~")


def statuses(world: "Checkout", revision: str, where: Path) -> dict[str, tuple[str, bytes]]:
    """Give status and text of every record in a work tree of a revision."""
    world.git("worktree", "add", "-q", "--detach", str(where), revision)
    try:
        with Memory.open(str(where)) as memory:
            return {
                row.id: (row.status, memory.workspace.store.read(row.path)) for row in memory.list()
            }
    finally:
        world.git("worktree", "remove", "--force", str(where))


def told(reader: Reader) -> dict[str, object]:
    """Give all that a memory says, by whatever way it reads its files."""
    return {
        "catalog": reader.workspace.ask(lambda now: now.catalog.dump()),
        "rows": [row[1:] for row in reader.list()],
        "hits": [
            [(hit.row.id, round(hit.score, 9)) for hit in reader.search(text, 1_000).hits]
            for text in _QUESTIONS
        ],
    }


def checked_out(world: "Checkout", revision: str, where: Path) -> dict[str, object]:
    """Give what gitmem says in a work tree of a revision."""
    world.git("worktree", "add", "-q", "--detach", str(where), revision)
    try:
        with Memory.open(str(where)) as memory:
            return told(memory.records.reader)
    finally:
        world.git("worktree", "remove", "--force", str(where))


class History:
    """Makes commits that add, edit, rename and delete records, on several branches."""

    def __init__(self, world: "Checkout", draw: Random) -> None:
        self.world = world
        self.draw = draw
        self.ids: list[str] = []
        self.commits: list[str] = []

    def step(self) -> None:
        """Change something and commit it."""
        draw, world = self.draw, self.world
        files = sorted((world / ".memory").rglob("*-*.yaml"))
        what = draw.choice(("add", "add", "add", "edit", "delete", "branch", "merge", "break"))
        if what == "add" or not files:
            for _ in range(draw.randint(1, 3)):
                data = record(draw, self.ids)
                world.add(f".memory/{path_of(data)}", text_of(data))
                self.ids.append(str(data["id"]))
        elif what == "edit":
            path = draw.choice(files)
            path.write_text(path.read_text().replace("title: ", "title: edited ", 1))
        elif what == "break":
            draw.choice(files).write_text("title: [\n")
        elif what == "delete":
            draw.choice(files).unlink()
        elif what == "branch":
            world.git("checkout", "-q", "-B", f"b{draw.randint(0, 2)}", draw.choice(self.commits))
        else:
            name = f"b{draw.randint(0, 2)}"
            if world.git("branch", "--list", name):
                world.git("merge", "-q", "-X", "ours", "--no-edit", name, code=self._code(name))
        self.commits.append(world.commit(what))

    def _code(self, name: str) -> int:
        """Find out whether git can merge a branch, and leave the tree as it was."""
        merged = self.world.git("rev-parse", "HEAD")
        try:
            self.world.git("merge", "-q", "-X", "ours", "--no-edit", name)
        except AssertionError:
            self.world.git("merge", "--abort")
            return 1
        self.world.git("reset", "-q", "--hard", merged)
        return 0


def drawn(repo: "Checkout", draw: Random) -> History:
    """Make a memory with a history."""
    Memory.init(str(repo))
    history = History(repo, draw)
    history.commits.append(repo.commit())
    for _ in range(14):
        history.step()
    return history


@sampled(1)
@pytest.mark.parametrize("seed", range(6))
def test_any_revision_is_what_a_checkout_of_it_says(
    repo: "Checkout", tmp_path: Path, seed: int
) -> None:
    draw = Random(seed)
    history = drawn(repo, draw)
    for number, revision in enumerate(draw.choices(history.commits, k=5)):
        expected = checked_out(repo, revision, tmp_path / f"tree{number}")
        with Memory.open(str(repo)) as memory:
            if draw.random() < 0.5:
                data = record(draw, history.ids)  # an edit that is in no commit
                repo.add(f".memory/{path_of(data)}", text_of(data))
            before = told(memory.records.reader)
            for _ in range(2):  # made, and as it was kept
                with memory.history.at(revision) as past:
                    assert told(past) == expected
                    assert past.workspace.notices == []
            assert told(memory.records.reader) == before


@sampled(1)
@pytest.mark.parametrize("seed", range(10, 14))
def test_what_was_learnt_between_two_revisions_is_what_their_checkouts_differ_in(
    repo: "Checkout", tmp_path: Path, seed: int
) -> None:
    draw = Random(seed)
    history = drawn(repo, draw)
    for number in range(4):
        one, other = draw.choices(history.commits, k=2)
        old = statuses(repo, one, tmp_path / f"old{number}")
        new = statuses(repo, other, tmp_path / f"new{number}")
        with Memory.open(str(repo)) as memory:
            found = memory.history.diff(one, other)
        both = old.keys() & new.keys()
        assert {row.id for row in found.added} == new.keys() - both
        assert {row.id for row in found.removed} == old.keys() - both
        assert {row.id for row in found.edited} == {i for i in both if old[i][1] != new[i][1]}
        assert {(one.row.id, one.was, one.row.status) for one in found.turned} == {
            (i, old[i][0], new[i][0]) for i in both if old[i][0] != new[i][0]
        }


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    fill(repo)
    return repo


@pytest.fixture
def memory(world: Path) -> Iterator[Memory]:
    with Memory.open(str(world)) as opened:
        yield opened


def kept(world: "Checkout") -> Path:
    return derived_folder(world) / "at"


def test_reading_a_revision_changes_neither_files_nor_refs(
    world: "Checkout", memory: Memory
) -> None:
    def state() -> tuple[str, ...]:
        asked = (
            ("status", "--porcelain"),
            ("for-each-ref",),
            ("stash", "list"),
            ("count-objects",),
        )
        return tuple(world.git(*one) for one in asked)

    before = state()
    with memory.history.at("HEAD") as past:
        assert len(past.list()) == 20
    assert state() == before


@sampled(2)
@pytest.mark.parametrize("how", ["garbage", "empty", "gone", "index", "half"])
def test_what_was_kept_of_a_revision_may_break(world: "Checkout", memory: Memory, how: str) -> None:
    revision = world.git("rev-parse", "HEAD")
    for data in random_memory(Random(3), 4):
        world.add(f".memory/{path_of(data)}", text_of(data))
    with memory.history.at(revision) as past:
        expected = told(past)
    (folder,) = kept(world).iterdir()
    if how == "gone":
        shutil.rmtree(folder)
    elif how == "index":
        shutil.rmtree(folder / "index")
    elif how == "half":
        for name in sorted(os.listdir(folder / "index"))[::2]:
            (folder / "index" / name).unlink()
    else:
        (folder / "catalog.sqlite").write_bytes(b"garbage" * 999 if how == "garbage" else b"")
    with memory.history.at(revision) as past:
        assert told(past) == expected


def test_few_revisions_are_kept_and_those_looked_at_last(world: "Checkout", memory: Memory) -> None:
    commits = []
    for number, data in enumerate(random_memory(Random(5), 12)):
        world.add(f".memory/{path_of(data)}", text_of(data))
        commits.append(world.commit(f"add {number}"))
    for commit in commits:
        with memory.history.at(commits[0]) as past:
            assert len(past.list()) == 21
        with memory.history.at(commit) as past:
            past.list()
    assert len(list(kept(world).iterdir())) == 8
    first = world.git("rev-parse", f"{commits[0]}:.memory")
    assert (kept(world) / first[:20]).is_dir()


def test_a_revision_without_a_memory_and_one_that_is_not_there(
    make_repo: "type[Checkout]",
) -> None:
    world = make_repo("other")
    world.add("code.py", "pass\n")
    before = world.commit()
    fill(world)
    with Memory.open(str(world)) as memory:
        with pytest.raises(NotFoundError, match=r"there was no memory in \.memory at"):
            memory.history.at(before)
        for name in ("nowhere", "", "-x", "--all", "HEAD~99", "HEAD:.memory", "a\0b"):
            with pytest.raises(NotFoundError, match="no revision"):
                memory.history.at(name)


def test_a_memory_of_a_package_has_its_own_past(make_repo: "type[Checkout]") -> None:
    world = make_repo("mono")
    for name in ("a", "b"):
        (world / "packages" / name).mkdir(parents=True)
        Memory.init(str(world / "packages" / name), here=True)
    with Memory.open(str(world / "packages/a")) as memory:
        memory.add("note", {"title": "of a", "body": "words"})
    first = world.commit()
    with Memory.open(str(world / "packages/b")) as memory:
        memory.add("note", {"title": "of b", "body": "words"})
        world.commit()
        with memory.history.at("HEAD") as past:
            assert [row.title for row in past.list()] == ["of b"]
        with memory.history.at(first) as past:
            assert past.list() == []


def test_all_branches_together_and_who_has_what(world: "Checkout", memory: Memory) -> None:
    main = world.git("branch", "--show-current")
    made = {}
    for name in ("one", "two"):
        world.git("checkout", "-q", "-b", name, main)
        with Memory.open(str(world)) as there:
            made[name] = there.add("note", {"title": f"on {name}", "body": "words"})
        world.commit(name)
    world.git("checkout", "-q", main)
    view, branches = memory.history.on_all_branches()
    with view:
        rows = {row.title: row for row in view.list()}
        assert len(rows) >= 2
        for name in made:
            path = rows[f"on {name}"].path
            assert branches.having[path] == [name]
            assert branches.elsewhere(path) == [name]
        shared = next(path for path, names in branches.having.items() if len(names) == 3)
        assert branches.having[shared][0] == main
        assert branches.elsewhere(shared) == []
    # An error of this branch that was fixed on another one is resolved there.
    (error, *_) = memory.list("kind:error status:open")
    world.git("checkout", "-q", "one")
    with Memory.open(str(world)) as there:
        there.resolve(error.id, {"approach": "on the other branch"})
    world.commit("fixed")
    world.git("checkout", "-q", main)
    assert memory.find(error.id).status == "open"
    view, _ = memory.history.on_all_branches()
    with view:
        assert view.find(error.id).status == "resolved"
