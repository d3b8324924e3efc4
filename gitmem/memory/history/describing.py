"""What a pull request is to say, put together from a session or from a range of commits.

Nothing is made up: goals, reasons, attempts and runs are what was recorded, changes are git's.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import structs

from gitmem.answers import Attempted, CheckedAttempt, Description, Ran
from gitmem.errors import NotFoundError
from gitmem.memory.core.records import read_record
from gitmem.memory.history.linking import issues_of, tags_of
from gitmem.query import Filters
from gitmem.records.issues import Issue, of_tag
from gitmem.records.kinds import Fix, Session

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.view import View
    from gitmem.memory.writable import Writable
    from gitmem.records.parts import Change, TestRun

_MOST: Final = 200


class _Work(NamedTuple):
    """A session, live or ended: what a description takes of it."""

    goal: str
    approach: str
    changes: "Sequence[Change]"
    runs: "Sequence[TestRun]"
    issues: list[Issue]


def describe(memory: "Writable", session: str | None = None, span: str = "") -> Description:
    """Describe a session, or a range of commits.

    Args:
        memory: the memory.
        session: id or prefix of one, live or ended; None: the current one, if no range is named.
        span: the range, see ``git.ranges``; empty, without a session: this branch.

    Raises:
        NotFoundError: there is no such session, or no such commit.
        EnvironmentProblem: of a range: this is no git repository, or git refuses.

    """
    live = None if session or span else memory.sessions.current()
    if session is None and live is None:
        return _of_range(memory, span)
    name, work = _work(memory, live.id if live else session or "")
    catalog = memory.derived.mended(lambda: memory.derived.catalog(memory.progress))
    rows = [row for row in catalog.rows(Filters(sessions=(name,)), "oldest", _MOST)
            if row.kind != "session"]  # fmt: skip
    return _described(memory, catalog, rows, [work], work.changes)


def _work(memory: "Writable", reference: str) -> tuple[str, _Work]:
    """Find a session by its id: one that ended has a record, and that counts."""
    try:
        row = memory.find(reference, "session")
    except NotFoundError:
        status = memory.sessions.status(reference, compare=True)
        live = status.live
        issues = [issue for tag in tags_of(live) if (issue := of_tag(tag))]
        return live.id, _Work(live.goal, "", status.changes, status.test_runs, issues)
    work = _ended(memory, row)
    if work is None:
        raise NotFoundError(f"the record of {row.id} can't be read", "see: gitmem check")
    return row.id, work


def _ended(memory: "View", row: "Row") -> _Work | None:
    record = read_record(memory.workspace, row)
    if not isinstance(record, Session):
        return None
    issues = [issue for tag in record.tags if (issue := of_tag(tag))]
    return _Work(record.goal or record.title, record.approach, record.changes, record.test_runs,
                 issues)  # fmt: skip


def _of_range(memory: "Writable", span: str) -> Description:
    from gitmem.git.changes import changes  # noqa: PLC0415  only here

    found = memory.review(span)
    places = memory.site.require_git()
    with memory.at(found.span.after) as after:
        catalog = after.derived.mended(lambda: after.derived.catalog(memory.progress))
        fixes = [row for one in (*found.errors, *found.attempts) for row in (one.error, *one.fixes)]
        rows = {row.id: row for row in (*fixes, *found.decisions, *found.others)}
        sessions = [row for row in reversed(found.others) if row.kind == "session"]
        works = [work for row in sessions if (work := _ended(after, row))]
        before = found.span.before or _EMPTY_TREE
        changed = changes(places.root, before, found.span.after, memory.site.folder_in_repository)
        told = _with_reasons(changed, [one for work in works for one in work.changes])
        made = _described(after, catalog, list(rows.values()), works, told)
        known = {one.error.id for one in found.attempts}
        # Of what the range says of known errors, only its own attempts count.
        own = [(one.error, [_tried(after, fix) for fix in one.fixes])
               for one in found.attempts if one.error.kind == "error"]  # fmt: skip
        return made._replace(
            errors=[one for one in made.errors if one[0].id not in known], others=own
        )


def _with_reasons(changed: "Iterable[Change]", told: "Iterable[Change]") -> "Iterator[Change]":
    """Put the reasons that sessions told to the changes that git sees."""
    reasons: dict[str, dict[str, None]] = {}
    for one in told:
        if one.reason:
            reasons.setdefault(one.path, {})[one.reason] = None
    for one in changed:
        said = "; ".join(reasons.get(one.path, ()))
        yield structs.replace(one, reason=said) if said else one


_EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def _described(
    memory: "View", catalog: "Catalog", rows: "Sequence[Row]", works: Sequence[_Work],
    changes: "Iterable[Change]",
) -> Description:  # fmt: skip
    own = {row.id for row in rows}
    errors = [row for row in rows if row.kind == "error"]
    attempted = [Attempted(row, _fixes_of(catalog, row)) for row in errors]
    told = {fix.id for one in attempted for fix in one.fixes}
    others: dict[Row, list[CheckedAttempt]] = {}
    loose: list[CheckedAttempt] = []
    for fix in (row for row in rows if row.kind == "fix" and row.id not in told):
        fixed = [row for row in catalog.linked_from(fix.file, "fixes") if row.id not in own]
        tried = _tried(memory, fix)
        if not fixed:
            loose.append(tried)
        for row in fixed[:1]:
            others.setdefault(row, []).append(tried)
    closes = list(dict.fromkeys(one for work in works for one in work.issues if not one.pull))
    linked = issues_of(catalog, own)
    named = [one for work in works for one in work.issues]
    named += [one for row in rows for one in linked.get(row.id, ())]
    done = [(one.error, [_tried(memory, fix) for fix in one.fixes]) for one in attempted]
    return Description(
        goals=list(dict.fromkeys(work.goal for work in works if work.goal.strip())),
        how=list(dict.fromkeys(work.approach for work in works if work.approach.strip())),
        changes=sorted(changes, key=lambda one: one.path),
        errors=done,
        others=list(others.items()),
        loose=loose,
        decisions=[row for row in rows if row.kind == "decision"],
        tests=_ran(works, [tried for _, some in (*done, *others.items()) for tried in some]),
        closes=closes,
        related=[one for one in dict.fromkeys(named) if one not in closes],
    )


def _fixes_of(catalog: "Catalog", error: "Row") -> "tuple[Row, ...]":
    linking = catalog.linking_to(error.id)
    return tuple(row for relation, row in linking if relation == "fixes" and row.kind == "fix")


def _tried(memory: "View", row: "Row") -> CheckedAttempt:
    record = read_record(memory.workspace, row)
    told = record.verification if isinstance(record, Fix) else None
    if told is None:
        return CheckedAttempt(row)
    sides = [side.result if side else "" for side in (told.before, told.after)]
    return CheckedAttempt(row, told.command, *sides)


def _ran(works: Sequence[_Work], tried: Sequence[CheckedAttempt]) -> list[Ran]:
    """Give the last run of each command of the sessions, and of checks that passed."""
    found: dict[str, Ran] = {}
    for run in (run for work in works for run in work.runs):
        counts = [(run.passed, "passed"), (run.failed, "failed"), (run.errors, "errors"),
                  (run.skipped, "skipped")]  # fmt: skip
        told = ", ".join(f"{count} {word}" for count, word in counts if count)
        found.pop(run.command, None)
        found[run.command] = Ran(run.command, run.result, told)
    for one in tried:
        if one.command and one.after == "passed":
            found.setdefault(one.command, Ran(one.command, one.after))
    return list(found.values())
