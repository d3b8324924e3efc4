"""What an assistant writes down of a failure that its own command has shown."""

from typing import TYPE_CHECKING

from gitmem.memory import Memory
from gitmem.records.convert import to_data
from tests.e2e.test_assistant_hooks import RED, Session, session

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
