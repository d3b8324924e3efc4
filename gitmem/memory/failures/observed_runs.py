"""The runs of commands that were watched in this work tree."""

from collections import Counter
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from gitmem.capture.history import RunHistory, moment
from gitmem.errors import NotFoundError, UsageError
from gitmem.memory.core.team_rules import mask_rules

if TYPE_CHECKING:
    from gitmem.capture.runs import Run
    from gitmem.memory.failures.access import RecordAccess

_HINT: Final = "watch a command with: gitmem run -- COMMAND"
_CANDIDATES: Final = 5


def observed_runs(records: "RecordAccess") -> "list[list[Run]]":
    """Give the observed runs of each command of this work tree; the one last run comes last."""
    return _history(records).all()


def timeline(records: "RecordAccess") -> "list[Run]":
    """Give the newest runs of this work tree, of whatever command, oldest first."""
    return _history(records).timeline()


def still_failing(records: "RecordAccess") -> frozenset[str]:
    """Give the sites of what failed in the last run of a command of this work tree, and before."""
    runs = timeline(records)
    newest = {(run.folder, run.command): run for run in runs}
    times = Counter(site for run in runs for site in {failure.site for failure in run.failures})
    return frozenset(
        failure.site
        for run in newest.values()
        for failure in run.failures
        if times[failure.site] > 1
    )


def _history(records: "RecordAccess") -> RunHistory:
    workspace = records.workspace
    places = workspace.site.git_dirs
    name = places.git_dir if places else workspace.site.root
    return RunHistory(
        workspace.journal, name, partial(mask_rules, workspace.site, workspace.notices)
    )


def newest_runs(records: "RecordAccess") -> "list[Run]":
    """Give the observed runs of the command last run, oldest first.

    Raises:
        NotFoundError: nothing was observed yet.

    """
    runs = _history(records).of_last_command()
    if not runs:
        raise NotFoundError("no command was watched in this work tree yet", _HINT)
    return runs


def listed(records: "RecordAccess", limit: int, *, failed: bool) -> "list[Run]":
    """Give the newest runs of this work tree, newest first; 0 is all of them."""
    runs = _history(records).newest_first()
    wanted = (run for run in runs if not (failed and run.green))
    return sorted(islice(wanted, limit if limit > 0 else None), key=moment, reverse=True)


def run_of(records: "RecordAccess", reference: str | None) -> "Run":
    """Give the run of an id or the beginning of one; None: the newest run of tests.

    Of tests is every run of a command that showed a test once. Without any it is the newest
    run of all.
    """
    if reference is None:
        streams = observed_runs(records)
        tested = [runs for runs in streams if any(run.tests for run in runs)]
        newest = [runs[-1] for runs in tested or streams]
        if not newest:
            raise NotFoundError("no command was watched in this work tree yet", _HINT)
        return max(newest, key=lambda run: (run.at, run.id))
    runs_of_id = [run for run in listed(records, 0, failed=False) if run.id.startswith(reference)]
    if not reference or not runs_of_id:
        raise NotFoundError(f"no run {reference}", "list them with: gitmem runs", reference)
    if len({run.id for run in runs_of_id}) > 1:
        names = ", ".join(run.id for run in runs_of_id[:_CANDIDATES])
        raise UsageError(f"{reference} is ambiguous: {len(runs_of_id)} runs", names)
    return runs_of_id[0]
