"""An execution memory as JSON: test runs and fix attempts of executions, by file.

What was said to a language model stays where it is: raw conversations are nobody else's. What
follows from test runs (counts, passed and failed cases by themselves) is not taken over either.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.exchange.whole_patch import whole_patch
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    before,
    envelope,
    line,
    mapping,
    mappings,
    number,
    scalars,
    stamp,
    text,
    texts,
    time,
)

_FORM: Final = "kaizen"
_STATES: Final = {"passed": "passed", "failed": "failed", "error": "error", "skipped": "skipped"}
Data = dict[str, Any]


def read(data: Data, otherwise: datetime) -> ForeignFile:
    """Read an export: one execution, or several by id or in a list under ``executions``.

    Args:
        data: the object.
        otherwise: the time of what bears none.

    """
    passed: Counter[str] = Counter()
    things: list[ForeignEntry] = []
    for name, execution in _executions(data):
        passed["conversations with a model: they stay private"] += sum(
            1 for _ in _by_file(execution.get("llm_interactions"))
        )
        things += _execution(name, execution, otherwise)
    return ForeignFile(things, +passed)


def _executions(data: Data) -> Iterator[tuple[str, Data]]:
    executions = data.get("executions", data.get("current_execution"))
    if isinstance(executions, list):
        yield from (
            (text(execution.get("execution_id")), execution) for execution in mappings(executions)
        )
    elif isinstance(executions, dict) and "execution_id" in executions:
        yield text(executions["execution_id"]), executions
    elif isinstance(executions, dict):
        yield from (
            (name, execution)
            for name, execution in executions.items()
            if isinstance(execution, dict)
        )
    else:
        yield text(data.get("execution_id")), data


def _by_file(value: object) -> Iterator[tuple[str, Data]]:
    """Give (file, entry) of a list of entries, or of lists by file."""
    if isinstance(value, dict):
        for file, entries in value.items():
            entry_list = entries if isinstance(entries, list) else [entries]
            yield from ((str(file), entry) for entry in entry_list if isinstance(entry, dict))
    for entry in mappings(value):
        named = entry.get("file_path") or entry.get("file")
        yield text(named or next(iter(texts(entry.get("files") or [])), "")), entry


def _execution(name: str, execution: Data, otherwise: datetime) -> Iterator[ForeignEntry]:
    started = time(execution.get("start_time"), otherwise)
    runs = list(_by_file(execution.get("test_runs")))
    attempts = list(_by_file(execution.get("fix_attempts")))
    moments = [time(entry.get("timestamp"), started) for _, entry in [*runs, *attempts]]
    ended = max([started, *moments])
    errors: dict[tuple[str, str], Data] = {}
    for file, run in runs:
        for case in _failing(run):
            key = (file, text(case.get("test_name")))
            errors.setdefault(key, _error(name, file, case, time(run.get("timestamp"), started)))
    fixes = [
        _fix(name, file, attempt, errors, ended, place)
        for place, (file, attempt) in enumerate(attempts)
    ]
    session_id = id_of("session", _FORM, name, stamp(started))
    for fields in (*errors.values(), *fixes):
        fields["session"] = session_id
    session = {
        **envelope(session_id, name, ended, "kaizen", _FORM),
        "goal": line(name),
        "started": stamp(started),
        "ended": stamp(ended),
        "test_runs": [_run(file, run, started) for file, run in runs],
        "config": scalars(
            mapping(execution.get("configuration_context") or execution.get("config"))
        ),
    }
    for error in errors.values():
        drafts: list[tuple[str, Data]] = [("error", error)]
        yield ForeignEntry(error["title"], name, "failing test", started, drafts)
    for fix in fixes:
        yield ForeignEntry(fix["title"], name, "fix", ended, [("fix", fix)])
    yield ForeignEntry(line(name) or "execution", name, "session", ended, [("session", session)])


def _failing(run: Data) -> Iterator[Data]:
    cases = mappings(run.get("test_cases"))
    if cases:
        yield from (case for case in cases if case.get("status") in ("failed", "error"))
    else:
        yield from mappings(run.get("failed_test_cases"))
        yield from mappings(run.get("error_test_cases"))


def _case(case: Data) -> Data:
    failing = case.get("failing_line")
    fields = {
        "name": line(case.get("test_name")) or "unnamed",
        "status": _STATES.get(text(case.get("status")), "failed"),
        "input": text(case.get("input")), "expected": text(case.get("expected_output")),
        "actual": text(case.get("actual_output")), "message": text(case.get("error_message")),
        "failing_function": text(case.get("failing_function")),
        "failing_line": failing if isinstance(failing, int) and failing > 0 else None,
    }  # fmt: skip
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _run(file: str, run: Data, otherwise: datetime) -> Data:
    cases = [_case(case) for case in mappings(run.get("test_cases"))]
    states = Counter(case["status"] for case in cases)
    attempt = run.get("attempt_number")
    bad = any(True for _ in _failing(run))
    fields: Data = {
        "id": text(run.get("test_run_id")), "command": file, "path": file, "cases": cases,
        "at": stamp(time(run.get("timestamp"), otherwise)),
        "attempt": attempt if isinstance(attempt, int) and attempt > 0 else None,
        "result": "failed" if bad else "passed", "summary": line(run.get("summary")),
        "passed": states["passed"] or None, "failed": states["failed"] or None,
        "errors": states["error"] or None, "error_analysis": text(run.get("error_analysis")),
    }  # fmt: skip
    if seconds := number(mapping(run.get("timing_analysis")).get("total_time")):
        fields["timing"] = {"seconds": seconds}
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def _error(execution: str, file: str, case: Data, at: datetime) -> Data:
    name, message = line(case.get("test_name")), text(case.get("error_message"))
    title = f"{name}: {message}" if message else f"{name} fails"
    record_id = id_of("error", _FORM, execution, file, name, message)
    fields = {
        **envelope(record_id, title, at, "kaizen", _FORM),
        "message": message, "test": _case(case), "category": "TEST",
    }  # fmt: skip
    return fields | ({"location": {"file": file}} if file else {})


def _fix(
    execution: str,
    file: str,
    attempt: Data,
    errors: dict[tuple[str, str], Data],
    at: datetime,
    place: int,
) -> Data:
    approach = text(attempt.get("approach_description"))
    count = attempt.get("attempt_number")
    title = approach or f"attempt {count} on {file}"
    moment = time(attempt.get("timestamp"), at)
    success = attempt.get("success")
    outcome = ("worked" if success else "failed") if isinstance(success, bool) else "unverified"
    record_id = id_of("fix", _FORM, execution, file, text(count), approach, stamp(moment))
    fields = {
        # Attempts without a time stay in the order in which they stand.
        **envelope(record_id, title, before(moment, -place / 1000), "kaizen", _FORM),
        "approach": approach or text(attempt.get("code_changes_made")),
        "outcome": outcome,
        "patch": _patch(file, attempt), "lessons": text(attempt.get("lessons_learned")),
        "why_failed": text(attempt.get("why_approach_failed")),
        "worked_partially": text(attempt.get("what_worked_partially")),
        "notes": text(attempt.get("code_changes_made")) if approach else "",
    }  # fmt: skip
    linked = [error["id"] for (where, _), error in errors.items() if where == file]
    if linked:
        fields["links"] = {"fixes": linked}
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _patch(file: str, attempt: Data) -> str:
    before, after = attempt.get("original_code"), attempt.get("modified_code")
    return "" if before is None or after is None else whole_patch(file, text(before), text(after))
