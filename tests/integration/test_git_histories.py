"""Whatever git does to history: after each step every answer is what an independent oracle says.

Branches, commits, merges of two and of three, rebases, squashes, cherry-picks, reverts, amended
commits, renamed files of records and of code, resets, drawn at random, on real git. After each
step the folded memory is held against ``tests.oracle``, where records come from against
``tests.ancestry``, and places in the code against what the walk knows of each line: right, or
withheld where nothing else is right; never wrong.
"""

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.git.provenance import origins
from gitmem.memory import Memory
from gitmem.memory.anchors.withheld_records import known_stale
from gitmem.memory.history.blame import ANCHORED, SAME_CHANGE, SAME_COMMIT, SQUASHED
from tests.ancestry import Ancestry
from tests.answers import assert_right
from tests.depth import DEEP, amount, deep
from tests.walks import ALIKE, Walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.answers.places import FoundLines, Touch
    from tests.conftest import Checkout

SEEDS = amount(share=1, ci=3, whole=60)
STEPS = 60 if DEEP else 25
JUDGED = amount(share=3, ci=1, whole=1)
"""Every so many steps the memory is asked."""
WANTED = {
    "add", "branch", "merge", "octopus", "rebase", "squash", "pick", "revert", "amend",
    "rename", "move",
}  # fmt: skip
ASKED = 2
"""Records and lines that are asked about one by one after each step."""


class Judge:
    """Holds a memory against what is known otherwise, and counts."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.ancestry = Ancestry(walk.world)
        self.counts: Counter[str] = Counter()
        self.draw = Random(walk.fresh)

    def judge(self, memory: Memory) -> None:
        self.ancestry.look()
        assert_right(memory)
        with memory.history.at("HEAD") as past:
            present = memory.records.reader
            dumps = [
                reader.workspace.ask(lambda now: now.catalog.dump()) for reader in (past, present)
            ]
            assert dumps[0] == dumps[1]
        self.origins(memory)
        self.places(memory)
        self.lines(memory)
        self.counts["steps"] += 1

    # Where records come from

    def origins(self, memory: Memory) -> None:
        assert memory.workspace.site.git_dirs
        files = {f".memory/{row.path}": row.id for row in memory.list()}
        said = origins(memory.workspace.site.git_dirs, sorted(files), folder=".memory")
        for path, record in files.items():
            self.one_origin(record, said.get(path, ""))
        for record in self.draw.sample(sorted(files.values()), min(ASKED, len(files))):
            source = memory.history.provenance(record)
            self.one_origin(record, source.known.commit if source.known else "")
            if source.known is None:
                assert source.why_not == "only a merge commit has this"
            else:
                assert source.known.merged_by == self.ancestry.merged_by(source.known.commit)

    def one_origin(self, record: str, commit: str) -> None:
        right = self.ancestry.brought(record)
        if commit:
            assert commit in right, (record, commit, right)
            self.counts["origins right"] += 1
        else:
            assert all(map(self.ancestry.is_merge, right)), (record, right)
            self.counts["origins withheld"] += 1

    # Places

    def places(self, memory: Memory) -> None:
        files = self.walk.code_files()
        there = {line for lines in files.values() for line in lines}
        placed = [one for one in memory.history.anchors() if one.wanted.row.id in self.walk.rules]
        for one in placed:
            rule = self.walk.rules[one.wanted.row.id]
            if one.held is None:
                kind = "places withheld" if rule.name in there else "places gone"
                self.counts[kind] += 1
            else:
                gone = rule.name not in there
                self.one_place(one.wanted.row.id, one.held, files[one.held.path], gone=gone)
                self.counts["places right"] += 1
        held = {one.wanted.row.id for one in placed if one.held}
        known = known_stale(memory.workspace, [one.wanted.row for one in placed])
        assert held.isdisjoint(name for name, one in known.items() if one.stale)
        self.counts["known stale at once"] += len(known)

    def one_place(self, record: str, held: "FoundLines", lines: list[str], *, gone: bool) -> None:
        """The very lines, at the place of the name that they had; or the quoted line alone.

        Where the name is gone, a nameless line may be one that stayed when its neighbour was
        rewritten, or another one: no text tells.
        """
        rule = self.walk.rules[record]
        found = tuple(lines[held.first - 1 : held.last])
        if held.how == "quote":
            assert len(found) == 1, (record, held)
            assert found[0] in rule.lines, (record, held, found)
            assert found[0] != ALIKE, (record, held)
        else:
            assert found == rule.lines, (record, held, found)
            nameless = rule.lines == (ALIKE,)
            assert (nameless and gone) or lines[held.first - 1 - nameless] == rule.name, held

    # Who touched a line

    def lines(self, memory: Memory) -> None:
        files = self.walk.code_files()
        places = [(path, at) for path, lines in sorted(files.items())
                  for at in range(0, len(lines), 2)]  # fmt: skip
        for path, at in self.draw.sample(places, ASKED):
            for touch in memory.history.blame(f"{path}:{at + 1}").touches:
                self.one_touch(touch, files[path][at])
                self.counts[f"touch: {touch.why}"] += 1
            self.counts["lines asked"] += 1

    def one_touch(self, touch: "Touch", line: str) -> None:
        record = touch.row.id
        if touch.why == ANCHORED:
            assert line in self.walk.rules[record].lines, touch
        elif touch.why in (SAME_COMMIT, SAME_CHANGE, SQUASHED):
            assert record in self.ancestry.added(touch.detail), touch
            if touch.why != SQUASHED:
                assert self.ancestry.changed(touch.detail, line), (touch, line)


@deep
@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_each_step_the_memory_is_right(
    repo: "Checkout", seed: int, record_property: "Callable[[str, object], None]"
) -> None:
    Memory.init(str(repo))
    repo.commit("start")
    walk = Walk(repo, Random(seed))
    judge = Judge(walk)
    for number in range(STEPS):
        walk.step()
        if number % JUDGED == 0:
            with Memory.open(str(repo)) as memory:
                judge.judge(memory)
    print(f"seed {seed}: {dict(walk.done)}; {dict(judge.counts)}")  # noqa: T201
    record_property("steps", dict(walk.done))
    record_property("answers", dict(judge.counts))
    assert walk.done.keys() >= WANTED
    assert judge.counts["origins right"] > judge.counts["origins withheld"]
    assert judge.counts["places right"] > judge.counts["places withheld"]
