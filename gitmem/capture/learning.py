"""From the runs of a command to drafts: what this run fixed, and what was tried before."""

import os
from collections.abc import Callable, Sequence

from gitmem.capture.composing import error_fields, failed_fields, silenced_fields, worked_fields
from gitmem.capture.episodes import (
    Attempt,
    Episode,
    attempts,
    certain_part,
    episodes,
    live_episodes,
    unsteady,
)
from gitmem.capture.learnt import Draft, Remark, RepeatedEdit, RunLessons
from gitmem.capture.patches import Patch, likeness, parse_patch
from gitmem.capture.recording_policy import RecordingPolicy, reasons, stood_in_committed_code
from gitmem.capture.roles import is_test
from gitmem.capture.run_coverage import passed
from gitmem.capture.runs import FingerprintedFailure, Run
from gitmem.capture.silencing import silenced_by
from gitmem.capture.steps import fixing_patch
from gitmem.capture.worktree import WorkTree

_ALIKE = 0.8
_BASES = 6
"""So many red runs back an edit may have begun."""


def learn(
    runs: Sequence[Run],
    work_tree: WorkTree,
    known: Callable[[FingerprintedFailure], list[str]],
    rule: RecordingPolicy,
) -> RunLessons:
    """Tell what the newest of ``runs`` fixed.

    Args:
        runs: all runs in a work tree, oldest first.
        work_tree: answers what git knows.
        known: gives the ids of error records that the memory has for a failure.
        rule: what is worth remembering.

    """
    found = episodes(runs)
    newest = runs[-1]
    flaky = unsteady(found)
    drafts: list[Draft] = []
    remarks: list[Remark] = []
    learnt = RunLessons(drafts, [], [], remarks)
    told: set[str] = set()
    for episode in found:
        if episode.green is not newest or episode.seen.site in told:
            continue
        told.add(episode.seen.site)
        if episode.flaky:
            learnt.flaky.append(episode.seen)
            continue
        part = certain_part(episode, work_tree.own_work, work_tree.committed)
        passing = written_by_runs(part, runs, work_tree) if part else frozenset()
        patch = fixing_patch(part, runs, work_tree.patch, flaky, passing) if part else None
        if part is None or patch is None:
            learnt.gaps.append(episode.seen)
            continue
        if _is_taken_back(part, patch, work_tree):
            remarks.append(Remark("gone", episode.seen, "an edit of your own was taken back"))
            continue
        silenced = silenced_by(patch, episode.seen, proven=passed(episode.seen, newest) is True)
        if silenced:
            remarks.append(Remark("silenced", episode.seen, f"by {silenced}, not fixed"))
        tries = attempts(part, work_tree.patch, flaky)
        ids = known(episode.seen)
        earlier = any(one.seen.site == episode.seen.site and one is not episode for one in found)
        why = reasons(
            episode,
            len(tries),
            committed=_stood(part, patch, work_tree),
            known=bool(ids) or earlier,
            rule=rule,
        )
        failed = [failed_fields(attempt) for attempt in tries if attempt.failed]
        worked = worked_fields(part, patch)
        fixed = silenced_fields(worked, silenced) if silenced else worked
        drafts.append(
            Draft(
                id=os.urandom(4).hex(),
                site=episode.seen.site,
                error=error_fields(part),
                fixes=[*failed, fixed],
                known=ids,
                reasons=[] if silenced or all(map(is_test, patch.files)) else why,
                silenced=silenced,
            )
        )
    return learnt


def _stood(episode: Episode, patch: Patch, work_tree: WorkTree) -> bool:
    """Tell whether what an edit mended stood in committed code in one of the red runs."""
    if any(map(work_tree.committed, episode.reds)):
        return True
    red = episode.reds[-1]
    modified = work_tree.modified(red)
    return modified is not None and stood_in_committed_code(
        episode.seen, patch, modified, lambda path: work_tree.is_new(red.head, path)
    )


def _is_taken_back(episode: Episode, patch: Patch, work_tree: WorkTree) -> bool:
    """Tell whether an edit only restored what is committed: the developer's own was undone."""
    red, green = episode.reds[-1], episode.green
    if green is None or red.head != green.head or not patch.names:
        return False
    before, after = work_tree.modified(red), work_tree.modified(green)
    if before is None or after is None:
        return False
    return patch.names <= before and patch.names.isdisjoint(after)


def written_by_runs(episode: Episode, runs: Sequence[Run], work_tree: WorkTree) -> frozenset[str]:
    """Name the files that watched commands wrote: outputs, and new files that are in no commit.

    Args:
        episode: a failure with its runs.
        runs: all runs in the work tree.
        work_tree: answers what git knows.

    """
    green = episode.green or episode.reds[-1]
    during = [run for run in runs if episode.reds[0].at <= run.at <= green.at]
    outputs = {path for run in during for path in run.outputs}
    written = {
        path
        for run in during
        if run.end and run.tree and run.end != run.tree
        for path in work_tree.patch(run.tree, run.end).files
    }
    return frozenset(outputs | {path for path in written if work_tree.is_new(green.head, path)})


def failed_so_far(runs: Sequence[Run], work_tree: WorkTree) -> list[tuple[Episode, list[Attempt]]]:
    """List the live failures with what was tried on them so far."""
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
        runs: earlier runs in the work tree.
        tree: the work tree as it is now.
        work_tree: answers what git knows.
        failed_patches: gives (id, diff) of the failed fixes that the memory has for a failure.

    """
    found: list[RepeatedEdit] = []
    for episode, tries in failed_so_far(runs, work_tree):
        last = episode.reds[-1]
        if tree in {last.tree, last.left}:
            continue
        bases = dict.fromkeys(red.left for red in (*episode.reds[-_BASES:], episode.reds[0]))
        edits = [work_tree.patch(base, tree) for base in bases]
        before = [(f"{a.after.at:%H:%M}", a.patch) for a in tries if a.failed]
        before += [(name, parse_patch(text)) for name, text in failed_patches(episode.seen)]
        for where, patch in before:
            if any(likeness(edit, patch) >= _ALIKE for edit in edits if edit):
                found.append(RepeatedEdit(episode.seen, patch, where))
                break
    return found
