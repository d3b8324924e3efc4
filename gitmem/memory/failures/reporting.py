"""What test runners report, to us or in files: taken over, merged, put into the session."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from gitmem.capture.cases import Failing
from gitmem.capture.commands import folder_entered, program_of
from gitmem.capture.runs import Run
from gitmem.errors import GitmemError
from gitmem.matching.test_names import tail  # noqa: TID253  each case is asked for it
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Report, below, together
from gitmem.records.layout import PREFIXES
from gitmem.system import relative_path
from gitmem.temporary import make_folder
from gitmem.tools.choice import by_program, values

if TYPE_CHECKING:
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.output.failure import Failure
    from gitmem.records.parts import TestCase, TestRun

_DEPTH: Final = 4
"""So many folders down a module is looked for."""
_NO_MODULES: Final = frozenset({"src", "build", "target", "out", "node_modules"})


class ResultFiles(NamedTuple):
    """The results of tests that lie below a folder.

    Attributes:
        versions: time of the last change and size, by path.

    """

    versions: Mapping[str, tuple[int, int]]

    def written_since(self, earlier: "ResultFiles") -> list[str]:
        """Name those that were not there earlier, or not so."""
        return [
            path
            for path in sorted(self.versions)
            if self.versions[path] != earlier.versions.get(path)
        ]


def result_files(command: Sequence[str], folder: str) -> ResultFiles:
    """Look for the results that a command writes; none for one that writes none.

    Args:
        command: as an argument list.
        folder: where it is run.

    """
    parts = by_program("reports.folder").get(program_of(command))
    if parts is None:
        return ResultFiles({})
    return ResultFiles(dict(_below(folder_entered(command, folder), parts, _DEPTH)))


def _below(
    folder: str, parts: tuple[str, ...], depth: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    yield from _results(os.path.join(folder, *parts))
    for entry in _entries(folder) if depth else ():
        if entry.name in _NO_MODULES or entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, parts, depth - 1)


def _results(folder: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Find the reports in a folder, and in one of each task as Gradle makes them.

    A link may lead anywhere and a pipe has no end: only regular files are reports.
    """
    for entry in _entries(folder):
        if entry.name.startswith("TEST-") and entry.name.endswith(".xml"):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if not S_ISREG(status.st_mode):
                    continue
                yield entry.path, (status.st_mtime_ns, status.st_size)
        elif entry.is_dir(follow_symlinks=False) and not entry.name.startswith("binary"):
            yield from _results(entry.path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


_MOST_CASES: Final = 50

Surroundings = tuple[Mapping[str, str], Callable[[], Report | None]]


@contextmanager
def handed_over(records: "RecordAccess", command: Sequence[str]) -> Iterator[Surroundings]:
    """Give the environment for a child, and what takes the report that it left behind.

    That is what our plugin for a runner reports instead of recording it, or what a build tool
    writes of its tests by itself.

    Where there is no place for reports, the child's output has to do. A child of ours that
    observes others itself gets no place of its own: somebody further out asked first.
    """
    environ = records.workspace.environ
    plugins = values("reports.plugin")
    folders: dict[str, str] = {}
    with suppress(OSError):
        for tool, variable in plugins.items():
            if variable not in environ:
                folders[tool] = make_folder()
    earlier = result_files(command, records.workspace.start)

    def take() -> Report | None:
        return _taken(records, folders) or _written(records, command, earlier)

    try:
        yield {**environ, **{plugins[tool]: folder for tool, folder in folders.items()}}, take
    finally:
        for folder in folders.values():
            shutil.rmtree(folder, ignore_errors=True)


def as_report(data: dict[str, Any], top: str) -> Report:
    """Give the report that our pytest plugin made, in the form of pytest-json-report.

    Args:
        data: the report.
        top: the folder that names of tests and files shall be relative to.

    """
    from gitmem.exchange.pytest_json import from_data

    return _from_top(from_data(data), top)


def _taken(records: "RecordAccess", folders: Mapping[str, str]) -> Report | None:
    """Read what plugins reported into the folders of their tools."""
    reports = []
    for tool, folder in folders.items():
        form = values("reports.form")[tool]
        for name in sorted(file for file in os.listdir(folder) if file.endswith(".json")):
            report = _read(records, os.path.join(folder, name), form, "the plugin's report")
            if report:
                reports.append(_from_top(report, records.workspace.site.repository_root))
    return together(sorted(reports, key=lambda report: report.at.timestamp() if report.at else 0.0))


def _written(
    records: "RecordAccess", command: Sequence[str], earlier: ResultFiles
) -> Report | None:
    """Read the results that a build wrote; where it wrote none this time, no test ran."""
    now = result_files(command, records.workspace.start)
    if not now.versions:
        return None
    reports = [_read(records, path, "junit", path) for path in now.written_since(earlier)]
    readable = [report for report in reports if report]
    if len(readable) < len(reports):
        return None
    return together([Report(tool=program_of(command)), *readable])


def _read(records: "RecordAccess", path: str, form: str, name: str) -> Report | None:
    """Read a report; None for one that is gone, or damaged, which is a notice."""
    from gitmem.exchange.reports import read  # noqa: PLC0415  start-up

    try:
        with open(path, "rb") as file:
            return read(file.read(), form)
    except OSError:
        return None
    except GitmemError as error:
        records.workspace.notices.append(f"{name}: {error.message}")
        return None


def _from_top(report: Report, top: str) -> Report:
    """Name tests and files from a folder, whichever below it pytest calls its root."""
    inside = relative_path(os.path.realpath(report.root), os.path.realpath(top))
    if not report.root or inside == os.curdir or inside.startswith(os.pardir):
        return report
    return below(report, inside.replace(os.sep, "/"))


def with_report(failures: "Sequence[Failure]", report: Report) -> "list[Failure]":
    """Put a report in the place of what its runner printed; what others printed stays."""
    reported = report.failures
    reported_texts = {_said(failure) for failure in reported}
    tests = {_test(failure) for failure in reported} - {""}
    others = [
        failure
        for failure in failures
        if failure.tool not in values("reports.plugin")
        and _said(failure) not in reported_texts
        and _test(failure) not in tests
    ]
    # A runner that failed before it could report anything has only its output.
    return [*others, *reported] if reported or not failures else list(failures)


def _said(failure: "Failure") -> tuple[str, str]:
    return failure.error_type.rpartition(".")[2], failure.message.partition("\n")[0]


def _test(failure: "Failure") -> str:
    return tail(failure.test.name, failure.language) if failure.test else ""


def attach(records: "RecordAccess", run: Run, earlier: Sequence[Run]) -> None:
    """Note a run of tests in the live session, if there is one; that it can't be is a notice."""
    if run.tests is None and not (run.green and any(earlier_run.tests for earlier_run in earlier)):
        return
    if not records.workspace.journal.streams(f"{PREFIXES['session']}-"):
        return  # nobody works in a session: nothing is imported for one
    try:
        live = records.writer.sessions.current()
        if live is None:
            return
        command = " ".join(run.command)
        runs = [entry.test_run for entry in live.logged if entry.test_run]
        before = sum(earlier_run.command == command for earlier_run in runs)
        test_run = _test_run(run, command, before + 1)
        records.writer.sessions.log("test", test_run.summary, session=live.id, test_run=test_run)
    except GitmemError as error:
        records.workspace.notices.append(f"this run was not added to the session: {error.message}")


def _test_run(run: Run, command: str, attempt: int) -> "TestRun":
    from gitmem.records.parts import TestRun, Timing  # noqa: PLC0415  start-up

    tests = run.tests
    counts = tests.counts if tests else {}
    whole = bool(tests and tests.complete)
    bad = {FAILED: counts.get(FAILED, 0), ERROR: counts.get(ERROR, 0)}
    result: Literal["passed", "failed", "error"] = "failed" if bad[FAILED] else "error"
    return TestRun(
        id=run.id,
        attempt=attempt,
        at=run.at,
        command=command,
        result="passed" if run.green else result,
        summary=_summary(run) or ("passed" if run.green else result),
        passed=counts.get(PASSED, 0) if whole else None,
        failed=bad[FAILED] if tests else None,
        errors=bad[ERROR] if tests else None,
        skipped=counts.get(SKIPPED, 0) if whole else None,
        cases=tuple(map(_case, (tests.failing if tests else ())[:_MOST_CASES])),
        timing=Timing(seconds=run.seconds, slowest=dict(tests.slowest) if tests else {}),
    )


def _summary(run: Run) -> str:
    """Count tests, what failed first and by name: a narrow column shows the beginning."""
    counts = run.tests.counts if run.tests else {}
    bad = [f"{counts[status]} {status}" for status in (FAILED, ERROR) if counts.get(status)]
    rest = [f"{counts[status]} {status}" for status in (PASSED, SKIPPED) if counts.get(status)]
    names = [tail(case.name) for case in run.tests.failing if case.name] if run.tests else []
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    failed = ", ".join(bad) + (f": {names[0]}{more}" if bad and names else "")
    return "; ".join(filter(None, [failed, ", ".join(rest)]))


def _case(case: Failing) -> "TestCase":
    from gitmem.records.parts import TestCase  # noqa: PLC0415  start-up

    return TestCase(
        name=" ".join(case.name.split())[:500] or "?",
        status="error" if case.status == ERROR else "failed",
        input=case.input,
        expected=case.expected,
        actual=case.actual,
        message=case.message,
        failing_function=case.function,
        failing_line=case.line,
        seconds=case.seconds,
    )
