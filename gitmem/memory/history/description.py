"""The text of a pull request, built from a session or from a range of commits.

Nothing is made up: goals, reasons, attempts and runs are what was recorded, changes are git's.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import structs

from gitmem.answers.changes import AttemptedError, CheckedAttempt, CheckRun, Description
from gitmem.errors import NotFoundError
from gitmem.git.changes import changes
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.verdicts import fixes_of, judged
from gitmem.memory.history.issue_links import issues_of, tags_of
from gitmem.memory.history.review import review
from gitmem.memory.reading.revisions import at
from gitmem.query import Filters
from gitmem.records.issues import Issue, of_tag
from gitmem.records.kinds import Fix, Session

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader
    from gitmem.records.parts import Change, TestRun
    from gitmem.sessions import Sessions

_MOST: Final = 200


class _Work(NamedTuple):
    """A session, live or ended: what a description takes of it."""

    goal: str
    approach: str
    changes: "Sequence[Change]"
    runs: "Sequence[TestRun]"
    issues: list[Issue]


def describe(
    reader: "Reader", sessions: "Sessions", session: str | None = None, span: str = ""
) -> Description:
    """Describe a session, or a range of commits.

    Args:
        reader: of the memory.
        sessions: of the memory.
        session: id or prefix of one, live or ended; None: the current one, if no range is named.
        span: the range, see ``git.ranges``; empty, without a session: this branch.

    Raises:
        NotFoundError: there is no such session, or no such commit.
        EnvironmentProblem: of a range: this is no git repository, or git refuses.

    """
    workspace = reader.workspace
    live = None if session or span else sessions.current()
    if session is None and live is None:
        return _of_range(workspace, span)
    name, work = _work(reader, sessions, live.id if live else session or "")

    def question(now: "Snapshot") -> Description:
        rows = now.catalog.rows(Filters(sessions=(name,)), "oldest", _MOST)
        rows = [row for row in rows if row.kind != "session"]
        return _described(workspace, now.catalog, rows, [work], work.changes)

    return workspace.ask(question)


def _work(reader: "Reader", sessions: "Sessions", reference: str) -> tuple[str, _Work]:
    """Find a session by its id: one that ended has a record, and that counts."""
    try:
        row = reader.find(reference, "session")
    except NotFoundError:
        status = sessions.status(reference, compare=True)
        live = status.live
        issues = [issue for tag in tags_of(live) if (issue := of_tag(tag))]
        return live.id, _Work(live.goal, "", status.changes, status.test_runs, issues)
    work = _ended(reader.workspace, row)
    if work is None:
        raise NotFoundError(f"the record of {row.id} can't be read", "see: gitmem check")
    return row.id, work


def _ended(workspace: "Workspace", row: "Row") -> _Work | None:
    record = read_record(workspace, row)
    if not isinstance(record, Session):
        return None
    issues = [issue for tag in record.tags if (issue := of_tag(tag))]
    return _Work(
        record.goal or record.title, record.approach, record.changes, record.test_runs, issues
    )


def _of_range(workspace: "Workspace", span: str) -> Description:
    lessons = review(workspace, span)
    commits, site = lessons.span, workspace.site
    attempted = (*lessons.errors, *lessons.attempts)
    tried = [row for attempt in attempted for row in (attempt.error, *attempt.fixes)]
    rows = {row.id: row for row in (*tried, *lessons.decisions, *lessons.others)}
    sessions = [row for row in reversed(lessons.others) if row.kind == "session"]
    with closing(at(workspace, commits.after)) as after:
        works = [work for row in sessions if (work := _ended(after, row))]
        between = changes(
            site.require_git().root,
            commits.before or _EMPTY_TREE,
            commits.after,
            site.folder_in_repository,
        )
        changed = _with_reasons(between, [change for work in works for change in work.changes])
        described = after.ask(
            lambda now: _described(after, now.catalog, list(rows.values()), works, changed)
        )
        # Of what the range says of known errors, only its own attempts count.
        own = [
            (attempt.error, [_checked(after, fix) for fix in attempt.fixes])
            for attempt in lessons.attempts
            if attempt.error.kind == "error"
        ]
    from_before = {attempt.error.id for attempt in lessons.attempts}
    errors = [(error, fixes) for error, fixes in described.errors if error.id not in from_before]
    return described._replace(errors=errors, others=own)


def _with_reasons(changed: "Iterable[Change]", noted: "Iterable[Change]") -> "list[Change]":
    """Put the reasons that sessions noted to the changes that git sees."""
    reasons: dict[str, dict[str, None]] = {}
    for change in noted:
        if change.reason:
            reasons.setdefault(change.path, {})[change.reason] = None
    return [
        structs.replace(change, reason="; ".join(reasons[change.path]))
        if change.path in reasons
        else change
        for change in changed
    ]


_EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def _described(
    workspace: "Workspace",
    catalog: "Catalog",
    rows: "Sequence[Row]",
    works: Sequence[_Work],
    changes: "Iterable[Change]",
) -> Description:
    own = {row.id for row in rows}
    errors = [row for row in rows if row.kind == "error"]
    attempted = [AttemptedError(row, fixes_of(workspace, catalog, row)) for row in errors]
    told_of = {fix.id for attempt in attempted for fix in attempt.fixes}
    others: dict[Row, list[CheckedAttempt]] = {}
    loose: list[CheckedAttempt] = []
    alone = [row for row in rows if row.kind == "fix" and row.id not in told_of]
    alone = judged(workspace, alone)
    fixed_by = catalog.fixed_by(fix.file for fix in alone)
    for fix in alone:
        fixed = [row for row in fixed_by.get(fix.file, ()) if row.id not in own]
        attempt = _checked(workspace, fix)
        if not fixed:
            loose.append(attempt)
        for row in fixed[:1]:
            others.setdefault(row, []).append(attempt)
    named = [issue for work in works for issue in work.issues]
    closes = list(dict.fromkeys(issue for issue in named if not issue.pull))
    linked = issues_of(catalog, own)
    named += [issue for row in rows for issue in linked.get(row.id, ())]
    done = [(error, [_checked(workspace, fix) for fix in fixes]) for error, fixes in attempted]
    return Description(
        goals=list(dict.fromkeys(work.goal for work in works if work.goal.strip())),
        how=list(dict.fromkeys(work.approach for work in works if work.approach.strip())),
        changes=sorted(changes, key=lambda change: change.path),
        errors=done,
        others=list(others.items()),
        loose=loose,
        decisions=[row for row in rows if row.kind == "decision"],
        tests=_ran(works, [attempt for _, fixes in (*done, *others.items()) for attempt in fixes]),
        closes=closes,
        related=[issue for issue in dict.fromkeys(named) if issue not in closes],
    )


def _checked(workspace: "Workspace", row: "Row") -> CheckedAttempt:
    record = read_record(workspace, row)
    verification = record.verification if isinstance(record, Fix) else None
    if verification is None:
        return CheckedAttempt(row)
    sides = [side.result if side else "" for side in (verification.before, verification.after)]
    return CheckedAttempt(row, verification.command, *sides)


def _ran(works: Sequence[_Work], attempts: Sequence[CheckedAttempt]) -> list[CheckRun]:
    """Give the last run of each command of the sessions, and of checks that passed."""
    runs: dict[str, CheckRun] = {}
    for run in (run for work in works for run in work.runs):
        counts = [(run.passed, "passed"), (run.failed, "failed"), (run.errors, "errors"),
                  (run.skipped, "skipped")]  # fmt: skip
        summary = ", ".join(f"{count} {word}" for count, word in counts if count)
        runs.pop(run.command, None)
        runs[run.command] = CheckRun(run.command, run.result, summary)
    for attempt in attempts:
        if attempt.command and attempt.after == "passed":
            runs.setdefault(attempt.command, CheckRun(attempt.command, attempt.after))
    return list(runs.values())
