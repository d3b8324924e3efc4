"""What was tried on the failures of this work tree's commands, and on those of the memory."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.capture.composing import error_fields, failed_fields
from gitmem.capture.episodes import episodes, live_episodes
from gitmem.capture.history import RunHistory
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
from gitmem.capture.recognising import errors_of_site
from gitmem.capture.runs import Run
from gitmem.capture.worktree import WorkTree
from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.git.repository import Repository
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.recording import keep, not_yet_written
from gitmem.memory.failures.verdicts import judged

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess

_HINT = "observe a command with: gitmem run -- COMMAND"
_CANDIDATES = 5


def observed_runs(records: "RecordAccess") -> list[list[Run]]:
    """Give the observed runs of each command of this work tree; the one last run comes last."""
    places = records.workspace.site.git_dirs
    name = places.git_dir if places else records.workspace.site.root
    return RunHistory(records.workspace.journal, name).all()


def timeline(records: "RecordAccess") -> list[Run]:
    """Give the newest runs of this work tree, of whatever command, oldest first."""
    places = records.workspace.site.git_dirs
    name = places.git_dir if places else records.workspace.site.root
    return RunHistory(records.workspace.journal, name).timeline()


def _work_tree(records: "RecordAccess") -> WorkTree | None:
    places = records.workspace.site.git_dirs
    inside = os.path.relpath(records.workspace.site.folder, places.root) if places else ""
    return WorkTree.of(places, inside, lambda: records.writer.author.email)


def newest_runs(records: "RecordAccess") -> list[Run]:
    """Give the observed runs of the command last run, oldest first.

    Raises:
        NotFoundError: nothing was observed yet.

    """
    runs = observed_runs(records)
    if not runs:
        raise NotFoundError("no command was observed in this work tree yet", _HINT)
    return runs[-1]


def live(records: "RecordAccess") -> list[LiveFailure]:
    """List the live failures of all observed commands, with what was tried on each."""
    work_tree = _work_tree(records)
    unresolved = live_episodes(episodes(timeline(records)))
    red = [episode for episode in unresolved if not episode.flaky]
    if not red or work_tree is None:
        return []
    now = work_tree.head(), work_tree.snapshot()
    still = [episode.seen.site for episode in red if len(episode.reds) > 1]
    matches = match(records.reader, records.writer.drafts, [episode.seen for episode in red], still)
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


def of_error(records: "RecordAccess", reference: str) -> "list[Row]":
    """Give the fix attempts of an error and of those with the same fingerprint, oldest first."""
    from gitmem.records.convert import to_data

    row = records.reader.find(reference, "error")
    fields = to_data(records.reader.show(row.id).record)
    prints = fingerprints_of(records.workspace, fields)
    catalog = records.workspace.ask(lambda now: now.catalog)
    errors = {row.id, *(similar.id for similar in errors_of_site(catalog, prints, fields))}
    attempts = {
        fix.id: fix
        for error in errors
        for relation, fix in catalog.linking_to(error)
        if relation == "fixes" and fix.kind == "fix"
    }
    fixes = sorted(attempts.values(), key=lambda fix: (fix.created, fix.id))
    return judged(records.workspace, fixes)


def regressions(records: "RecordAccess") -> Regressions:
    """Compare the newest run of the command last run with the one before."""
    run, before = newest_first_pair(newest_runs(records))
    cases = newly_failing(run, before) if before else ()
    sites = {newly.case.site for newly in cases}
    failures = [failure for failure in run.failures if failure.site in sites]
    return Regressions(
        run, before, cases, tuple(match(records.reader, records.writer.drafts, failures))
    )


def best_attempt(records: "RecordAccess") -> Best:
    """Pick the run of the command last run that had the fewest failures."""
    runs = newest_runs(records)
    best = best_run(runs)
    if best is None:
        raise NotFoundError("no run of this command tells what passed and what failed", _HINT)
    work_tree = _work_tree(records)
    now = work_tree.snapshot() if work_tree else ""
    return Best(best, len(runs), runs[-1], _is_there(records, best.tree), now)


def _is_there(records: "RecordAccess", tree: str) -> bool:
    """Tell whether git still has a tree; no reference holds it, so it goes in the end."""
    places = records.workspace.site.git_dirs
    if places is None:
        return False
    try:
        with Repository(places.root) as repository:
            repository.show_diff(tree, tree)
    except GitmemError:
        return False
    return True


def listed(records: "RecordAccess", limit: int, *, failed: bool) -> list[Run]:
    """Give the newest runs of this work tree, newest first; 0 is all of them."""
    runs = [run for stream in observed_runs(records) for run in stream]
    wanted = [run for run in runs if not (failed and run.green)]
    wanted.sort(key=lambda run: (run.at, run.id), reverse=True)
    return wanted[:limit] if limit > 0 else wanted


def run_of(records: "RecordAccess", reference: str | None) -> Run:
    """Give the run of an id or the beginning of one; None: the newest run of tests.

    Of tests is every run of a command that showed a test once. Without any it is the newest
    run of all.
    """
    if reference is None:
        streams = observed_runs(records)
        tested = [runs for runs in streams if any(run.tests for run in runs)]
        newest = [runs[-1] for runs in tested or streams]
        if not newest:
            raise NotFoundError("no command was observed in this work tree yet", _HINT)
        return max(newest, key=lambda run: (run.at, run.id))
    runs_of_id = [run for run in listed(records, 0, failed=False) if run.id.startswith(reference)]
    if not reference or not runs_of_id:
        raise NotFoundError(f"no run {reference}", "list them with: gitmem runs")
    if len({run.id for run in runs_of_id}) > 1:
        names = ", ".join(run.id for run in runs_of_id[:_CANDIDATES])
        raise UsageError(f"{reference} is ambiguous: {len(runs_of_id)} runs", names)
    return runs_of_id[0]
