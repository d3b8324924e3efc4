"""Test runs and cases as programs hand them in, in the words of several tools. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gitmem.errors import InvalidError
from gitmem.records.parts import TestCase, TestRun, Timing

_STATUSES: Final = {"pass": "passed", "ok": "passed", "success": "passed", "fail": "failed",
                    "failure": "failed", "errored": "error", "skip": "skipped"}  # fmt: skip
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("test_name", "name", "id"),
    "input": ("input",),
    "expected": ("expected_output", "expected"),
    "actual": ("actual_output", "actual"),
    "message": ("error_message", "message", "error_details", "error"),
    "failing_function": ("failing_function",),
    "failing_line": ("failing_line",),
}
_SECONDS: Final = ("seconds", "duration", "execution_time", "time")
_SLOWEST: Final = 5
_RESULTS: Final = (
    "give a list of cases, each with test_name and status, or a mapping with it as test_cases"
)


def error_fields(case: TestCase, path: str) -> dict[str, Any]:
    """Give the fields of an error record of a failing case."""
    location = {"file": path, "line": case.failing_line} if path else None
    names = ("name", "status", "input", "expected", "actual", "message", "failing_function")
    test = {name: value for name in names if (value := getattr(case, name))}
    if case.failing_line:
        test["failing_line"] = case.failing_line
    kind, _, rest = case.message.partition(": ")
    named = bool(rest) and kind.isidentifier()
    return {
        "title": f"{case.name}: {case.message.partition(chr(10))[0][:200] or case.status}",
        "error_type": kind if named else "",
        "message": rest if named else case.message or f"{case.name} {case.status}",
        "location": location,
        "test": test,
    }


def run_from(results: object, path: str = "", number: int | None = None) -> TestRun:
    """Read a test run as callers hand it in.

    Args:
        results: a list of cases, or a mapping with ``test_cases`` (or ``tests``) and, as far as
            known, ``summary``, ``error_analysis`` and ``seconds``. A case has ``test_name``,
            ``status``, ``input``, ``expected_output``, ``actual_output``, ``error_message``,
            ``failing_function``, ``failing_line``, ``seconds``. Without cases, ``passed``,
            ``failed`` and ``errors`` count, also where the summary says them.
        path: the file that was tested.
        number: which run it is, from 1.

    Raises:
        InvalidError: it is neither, or the status of a case is empty.

    """
    is_list = isinstance(results, Sequence) and not isinstance(results, str | bytes)
    reported = {"test_cases": results} if is_list else _fields(results)
    if reported is None:
        raise InvalidError(f"test results can't be {type(results).__name__}", _RESULTS)
    listed = _listed(reported.get("test_cases") or reported.get("tests"))
    cases = tuple(case_from(item, at) for at, item in enumerate(listed, 1))
    summary = reported.get("summary", "")
    counts = {**summary, **reported} if isinstance(summary, Mapping) else reported
    failed = _number(counts, "failed", sum(case.status == "failed" for case in cases))
    errors = _number(counts, "errors", sum(case.status == "error" for case in cases))
    return TestRun(
        id=str(reported.get("test_run_id") or reported.get("id") or ""),
        attempt=number,
        command=str(reported.get("command") or path),
        result="failed" if failed else "error" if errors else "passed",
        summary=summary if isinstance(summary, str) else _pairs(summary),
        path=path,
        passed=_number(counts, "passed", sum(case.status == "passed" for case in cases)),
        failed=failed,
        errors=errors,
        cases=cases,
        timing=_timing(reported, cases),
        error_analysis=_pairs(reported.get("error_analysis", "")),
    )


def case_from(case: object, at: int = 1) -> TestCase:
    """Read one case; see ``run_from``. Without a status, one with an error message failed.

    Raises:
        InvalidError: its status is empty.

    """
    fields = _fields(case)
    says = {"name": str(case)} if fields is None else fields
    values = {
        field: next((says[name] for name in names if says.get(name) not in (None, "")), None)
        for field, names in _NAMES.items()
    }
    line = values.pop("failing_line")
    texts = {name: str(value) for name, value in values.items() if value is not None}
    status = says.get("status", "failed" if texts.get("message") else "passed")
    if not status:
        raise InvalidError(f"test case {at} has no status", _RESULTS, "status")
    status = str(status).lower()
    data: dict[str, Any] = {"name": f"case {at}", **texts}
    data["name"] = " ".join(data["name"].split())[:500]
    data["status"] = _STATUSES.get(status, status)
    data["failing_line"] = line if isinstance(line, int) and line > 0 else None
    data["seconds"] = _seconds(says)
    return TestCase(**data)


def _timing(reported: Mapping[str, Any], cases: Sequence[TestCase]) -> Timing | None:
    """Give how long a run took: as it says, or its cases together; None if nobody said."""
    stated = reported.get("timing_analysis") or reported.get("timing")
    if isinstance(stated, Mapping):
        whole = _seconds({**stated, "seconds": stated.get("seconds", stated.get("total"))})
    else:
        whole = _seconds({"seconds": stated})
    times = {case.name: case.seconds for case in cases if case.seconds is not None}
    took = next((value for value in (_seconds(reported), whole) if value is not None), None)
    if took is None and not times:
        return None
    slowest = sorted(times.items(), key=lambda item: (-item[1], item[0]))[:_SLOWEST]
    return Timing(seconds=sum(times.values()) if took is None else took, slowest=dict(slowest))


def _seconds(says: Mapping[str, Any]) -> float | None:
    stated = (says.get(name) for name in _SECONDS)
    return next(
        (float(value) for value in stated if isinstance(value, int | float) and value >= 0), None
    )


def _fields(value: object) -> Mapping[str, Any] | None:
    """Give what a mapping or an object says by name; None: it is neither."""
    return value if isinstance(value, Mapping) else getattr(value, "__dict__", None)


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str | bytes) else ()


def _number(reported: Mapping[str, Any], name: str, counted: int) -> int:
    value = reported.get(name)
    return value if isinstance(value, int) and value >= 0 and not counted else counted


def _pairs(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value or "")
