"""Regressions: errors that came back after a fix, what became of the fix, where to search."""

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from gitmem.answers.places import Regression
from gitmem.capture.episodes import episodes, live_episodes
from gitmem.capture.history import RunHistory
from gitmem.capture.recognising import errors_of_site
from gitmem.diffs import read_files
from gitmem.errors import NotFoundError
from gitmem.git.bisect import BisectResult
from gitmem.git.bisect import bisect as search
from gitmem.git.blame import blame
from gitmem.git.command import git
from gitmem.git.provenance import is_in, origins
from gitmem.git.state import head
from gitmem.matching.relocate import FileText
from gitmem.memory.anchors.anchor_finder import AnchorFinder
from gitmem.memory.core.records import read_record
from gitmem.memory.core.team_rules import mask_rules
from gitmem.memory.failures.evidence import added_lines
from gitmem.records.kinds import Error, Fix

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.catalog.rows import Row
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader


def regression_of(reader: "Reader", reference: str) -> Regression:
    """Tell what became of the fix of an error that came back.

    Args:
        reader: of the memory.
        reference: any record of the error.

    Raises:
        NotFoundError: no fix of it worked, or it did not come back.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    row = reader.find(reference, "error")

    def question(now: "Snapshot") -> "tuple[list[Row], list[Row]]":
        catalog = now.catalog
        errors = list(catalog.by_id(catalog.same_as([row.id])).values())
        fixes = [
            fix
            for error in errors
            for relation, fix in catalog.linking_to(error.id)
            if relation == "fixes"
        ]
        return errors, fixes

    errors, fixes = reader.workspace.ask(question)
    if not any(fix.kind == "fix" and fix.stated == "worked" for fix in fixes):
        hint = f'record one with: gitmem resolve {row.id} "…"'
        raise NotFoundError(f"no recorded fix of {row.id} worked", hint)
    outcome = regression(reader.workspace, errors, fixes, now=False)
    if outcome is None and _shows_now(reader.workspace, errors):
        outcome = regression(reader.workspace, errors, fixes, now=True)
    if outcome is None:
        hint = "it counts as come back when a newer record says that it duplicates this one"
        raise NotFoundError(f"{row.id} did not come back after its fix", hint)
    return outcome


def regression(
    workspace: "Workspace", errors: "Iterable[Row]", fixes: "Iterable[Row]", *, now: bool
) -> Regression | None:
    """Tell what became of the fix of an error; None if it did not come back, or had no fix.

    Args:
        workspace: of the memory.
        errors: all records of the error.
        fixes: all attempts on it.
        now: it shows at this moment, recorded or not.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    newest = max(errors, key=lambda row: (row.created, row.id))
    worked = [
        fix
        for fix in fixes
        if fix.kind == "fix" and fix.stated == "worked" and (now or fix.created < newest.created)
    ]
    if not worked:
        return None
    fix = max(worked, key=lambda row: (row.created, row.id))
    git_dirs = workspace.site.require_git()
    folder = workspace.site.folder_in_repository
    record, error = read_record(workspace, fix), read_record(workspace, newest)
    patch = record.patch if isinstance(record, Fix) else ""
    survivors = _Survivors(workspace, git_dirs, patch)
    commit, held = _fixing(git_dirs, f"{folder}/{fix.path}", folder)
    commit = survivors.commit or commit
    held = held or bool(survivors.commit)
    recorded = fix.created < newest.created
    added = origins(git_dirs, [f"{folder}/{newest.path}"], folder=folder) if recorded else {}
    tip = head(git_dirs)
    bad = next(iter(added.values()), tip)
    if commit and held and (bad == commit or not is_in(git_dirs, commit, bad)):
        bad = tip
    edited = _uncommitted(git_dirs, tip, patch) if now else ""
    why_not = f"{edited} has an uncommitted edit" if edited else ""
    why_not = why_not or _why_no_range(commit, bad, held=held)
    good, bad = ("", "") if why_not else (commit, bad)
    return Regression(
        newest,
        fix,
        commit,
        held,
        survivors.lines,
        survivors.alive,
        good,
        bad,
        why_not,
        _command(record, error),
        edited,
    )


