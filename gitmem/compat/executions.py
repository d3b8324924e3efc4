"""Executions: runs of tests and fixes until all pass; each is a session with its records.

Test runs are events of the session, failing cases become errors, what is tried becomes fixes.
"""

import difflib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.exchange.reported_runs import error_fields, run_from
from gitmem.llm.interactions import Interaction, usage
from gitmem.records.kinds import Fix, Session
from gitmem.records.parts import Scalar, TestCase, TestRun

if TYPE_CHECKING:
    from gitmem.memory import Memory

_MOST_ERRORS: Final = 20


class Execution(NamedTuple):
    """An execution, live or ended.

    Attributes:
        session: id of its session.
        name: what it was called at its start.
        started: when it began.
        runs: its test runs, oldest first.
        fixes: what was tried in it, oldest first.
        talks: what was asked of language models, oldest first.

    """

    session: str
    name: str
    started: datetime
    runs: tuple[TestRun, ...]
    fixes: tuple[Fix, ...]
    talks: tuple[Interaction, ...]


def load(memory: "Memory", session: str) -> Execution:
    """Read an execution."""
    live = [entry for entry in memory.sessions.live(everywhere=True) if entry.id == session]
    record = None if live else memory.show(session).record
    if isinstance(record, Session):
        name, started, runs = record.goal, record.started, record.test_runs
    else:
        name, started = live[0].goal, live[0].started
        runs = tuple(entry.test_run for entry in live[0].logged if entry.test_run)
    rows = memory.list(f"kind:fix session:{session}", sort="oldest")
    records = (memory.show(row.id).record for row in rows)
    fixes = tuple(record for record in records if isinstance(record, Fix))
    return Execution(
        session, name, started, runs, fixes, tuple(memory.models.interactions(session))
    )


def note_run(memory: "Memory", session: str, path: str, results: object) -> TestRun:
    """Note a test run, and record its failures that have no record yet.

    Args:
        memory: the memory.
        session: of the execution.
        path: the file that was tested.
        results: a mapping with ``test_cases``, or a list of them; see ``told_runs.run_from``.

    """
    number = len(load(memory, session).runs) + 1
    run = run_from(results, path, number)
    memory.sessions.log("test", "", session=session, path=path, test_run=run)
    for case in _failing(run):
        fields = error_fields(case, path)
        if not _recorded(memory, fields):
            memory.add("error", {**fields, "session": session})
    return load(memory, session).runs[-1]


def note_fix(
    memory: "Memory",
    session: str,
    path: str,
    original: str,
    modified: str,
    fields: Mapping[str, Any],
) -> str:
    """Write down a fix attempt, linked to what fails in the newest run; give its id.

    Args:
        memory: the memory.
        session: of the execution.
        path: the file that was changed.
        original: its text, or a part of it, before.
        modified: the same after.
        fields: others of the fix record.

    """
    runs = load(memory, session).runs
    cases = _failing(runs[-1]) if runs else []
    errors = [_recorded(memory, error_fields(case, path)) for case in cases]
    links = {"fixes": list(dict.fromkeys(filter(None, errors)))}
    patch = diff(path, original, modified)
    return memory.add("fix", {"patch": patch, "session": session, "links": links, **fields}).id


def finish(
    memory: "Memory", session: str, *, success: bool | None, config: Mapping[str, Scalar]
) -> Session:
    """End an execution: its record is written, with what language models took."""
    talks = memory.models.interactions(session)
    return memory.end_session(session, success=success, llm=usage(talks), config=dict(config))


def diff(path: str, original: str, modified: str) -> str:
    """Give the difference of two texts as a patch."""
    lines = difflib.unified_diff(
        original.splitlines(keepends=True),
        modified.splitlines(keepends=True),
        f"a/{path}",
        f"b/{path}",
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _failing(run: TestRun) -> list[TestCase]:
    """Give the cases of a run that failed, the first of them."""
    return [case for case in run.cases if case.status in {"failed", "error"}][:_MOST_ERRORS]


def _recorded(memory: "Memory", fields: Mapping[str, Any]) -> str | None:
    """Give the id of the newest error record of the same failure."""
    prints = memory.failures.fingerprints({name: value for name, value in fields.items() if value})
    sql = (
        "SELECT e.id FROM errors e JOIN fingerprints f ON f.id = e.id WHERE f.value = ?"
        " ORDER BY e.created DESC, e.id LIMIT 1"
    )
    rows = memory.statistics.query(sql, (prints.exact or prints.site,)).rows
    return str(rows[0][0]) if rows else None
