"""Random histories in real git: places and origins of records are right or withheld.

Each line of the code that says who it is (``step_7 = …``) is followed by one that does not, and no
edit ever parts the two: so it is known where each line belongs, whatever git does with it.
"""

import random
from typing import TYPE_CHECKING, Final

import pytest

from gitmem.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

_ALIKE: Final = "    return None"
_STEPS: Final = 14


class World:
    """A repository with one file of code and records about its lines, driven at random."""

    def __init__(self, repo: "Checkout", seed: int) -> None:
        self.repo = repo
        self.random = random.Random(seed)
        self.fresh = 0
        self.rules: dict[str, tuple[str, bool]] = {}
        Memory.init(str(repo))
        self.save("src/code.py", [self.name() for _ in range(20)])
        self.commit("code")

    def name(self) -> str:
        self.fresh += 1
        return f"step_{self.fresh} = take_the_step(number={self.fresh})"

    def path(self) -> str:
        (path,) = self.repo.git("ls-files", "src").splitlines()
        return path

    def names(self) -> list[str]:
        return (self.repo / self.path()).read_text().splitlines()[::2]

    def save(self, path: str, names: list[str]) -> None:
        self.repo.add(path, "".join(f"{name}\n{_ALIKE}\n" for name in names))

    def commit(self, message: str) -> str:
        return self.repo.commit(f"{message} {self.random.random()}")

    def edit(self) -> None:
        """Change the code, and sometimes write a record about it in the same commit."""
        names, path = self.names(), self.path()
        at = self.random.randrange(len(names) or 1)
        how = self.random.choice(["insert", "insert", "delete", "move", "rename", "nothing"])
        if how == "insert":
            names[at:at] = [self.name() for _ in range(self.random.randint(1, 3))]
        elif how == "delete" and len(names) > 6:
            del names[at : at + 2]
        elif how == "move" and len(names) > 6:
            block = names[at : at + 3]
            del names[at : at + 3]
            names[0:0] = block
        elif how == "rename":
            path = f"src/code_{self.fresh}_{self.random.randrange(1000)}.py"
            self.repo.git("mv", self.path(), path)
        self.save(path, names)
        for _ in range(self.random.randint(0, 2)):
            self.decide()
        self.commit(how)

    def decide(self) -> None:
        names, path = self.names(), self.path()
        at = self.random.randrange(len(names))
        alike = self.random.random() < 0.5
        number = 2 * at + 1 + alike
        fields = {"title": f"Rule {len(self.rules)}", "decision": "x",
                  "anchors": [{"path": path, "lines": [number, number]}]}  # fmt: skip
        with Memory.open(str(self.repo)) as memory:
            self.rules[memory.add("decision", fields).id] = names[at], alike

    def clean(self) -> bool:
        """Give up what ended in a conflict."""
        if not self.repo.git("status", "--porcelain", "--untracked-files=no"):
            return True
        self.repo.git("reset", "-q", "--hard")
        self.repo.git("clean", "-qfd")
        return False

    def attempt(self, *arguments: str) -> bool:
        try:
            self.repo.git(*arguments)
        except AssertionError:
            for word in ("merge", "rebase", "cherry-pick", "revert"):
                try:
                    self.repo.git(word, "--abort")
                except AssertionError:
                    continue
            self.clean()
            return False
        return True

    def step(self) -> None:
        """Do something that people do to histories; give it up if the code is not one file then."""
        before = self.repo.git("rev-parse", "HEAD")
        self.act()
        if len(self.repo.git("ls-files", "src").splitlines()) != 1:
            self.repo.git("reset", "-q", "--hard", before)

    def act(self) -> None:
        how = self.random.choice(
            ["edit", "edit", "edit", "merge", "squash", "pick", "rebase", "amend", "revert"]
        )
        if how == "edit":
            self.edit()
        elif how == "amend":
            self.repo.git("commit", "-q", "--amend", "--allow-empty", "-m", f"amended {self.fresh}")
        elif how == "revert":
            self.attempt("revert", "--no-edit", "HEAD")
        else:
            self.branch(how)

    def branch(self, how: str) -> None:
        name = f"work-{self.fresh}-{self.random.randrange(10_000)}"
        self.repo.git("checkout", "-q", "-b", name)
        for _ in range(self.random.randint(1, 3)):
            self.edit()
        self.repo.git("checkout", "-q", "main")
        for _ in range(self.random.randint(0, 2)):
            self.edit()
        if how == "merge":
            self.attempt("merge", "-q", "--no-edit", name)
        elif how == "squash":
            if self.attempt("merge", "-q", "--squash", name):
                self.commit("squash")
        elif how == "pick":
            self.attempt("cherry-pick", "--allow-empty", name)
        elif self.attempt("rebase", "-q", "main", name):
            self.repo.git("checkout", "-q", "main")
            self.repo.git("merge", "-q", "--ff-only", name)
        self.repo.git("checkout", "-q", "main")
        if self.random.random() < 0.5:
            self.repo.git("branch", "-q", "-D", name)

    def check(self) -> tuple[int, int]:
        """Compare places with what they have to be; count the right ones and those withheld."""
        lines = (self.repo / self.path()).read_text().splitlines()
        right = withheld = 0
        with Memory.open(str(self.repo)) as memory:
            for one in memory.anchors():
                name, alike = self.rules[one.wanted.row.id]
                there = name in lines
                if one.held is None:
                    withheld += there
                    continue
                assert there, one
                assert one.held.path == self.path()
                assert one.held.first == lines.index(name) + 1 + alike, one
                right += 1
            for row in memory.list():
                self.check_origin(row.path, memory.provenance(row.id).known)
        return right, withheld

    def check_origin(self, path: str, known: object) -> None:
        """Ask git itself whether a commit is reached, and added the file."""
        if known is None:
            return
        commit = getattr(known, "commit", "")
        self.repo.git("merge-base", "--is-ancestor", commit, "HEAD")
        added = self.repo.git(
            "diff-tree", "--root", "-r", "--no-commit-id", "--name-only", "--diff-filter=A", commit
        )
        assert f".memory/{path}" in added.splitlines()


@pytest.mark.parametrize("seed", range(6))
def test_after_random_histories_places_and_origins_are_right_or_withheld(
    repo: "Checkout", seed: int
) -> None:
    world = World(repo, seed)
    total_right = total_withheld = 0
    for _ in range(_STEPS):
        world.step()
        right, withheld = world.check()
        total_right += right
        total_withheld += withheld
    print(f"right {total_right}, withheld {total_withheld}")  # noqa: T201
    assert total_right > total_withheld
