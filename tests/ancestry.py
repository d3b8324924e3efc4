"""Where records and lines come from, worked out from git's plumbing alone, commit by commit.

Nothing of ``gitmem`` is used, whose answers this judges: no ``git log`` with a path, no rename
detection, no blame. Slow, and plain enough to be believed.
"""

import re
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout

_ID = re.compile(r"(?:dec|err|fix|ses|pat|note)-[0-9a-z]{10}(?=\.yaml$)")


class Ancestry:
    """The commits that can be reached from HEAD, and what each has; trees are read once.

    Args:
        world: the repository.

    """

    def __init__(self, world: "Checkout") -> None:
        self._world = world
        self._ids: dict[str, frozenset[str]] = {}
        self._lines: dict[str, frozenset[str]] = {}

    def look(self) -> None:
        """Look again: HEAD is another commit."""
        self.__dict__.pop("parents", None)
        self.__dict__.pop("main_line", None)

    @cached_property
    def parents(self) -> dict[str, list[str]]:
        """The parents of each commit, HEAD first."""
        said = self._world.git("rev-list", "--parents", "--topo-order", "HEAD").splitlines()
        return {(words := line.split())[0]: words[1:] for line in said}

    @cached_property
    def main_line(self) -> list[str]:
        """HEAD, its first parent, and so on."""
        found = [next(iter(self.parents))]
        while before := self.parents[found[-1]]:
            found.append(before[0])
        return found

    def ids(self, commit: str) -> frozenset[str]:
        """Give the ids of the records that a commit has."""
        if commit not in self._ids:
            said = self._world.git("ls-tree", "-r", "-z", "--name-only", commit, "--", ".memory")
            names = (_ID.search(name) for name in said.split("\0"))
            self._ids[commit] = frozenset(name[0] for name in names if name)
        return self._ids[commit]

    def lines(self, commit: str) -> frozenset[str]:
        """Give all lines of code that a commit has, whatever file they are in."""
        if commit not in self._lines:
            said = self._world.git("grep", "-h", "-e", "", commit, "--", "src")
            self._lines[commit] = frozenset(said.splitlines())
        return self._lines[commit]

    def brought(self, record: str) -> set[str]:
        """Give the commits that brought a record: it is there ever since, and not before.

        From each of them a way leads to HEAD on which every commit has the record, so what was
        taken away later is none.
        """
        found: set[str] = set()
        seen: set[str] = set()
        border = [one for one in list(self.parents)[:1] if record in self.ids(one)]
        while border:
            commit = border.pop()
            if commit in seen:
                continue
            seen.add(commit)
            having = [one for one in self.parents[commit] if record in self.ids(one)]
            border += having
            if not having:
                found.add(commit)
        return found

    def is_merge(self, commit: str) -> bool:
        """Tell whether a commit has several parents."""
        return len(self.parents[commit]) > 1

    def merged_by(self, commit: str) -> str:
        """Give the merge of the main line that brought a commit there; empty: it is on it."""
        for one in reversed(self.main_line):
            if commit in set(self._before(one)):
                return "" if one == commit or not self.is_merge(one) else one
        return ""

    def _before(self, commit: str) -> "Iterator[str]":
        seen: set[str] = set()
        border = [commit]
        while border:
            one = border.pop()
            if one not in seen:
                seen.add(one)
                yield one
                border += self.parents[one]

    def added(self, commit: str) -> frozenset[str]:
        """Give the ids of the records that a commit of any branch has and no parent of it."""
        words = self._world.git("rev-list", "-1", "--parents", commit).split()
        before = [self.ids(one) for one in words[1:]]
        return self.ids(words[0]).difference(*before)

    def changed(self, commit: str, line: str) -> bool:
        """Tell whether a commit's own change adds a line of code."""
        said = self._world.git(
            "show", "-m", "--first-parent", "--format=", "--no-renames", "-U0", commit, "--", "src"
        )
        return f"+{line}" in said.splitlines()
