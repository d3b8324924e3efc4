"""A developer who fixes a bug of the past, watched by gitmem; and one who meets it again later."""

import re
from typing import Any, Final, NamedTuple

from benchmarks.replay.clones import Clone, ReplayError
from benchmarks.replay.mining import Bug
from benchmarks.replay.proving import Truth, failing_tests
from gitmem.memory import Memory
from gitmem.records.convert import to_data

_BLOCK: Final = re.compile(r"^gitmem: (?=\S)", re.MULTILINE)
_FIX_ID: Final = re.compile(r"\bfix-[a-z0-9]{10}\b")


class Learnt(NamedTuple):
    """What one fix left in a memory.

    Attributes:
        truth: the fix.
        records: what was written, as plain data, by id.
        files: how many files were written.
        drafts: titles of what stayed a draft.
        told: fixes that were told as known when the bug showed first, the first one of each
            failure.

    """

    truth: Truth
    records: dict[str, dict[str, Any]]
    files: int
    drafts: tuple[str, ...]
    told: tuple[str, ...]

    @property
    def fixes(self) -> tuple[str, ...]:
        """The ids of the fixes."""
        return tuple(name for name in self.records if name.startswith("fix-"))


def fix(clone: Clone, truth: Truth, *, test_first: bool) -> Learnt:
    """Fix a bug in a clone with a memory.

    Args:
        clone: where to work.
        truth: the bug.
        test_first: commit its tests before; else nothing is committed.

    """
    bug = truth.bug
    clone.checkout(bug.parent)
    clone.apply(bug.test_patch)
    # A history may hold a memory, too: its records came with the checkout.
    before, drafts, files = _records(clone), _drafts(clone), _files(clone)
    if test_first:
        clone.commit("Show what is wrong")
    red = clone.run(bug.tests, watched=True)
    rest = bug.code_patch
    if truth.partial:
        clone.apply(truth.partial)
        clone.run(bug.tests, watched=True)
        clone.apply(truth.partial, "--reverse")
    clone.apply(rest)
    clone.run(bug.tests, watched=True)
    records = {name: data for name, data in _records(clone).items() if name not in before}
    new_drafts = tuple(title for name, title in _drafts(clone).items() if name not in drafts)
    known_blocks = [block for block in _BLOCK.split(red.errors)[1:] if block.startswith("known")]
    fix_ids = tuple(ids[0] for block in known_blocks if (ids := _FIX_ID.findall(block)))
    return Learnt(truth, records, len(_files(clone) - files), new_drafts, fix_ids)


class MetAgain(NamedTuple):
    """What is told where a fix was taken back.

    Attributes:
        told: the first fix of each failure of which one is told.
        later: it was taken back in later code, not in that of the fix.

    """

    told: tuple[str, ...]
    later: bool


def meet_again(clone: Clone, truth: Truth, later: str) -> MetAgain | None:
    """Take a fix back where somebody else works, and run its tests.

    Args:
        clone: where to work; it has the records, and nothing that was learnt beside them.
        truth: the bug.
        later: a commit with the fix; where it can't be taken back there, or other tests fail
            without it, that is done in the fix's own commit.

    """
    bug = truth.bug
    for commit in dict.fromkeys((later, bug.commit)):
        try:
            clone.checkout(commit)
            clone.apply(_code_of(bug), "--reverse")
        except ReplayError:
            continue
        ended = clone.run(bug.tests, watched=True)
        if ended.code > 0 and failing_tests(ended.text) == truth.failing:
            blocks = _BLOCK.split(ended.errors)[1:]
            fix_ids = tuple(ids[0] for block in blocks if (ids := _FIX_ID.findall(block)))
            return MetAgain(fix_ids, commit == later != bug.commit)
    return None


def _code_of(bug: Bug) -> str:
    return bug.code.text


def _records(clone: Clone) -> dict[str, dict[str, Any]]:
    with Memory.open(str(clone.folder)) as memory:
        return {row.id: to_data(memory.show(row.id).record) for row in memory.list()}


def _drafts(clone: Clone) -> dict[str, str]:
    with Memory.open(str(clone.folder)) as memory:
        return {draft.id: draft.title for draft in memory.failures.drafts.open()}


def _files(clone: Clone) -> set[str]:
    return {str(path) for path in clone.memory.rglob("*.yaml")}
