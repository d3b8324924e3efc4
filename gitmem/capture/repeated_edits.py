"""Edits at hand that were tried before, and did not help."""

from collections.abc import Callable, Sequence

from gitmem.capture.episodes import Attempt, Episode, attempts, episodes, live_episodes, unsteady
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.learning import written_by_runs
from gitmem.capture.learnt import RepeatedEdit
from gitmem.capture.own_work import without
from gitmem.capture.patches import likeness, parse_patch
from gitmem.capture.runs import Run
from gitmem.capture.worktree import WorkTree

_ALIKE = 0.8
_BASES = 6
"""So many red runs back an edit may have begun."""


def already_tried(
    runs: Sequence[Run],
    tree: str,
    work_tree: WorkTree,
    failed_patches: Callable[[FingerprintedFailure], list[tuple[str, str]]],
) -> list[RepeatedEdit]:
    """Compare the edit at hand with edits that did not help before.

    Args:
        runs: earlier runs in the work tree.
        tree: the work tree as it is now.
        work_tree: answers what git knows.
        failed_patches: gives (id, diff) of the failed fixes that the memory has for a failure.

    """
    repeated: list[RepeatedEdit] = []
    for episode, tries in _failed_so_far(runs, work_tree):
        last = episode.reds[-1]
        if tree in {last.tree, last.left}:
            continue
        bases = dict.fromkeys(red.left for red in (*episode.reds[-_BASES:], episode.reds[0]))
        edits = [work_tree.patch(base, tree) for base in bases]
        before = [(f"{a.after.at:%H:%M}", a.patch) for a in tries if a.failed]
        before += [(name, parse_patch(text)) for name, text in failed_patches(episode.seen)]
        for where, patch in before:
            if any(likeness(edit, patch) >= _ALIKE for edit in edits if edit):
                repeated.append(RepeatedEdit(episode.seen, patch, where))
                break
    return repeated


def _failed_so_far(runs: Sequence[Run], work_tree: WorkTree) -> list[tuple[Episode, list[Attempt]]]:
    """List the live failures with what was tried on them so far."""
    all_episodes = episodes(runs)
    tried = []
    for episode in live_episodes(all_episodes):
        if not episode.flaky:
            edits = without(work_tree.patch, written_by_runs(episode, runs, work_tree))
            tries = attempts(episode, edits, unsteady(all_episodes))
            own = [a for a in tries if work_tree.own_work(a.before.head, a.after.head)]
            tried.append((episode, own))
    return tried
