"""Git never takes a folder of records for renamed, whatever was forgotten, archived and added.

A folder all of whose files are gone counts as renamed to where similar files were added; what
another branch adds to it then ends in a conflict. Records of one kind are similar to each other.
"""

import os
import shutil
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from gitmem.records.convert import encode, from_data
from gitmem.store.files import KEEP, Store
from tests.depth import DEEP, amount, deep, sampled
from tests.e2e.running import ok
from tests.integration.test_merge_safety import bare
from tests.plumbing import Merged, Objects, Pair, run_together
from tests.random_records import new_id, path_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.conftest import Checkout

HISTORIES = amount(share=25, ci=150, whole=3_000)
_BATCH = 25
Tree = dict[str, bytes]
MONTHS = ("2026-01", "2026-02", "2026-03")


def error(rng: Random, month: str) -> dict[str, Any]:
    """Make an error that differs from others in little, as those of one suite do."""
    return {
        "kind": "error",
        "id": new_id(rng, "error"),
        "title": f"ValueError in step {rng.randrange(9)}",
        "created": f"{month}-0{rng.randint(1, 9)}T10:00:00.000Z",
        "author": {"name": "Ann Smith", "email": "ann@example.com"},
        "error_type": "ValueError",
        "message": "could not convert string to float: 'n/a'",
        "language": "python",
        "command": "pytest -q tests/integration",
        "tags": ["import", "csv"],
    }


def write(checkout: "Checkout", *records: dict[str, Any]) -> list[str]:
    """Write records with a memory; give their ids."""
    with Memory.open(str(checkout)) as memory:
        for data in records:
            memory.records.writer.write(from_data(dict(data)))
    return [data["id"] for data in records]


def without_keeps(checkout: "Checkout") -> None:
    """Make it a memory as older versions wrote it."""
    for keep in (checkout / ".memory").rglob(KEEP):
        keep.unlink()


@pytest.mark.parametrize("older", [False, True], ids=["new", "written by an older version"])
@pytest.mark.parametrize("how", ["forget", "archive"])
def test_an_add_merges_clean_beside_a_month_that_was_emptied(
    repo: "Checkout", sealed_git: Path, how: str, *, older: bool
) -> None:
    rng = Random(1)
    ok(repo, "init")
    old = write(repo, error(rng, "2026-01"), error(rng, "2026-01"))
    if older:
        without_keeps(repo)
    repo.commit("january")
    repo.git("branch", "other")
    if how == "forget":
        for record in old:
            ok(repo, "forget", record, "--yes")
    else:
        ok(repo, "archive", "--older-than", "1", "--yes", *old)
    new = write(repo, error(rng, "2026-02"), error(rng, "2026-02"))
    repo.commit("february")
    repo.git("checkout", "-q", "other")
    added = write(repo, error(rng, "2026-01"))
    repo.commit("one more in january")
    repo.git("merge", "-q", "--no-edit", "main")
    with Memory.open(str(repo)) as memory:
        there = {row.id for row in memory.list()}
        assert there == {*new, *added}
        assert not [problem for problem in memory.checks.files() if problem.code != "unlinked"]


WAYS = {
    "merge": ["merge -q --no-edit main"],
    "rebase": ["rebase -q main"],
    "cherry-pick": ["cherry-pick main"],
    "squash": ["merge -q --squash main"],
    "stash": ["stash -q -u", "merge -q main", "stash pop -q"],
}


@sampled(3)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("how", ["forget", "archive"])
def test_a_user_who_lets_git_follow_folders_keeps_each_add_where_it_was_written(
    repo: "Checkout", sealed_git: Path, how: str, way: str
) -> None:
    rng = Random(1)
    ok(repo, "init")
    repo.git("config", "merge.directoryRenames", "true")
    repo.git("config", "diff.renames", "copies")
    months = ("2025-01", "2025-02")  # all of a year
    old = write(repo, *(error(rng, month) for month in months * 2))
    repo.commit("a year")
    repo.git("branch", "other")
    if how == "forget":
        ok(repo, "forget", *old, "--yes")
    else:
        ok(repo, "archive", "--older-than", "1", "--yes", *old)
    new = write(repo, *(error(rng, month) for month in ("2026-02", "2026-03") * 4))
    repo.commit("another year")
    repo.git("checkout", "-q", "other")
    added = write(repo, *(error(rng, month) for month in months))
    if way != "stash":
        repo.commit("more in the first")
    for line in WAYS[way]:
        repo.git(*line.split())
    with Memory.open(str(repo)) as memory:
        assert {row.id for row in memory.list()} == {*new, *added}
        assert not [problem for problem in memory.checks.files() if problem.code != "unlinked"]
    for month, record in zip(months, added, strict=True):
        (_there,) = (repo / ".memory/errors" / month.replace("-", "/")).glob(f"*{record}.yaml")


