"""The whole run: every test that ran and how it ended, handed to the memory at the end.

It runs where the reports arrive: in pytest itself, or in the controller of xdist. Whatever goes
wrong here is one line below the summary, and never the run's own outcome.
"""

import json
import os
import tempfile
import time
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import pytest

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.pytest_plugin import NAME, REPORT
from gitmem.pytest_plugin.witness import ATTRIBUTE
from gitmem.render.run_report import observed, tried
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.memory import Observer

_LONGEST = 4_000
_PASSED, _FAILED = "passed", "failed"
_STAGES = ("setup", "call", "teardown")
_STOPPED = (2, 3)  # before all tests ran: after errors in collection, or of pytest itself
_Arguments = ParamSpec("_Arguments")


def _harmless(
    hook: "Callable[Concatenate[Recorder, _Arguments], None]",
) -> "Callable[Concatenate[Recorder, _Arguments], None]":
    """Catch faults of ours: one line reports them, and the plugin is off from then on."""

    @wraps(hook)
    def guarded(self: "Recorder", /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        if self.off:
            return
        try:
            hook(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001  a test run is never broken by us
            self.give_up(error)

    return guarded


class Recorder:
    """Gathers the reports of a run.

    Args:
        config: pytest's configuration.

    """

    def __init__(self, config: pytest.Config) -> None:
        self.off = False
        self._config = config
        self._folder = os.environ.get(REPORT, "")
        self._before = os.environ.get(REPORT)
        self._tests: dict[tuple[str, str], dict[str, Any]] = {}
        self._collectors: list[dict[str, Any]] = []
        self._began = 0.0
        self._created = 0.0
        self._stopped = False
        self._lines: list[str] = []
        self._memory: Memory | None = None
        self._observer: Observer | None = None
        # What the tests start is part of this run, and no run of its own.
        os.environ[REPORT] = ""

    def give_up(self, error: Exception) -> None:
        """Say what went wrong, once."""
        self.off = True
        what = str(error).splitlines()[0] if str(error) else ""
        if not isinstance(error, GitmemError):
            what = f"{type(error).__name__}: {what}".rstrip(": ")
        self._lines = [f"gitmem: this run is not recorded: {what}"]
        self._close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401  of xdist
        """Tell a worker of xdist that failing tests are looked at."""
        node.workerinput[NAME] = True

    @pytest.hookimpl(trylast=True)
    @_harmless
    def pytest_sessionstart(self, session: pytest.Session) -> None:  # noqa: ARG002  by name
        """Take a snapshot of the code; warn of an edit that did not help before."""
        self._created = time.time()
        if not self._folder:
            self._look()
        self._began = time.monotonic()

    def _look(self) -> None:
        self._memory = Memory.open(str(self._config.invocation_params.dir))
        self._observer = self._memory.failures.observer(self._command())
        warnings = list(tried(self._observer.before(), self._painter()))
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if warnings and terminal:
            terminal.ensure_newline()
            for line in warnings:
                terminal.write_line(line)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the report of one stage of a test."""
        outcome: str = report.outcome
        name = (report.nodeid, _row(report))
        test = self._tests.get(name)
        if test is None:
            test = self._tests[name] = {"outcome": "", "seconds": 0.0}
        test["seconds"] += report.duration
        if outcome == _PASSED:
            if report.when == "call" and not test["outcome"]:
                test["outcome"] = "xpassed" if hasattr(report, "wasxfail") else _PASSED
        elif outcome == "skipped":
            test["outcome"] = test["outcome"] or "skipped"
        elif outcome == _FAILED and not self.off:
            try:
                self._failed(test, report)
            except Exception as error:  # noqa: BLE001  a test run is never broken by us
                self.give_up(error)

    @_harmless
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Take what could not be collected."""
        if report.failed:
            self._collectors.append(
                {"nodeid": report.nodeid, "outcome": _FAILED, "longrepr": _text(report)}
            )

    def pytest_keyboard_interrupt(self) -> None:
        """Note that not all tests ran."""
        self._stopped = True

    def pytest_internalerror(self) -> None:
        """Note that not all tests ran."""
        self._stopped = True

    @pytest.hookimpl(trylast=True)
    @_harmless
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand the run over, to the memory or to who observes it."""
        code = int(session.exitstatus)
        seconds = time.monotonic() - self._began
        report = {
            "created": self._created,
            "duration": seconds,
            "exitcode": code,
            "root": str(self._config.rootpath),
            "tests": [_test(*name, test) for name, test in _telling(self._tests)],
            "collectors": self._collectors,
        }
        if self._folder:
            _write(self._folder, report)
            return
        if self._observer is None or self._memory is None:
            return
        whole = not self._stopped
        cut = code in _STOPPED or bool(session.shouldstop) or bool(session.shouldfail)
        learnt = self._observer.after(
            code,
            seconds,
            (),
            whole=whole,
            stopped=cut,
            report=self._memory.failures.plugin_report(report),
        )
        answer = self._memory.history.of_run(learnt.recognised)
        self._lines = list(observed(learnt, answer, self._painter()))
        self._lines += [
            f"gitmem: note: {notice}" for notice in self._memory.workspace.derived.notices
        ]
        self._close()

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell what is known about the failures."""
        if self._lines:
            terminalreporter.write_sep("=", "gitmem")
            for line in self._lines:
                terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        """Leave the environment as it was."""
        self._close()
        if self._before is None:
            os.environ.pop(REPORT, None)
        else:
            os.environ[REPORT] = self._before

    def _close(self) -> None:
        memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()

    def _command(self) -> list[str]:
        """Give the command line; how we were asked for makes no other command of it."""
        words = ["pytest", *map(str, self._config.invocation_params.args)]
        remaining: list[str] = []
        for word in words:
            if word == NAME and remaining[-1] == "-p":
                remaining.pop()
            elif word != f"-p{NAME}":
                remaining.append(word)
        return remaining

    def _painter(self) -> Any:  # noqa: ANN401  gitmem.render.text.Painter, imported late
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        return Painter(bool(terminal and terminal.hasmarkup), 0)

    @staticmethod
    def _failed(test: dict[str, Any], report: pytest.TestReport) -> None:
        when = str(report.when) if report.when in _STAGES else "call"
        if when == "call":
            test["outcome"] = _FAILED
        elif test["outcome"] != _FAILED:
            test["outcome"] = "error"
        stage: dict[str, Any] = {"outcome": _FAILED, "longrepr": _text(report)}
        details = getattr(report, ATTRIBUTE, None)
        if isinstance(details, dict) and "fault" not in details:
            stage[ATTRIBUTE] = details
        test.setdefault(when, stage)


def _row(report: pytest.TestReport) -> str:
    """Give the label of one of several rows of a test, its subtests; empty: it is the test."""
    head, name = str(getattr(report, "head_line", "") or ""), report.location[2]
    return head.removeprefix(name).strip() if head.startswith(name) else ""


def _telling(
    tests: dict[tuple[str, str], dict[str, Any]],
) -> "Iterator[tuple[tuple[str, str], dict[str, Any]]]":
    """Leave out what tells nothing: the rows of a test that passed, and then that test itself.

    Some plugins let a test pass of which a row failed.
    """
    broken = {nodeid for (nodeid, row), test in tests.items() if row and test["outcome"] == _FAILED}
    for (nodeid, row), test in tests.items():
        if (nodeid in broken) if row else (nodeid not in broken or test["outcome"] != _PASSED):
            yield (nodeid, row), test


def _test(nodeid: str, row: str, test: dict[str, Any]) -> dict[str, Any]:
    """Give a test as pytest-json-report does: with the time of a stage in that stage."""
    stages = {"nodeid": nodeid, **({"subtest": row} if row else {}), **test}
    stage = stages.setdefault("call", {"outcome": test["outcome"]})
    stages["call"] = {**stage, "duration": stages.pop("seconds")}
    return stages


def _text(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Give a failure as pytest shows it, bounded at both ends."""
    text = report.longreprtext.encode(errors="backslashreplace").decode()
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n[… {len(text) - _LONGEST} characters …]\n{text[-half:]}"


def _write(folder: str, report: dict[str, Any]) -> None:
    """Write the report for who observes; it shows under its name when it is whole."""
    handle, path = tempfile.mkstemp(dir=folder, prefix="report-", suffix=".tmp")
    with open(handle, "w", encoding="utf-8") as file:
        json.dump(report, file)
    os.replace(path, path.removesuffix(".tmp") + ".json")
