"""Random walks through what git can do to a repository with a memory and with code, on real git.

Each line of the code that says who it is (``step_7 = …``) is followed by one that does not, and no
edit ever parts the two: so it is known where each line belongs, whatever git does with it. All
else that an answer is held against is asked of git's plumbing, in ``tests.ancestry``.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from gitmem.memory import Memory
from gitmem.memory.anchors.anchor_text import with_text
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

ALIKE: Final = "    return None"
UNDER_WAY: Final = {
    "merge": "MERGE_HEAD", "rebase": "rebase-merge", "revert": "REVERT_HEAD",
    "cherry-pick": "CHERRY_PICK_HEAD",
}  # fmt: skip
_Thing = TypeVar("_Thing")
_PAIRS: Final = 8
_FILES: Final = 4
_RULES: Final = 8
_PATIENCE: Final = 4


class Rule(NamedTuple):
    """What a record was written about: lines as they were, and the first that has a name.

    Attributes:
        lines: those that it anchors.
        name: the named line among them, or the one above a single nameless one.

    """

    lines: tuple[str, ...]
    name: str


class Walk:
    """Takes random steps; each leaves a clean work tree on a branch.

    Args:
        world: the repository, with a memory and without code.
        draw: where all chance comes from.

    """

    def __init__(self, world: "Checkout", draw: Random) -> None:
        self.world = world
        self.draw = draw
        self.fresh = 0
        self.ids: list[str] = []
        self.rules: dict[str, Rule] = {}
        self.done: Counter[str] = Counter()
        for number in range(_FILES):
            self.save(f"src/code_{number}.py", self.new_pairs(_PAIRS))
        world.commit("code")
        for _ in range(_RULES):
            self.decide()
        self.start = world.commit("rules")
        self.deck: list[str] = []
        self.steps: dict[str, Callable[[], bool]] = {
            "add": self.add, "edit": self.edit, "delete": self.delete, "rename": self.rename,
            "code": self.code, "move": self.move, "branch": self.branch, "switch": self.switch,
            "merge": self.merge, "octopus": self.octopus, "rebase": self.rebase,
            "squash": self.squash, "pick": self.pick, "revert": self.revert,
            "amend": self.amend, "reset": self.reset,
        }  # fmt: skip

    def step(self) -> str:
        """Do something, until something could be done; give its name.

        What is done is drawn as cards are: nothing comes again before all the rest has come.
        """
        while True:
            self.deck = self.deck or self.shuffled()
            name = self.deck.pop()
            before = self.world.git("rev-parse", "HEAD")
            done = self.steps[name]()
            if not all(map(in_pairs, self.code_files().values())):
                # Git put lines of two branches together in a way that nobody can judge.
                self.world.git("reset", "-q", "--hard", before)
                done = False
            assert self.world.git("status", "--porcelain") == ""
            self.done[name if done else f"{name} refused"] += 1
            if done:
                return name
            if self.done[f"{name} refused"] <= _PATIENCE * (1 + self.done[name]):
                self.deck.insert(0, name)  # later, when there is something else to do it with

    def shuffled(self) -> list[str]:
        cards = [*self.steps, "code", "code", "code"]
        return self.draw.sample(cards, len(cards))

    # Records

    def files(self) -> list[Path]:
        return sorted((self.world / ".memory").rglob("*-*.yaml"))

    def write(self) -> None:
        for _ in range(self.draw.randint(1, 3)):
            self.put(record(self.draw, self.ids))
        for _ in range(self.draw.randint(0, 2)):
            self.decide()

    def put(self, data: dict[str, Any]) -> None:
        self.world.add(f".memory/{path_of(data)}", text_of(data))
        self.ids.append(str(data["id"]))

    def decide(self) -> None:
        """Write a record about some lines: two to six of them, or a nameless one alone."""
        path, lines = self.draw.choice(sorted(self.code_files().items()))
        at = 2 * self.draw.randrange(len(lines) // 2)
        alone = self.draw.random() < 0.4
        first = at + alone
        last = first + (0 if alone else self.draw.choice([0, 1, 3]))
        if last >= len(lines):
            return
        data = record(self.draw, self.ids, "decision")
        anchor = {"path": path, "lines": [first + 1, last + 1]}
        with Memory.open(str(self.world)) as memory:
            data |= with_text(memory.workspace, {"anchors": [anchor]})
        self.rules[str(data["id"])] = Rule(tuple(lines[first : last + 1]), lines[at])
        self.put(data)

    def add(self) -> bool:
        self.write()
        self.world.commit(self.message("add"))
        return True

    def edit(self) -> bool:
        for path in self.files()[-1:]:
            path.write_text(path.read_text().replace("title: ", "title: edited ", 1))
        return self.commit_if_any("edit")

    def delete(self) -> bool:
        for path in self.some(self.files()):
            path.unlink()
        return self.commit_if_any("delete")

    def rename(self) -> bool:
        for path in self.some(self.files()):
            path.rename(path.with_name(f"renamed-{path.name[-60:].lstrip('-')}"))
        return self.commit_if_any("rename")

    # Code

    def new_pairs(self, count: int) -> list[str]:
        lines = []
        for _ in range(count):
            self.fresh += 1
            lines += [f"step_{self.fresh} = take_the_step_of(number={self.fresh})", ALIKE]
        return lines

    def save(self, path: str, lines: list[str]) -> None:
        self.world.add(path, "".join(f"{line}\n" for line in lines))

    def code_files(self) -> dict[str, list[str]]:
        paths = sorted((self.world / "src").iterdir())
        return {f"src/{path.name}": path.read_text().splitlines() for path in paths}

    def code(self) -> bool:
        """Change the code, and sometimes write records about it in the same commit."""
        files = self.code_files()
        path = self.draw.choice(sorted(files))
        lines = files[path]
        ruled = {rule.name for rule in self.rules.values()}
        starts = range(0, len(lines), 2)
        about = [at for at in starts if lines[at] in ruled and self.draw.random() < 0.5]
        at = self.draw.choice(about or [*starts, 0])
        how = self.draw.choice(["insert", "insert", "replace", "cut", "up", "across"])
        size = 2 * self.draw.randint(1, 3)
        if how == "insert":
            lines[at:at] = self.new_pairs(self.draw.randint(1, 3))
        elif len(lines) <= size + 6:
            return False
        else:
            block, lines[at : at + size] = lines[at : at + size], []
            if how == "replace":
                lines[at:at] = self.new_pairs(1)
            elif how == "up":
                lines[0:0] = block
            elif how == "across":
                other = self.draw.choice([one for one in sorted(files) if one != path])
                there = 2 * self.draw.randrange(len(files[other]) // 2)
                files[other][there:there] = block
                self.save(other, files[other])
        self.save(path, lines)
        for _ in range(self.draw.choice([0, 0, 1, 2])):
            self.decide()
        self.world.commit(self.message(how))
        return True

    def move(self) -> bool:
        """Give a file of code another name, and sometimes another line."""
        path, lines = self.draw.choice(sorted(self.code_files().items()))
        self.fresh += 1
        new = f"src/code_{self.fresh}.py"
        self.world.git("mv", path, new)
        if self.draw.random() < 0.5:
            self.save(new, self.new_pairs(1) + lines)
        self.world.commit(self.message("move"))
        return True

    # History

    def message(self, what: str) -> str:
        return f"{what} {self.done.total()}"

    def some(self, things: list[_Thing]) -> list[_Thing]:
        return self.draw.sample(things, min(1, len(things)))

    def commit_if_any(self, what: str) -> bool:
        if not self.world.git("status", "--porcelain"):
            return False
        self.world.commit(self.message(what))
        return True

    def names(self) -> list[str]:
        here = self.world.git("branch", "--show-current")
        names = self.world.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        return [name for name in names if name != here]

    def others(self, count: int = 1, *, calm: bool = False) -> list[str]:
        """Give branches to bring in: some of those that are there, mostly after new work on them.

        The work begins at a commit a little way back.

        Args:
            count: how many.
            calm: all of them with new work, which hardly ever meets other work.

        """
        found = self.draw.sample(self.names(), min(count, len(self.names())))
        here = self.world.git("branch", "--show-current")
        for number in range(count):
            if not calm and number < len(found) and self.draw.random() < 0.3:
                continue
            back = len(self.world.git("rev-list", "--first-parent", f"{self.start}..HEAD").split())
            name = f"w{self.draw.randint(0, 4)}"
            if name == here:
                continue
            self.world.git(
                "checkout", "-q", "-B", name, f"HEAD~{self.draw.randint(0, min(3, back))}"
            )
            for _ in range(self.draw.randint(1, 3)):
                work = [self.code, self.add, self.code, self.move, self.rename]
                self.draw.choice(work[: 2 if calm else 5])()
            self.world.git("checkout", "-q", here)
            found[number : number + 1] = [name]
        return list(dict.fromkeys(found))

    def attempt(self, *arguments: str, undo: str = "") -> bool:
        """Run git; if it stops at a conflict, take it back. Tell whether it changed something."""
        before = self.world.git("rev-parse", "HEAD")
        try:
            self.world.git(*arguments)
        except AssertionError:
            if undo and (self.world / ".git" / UNDER_WAY[undo]).exists():
                self.world.git(undo, "--abort")
            else:  # there was nothing to do
                self.world.git("reset", "-q", "--hard")
            self.world.git("clean", "-qfd")
            return False
        staged = self.world.git("status", "--porcelain")
        return bool(staged) or self.world.git("rev-parse", "HEAD") != before

    def branch(self) -> bool:
        name = f"b{self.draw.randint(0, 3)}"
        self.world.git("checkout", "-q", "-B", name)
        return True

    def switch(self) -> bool:
        for name in self.some(self.names()):
            self.world.git("checkout", "-q", name)
            return True
        return False

    def merge(self) -> bool:
        others = self.others()
        options = ("merge", "-q", "--no-edit", *self.some(["--no-ff", "--ff"]))
        return bool(others) and self.attempt(*options, *others, undo="merge")

    def octopus(self) -> bool:
        """Merge two branches at once, if neither holds the other."""
        names, before = self.others(2, calm=True), self.world.git("rev-parse", "HEAD")
        if not self.attempt("merge", "-q", "--no-edit", "--no-ff", *names):
            return False
        parents = self.world.git("rev-list", "-1", "--parents", "HEAD").split()[1:]
        if len(parents) == 3:
            return True
        self.world.git("reset", "-q", "--hard", before)
        return False

    def rebase(self) -> bool:
        others = self.others()
        return bool(others) and self.attempt("rebase", "-q", *others, undo="rebase")

    def squash(self) -> bool:
        """Bring all of a branch as one commit; sometimes the branch is deleted then."""
        for name in self.others():
            if self.attempt("merge", "-q", "--squash", name) and self.commit_if_any("squash"):
                if self.draw.random() < 0.3:
                    self.world.git("branch", "-q", "-D", name)
                return True
        return False

    def commits(self, *options: str) -> list[str]:
        return self.world.git("rev-list", "--no-merges", "--max-count=30", *options).split()

    def pick(self) -> bool:
        self.others()
        there = self.some(self.commits("--all", "--not", "HEAD"))
        options = ("cherry-pick", "--allow-empty", "--keep-redundant-commits")
        return bool(there) and self.attempt(*options, *there, undo="cherry-pick")

    def revert(self) -> bool:
        since = self.some(self.commits("HEAD", f"^{self.start}"))
        return bool(since) and self.attempt("revert", "--no-edit", *since, undo="revert")

    def amend(self) -> bool:
        if self.world.git("rev-parse", "HEAD") == self.start:
            return False
        self.write()
        self.world.git("add", "-A")
        self.world.git("commit", "-q", "--amend", "--no-edit", "--allow-empty")
        return True

    def reset(self) -> bool:
        if not self.world.git("rev-list", "--first-parent", "HEAD", f"^{self.start}"):
            return False
        self.world.git("reset", "-q", "--hard", "HEAD~1")
        return True


def in_pairs(lines: list[str]) -> bool:
    """Tell whether each line that has a name is followed by one that has none."""
    pairs = zip(lines[::2], lines[1::2], strict=False)
    return len(lines) % 2 == 0 and all(
        one.startswith("step_") and other == ALIKE for one, other in pairs
    )
