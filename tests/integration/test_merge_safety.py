"""Records written on any branches merge with plain git, in any order, to one folded state."""

import shutil
import time
from collections.abc import Callable, Generator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from gitmem.catalog.catalog import Catalog, CatalogChange
from gitmem.memory import Memory
from gitmem.memory.initialise import FILES
from gitmem.query import Filters
from gitmem.records import codec
from gitmem.records.convert import from_data
from tests import oracle
from tests.depth import DEEP, amount, deep, sampled
from tests.plumbing import Merged, Objects, Pair, run_together
from tests.random_records import entry_of, path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

HISTORIES = amount(share=30, ci=200, whole=20_000)
REAL = amount(share=1, ci=5, whole=100)
_BATCH = 100
Tree = dict[str, bytes]
Steps = Generator[Pair, Merged, "Outcome"]


class Outcome(NamedTuple):
    """A finished history: the records of all branches, in the order they were written."""

    records: list[oracle.Data]
    merges: int


class Commit(NamedTuple):
    """A commit and the files in it, of which ``added`` are its own."""

    name: str
    files: Tree
    added: Tree


class History:
    """Branches of one memory, whose merges are asked of git by yielding pairs of commits."""

    def __init__(self, objects: Objects, seed: int) -> None:
        self.objects = objects
        self.rng = Random(seed)
        self.records: list[oracle.Data] = []
        self.merges = 0

    def commit(self, files: Tree, added: Tree, *parents: Commit) -> Commit:
        """Commit files."""
        tree = self.objects.tree(files)
        return Commit(self.objects.commit(tree, [p.name for p in parents]), files, added)

    def initialised(self) -> Tree:
        """Give what ``gitmem init`` writes; attributes may have been left out."""
        return {f".memory/{name}": data for name, data in FILES.items() if name != ".gitattributes"}

    def grown(self, head: Commit) -> Commit:
        """Commit a few new records, which may link to any that some branch has."""
        added: Tree = {}
        for _ in range(self.rng.randint(1, 3)):
            data = record(self.rng, [str(known["id"]) for known in self.records])
            self.records.append(data)
            added[f".memory/{path_of(data)}"] = text_of(data)
        return self.commit(head.files | added, added, head)

    def ask(self, ours: Commit, theirs: Commit) -> Generator[Pair, Merged, Tree]:
        """Merge two commits; the result has to be clean and the union of both."""
        merged = yield ours.name, theirs.name
        self.merges += 1
        union = ours.files | theirs.files
        assert merged.clean
        assert merged.tree == self.objects.tree(union)
        return union

    def merged(self, *heads: Commit) -> Generator[Pair, Merged, Commit]:
        """Merge two heads, or more as an octopus does: one after the other, one commit."""
        files = heads[0]
        for theirs in heads[1:]:
            files = self.commit((yield from self.ask(files, theirs)), {}, files, theirs)
        return self.commit(files.files, {}, *heads)

    def picked(self, head: Commit, picked: Commit) -> Generator[Pair, Merged, Commit]:
        """Cherry-pick: a merge whose base is the parent of the picked commit."""
        before = {path: data for path, data in picked.files.items() if path not in picked.added}
        base = self.commit(before, {})
        ours = self.commit(head.files | before, {}, base)
        theirs = self.commit(picked.files, {}, base)
        yield from self.ask(ours, theirs)
        return self.commit(head.files | picked.added, picked.added, head)

    def rebased(self, own: list[Commit], onto: Commit) -> Generator[Pair, Merged, Commit]:
        """Pick a branch's own commits one by one onto another head."""
        for commit in own:
            onto = yield from self.picked(onto, commit)
        return onto

    def run(self) -> Steps:
        """Let branches grow, meet in every way that git has, and end in two orders."""
        rng = self.rng
        root = self.commit({"README": b"code"}, {})
        if rng.random() < 0.7:
            files = root.files | self.initialised()
            if rng.random() < 0.5:
                files[".memory/.gitattributes"] = FILES[".gitattributes"]
            root = self.grown(self.commit(files, {}, root))
        heads = [
            self.commit(root.files | self.initialised(), {}, root) for _ in range(rng.randint(2, 4))
        ]
        own: list[list[Commit]] = [[] for _ in heads]
        for _ in range(rng.randint(4, 10)):
            one, other = rng.sample(range(len(heads)), 2)
            match rng.choice(
                ("grow", "grow", "grow", "merge", "cross", "pick", "rebase", "octopus")
            ):
                case "grow":
                    heads[one] = self.grown(heads[one])
                    own[one].append(heads[one])
                case "merge":
                    heads[one] = yield from self.merged(heads[one], heads[other])
                case "cross":
                    first = yield from self.merged(heads[one], heads[other])
                    second = yield from self.merged(heads[other], heads[one])
                    heads[one], heads[other] = self.grown(first), self.grown(second)
                case "pick" if own[other]:
                    heads[one] = yield from self.picked(heads[one], rng.choice(own[other]))
                case "rebase" if own[one]:
                    heads[one] = yield from self.rebased(own[one], heads[other])
                case "octopus":
                    heads[one] = yield from self.merged(*rng.sample(heads, len(heads)))
        ends = []
        for _ in range(2):
            heads = rng.sample(heads, len(heads))
            end = heads[0]
            for head in heads[1:]:
                pair = (end, head) if rng.random() < 0.5 else (head, end)
                end = yield from self.merged(*pair)
            ends.append(end)
        assert ends[0].files == ends[1].files
        return Outcome(self._survivors(ends[0].files), self.merges)

    def _survivors(self, files: Tree) -> list[oracle.Data]:
        """A rebase drops what was merged in before; everything else has to be there."""
        return [data for data in self.records if f".memory/{path_of(dict(data))}" in files]


