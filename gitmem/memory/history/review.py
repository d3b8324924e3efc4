"""What a change teaches, and what the memory has to say about the files that it changes."""

from collections.abc import Sequence
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Final

from gitmem.answers.changes import AttemptedError, ConcernedRecord, Review
from gitmem.git.authors import authors_of, is_by
from gitmem.git.branch_point import default_branch
from gitmem.git.commit_cache import tree_of
from gitmem.git.ranges import ChangedFile, Range, changed_files, range_of
from gitmem.git.state import checked_out, head
from gitmem.memory.anchors.anchor_finder import AnchorFinder
from gitmem.memory.anchors.anchor_memo import remembered
from gitmem.memory.anchors.record_anchors import governs, wanted_of
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.verdicts import fixes_of, judged
from gitmem.memory.history.guarding import guard_range
from gitmem.memory.history.issue_links import issues_of
from gitmem.memory.history.memory_diff import turned
from gitmem.memory.history.record_changes import (
    BranchChanges,
    FileChanges,
    RecordChanges,
    changed,
    file_changes,
    newest,
    rows_of,
)
from gitmem.memory.history.uncommitted import uncommitted
from gitmem.memory.reading.revisions import at
from gitmem.records.problems import Problem
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.issues import Issue

_MOST_PATHS: Final = 500
_OVER: Final = ("superseded", "rejected")


def review(workspace: "Workspace", text: str = "", *, worktree: bool = False) -> Review:
    """Say what a range of commits teaches.

    Args:
        workspace: of the memory.
        text: the range, see ``git.ranges``; empty: this branch.
        worktree: up to the files as they are now, committed or not.

    Raises:
        NotFoundError: there is no such commit, or no memory in the last one.
        UsageError: the range has an end, and so has the work tree.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = workspace.site.require_git()
    span = range_of(git_dirs, text, worktree=worktree)
    if worktree:
        return _reviewed(workspace, workspace, span)
    with closing(at(workspace, span.after)) as after:
        checked_out = not text or span.after == head(git_dirs)
        not_committed = uncommitted(workspace, span.after) if checked_out else {}
        return _reviewed(workspace, after, span)._replace(uncommitted=len(not_committed))


def _reviewed(workspace: "Workspace", after: "Workspace", span: Range) -> Review:
    code, files = _changed_code(workspace.site, span), file_changes(workspace, span)
    same = bool(span.before) and span.before == span.after
    earlier = nullcontext(after) if same else closing(at(workspace, span.before, or_empty=True))
    with earlier as before:
        lessons = after.ask(
            lambda now: before.ask(
                lambda then: _review(
                    workspace, span, code, files, after, now.catalog, before, then.catalog
                )
            )
        )
    return lessons if same else lessons._replace(taken_back=guard_range(after, span).taken_back)


def _review(
    workspace: "Workspace",
    span: Range,
    code: Sequence[ChangedFile],
    files: FileChanges,
    after: "Workspace",
    catalog: "Catalog",
    before: "Workspace",
    former: "Catalog",
) -> Review:
    """Put a review together.

    Args:
        workspace: of the memory as it is.
        span: the range.
        code: the files of code that change in it.
        files: what becomes of the files of records in it.
        after: the memory at its end.
        catalog: the records there.
        before: the memory at its beginning.
        former: the records there.

    """
    changes = changed(files, catalog)
    added = {row.id: row for row in changes.added}
    concerned = _concerned(catalog, code[:_MOST_PATHS], added)
    concerned = _without_stale(before, span.before, concerned, code)
    errors = newest(row for row in concerned if row.kind == "error")
    problems = _problems(workspace, catalog, span) if changes.paths else ()
    problems = (*problems, *_others_names(workspace.site, span, changes.added))
    lost = rows_of(former, changes.paths)
    return Review(
        span,
        len(code),
        [
            AttemptedError(row, fixes_of(after, catalog, row))
            for row in changes.added
            if row.kind == "error"
        ],
        _attempts(after, catalog, added),
        [row for row in changes.added if row.kind == "decision"],
        [row for row in changes.added if row.kind not in ("error", "fix", "decision")],
        turned(former, catalog, lost, [*changes.added, *changes.edited]),
        changes.edited,
        newest(row for row in lost if row.path in changes.removed),
        [
            ConcernedRecord(row, concerned[row])
            for row in newest(concerned)
            if row.kind == "decision" and row.status not in _OVER
        ],
        [ConcernedRecord(row, concerned[row]) for row in errors if row.status == "regressed"],
        [ConcernedRecord(row, concerned[row]) for row in errors if row.status != "regressed"],
        [problem for problem in problems if problem.path in changes.paths],
        max(0, len(code) - _MOST_PATHS),
        issues=_issues(catalog, changes.added),
    )


def _problems(workspace: "Workspace", catalog: "Catalog", span: Range) -> "tuple[Problem, ...]":
    """Give everything that is wrong at the end of a range; what a tree holds stays so."""
    if not span.after:
        return catalog.once("problems", lambda: tuple(catalog.problems()))
    site = workspace.site
    name = ("problems", tree_of(site.require_git(), span.after, site.folder_in_repository))
    return remembered(workspace).once(name, (), lambda: tuple(catalog.problems()))


def _others_names(site: "Site", span: Range, added: "Sequence[Row]") -> "list[Problem]":
    """Name the records that came with a commit of somebody who is not their author."""
    who = {row.path: (row.author, row.email) for row in added if row.via == "human"}
    if not span.after or not who:
        return []
    folder = site.folder_in_repository
    problems: list[Problem] = []
    for path, commit in authors_of(site.require_git(), span, folder).items():
        name, email = who.get(path, ("", ""))
        if is_by(commit.people, name, email):
            continue
        message = f"says it is by {name or email}; commit {commit.id[:10]} is by {commit.people[0]}"
        hint = "ask who wrote it, if that is not the one you know"
        problems.append(Problem(path, "other-author", message, hint, severity="warning"))
    return problems


def _issues(catalog: "Catalog", added: "Sequence[Row]") -> "tuple[Issue, ...]":
    by_record = issues_of(catalog, [row.id for row in added])
    return tuple(sorted({issue for issues in by_record.values() for issue in issues}))


def changed_on_branch(workspace: "Workspace") -> BranchChanges:
    """Tell what became of records since this branch left the default one, committed or not.

    Outside git it is nothing.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    git_dirs = workspace.site.git_dirs
    if git_dirs is None:
        return BranchChanges("", "", RecordChanges([], [], [], frozenset()), frozenset())
    branch, commit = checked_out(git_dirs)
    files = file_changes(workspace, range_of(git_dirs, worktree=True))
    loose = uncommitted(workspace, commit) if commit else files.how
    records = workspace.ask(lambda now: changed(files, now.catalog))
    return BranchChanges(branch, default_branch(git_dirs), records, frozenset(loose))


