"""What was tried on the failures of this work tree's commands."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.capture.composing import error_fields, failed_fields
from gitmem.capture.episodes import episodes, live_episodes
from gitmem.capture.learnt import Draft
from gitmem.capture.looking import (
    Best,
    LiveFailure,
    Regressions,
    best_run,
    edits,
    newest_first_pair,
    newly_failing,
)
from gitmem.errors import NotFoundError
from gitmem.git.snapshot import exists
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.observed_runs import newest_runs, timeline
from gitmem.memory.failures.recording import keep, not_yet_written

if TYPE_CHECKING:
    from gitmem.memory.failures.access import RecordAccess

_HINT = "watch a command with: gitmem run -- COMMAND"


def live(records: "RecordAccess") -> list[LiveFailure]:
    """List the live failures of all observed commands, with what was tried on each."""
    work_tree = records.work_tree
    unresolved = live_episodes(episodes(timeline(records)))
    red = [episode for episode in unresolved if not episode.flaky]
    if not red or work_tree is None:
        return []
    now = work_tree.head(), work_tree.snapshot()
    still = [episode.seen.site for episode in red if len(episode.reds) > 1]
    matches = match(records.reader, [episode.seen for episode in red], still)
    return [
        LiveFailure(episode, edits(episode, work_tree.patch, work_tree.own_work, now), matched)
        for episode, matched in zip(red, matches, strict=True)
    ]


def write(records: "RecordAccess", failures: Sequence[LiveFailure]) -> list[str]:
    """Write what was tried on live failures and taken back again as failed fixes; give ids."""
    written: list[str] = []
    for failure in failures:
        fixes = [failed_fields(edit.attempt) for edit in failure.edits if edit.taken_back]
        known_ids = []
        if failure.known.is_known:
            known_ids = [row.id for row in failure.known.errors]
        fixes = not_yet_written(records, known_ids, fixes)
        if fixes:
            error = error_fields(failure.episode)
            draft = Draft(
                os.urandom(4).hex(), failure.episode.seen.site, error, fixes, known_ids, []
            )
            written += keep(records, draft)
    return written


def regressions(records: "RecordAccess") -> Regressions:
    """Compare the newest run of the command last run with the one before."""
    run, before = newest_first_pair(newest_runs(records))
    cases = newly_failing(run, before) if before else ()
    sites = {newly.case.site for newly in cases}
    failures = [failure for failure in run.failures if failure.site in sites]
    return Regressions(run, before, cases, tuple(match(records.reader, failures)))


def best_attempt(records: "RecordAccess") -> Best:
    """Pick the run of the command last run that had the fewest failures."""
    runs = newest_runs(records)
    best = best_run(runs)
    if best is None:
        raise NotFoundError("no run of this command shows which tests passed", _HINT)
    work_tree = records.work_tree
    if work_tree is None:
        return Best(best, len(runs), runs[-1], there=False, now="")
    there = exists(work_tree.root, best.tree)  # no reference holds it, so it goes in the end
    return Best(best, len(runs), runs[-1], there, work_tree.snapshot())
