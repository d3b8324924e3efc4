"""A desk for each scenario, and the figures of all of them."""

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures."""
    counts: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == _COUNTED:
                counts.update(value)
    if not counts["wanted"]:
        return
    recorded, wanted = counts["recorded"] or 1, counts["wanted"]
    terminalreporter.write_line(
        f"scenarios: precision {counts['right'] / recorded:.3f} (at least 0.98),"
        f" recall {counts['right'] / wanted:.3f} (at least 0.85),"
        f" wrong attributions {counts['wrong attributions']} (0),"
        f" junk {counts['junk'] / recorded:.1%} (at most 2%)"
        f" of {counts['recorded']} recorded and {wanted} wanted"
    )
