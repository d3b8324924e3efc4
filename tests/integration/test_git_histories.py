"""Whatever git does to history: after each step the memory says what an independent oracle says.

Branches, merges of two and of three, rebases, squashes, cherry-picks, reverts, amended commits,
renamed files, resets and stashes, drawn at random, on real git.
"""

import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.answers import assert_right
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

DEEP = os.environ.get("GITMEM_DEEP") == "1"
SEEDS = 60 if DEEP else 4
STEPS = 60 if DEEP else 25
UNDER_WAY = {
    "merge": "MERGE_HEAD", "rebase": "rebase-merge", "revert": "REVERT_HEAD",
    "cherry-pick": "CHERRY_PICK_HEAD",
}  # fmt: skip


class Walk:
    """Takes random steps through what git can do; each leaves a clean work tree on a branch."""

    def __init__(self, world: "Checkout", draw: Random) -> None:
        self.world = world
        self.draw = draw
        self.start = world.git("rev-parse", "HEAD")
        self.ids: list[str] = []
        self.done: Counter[str] = Counter()
        self.steps: dict[str, Callable[[], None]] = {
            "add": self.add, "edit": self.edit, "delete": self.delete, "rename": self.rename,
            "branch": self.branch, "switch": self.switch, "merge": self.merge,
            "octopus": self.octopus, "rebase": self.rebase, "squash": self.squash,
            "pick": self.pick, "revert": self.revert, "amend": self.amend, "reset": self.reset,
        }  # fmt: skip

    def step(self) -> str:
        """Do something; what can't be done is taken back."""
        name = self.draw.choice([*self.steps, "add", "add", "add"])
        self.steps[name]()
        self.done[name] += 1
        assert self.world.git("status", "--porcelain") == ""
        return name

    # Edits

    def files(self) -> list[Path]:
        return sorted((self.world / ".memory").rglob("*-*.yaml"))

    def write(self) -> None:
        for _ in range(self.draw.randint(1, 3)):
            data = record(self.draw, self.ids)
            self.world.add(f".memory/{path_of(data)}", text_of(data))
            self.ids.append(str(data["id"]))

    def add(self) -> None:
        self.write()
        self.world.commit("add")

    def edit(self) -> None:
        for path in self.files()[-1:]:
            path.write_text(path.read_text().replace("title: ", "title: edited ", 1))
        self.world.commit("edit")

    def delete(self) -> None:
        for path in self.draw.sample(self.files(), min(1, len(self.files()))):
            path.unlink()
        self.world.commit("delete")

    def rename(self) -> None:
        for path in self.draw.sample(self.files(), min(1, len(self.files()))):
            path.rename(path.with_name(f"renamed-{path.name[-60:].lstrip('-')}"))
        self.world.commit("rename")

    # History

    def names(self) -> list[str]:
        return self.world.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()

    def others(self) -> list[str]:
        here = self.world.git("branch", "--show-current")
        return [name for name in self.names() if name != here]

    def attempt(self, *arguments: str, undo: str = "") -> bool:
        """Run git; if it stops at a conflict, take it back."""
        try:
            self.world.git(*arguments)
        except AssertionError:
            if undo and (self.world / ".git" / UNDER_WAY[undo]).exists():
                self.world.git(undo, "--abort")
            else:  # there was nothing to do
                self.world.git("reset", "-q", "--hard")
            return False
        return True

    def branch(self) -> None:
        name = f"b{self.draw.randint(0, 3)}"
        self.world.git("checkout", "-q", "-B", name)

    def switch(self) -> None:
        for name in self.draw.sample(self.others(), min(1, len(self.others()))):
            self.world.git("checkout", "-q", name)

    def merge(self) -> None:
        for name in self.draw.sample(self.others(), min(1, len(self.others()))):
            self.attempt("merge", "-q", "--no-edit", name, undo="merge")

    def octopus(self) -> None:
        names = self.draw.sample(self.others(), min(2, len(self.others())))
        if names:
            self.attempt("merge", "-q", "--no-edit", *names)

    def rebase(self) -> None:
        for name in self.draw.sample(self.others(), min(1, len(self.others()))):
            self.attempt("rebase", "-q", name, undo="rebase")

    def squash(self) -> None:
        for name in self.draw.sample(self.others(), min(1, len(self.others()))):
            if self.attempt("merge", "-q", "--squash", name):
                self.world.commit("squash")

    def commits(self, *options: str) -> list[str]:
        return self.world.git("rev-list", "--no-merges", "--max-count=30", *options).split()

    def pick(self) -> None:
        there = self.commits("--all", "--not", "HEAD")
        for commit in self.draw.sample(there, min(1, len(there))):
            self.attempt("cherry-pick", "--allow-empty", "--keep-redundant-commits", commit,
                         undo="cherry-pick")  # fmt: skip

    def revert(self) -> None:
        since = self.commits("HEAD", f"^{self.start}")
        for commit in self.draw.sample(since, min(1, len(since))):
            self.attempt("revert", "--no-edit", commit, undo="revert")

    def amend(self) -> None:
        if self.world.git("rev-parse", "HEAD") != self.start:
            self.write()
            self.world.git("add", "-A")
            self.world.git("commit", "-q", "--amend", "--no-edit", "--allow-empty")

    def reset(self) -> None:
        if self.world.git("rev-list", "--first-parent", "HEAD", f"^{self.start}"):
            self.world.git("reset", "-q", "--hard", "HEAD~1")


@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_each_step_the_memory_is_right(
    repo: "Checkout", seed: int, record_property: "Callable[[str, object], None]"
) -> None:
    Memory.init(str(repo))
    repo.commit("start")
    walk = Walk(repo, Random(seed))
    for number in range(STEPS):
        name = walk.step()
        with Memory.open(str(repo)) as memory:
            assert_right(memory)
            if number % 5 == 4:
                with memory.at("HEAD") as past:
                    there = past.derived.catalog().dump()
                assert there == memory.derived.catalog().dump(), name
    record_property("steps", dict(walk.done))
