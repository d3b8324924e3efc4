"""A slow question lets quick ones go first, and comes to an end all the same."""

from contextlib import ExitStack

import pytest

from gitmem.mcp.giving_way import RunningQuestions


class Time:
    """A clock that goes on when somebody works or sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept = 0.0
        self.later = ExitStack()
        """What ends as soon as somebody has slept for so long."""
        self.at = 1e9

    def sleep(self, seconds: float) -> None:
        """Sleep; what is to end meanwhile ends."""
        self.now += seconds
        self.slept += seconds
        if self.now >= self.at:
            self.later.close()


@pytest.fixture
def time() -> Time:
    """Give a time that begins at 0."""
    return Time()


@pytest.fixture
def running(time: Time) -> RunningQuestions:
    """Give a server's questions, none of which is asked."""
    return RunningQuestions(lambda: time.now, time.sleep)


def test_who_is_quick_waits_for_nobody(time: Time, running: RunningQuestions) -> None:
    with running.one_more() as first, running.one_more() as second:
        time.now = 0.09
        first.give_way()
        second.give_way()
    assert time.slept == 0


def test_who_is_slow_waits_until_no_quick_one_is_left(
    time: Time, running: RunningQuestions
) -> None:
    with running.one_more() as slow:
        time.now = 0.2
        slow.give_way()
        assert time.slept == 0, "nobody else asks"
        time.later.enter_context(running.one_more())
        time.at = 0.25
        slow.give_way()
        assert time.slept == pytest.approx(0.05, abs=0.006)
        slow.give_way()
        assert time.slept == pytest.approx(0.05, abs=0.006)
    assert not running


def test_slow_ones_do_not_wait_for_each_other(time: Time, running: RunningQuestions) -> None:
    with running.one_more() as first, running.one_more() as second:
        time.now = 0.2
        first.give_way()
        second.give_way()
    assert time.slept == 0


def test_who_waited_for_its_memory_is_quick_from_then_on(
    time: Time, running: RunningQuestions
) -> None:
    with running.one_more() as slow:
        quick = time.later.enter_context(running.one_more())
        time.now, time.at = 0.2, 0.22
        quick.begin()
        slow.give_way()
        assert time.slept == pytest.approx(0.02, abs=0.006)


def test_however_many_are_asked_it_waits_no_longer_than_it_works(
    time: Time, running: RunningQuestions
) -> None:
    with running.one_more() as slow:
        for _ in range(100):
            time.now += 0.1
            for _ in range(20):
                with running.one_more():
                    time.at = 1e9
                    slow.give_way()
    assert 9 <= time.slept <= 10.1