class Branch:
    """A branch as a folder on disk that the product's own store writes."""

    def __init__(self, folder: Path, files: Tree) -> None:
        self.folder = folder
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        self.store = Store(str(folder / ".memory"), 1 << 20)

    def files(self) -> Tree:
        """Give what git would have of it: files, and no empty folders."""
        paths = (Path(folder, name) for folder, _, names in os.walk(self.folder) for name in names)
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}


class History:
    """Two branches at a time grow from what the last ones were merged to."""

    def __init__(self, objects: Objects, folder: Path, seed: int) -> None:
        self.objects = objects
        self.folder = folder
        self.rng = Random(seed)
        self.merges = 0

    def run(self) -> "Generator[Pair, Merged, int]":
        """Let branches add, edit and forget, and merge both ways, some times over."""
        files: Tree = {"README": b"code", ".memory/gitmem.yaml": b"format: 1\n"}
        for _ in range(self.rng.randint(1, 5)):  # by a version that kept no folders
            data = error(self.rng, self.rng.choice(MONTHS))
            files[f".memory/{path_of(data)}"] = encode(from_data(data))
        for turn in range(self.rng.randint(2, 4)):
            files = yield from self._turn(files, turn)
        shutil.rmtree(self.folder)
        return self.merges

    def _turn(self, files: Tree, turn: int) -> "Generator[Pair, Merged, Tree]":
        records = sorted(path for path in files if path.endswith(".yaml") and "/errors/" in path)
        owned = {path: self.rng.randrange(2) for path in records}  # nobody edits what others delete
        sides = []
        for number in range(2):
            branch = Branch(self.folder / f"{turn}-{number}", files)
            mine = [path for path in records if owned[path] == number]
            self._grow(branch, mine)
            sides.append(branch.files())
        expected = _united(files, *sides)
        base, ours, theirs = (self.objects.tree(side) for side in (files, *sides))
        root = self.objects.commit(base)
        heads = [self.objects.commit(tree, [root]) for tree in (ours, theirs)]
        for pair in ((heads[0], heads[1]), (heads[1], heads[0])):
            merged = yield pair
            self.merges += 1
            assert merged.clean
            assert merged.tree == self.objects.tree(expected)
        return expected

    def _grow(self, branch: Branch, mine: list[str]) -> None:
        wholly = self.rng.random() < 0.5  # all of a month goes
        month = self.rng.choice(MONTHS).replace("-", "/")
        for path in mine:
            if (wholly and month in path) or self.rng.random() < 0.2:
                branch.store.delete(path.removeprefix(".memory/"))
            elif self.rng.random() < 0.3:
                full = branch.folder / path
                full.write_bytes(full.read_bytes() + b"severity: high\n")
        for _ in range(self.rng.randint(0, 4)):
            data = error(self.rng, self.rng.choice(MONTHS))
            branch.store.create(path_of(data), encode(from_data(data)))


def _united(base: Tree, ours: Tree, theirs: Tree) -> Tree:
    """Merge three trees path by path; of no path both sides made something else."""
    united = {}
    for path in base | ours | theirs:
        was, here, there = (side.get(path) for side in (base, ours, theirs))
        assert here == there or was in (here, there)
        data = there if here == was else here
        if data is not None:
            united[path] = data
    return united


@deep
@pytest.mark.timeout(3600 if DEEP else 300)
def test_any_history_of_adds_edits_and_forgets_merges_clean_both_ways(tmp_path: Path) -> None:
    merges = 0
    for start in range(0, HISTORIES, _BATCH):
        objects = bare(tmp_path / "git")
        seeds = range(start, min(start + _BATCH, HISTORIES))
        histories = [History(objects, tmp_path / f"work-{seed}", seed) for seed in seeds]
        merges += sum(run_together(objects, (history.run() for history in histories)))
        shutil.rmtree(tmp_path / "git")
    assert merges >= 4 * HISTORIES
