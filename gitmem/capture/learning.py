"""From the runs of a command to drafts: what this run fixed, and what was tried before."""

import os
from collections.abc import Callable, Sequence

from gitmem.capture.composing import error_fields, failed_fields, worked_fields
from gitmem.capture.episodes import (
    Attempt,
    Episode,
    attempts,
    certain_part,
    episodes,
    fixing_patch,
    lines_for_others,
    live_episodes,
    unsteady,
)
from gitmem.capture.learnt import Draft, RepeatedEdit, RunLessons
from gitmem.capture.patches import likeness, parse_patch
from gitmem.capture.recording_policy import RecordingPolicy, reasons
from gitmem.capture.runs import FingerprintedFailure, Run
from gitmem.capture.worktree import WorkTree

_ALIKE = 0.8


def learn(
    runs: Sequence[Run],
    work_tree: WorkTree,
    known: Callable[[FingerprintedFailure], list[str]],
    rule: RecordingPolicy,
) -> RunLessons:
    """Tell what the newest of ``runs`` fixed.

    Args:
        runs: all runs of one command, oldest first.
        work_tree: answers what git knows.
        known: gives the ids of error records that the memory has for a failure.
        rule: what is worth remembering.

    """
    found = episodes(runs)
    newest = runs[-1]
    learnt = RunLessons([], [], [])
    for episode in found:
        if episode.green is not newest:
            continue
        if episode.flaky:
            learnt.flaky.append(episode.seen)
            continue
        part = certain_part(episode, work_tree.own_work, work_tree.committed)
        patch = fixing_patch(part, work_tree.patch) if part else None
        if part is None or patch is None:
            learnt.gaps.append(episode.seen)
            continue
        flaky = unsteady(found)
        tries = attempts(part, work_tree.patch, flaky)
        gist = patch.without(lines_for_others(part, work_tree.patch, flaky))
        ids = known(episode.seen)
        earlier = any(one.seen.site == episode.seen.site and one is not episode for one in found)
        why = reasons(
            episode,
            len(tries),
            committed=any(map(work_tree.committed, episode.reds)),
            known=bool(ids) or earlier,
            rule=rule,
        )
        failed = [failed_fields(attempt) for attempt in tries if attempt.failed]
        learnt.drafts.append(
            Draft(
                id=os.urandom(4).hex(),
                site=episode.seen.site,
                error=error_fields(part),
                fixes=[*failed, worked_fields(part, patch, gist)],
                known=ids,
                reasons=why,
            )
        )
    return learnt


def failed_so_far(runs: Sequence[Run], work_tree: WorkTree) -> list[tuple[Episode, list[Attempt]]]:
    """List the live failures of a command with what was tried on them so far."""
    found = episodes(runs)
    told = []
    for one in live_episodes(found):
        if not one.flaky:
            tries = attempts(one, work_tree.patch, unsteady(found))
            own = [a for a in tries if work_tree.own_work(a.before.head, a.after.head)]
            told.append((one, own))
    return told


def already_tried(
    runs: Sequence[Run],
    tree: str,
    work_tree: WorkTree,
    failed_patches: Callable[[FingerprintedFailure], list[tuple[str, str]]],
) -> list[RepeatedEdit]:
    """Compare the edit at hand with edits that did not help before.

    Args:
        runs: earlier runs of the command.
        tree: the work tree as it is now.
        work_tree: answers what git knows.
        failed_patches: gives (id, diff) of the failed fixes that the memory has for a failure.

    """
    found: list[RepeatedEdit] = []
    for episode, tries in failed_so_far(runs, work_tree):
        last = episode.reds[-1]
        if last.tree == tree:
            continue
        edits = (work_tree.patch(last.tree, tree), work_tree.patch(episode.reds[0].tree, tree))
        before = [(f"{a.after.at:%H:%M}", a.patch) for a in tries if a.failed]
        before += [(name, parse_patch(text)) for name, text in failed_patches(episode.seen)]
        for where, patch in before:
            if any(likeness(edit, patch) >= _ALIKE for edit in edits if edit):
                found.append(RepeatedEdit(episode.seen, patch, where))
                break
    return found
