"""Executions: runs of tests and fixes until all pass; each is a session with its records.

Test runs are events of the session, failing cases become errors, what is tried becomes fixes.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.exchange.reported_runs import error_fields, run_from
from gitmem.exchange.whole_patch import whole_patch
from gitmem.learning import progress
from gitmem.llm.interactions import Interaction, usage
from gitmem.records.kinds import Fix, Session
from gitmem.records.parts import Scalar, TestCase, TestRun

if TYPE_CHECKING:
    from gitmem.memory import Memory

TAG: Final = "kaizen"
_MOST_ERRORS: Final = 20
_MOST_EARLIER: Final = 50
"""How many earlier executions, or attempts of them, are looked at: the newest."""


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

    def newest_runs(self, path: str = "") -> list[TestRun]:
        """Give the newest run of each file, or of one.

        Observed runs of whole suites are of no file; they speak for one that has no run of its
        own.
        """
        newest = progress.newest_of_each(self.runs)
        if not path:
            return newest
        own = [run for run in newest if run.path == path]
        return own or [run for run in newest if not run.path]

    def all_passed(self, path: str = "") -> bool:
        """Tell whether the newest run of each file passed, and there was one."""
        newest = self.newest_runs(path)
        return bool(newest) and all(map(progress.all_passed, newest))

    def failed_cases(self, path: str = "") -> list[TestCase]:
        """Give what failed in the newest run of each file, or of one."""
        return [case for run in self.newest_runs(path) for case in progress.failed_cases(run)]


def load(memory: "Memory", session: str) -> Execution:
    """Read an execution."""
    live = [entry for entry in memory.sessions.live(everywhere=True) if entry.id == session]
    record = None if live else memory.show(session).record
    if isinstance(record, Session):
        name, started, runs = record.goal, record.started, record.test_runs
    else:
        name, started = live[0].goal, live[0].started
        runs = tuple(entry.test_run for entry in live[0].logged if entry.test_run)
    fixes = _fixes(memory, f"kind:fix session:{session}")
    ids = {fix.id for fix in fixes}
    fixes = tuple(fix for fix in fixes if fix.reuses not in ids)  # one attempt: see ``note_fix``
    return Execution(
        session, name, started, runs, fixes, tuple(memory.models.interactions(session))
    )


def earlier(memory: "Memory", session: str) -> list[Execution]:
    """Give the executions that ended before this one, oldest first; at most the newest 50."""
    rows = memory.list(f"kind:session tag:{TAG}", limit=_MOST_EARLIER)
    return [load(memory, row.id) for row in reversed(rows) if row.id != session]


def others_attempts(memory: "Memory", path: str, executions: Iterable[str]) -> tuple[Fix, ...]:
    """Give attempts that changed a file and belong to no execution: people's, and tools'."""
    fixes = _fixes(memory, f'kind:fix path:"{path}"', _MOST_EARLIER)
    sessions = set(executions)
    return tuple(fix for fix in fixes if not fix.session or fix.session not in sessions)


def _fixes(memory: "Memory", filters: str, limit: int = -1) -> tuple[Fix, ...]:
    rows = memory.list(filters, limit=limit)
    records = (memory.show(row.id).record for row in reversed(rows))
    return tuple(record for record in records if isinstance(record, Fix))


def note_run(memory: "Memory", session: str, path: str, results: object) -> TestRun:
    """Note a test run, and record its failures.

    A failure that goes on from the run before is the same occurrence; one that is new, or comes
    back after a run without it, is recorded, so that it is counted.

    Args:
        memory: the memory.
        session: of the execution.
        path: the file that was tested.
        results: a mapping with ``test_cases``, or a list of them; see ``reported_runs.run_from``.

    """
    before = load(memory, session)
    run = run_from(results, path, len(before.runs) + 1)
    memory.sessions.log("test", "", session=session, path=path, test_run=run)
    going_on = {
        (case.name, case.message)
        for newest in before.newest_runs(path)
        for case in progress.failed_cases(newest)
    }
    for case in _failing([run]):
        if (case.name, case.message) not in going_on:
            memory.add("error", {**error_fields(case, path), "session": session})
    return load(memory, session).runs[-1]


def note_fix(
    memory: "Memory",
    session: str,
    path: str,
    original: str,
    modified: str,
    fields: Mapping[str, Any],
) -> str:
    """Write down a fix attempt, linked to what fails in the newest run of its file; give its id.

    What it mended though it left others failing, and broke none, has a fix of its own, which
    reuses this one: an error is resolved by a fix that worked on it.

    Args:
        memory: the memory.
        session: of the execution.
        path: the file that was changed.
        original: its text, or a part of it, before.
        modified: the same after.
        fields: others of the fix record.

    """
    cases = _failing(load(memory, session).newest_runs(path))
    errors = [(case.name, _recorded(memory, error_fields(case, path))) for case in cases]
    mended = _mended(fields, {name for name, _ in errors})
    patch = whole_patch(path, original, modified)
    common = {"patch": patch, "session": session, **fields}
    links = {"fixes": _each_once(error for name, error in errors if name not in mended)}
    fix = memory.add("fix", {**common, "links": links}).id
    if mended:
        links = {"fixes": _each_once(error for name, error in errors if name in mended)}
        checked = {"after": {"result": "passed", "cases": list(mended.values())}}
        worked = {"outcome": "worked", "why_failed": "", "worked_partially": ""}
        memory.add(
            "fix", {**common, **worked, "verification": checked, "reuses": fix, "links": links}
        )
    return fix


def _mended(fields: Mapping[str, Any], failing: AbstractSet[str]) -> dict[str, Any]:
    """Give the cases that pass after an attempt which left others failing and broke none."""
    checks = fields.get("verification") or {}
    after = {case["name"]: case for case in checks.get("after", {}).get("cases", ())}
    passed = {name for name, case in after.items() if case["status"] == "passed"}
    if fields.get("outcome") not in {"failed", "partial"} or not after.keys() - passed <= failing:
        return {}
    return {name: after[name] for name in sorted(passed & failing)}


def _each_once(errors: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(filter(None, errors)))


def finish(
    memory: "Memory", session: str, *, success: bool | None, config: Mapping[str, Scalar]
) -> Session:
    """End an execution: its record is written, with what language models took."""
    talks = memory.models.interactions(session)
    return memory.end_session(session, success=success, llm=usage(talks), config=dict(config))


def _failing(runs: Iterable[TestRun]) -> list[TestCase]:
    """Give the cases of runs that failed, the first of them."""
    return [case for run in runs for case in progress.failed_cases(run)][:_MOST_ERRORS]


def _recorded(memory: "Memory", fields: Mapping[str, Any]) -> str | None:
    """Give the id of the newest error record of the same failure."""
    prints = memory.failures.fingerprints({name: value for name, value in fields.items() if value})
    sql = (
        "SELECT e.id FROM errors e JOIN fingerprints f ON f.id = e.id WHERE f.value = ?"
        " ORDER BY e.created DESC, e.id LIMIT 1"
    )
    rows = memory.statistics.query(sql, (prints.exact or prints.site,)).rows
    return str(rows[0][0]) if rows else None
