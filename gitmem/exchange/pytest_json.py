"""The JSON of pytest-json-report; our own pytest plugin writes it too, with a little more.

What the plugin adds stands in ``gitmem`` of a stage: the exception with its frames, expected
and actual value and the test's input, seen while the test ran instead of read from a text.
"""

import re
from datetime import UTC, datetime
from typing import Any, Final

from gitmem.exchange.failing_case import read_case
from gitmem.exchange.reports import load_json, mapping, number, refuse, relative, sequence, text
from gitmem.exchange.reports import seconds as duration
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Case, Report, merged
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, StackFrame, Test, bounded
from gitmem.tools.common.frames import marked
from gitmem.tools.common.pytest_lines import IN_SUBTESTS, named_subtest

_STAGES: Final = ("setup", "call", "teardown")
# xdist says in the text who ran the test.
_WORKER: Final = re.compile(r"\A\[gw\d+\] .*\n")
_CHAINED: Final = "above exception"
"""What stands between two exceptions of which one led to the other."""
_OUTCOMES: Final = {
    "passed": PASSED, "failed": FAILED, "error": ERROR, "skipped": SKIPPED,
    "xfailed": SKIPPED, "xpassed": PASSED,
}  # fmt: skip


def read(data: bytes, root: str = "") -> Report:
    """Read a report; InvalidError if it is none."""
    whole = load_json(data, "pytest-json")
    if not isinstance(whole, dict) or not isinstance(whole.get("tests", []), list):
        refuse("pytest-json", "it has no tests")
    if "exitcode" not in whole:
        refuse("pytest-json", "it has no exitcode")
    return from_data(whole, root)


def from_data(whole: dict[str, Any], root: str = "") -> Report:
    """Give the report of one that was read, or never written."""
    base = text(whole.get("root")) or root
    tests = [mapping(test) for test in sequence(whole.get("tests"))]
    broken = [mapping(collector) for collector in sequence(whole.get("collectors"))]
    code = whole.get("exitcode")
    return Report(
        tool="pytest",
        cases=merged(_case(test, base) for test in _without_parents(tests)),
        others=tuple(
            _stage(text(collector.get("nodeid")) or "?", ERROR, collector, base, collecting=True)
            for collector in broken
            if collector.get("outcome") == "failed"
        ),
        at=_moment(whole.get("created")),
        seconds=duration(whole.get("duration")),
        root=base,
        exit_code=code if isinstance(code, int) and 0 <= code < 256 else None,  # noqa: PLR2004
    )


def _moment(value: object) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _without_parents(tests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out tests of which is only told that rows of them failed, as these tell it."""
    rows = {text(test.get("nodeid")) for test in tests if text(test.get("subtest"))}
    parents = (test for test in tests if text(test.get("nodeid")) in rows)
    told = [
        id(test)
        for test in parents
        if IN_SUBTESTS.match(text(mapping(test.get("call")).get("longrepr")).strip())
    ]
    return [test for test in tests if text(test.get("nodeid")) and id(test) not in told]


def _case(test: dict[str, Any], root: str) -> Case:
    name = named_subtest(text(test["nodeid"]), text(test.get("subtest")))
    status = _OUTCOMES.get(text(test.get("outcome")), SKIPPED)
    stages = [(stage, mapping(test.get(stage))) for stage in _STAGES]
    times = [
        seconds for _, stage in stages if (seconds := duration(stage.get("duration"))) is not None
    ]
    failures = tuple(
        _stage(name, FAILED if which == "call" else ERROR, stage, root)
        for which, stage in stages
        if stage.get("outcome") == "failed"
    )
    if status in (FAILED, ERROR) and not failures:
        failures = (_stage(name, status, {}, root),)
    return Case(name, status, sum(times) if times else None, failures)


def _stage(
    name: str, status: str, stage: dict[str, Any], root: str, *, collecting: bool = False
) -> Failure:
    details = mapping(stage.get("gitmem"))
    longrepr = _WORKER.sub("", text(stage.get("longrepr")))
    if details:
        return _failure_of(name, status, details, longrepr, root)
    crash = mapping(stage.get("crash"))
    case = read_case(
        name,
        status,
        longrepr,
        tool="pytest",
        language="python",
        message=text(crash.get("message")),
        collecting=collecting,
    )
    if case.location is None and text(crash.get("path")):
        location = FailureLocation(relative(text(crash["path"]), root), number(crash.get("lineno")))
        case = case._replace(location=location)
    return case._replace(tool="pytest")


def _failure_of(
    name: str, status: str, details: dict[str, Any], longrepr: str, root: str
) -> Failure:
    """Build a failure out of what the plugin saw."""
    frames_read = [
        StackFrame(relative(text(file), root), text(function), number(line), text(code))
        for file, function, line, code in map(_four, sequence(details.get("frames")))
    ]
    frames = marked(bounded(frames_read), "python")
    last = frames[-1] if frames else None
    own = next((frame for frame in reversed(frames) if frame.in_app), last)
    message = text(details.get("message"))
    causes: tuple[Failure, ...] = ()
    if _CHAINED in longrepr:
        shown = read_case(name, status, longrepr, tool="pytest", language="python", message=message)
        causes = shown.causes
    return Failure(
        tool="pytest",
        language="python",
        error_type=text(details.get("type")),
        message=message[:MAX_MESSAGE],
        causes=causes,
        frames=frames,
        location=FailureLocation(last.file, last.line, None, last.code) if last else None,
        test=Test(
            name=name,
            status=status,
            expected=text(details.get("expected")),
            actual=text(details.get("actual")),
            message=message.partition("\n")[0][:1_000],
            failing_function=own.function if own else "",
            failing_line=own.line if own else None,
            input=text(details.get("input")),
        ),
        excerpt=longrepr,
    )


def _four(value: object) -> tuple[object, object, object, object]:
    first, second, third, fourth, *_ = [*sequence(value), None, None, None, None]
    return first, second, third, fourth