def _shows_now(workspace: "Workspace", errors: "Sequence[Row]") -> bool:
    """Tell whether a watched command shows an error, and none since has shown it gone."""
    site, ids = workspace.site, {error.id for error in errors}
    if site.git_dirs is None:
        return False
    masks = partial(mask_rules, site, workspace.notices)
    runs = RunHistory(workspace.journal, site.git_dirs.git_dir, masks).timeline()
    live = [episode.seen for episode in live_episodes(episodes(runs))]

    def question(now: "Snapshot") -> bool:
        found = (errors_of_site(now.catalog, failure, failure.fields) for failure in live)
        return any(not ids.isdisjoint(row.id for row in rows) for rows in found)

    return workspace.ask(question)


def _uncommitted(git_dirs: "GitDirs", tip: str, patch: str) -> str:
    """Name a file of a fix that differs from what is committed; empty if none does."""
    files = [file.path for file in read_files(patch)]
    if not tip or not files:
        return ""
    specs = [f":(top,literal){file}" for file in files]
    output = git(git_dirs.root, "diff-index", "--name-only", "-z", tip, "--", *specs)
    return os.fsdecode(output.split(b"\0")[0])


def _fixing(git_dirs: "GitDirs", path: str, folder: str) -> tuple[str, bool]:
    """Give the commit that added a fix, and whether it is reached from what is checked out."""
    reached = origins(git_dirs, [path], folder=folder).get(path, "")
    if reached:
        return reached, True
    return origins(git_dirs, [path], "--all", folder=folder).get(path, ""), False


def _why_no_range(commit: str, bad: str, *, held: bool) -> str:
    if not commit:
        return "the fix is in no commit that is known here"
    if not held:
        return "the commit of the fix is not in what is checked out"
    if bad == commit:
        return "there is no commit after the fix"
    return ""


def _command(fix: object, error: object) -> str:
    verification = fix.verification if isinstance(fix, Fix) else None
    command = verification.command if verification else ""
    command = command or (error.command if isinstance(error, Error) else "")
    return command.strip() if "\n" not in command.strip() else ""


class _Survivors:
    """The telling lines that a patch added, and those that are still there.

    Attributes:
        lines, alive: how many.
        commit: the one commit that brought those that are left; empty if they are of several.

    """

    def __init__(self, workspace: "Workspace", git_dirs: "GitDirs", patch: str) -> None:
        self.lines = self.alive = 0
        self.commit = ""
        commits: set[str] = set()
        for path, added in added_lines(patch):
            self.lines += len(added)
            with closing(AnchorFinder(workspace)) as anchoring:
                name, text = anchoring.follow_git(path)
            if text is None:
                continue
            numbers = [text.lines.index(line) + 1 for line in added if line in text.counts]
            self.alive += len(numbers)
            commits |= _brought(git_dirs, name, text, numbers)
        self.commit = commits.pop() if len(commits) == 1 else ""


def _brought(git_dirs: "GitDirs", path: str, text: FileText, numbers: Sequence[int]) -> set[str]:
    """Give the commits of lines that occur once in the file."""
    unique = {number for number in numbers if text.counts[text.lines[number - 1]] == 1}
    if not unique:
        return set()
    blamed = blame(git_dirs, path)
    return {line.commit for line in blamed if line.number in unique and line.commit}


def bisect(site: "Site", regression: Regression, tell: "Callable[[str], None]") -> BisectResult:
    """Find the commit that brought an error back; the work tree is restored at the end.

    Args:
        site: of the memory.
        regression: as ``regression_of`` gives it, with a range and a command.
        tell: is told each line of output.

    Raises:
        NotFoundError: there is no range, or no command.
        ConflictError: the work tree is not clean, or git is in the middle of something.

    """
    script(regression)
    return search(site.require_git(), regression.bad, regression.good, regression.command, tell)


def script(regression: Regression) -> list[str]:
    """Give the commands of git that search the range of a regression.

    Raises:
        NotFoundError: there is no range, or no command.

    """
    if regression.why_not:
        raise NotFoundError(f"no range to search: {regression.why_not}", "")
    if not regression.script:
        hint = 'name one that fails while the error is there: gitmem runs bisect ID --command "…"'
        raise NotFoundError(f"no command shows {regression.error.id}: none was recorded", hint)
    return regression.script
