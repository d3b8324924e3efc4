"""What of the way from red to green is the developer's: the rest came from elsewhere.

The code at red and at green is known, whatever git did in between: amended, rebased, pulled or
switched. What other commits brought is taken out, file by file. Where they went to the files in
which the failure stands, the edit can't be told from them.
"""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.capture.episodes import Episode, files_in, touched
from gitmem.capture.outside import files_named, what_differs
from gitmem.capture.own_words import leads_to
from gitmem.capture.patch_hunks import hunks_of
from gitmem.capture.patches import Patch
from gitmem.capture.roles import is_test
from gitmem.capture.runs import Run
from gitmem.errors import GitmemError

if TYPE_CHECKING:
    from gitmem.capture.worktree import WorkTree

SWITCHED: Final = "you switched branches"
MOVED: Final = "other code was checked out"
MERGING: Final = "cause unknown: another branch was being merged meanwhile"
_SHORTEST_NAME: Final = 2
_FEW: Final = 6
"""Files of an edit, of each of which git is asked who names it."""


class OwnPart(NamedTuple):
    """The part of an episode in which the developer changed the code.

    Attributes:
        episode: that part; None if nothing can be told.
        aside: files that others changed meanwhile.
        text: why nothing can be told; empty where nothing more is known.

    """

    episode: Episode | None
    aside: frozenset[str] = frozenset()
    text: str = ""


def certain_part(
    episode: Episode,
    own_work: Callable[[str, str, datetime], bool],
    committed: Callable[[Run], bool],
) -> Episode | None:
    """Give the part of a fixed episode in which only the developer changed the code; None if none.

    Where other people's commits came in, or other code was checked out, what was before tells
    nothing. Still, what turned red code into green code is known if the next red run was on
    committed code: no half of the fix is missing, since that code is everybody's.

    Args:
        episode: one that is fixed.
        own_work: tells for two commits whether only the developer's own work lies between, and
            all of it was done since a time.
        committed: tells whether a run was on committed code, without edits.

    """
    if episode.green is None or episode.flaky or episode.doubtful:
        return None
    chain = [*episode.reds, episode.green]
    others = [
        n for n, (a, b) in enumerate(pairwise(chain), 1) if not own_work(a.head, b.head, a.at)
    ]
    if not others:
        return episode
    rest = episode.reds[others[-1] :]
    return episode._replace(reds=rest) if rest and committed(rest[0]) else None


def own_part(episode: Episode, work_tree: "WorkTree") -> OwnPart:
    """Give the part of a fixed episode in which only the developer changed the code.

    Args:
        episode: one that is fixed.
        work_tree: answers what git knows.

    """
    part = certain_part(episode, work_tree.own_work, work_tree.committed)
    if part is not None or episode.green is None or episode.flaky or episode.doubtful:
        return OwnPart(part)
    chain = [*episode.reds, episode.green]
    first, aside = 0, frozenset[str]()
    for number, (before, after) in enumerate(pairwise(chain), 1):
        move = work_tree.moved(before, after)
        if move is None:
            return OwnPart(None, text=MERGING if "+" in before.head + after.head else "")
        aside |= move.theirs
        if _concerns(episode, move.theirs):
            first = number
            aside = frozenset()
            if after is episode.green:
                theirs = _concerns(episode, move.brought)
                return OwnPart(None, text=_why(theirs, switched=move.switched))
    reds = episode.reds[first:]
    if first and not work_tree.committed(reds[0]):
        return OwnPart(None)
    return OwnPart(episode._replace(reds=reds), aside)


def _concerns(episode: Episode, files: Collection[str]) -> set[str]:
    """Name those of some files in which a failure stands, or that it says are missing."""
    return files_in(episode.seen, files, tests=True) | files_named(episode.seen, files)


def why_unknown(episode: Episode, own: OwnPart, work_tree: "WorkTree") -> str:
    """Say why nobody can tell what fixed an episode; empty where nothing is known of it."""
    if own.text:
        return own.text
    gone = not work_tree.has_snapshot(episode.reds[-1].left)
    return "git removed the snapshot of the code that failed" if gone else ""


def _why(theirs: Collection[str], *, switched: bool) -> str:
    if switched:
        return SWITCHED
    return f"cause unknown: other commits changed {min(theirs)}, too" if theirs else MOVED


def without(
    patch_between: Callable[[str, str], Patch], aside: Collection[str]
) -> Callable[[str, str], Patch]:
    """Leave files out of every patch."""
    if not aside:
        return patch_between

    def between(before: str, after: str) -> Patch:
        patch = patch_between(before, after)
        return patch.only(patch.names.difference(aside))

    return between