def _changed_code(site: "Site", span: Range) -> list[ChangedFile]:
    """Give the changed files that the memory can speak of, as it names them."""
    folder = site.folder_in_repository
    root = "" if folder.count("/") == 0 else folder.rpartition("/")[0] + "/"
    return [
        change._replace(path=change.path[len(root) :], old=change.old.removeprefix(root))
        for change in changed_files(site.require_git(), span)
        if change.path.startswith(root) and not change.path.startswith(f"{folder}/")
    ]


def _attempts(
    workspace: "Workspace", catalog: "Catalog", added: "dict[str, Row]"
) -> list[AttemptedError]:
    """Give the errors known before on which something was tried, with what was tried."""
    tried: dict[Row, list[Row]] = {}
    loose: list[Row] = []
    fixes = judged(workspace, [row for row in added.values() if row.kind == "fix"])
    fixed_by = catalog.fixed_by(fix.file for fix in fixes)
    for fix in reversed(fixes):
        errors = fixed_by.get(fix.file, ())
        if not errors:
            loose.append(fix)
        for error in errors:
            if error.id not in added:
                tried.setdefault(error, []).append(fix)
    on_errors = [AttemptedError(error, tuple(tried[error])) for error in newest(tried)]
    return on_errors + [AttemptedError(fix, (fix,)) for fix in newest(loose)]


def _concerned(
    catalog: "Catalog", changes: Sequence[ChangedFile], added: "dict[str, Row]"
) -> "dict[Row, tuple[str, ...]]":
    """Give the records from before that speak of changed files, by their old names too."""
    concerned: dict[Row, dict[str, None]] = {}
    for change in changes:
        for path in filter(None, (change.path, change.old)):
            if not is_text(path):
                continue  # no record can name it
            for row in catalog.by_file(catalog.speaking_of(path)).values():
                if row.id not in added and row.kind in ("decision", "error"):
                    concerned.setdefault(row, {})[change.path] = None
    return {row: tuple(paths) for row, paths in concerned.items()}


def _without_stale(
    before: "Workspace",
    revision: str,
    concerned: "dict[Row, tuple[str, ...]]",
    code: Sequence[ChangedFile],
) -> "dict[Row, tuple[str, ...]]":
    """Leave out files whose anchors in decisions were lost before the change."""
    decisions = {
        row: record
        for row in concerned
        if row.kind == "decision" and (record := read_record(before, row))
    }
    if not decisions or not revision:
        return concerned
    wanted = [anchor for row, record in decisions.items() for anchor in wanted_of(row, record)]
    with closing(AnchorFinder(before, revision)) as anchoring:
        placed = anchoring.place(wanted)
    held = {(anchor.wanted.row.id, anchor.held.path) for anchor in placed if anchor.held}
    names = {change.path: {change.path, change.old} - {""} for change in code}
    decisions_left: dict[Row, tuple[str, ...]] = {}
    for row, paths in concerned.items():
        record = decisions.get(row)
        left = tuple(
            path
            for path in paths
            if record is None
            or any(governs(record, name) or (row.id, name) in held for name in names[path])
        )
        if left:
            decisions_left[row] = left
    return decisions_left
