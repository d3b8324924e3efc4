"""What an assistant writes down of a failure that its own command has shown."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from gitmem.records.convert import to_data
from tests.e2e.running import ok, run
from tests.e2e.test_assistant_hooks import MENDED, RED, Session, session

if TYPE_CHECKING:
    from tests.conftest import Checkout

__all__ = ["session"]
TRACE = """\
Traceback (most recent call last):
  File "test_shop.py", line 5, in test_empty
    assert average([]) == 0
  File "shop.py", line 2, in average
    return sum(values) / len(values)
ZeroDivisionError: division by zero
"""


def test_a_plain_trace_of_a_watched_test_is_the_error_of_that_test(
    session: Session, repo: "Checkout"
) -> None:
    session.bash(RED)
    with Memory.open(str(repo)) as memory:
        watched = memory.failures.watched(TRACE)
        assert watched
        error = memory.add("error", watched)
        assert to_data(error)["test"]["name"] == "test_shop.py::test_empty"
        assert memory.failures.watched(TRACE.replace("line 2,", "line 1,")) is None
        taken = memory.failures.record_text(TRACE)
    assert taken.known == (error.id,)


def test_the_line_that_names_a_test_is_enough_to_ask_of_it(session: Session) -> None:
    named = "FAILED test_shop.py::test_empty"
    of_another = run(session.folder, "hint", "FAILED test_shop.py::test_other")
    assert "not seen before" in of_another.err
    session.bash(RED)
    assert "ZeroDivisionError: division by zero" in ok(session.folder, "hint", named)
    Path(session.folder, "shop.py").write_text(MENDED)
    session.bash(RED)
    ok(session.folder, "drafts", "keep", ok(session.folder, "drafts").split()[0])
    told = ok(session.folder, "hint", named)
    assert "similar     ZeroDivisionError: division by zero" in told
    assert "worked" in told
    assert told.startswith("gitmem: new  test_shop.py::test_empty failed\n")


@pytest.mark.parametrize("ending", ["", " - ZeroDivisionError: divis...", " - ZeroDivisi..."])
def test_a_trace_and_the_line_that_names_its_test_are_one_failure(
    session: Session, ending: str
) -> None:
    session.bash(RED)
    Path(session.folder, "shop.py").write_text(MENDED)
    session.bash(RED)
    ok(session.folder, "drafts", "keep", ok(session.folder, "drafts").split()[0])
    told = ok(session.folder, "hint", f"{TRACE}FAILED test_shop.py::test_empty{ending}\n")
    assert told.count("gitmem: ") == 1
    assert "known  ZeroDivisionError" in told
