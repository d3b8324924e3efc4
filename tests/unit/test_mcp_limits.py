"""How much one server answers: calls a minute, and characters a call."""

import pytest

from gitmem.errors import UsageError
from gitmem.mcp.limits import LONGEST, READS, WRITES, CallLimits


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def _passed(limits: CallLimits, calls: int, *, writes: bool) -> int:
    passed = 0
    for _ in range(calls):
        try:
            limits.pass_on({"a": "b"}, writes=writes)
        except UsageError:
            continue
        passed += 1
    return passed


@pytest.mark.parametrize(("writes", "most"), [(False, READS), (True, WRITES)])
def test_so_many_calls_pass_at_once_and_so_many_a_minute(*, writes: bool, most: int) -> None:
    clock = Clock()
    limits = CallLimits(clock)
    assert _passed(limits, most + 50, writes=writes) == most
    clock.now += 6
    assert _passed(limits, most, writes=writes) == most // 10
    clock.now += 3600
    assert _passed(limits, 2 * most, writes=writes) == most


def test_questions_and_writes_are_counted_apart() -> None:
    limits = CallLimits(Clock())
    assert _passed(limits, READS + 1, writes=False) == READS
    assert _passed(limits, WRITES + 1, writes=True) == WRITES


def test_all_arguments_together_are_bounded() -> None:
    limits = CallLimits(Clock())
    limits.pass_on({"a": "x" * (LONGEST // 2), "b": "x" * (LONGEST // 2)}, writes=False)
    with pytest.raises(UsageError, match="longer than 256 KiB"):
        limits.pass_on({"a": "x" * LONGEST, "b": ["x"]}, writes=False)
    with pytest.raises(UsageError, match="longer than 256 KiB"):
        limits.pass_on({"a": ["x" * (LONGEST + 1)]}, writes=True)
