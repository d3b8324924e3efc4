"""A desk for each scenario, and the figures of all of them."""

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.depth import sampled
from tests.scenarios.desk import COUNTED, Desk

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

_COUNTED = "counted"


@pytest.fixture
def desk(
    repo: "Checkout",
    monkeypatch: pytest.MonkeyPatch,
    record_property: "Callable[[str, object], None]",
) -> Desk:
    """Give a developer's desk; commits are made when they are made."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTEST_ADDOPTS", f"{os.environ['PYTEST_ADDOPTS']} -p no:cacheprovider")
    counts = dict.fromkeys(COUNTED, 0)
    record_property(_COUNTED, counts)
    return Desk(repo, counts)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take the first case of each scenario in ``make test``; ``make scenarios`` takes all."""
    here = os.path.dirname(__file__) + os.sep
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(sampled(1))
            item.add_marker("deep")


class Figure(NamedTuple):
    """One figure of the table, and what it has to be."""

    name: str
    value: float
    bound: float
    at_least: bool

    @property
    def is_met(self) -> bool:
        """It is as good as wanted."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def line(self) -> str:
        """Give its line of the table."""
        bound = f"{'at least' if self.at_least else 'at most'} {self.bound:g}"
        verdict = "met" if self.is_met else "NOT MET"
        return f"  {self.name:<40}{self.value:>8.3f}   {bound:<14}{verdict}"


def figures(counts: "Counter[str]") -> list[Figure]:
    """Compute the table from what the scenarios counted."""
    recorded, shown = counts["recorded"] or 1, counts["told"] or 1
    return [
        Figure("recorded facts that are true", counts["right"] / recorded, 0.98, at_least=True),
        Figure("facts that should be recorded and are", counts["right"] / (counts["wanted"] or 1),
               0.85, at_least=True),
        Figure("wrong attributions", counts["wrong attributions"], 0, at_least=False),
        Figure("junk records", counts["junk"] / recorded, 0.02, at_least=False),
        Figure("the right fix is told first", counts["told right"] / (counts["to be told"] or 1),
               0.95, at_least=True),
        Figure("told as known and wrong", counts["told wrong"] / shown, 0.01, at_least=False),
    ]  # fmt: skip


def _counts(terminalreporter: pytest.TerminalReporter) -> "Counter[str]":
    counts: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == _COUNTED:
                counts.update(value)
    return counts


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail where a figure is not met; in the process that gathers the reports."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if hasattr(session.config, "workerinput") or reporter is None or exitstatus:
        return
    counts = _counts(reporter)
    if counts["wanted"] and not all(_judged(figure, counts) for figure in figures(counts)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _judged(figure: Figure, counts: "Counter[str]") -> bool:
    """Tell whether a figure is met; what a part of the scenarios never asked for is."""
    asked = counts["to be told"] if figure.name.startswith("the right fix") else 1
    return figure.is_met or not asked


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of figures."""
    counts = _counts(terminalreporter)
    if not counts["wanted"]:
        return
    terminalreporter.write_line(
        f"scenarios: {counts['recorded']} facts recorded of {counts['wanted']} wanted,"
        f" {counts['to be told']} failures whose fix is recorded, {counts['told']} told as known"
    )
    for figure in figures(counts):
        met = _judged(figure, counts)
        if met and not figure.is_met:
            continue  # nothing was asked of it
        terminalreporter.write_line(figure.line(), **({} if met else {"red": True}))
