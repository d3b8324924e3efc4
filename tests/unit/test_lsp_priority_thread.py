"""The thread of the language server that does what is most urgent first."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future

import pytest

from lsp_server.priority_thread import PriorityThread, Urgency

SECONDS = 30


@pytest.fixture
def thread() -> Iterator[PriorityThread]:
    reading = PriorityThread("reading")
    yield reading
    reading.close(lambda: None)


def hold(thread: PriorityThread) -> threading.Event:
    """Keep the thread busy until the event is set."""
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        go_on.wait(SECONDS)

    thread.submit(wait, Urgency.LOOKUP)
    assert begun.wait(SECONDS)
    return go_on


def test_the_most_urgent_comes_first_and_equals_in_their_order(thread: PriorityThread) -> None:
    go_on, order = hold(thread), list[str]()
    wishes = [("count", Urgency.VIEW), ("match 1", Urgency.MATCHING), ("hover", Urgency.LOOKUP),
              ("match 2", Urgency.MATCHING)]  # fmt: skip
    futures = [thread.submit(lambda name=name: order.append(name), urgency)  # type: ignore[misc]
               for name, urgency in wishes]  # fmt: skip
    go_on.set()
    for future in futures:
        future.result(SECONDS)
    assert order == ["hover", "match 1", "match 2", "count"]


def test_a_long_task_lets_only_more_urgent_ones_pass(thread: PriorityThread) -> None:
    go_on, order, inner = hold(thread), list[str](), list[Future[None]]()

    def matching() -> None:
        inner.append(thread.submit(lambda: order.append("count"), Urgency.VIEW))
        inner.append(thread.submit(lambda: order.append("hover"), Urgency.LOOKUP))
        thread.run_more_urgent(Urgency.MATCHING)
        order.append("matched")

    long_task = thread.submit(matching, Urgency.MATCHING)
    go_on.set()
    long_task.result(SECONDS)
    for future in inner:
        future.result(SECONDS)
    assert order == ["hover", "matched", "count"]


def test_who_asked_gets_the_error_and_the_thread_goes_on(thread: PriorityThread) -> None:
    failing = thread.submit(lambda: 1 // 0, Urgency.LOOKUP)
    with pytest.raises(ZeroDivisionError):
        failing.result(SECONDS)
    assert thread.submit(lambda: 2, Urgency.LOOKUP).result(SECONDS) == 2


def test_closing_drops_what_has_not_begun_and_does_one_last_thing() -> None:
    thread, last = PriorityThread("reading"), threading.Event()
    go_on = hold(thread)
    dropped = thread.submit(lambda: None, Urgency.LOOKUP)
    thread.close(last.set)
    go_on.set()
    with pytest.raises(CancelledError):
        dropped.result(SECONDS)
    assert last.wait(SECONDS)
