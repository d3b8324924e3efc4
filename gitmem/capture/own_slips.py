"""Failures that an edit made and the next edit took away again: nobody else will meet them."""

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from gitmem.capture.commands import asks
from gitmem.capture.episodes import files_in
from gitmem.capture.learnt import GoneRemark
from gitmem.capture.patch_hunks import hunks_of, is_at, patch_of, runs_through
from gitmem.capture.run_coverage import lists_all, passed, shows_all, tests_of
from gitmem.capture.titles import approach
from gitmem.diffs import ADDED
from gitmem.output.cases import leaf_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gitmem.capture.episodes import Episode
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.patches import Patch
    from gitmem.capture.runs import Run
    from gitmem.capture.worktree import WorkTree

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_SAYS: Final = re.compile(r"\w")
_LOOKS: Final = re.compile(
    r"(?:e?print(?:ln|f)?!?|p+|puts|dbg!|var_dump|echo|breakpoint|debugger|import i?pdb\b.*"
    r"|i?pdb\.\w+|console\.\w+|fmt\.F?[Pp]rint\w*|logg?(?:er|ing)?\.\w+|System\.(?:out|err)\.\w+|t\.Logf?"
    r"|std::c(?:out|err)|IO\.(?:puts|inspect)|NSLog)(?:[\s(;].*)?$"
)
_MOST_TOKENS: Final = 2_000
"""Of a file, between the first and the last that differ."""


def only_looks(patch: "Patch") -> bool:
    """Tell whether an edit only prints what is there, or stops to look: it tries nothing."""
    return bool(patch.lines) and all(
        sign == ADDED and (_LOOKS.match(line) or not _SAYS.search(line))
        for _, sign, line in patch.lines
    )


def broken_since(
    red: "Run", newest: "Run", all_episodes: "Sequence[Episode]"
) -> "list[FingerprintedFailure]":
    """Give the failures of the newest run whose tests passed in an earlier one, which failed too.

    That is known of each test, or that one listed all that failed, of as many.
    """
    same = asks(red.command, red.folder) == asks(newest.command, newest.folder)
    as_many = tests_of(red) == tests_of(newest)
    all_shown = same and as_many and (shows_all(red) or lists_all(red))
    new = (episode.seen for episode in all_episodes if episode.reds[0] is newest)
    return [each for each in new if each.fields.get("test") and (all_shown or passed(each, red))]


def told_as_broken(
    broken: "Iterable[FingerprintedFailure]", patch: "Patch"
) -> "Iterator[GoneRemark]":
    """Tell of tests that passed before an edit which part of it they run through."""
    hunks = hunks_of(patch)
    for failure in (each for each in broken if any(each.places)):
        through = [hunk for hunk in hunks if runs_through(hunk, failure)]
        through = through or [hunk for hunk in hunks if is_at(hunk, failure)]
        edit = approach(patch_of(through) if through else patch)
        names = [leaf_of(place) for place in failure.places if place]
        yield GoneRemark("broken", failure, f"{names[0]} passed before this edit: {edit}")


def is_own_slip(
    episode: "Episode", patch: "Patch", runs: "Sequence[Run]", work_tree: "WorkTree"
) -> bool:
    """Tell whether an edit took away only what the edit before had put in, and it with the failure.

    What was hidden behind another failure stood there before; what was committed, others have.

    Args:
        episode: the failure, fixed.
        patch: the edit that fixed it.
        runs: all runs in the work tree, oldest first.
        work_tree: answers what git knows.

    """
    green, red = episode.green, episode.reds[0]
    if green is None or len(episode.reds) > 1 or not patch.files or work_tree.committed(red):
        return False
    wanted = asks(red.command, red.folder)
    before = [run for run in runs if run.at < red.at and asks(run.command, run.folder) == wanted]
    if not before or before[-1].head != red.head:
        return False
    trees = before[-1].left, red.tree, green.tree
    if not all(trees):  # of one of them no snapshot could be taken
        return False
    texts = {path: [work_tree.text(tree, "", path) for tree in trees] for path in patch.files}
    if any(None in of_file for of_file in texts.values()):
        return False
    own = [texts[path] for path in files_in(episode.seen, patch.files)]
    if own and all(first == last for first, _, last in own):
        return True  # whatever else was edited: the code that failed so is gone
    return all(
        _is_taken_out_again(*(_TOKEN.findall(text or "") for text in of_file))
        for of_file in texts.values()
    )


def _is_taken_out_again(before: list[str], between: list[str], after: list[str]) -> bool:
    """Tell whether the second change takes out only tokens that the first one brought.

    Where it takes nothing out, what it puts in stands among such tokens, or was there before.
    """
    start = 0
    ends = [len(before), len(between), len(after)]
    while start < min(ends) and before[start] == between[start] == after[start]:
        start += 1
    while min(ends) > start and before[ends[0] - 1] == between[ends[1] - 1] == after[ends[2] - 1]:
        ends = [end - 1 for end in ends]
    if max(ends) - start > _MOST_TOKENS:
        return False
    parts = [tokens[start:end] for tokens, end in zip((before, between, after), ends, strict=True)]
    brought: set[int] = set()
    for kind, _, _, first, last in _changes(parts[0], parts[1]):
        if kind != "delete":
            brought.update(range(first, last))
    new = {at for _, _, _, first, last in _changes(parts[0], parts[2]) for at in range(first, last)}
    for kind, first, last, start_after, end_after in _changes(parts[1], parts[2]):
        touched = {*range(first, last)} or {first - 1, first}
        is_restored = kind != "delete" and new.isdisjoint(range(start_after, end_after))
        if not (is_restored or touched <= brought):
            return False
    return parts[1] != parts[2]


def _changes(before: list[str], after: list[str]) -> list[tuple[str, int, int, int, int]]:
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [step for step in steps if step[0] != "equal"]
