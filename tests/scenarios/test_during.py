"""Edits that are made while a watched command still runs."""

from pathlib import Path

import pytest

from tests.scenarios.desk import Desk, fact
from tests.scenarios.test_edit import CLOCK, GOOD, TEST_CLOCK

_WAITS = """import pathlib
import time


def test_waits():
    pathlib.Path({began!r}).touch()
    while not pathlib.Path({edited!r}).exists():
        time.sleep(0.05)
"""
_EDIT = "sed -i s,//.60$,//\\ 3600, clock.py"


def _begin(desk: Desk, folder: Path) -> str:
    """Commit a bug, and a test that waits; give a line that edits while the tests run."""
    began, edited = folder / "began", folder / "edited"
    waits = _WAITS.format(began=str(began), edited=str(edited))
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK, test_waits_py=waits)
    line = "gitmem run -- pytest -q test_clock.py test_waits.py & run=$!"
    return f"{line}; until test -e {began}; do sleep 0.05; done; {_EDIT}; touch {edited}; wait $run"


@pytest.mark.parametrize("more", [False, True], ids=["nothing-else", "another-edit"])
def test_an_edit_during_a_red_run_belongs_to_the_fix(
    desk: Desk, tmp_path: Path, *, more: bool
) -> None:
    assert desk.sh(_begin(desk, tmp_path)) != 0, desk.said
    if more:
        desk.write("notes.md", "hours have 3600 seconds\n")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD, *(["+hours have 3600 seconds"] if more else [])))


def test_what_a_tool_rewrites_is_no_edit(desk: Desk) -> None:
    """A script formats the code after the tests failed: that mends nothing."""
    tool = "pytest -q; code=$?; sed -i 's,seconds /,seconds  /,' clock.py; exit $code"
    desk.begin(clock_py=CLOCK, test_clock_py=TEST_CLOCK, check_sh=tool)
    desk.red("sh check.sh")
    desk.swap("clock.py", "// 60", "// 3600")
    desk.green("pytest -q")
    desk.learnt(fact("assert 120 == 2", *GOOD))