def doubt(own: OwnPart, patch: Patch) -> str:
    """Say why an edit may not be what fixed a failure; empty where there is no such doubt.

    Other commits came in, and the edit is not where the failure stands.
    """
    if own.episode is None or not own.aside:
        return ""
    files = files_in(own.episode.seen, patch.files, tests=True)
    if files and touched(own.episode.seen, files, patch):
        return ""
    return "other commits came in meanwhile, which may be what helped"


def is_by_variable(
    episode: Episode, patch: Patch, runs: Sequence[Run], work_tree: "WorkTree"
) -> bool:
    """Tell whether a variable is another, and the edit has nothing to do with the failure."""
    if not any(words.startswith("$") for words in what_differs(episode, runs)):
        return False
    near = files_in(episode.seen, patch.files, tests=True)
    return not near and not is_linked(episode, patch, work_tree)


def is_linked(episode: Episode, patch: Patch, work_tree: "WorkTree") -> bool:
    """Tell whether the code of a failure leads to what an edit changed."""
    tree = episode.reds[-1].left
    names = {name.removesuffix("()") for hunk in hunks_of(patch) for name in hunk.functions}
    try:
        return leads_to(
            episode.seen,
            patch.files,
            names,
            partial(work_tree.naming, tree),
            lambda path: work_tree.text(tree, "", path) or "",
        )
    except GitmemError:
        return True  # it is not known that it doesn't


def without_other_commits(episode: Episode, patch: Patch, work_tree: "WorkTree") -> Patch:
    """Leave out what was committed between red and green for something else.

    That is a commit without a file of the failure, where the rest of the edit has one, and of
    which neither the rest nor a file of the failure names a file. In a hook of ``git commit``
    what is not committed is no part of it either.

    Args:
        episode: the failure with its runs.
        patch: all that was edited.
        work_tree: answers what git knows.

    """
    green, red = episode.green, episode.reds[0]
    own = files_in(episode.seen, patch.files, tests=True)
    if green is None or own == patch.names:
        return patch
    aside: set[str] = set()
    if not own and red.head != green.head and 1 < len(patch.names) <= _FEW:
        # A test that only compares tells no more than what it leads to.
        own = {file for file in patch.files if is_linked(episode, patch.only({file}), work_tree)}
    if own and red.head != green.head and (move := work_tree.moved(red, green)):
        rest = {path for paths in move.mine if not own.isdisjoint(paths) for path in paths}
        rest |= work_tree.modified(green) or frozenset()
        for paths in move.mine:
            mine = patch.names.intersection(paths) - rest
            if own.isdisjoint(paths) and not _is_named(mine, own, patch, green.tree, work_tree):
                aside |= mine
    aside |= _undone(episode, patch, own, work_tree)
    committing = work_tree.committing()
    if not patch.names.isdisjoint(committing):
        before = red.head.partition("+")[0]
        aside |= {
            path
            for path in patch.names - own - committing
            if work_tree.is_new(green.head, path) and work_tree.is_new(before, path)
        }
    return patch.only(patch.names - aside) if aside else patch


def _undone(
    episode: Episode, patch: Patch, own: Collection[str], work_tree: "WorkTree"
) -> frozenset[str]:
    """Name the files whose edits were put aside, as by ``git stash``, and that say nothing here."""
    red, green = episode.reds[-1], episode.green
    if green is None or red.head != green.head or len(patch.names) == 1:
        return frozenset()
    before, after = work_tree.modified(red), work_tree.modified(green)
    undone = patch.names.intersection(before or ()) - (after or frozenset()) - frozenset(own)
    if not undone or undone == patch.names or after is None:
        return frozenset()
    away, rest = (patch.only(names) for names in (undone, patch.names - undone))
    linked = is_linked(episode, rest, work_tree) and not is_linked(episode, away, work_tree)
    return undone if linked else frozenset()


def _is_named(
    files: Collection[str], own: Collection[str], patch: Patch, tree: str, work_tree: "WorkTree"
) -> bool:
    """Tell whether some files are named by the rest of an edit, or where the failure stands."""
    stems = {file.rpartition("/")[2].partition(".")[0] for file in files if not is_test(file)}
    stems = {stem for stem in stems if len(stem) >= _SHORTEST_NAME}
    if not stems:
        return False
    named = re.compile(rf"(?<![\w])(?:{'|'.join(map(re.escape, sorted(stems)))})(?![\w])")
    texts = [line for file, _, line in patch.lines if file not in files]
    texts += [work_tree.text(tree, "", file) or "" for file in own]
    return any(map(named.search, texts))