def folded(made: list[oracle.Data]) -> dict[str, str]:
    """Let the catalog take records in, in this order; give every status."""
    catalog = Catalog(":memory:")
    with catalog.writing():
        for number, data in enumerate(made, 1):
            taken = entry_of(data)
            change = CatalogChange(path_of(dict(data)), (0, 0, 0, 0), 0, b"x", taken, [])
            catalog.put([(number, change)])
    found = {row.id: row.status for row in catalog.rows(Filters())}
    catalog.close()
    return found


def bare(folder: Path) -> Objects:
    """Make the least that git takes for a repository."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    return Objects(folder)


def run_histories(folder: Path, seeds: range) -> list[Outcome]:
    objects = bare(folder)
    outcomes = run_together(objects, (History(objects, seed).run() for seed in seeds))
    shutil.rmtree(folder)
    return outcomes


@deep
@pytest.mark.slow
@pytest.mark.timeout(7200 if DEEP else 120)
def test_any_history_of_adds_merges_clean_to_the_oracles_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started, merges, records = time.monotonic(), 0, 0
    for start in range(0, HISTORIES, _BATCH):
        for seed, outcome in enumerate(
            run_histories(tmp_path / "git", range(start, min(start + _BATCH, HISTORIES))), start
        ):
            made = outcome.records
            expected = oracle.statuses({path_of(dict(data)): data for data in made})
            assert folded(made) == expected, f"seed {seed}"
            assert folded(Random(seed).sample(made, len(made))) == expected, f"seed {seed}"
            merges += outcome.merges
            records += len(made)
    with capsys.disabled():
        seconds = time.monotonic() - started
        print(  # noqa: T201  the count is what the test is for
            f"\n{HISTORIES} git histories, {merges} merges, {records} records: 0 conflicts, "
            f"0 differences from the oracle ({seconds:.0f} s)"
        )


def test_the_harness_sees_a_conflict_where_there_is_one(tmp_path: Path) -> None:
    objects = bare(tmp_path / "git")
    base = objects.commit(objects.tree({"a": b"1\n"}))
    ours, theirs, third = (
        objects.commit(objects.tree({"a": text}), [base]) for text in (b"2\n", b"3\n", b"1\n")
    )
    found = objects.merge([(ours, theirs), (ours, third), (theirs, ours)])
    assert [merged.clean for merged in found] == [False, True, False]
    assert found[1].tree == objects.tree({"a": b"2\n"})


# --- real work trees ----------------------------------------------------------------------------


def on_disk(checkout: "Checkout") -> dict[str, oracle.Data]:
    folder = checkout / ".memory"
    return {
        str(path.relative_to(folder)): codec.load(path.read_bytes())
        for path in folder.rglob("*.yaml")
        if path.name != "gitmem.yaml"
    }


def written(checkout: "Checkout", rng: Random, known: list[str]) -> None:
    """Commit records that a memory in this work tree writes."""
    with Memory.open(str(checkout)) as memory:
        for _ in range(rng.randint(1, 3)):
            made = from_data(record(rng, known))
            memory.records.writer.write(made)
            known.append(made.id)
    checkout.commit()


def branches(checkout: "Checkout", rng: Random) -> list[str]:
    """Grow branches from main, each with commits of its own."""
    known: list[str] = []
    written(checkout, rng, known)
    names = [f"b{number}" for number in range(rng.randint(2, 4))]
    for name in names:
        checkout.git("checkout", "-q", "-b", name, "main")
        for _ in range(rng.randint(1, 2)):
            written(checkout, rng, known)
    return names


def bring_together(checkout: "Checkout", rng: Random, names: list[str]) -> None:
    """Bring all branches into one, in one of git's ways."""
    first, *others = rng.sample(names, len(names))
    checkout.git("checkout", "-q", "-B", "end", first)
    match rng.choice(("pairwise", "octopus", "criss-cross", "rebase", "cherry-pick", "squash")):
        case "octopus":
            checkout.git("merge", "-q", "--no-edit", *others)
        case "criss-cross":
            other = others[0]
            checkout.git("checkout", "-q", "-B", "cross", other)
            checkout.git("merge", "-q", "--no-edit", first)
            checkout.git("checkout", "-q", "end")
            checkout.git("merge", "-q", "--no-edit", other)
            checkout.git("merge", "-q", "--no-edit", "cross", *others[1:])
        case "rebase":
            for name in others:
                checkout.git("checkout", "-q", "-B", "moving", name)
                checkout.git("rebase", "-q", "end")
                checkout.git("branch", "-q", "-f", "end", "moving")
            checkout.git("checkout", "-q", "end")
        case "cherry-pick":
            for name in others:
                checkout.git("cherry-pick", f"main..{name}")
        case "squash":
            for name in others:
                checkout.git("merge", "-q", "--squash", name)
                checkout.commit()
        case _:
            for name in others:
                checkout.git("merge", "-q", "--no-edit", name)


@sampled(1)
@deep
@pytest.mark.slow
@pytest.mark.timeout(3600 if DEEP else 120)
@pytest.mark.parametrize("attributes", [True, False], ids=["attributes", "no attributes"])
def test_work_trees_that_merge_in_other_ways_have_the_same_catalog(
    make_repo: Callable[..., "Checkout"], *, attributes: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(REAL):
        rng = Random(seed)
        checkout = make_repo(f"repo-{seed}")
        Memory.init(str(checkout), attributes=attributes)
        checkout.commit()
        names = branches(checkout, rng)
        dumps = []
        for _ in range(3):
            bring_together(checkout, rng, names)
            with Memory.open(str(checkout)) as memory:
                assert memory.checks.verify() == []
                found = {row.id: row.status for row in memory.list()}
                dumps.append(memory.workspace.derived.catalog().dump())
                assert not [p for p in memory.checks.files() if p.code == "conflict-marker"]
            assert found == oracle.statuses(on_disk(checkout)), f"seed {seed}"
            assert len(found) == len(on_disk(checkout))
        assert dumps[0] == dumps[1] == dumps[2], f"seed {seed}"
    with capsys.disabled():
        print(f"\n{REAL} repositories merged in 3 ways each: same catalog each time")  # noqa: T201
