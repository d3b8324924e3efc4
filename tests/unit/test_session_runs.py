"""Runs of tests in a session's record: all of a few, and of many what stays small."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.records.convert import encode
from gitmem.records.kinds import Session
from gitmem.records.parts import Author, TestCase, TestRun, Timing
from gitmem.sessions.live import LOG, START, fold, plain
from gitmem.sessions.session_record import SessionReport, build

AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
PLACE = {"worktree": ".", "root": "/srv/shop", "branch": "main", "head": "", "tree": "", "gaps": []}


def ended(runs: int) -> Session:
    """End a session in which so many runs were noted, each with fifty long cases."""
    cases = tuple(
        TestCase(name=f"tests/test_{n}.py::test", status="failed", actual="x" * 200)
        for n in range(50)
    )
    events = [
        {
            "event": LOG,
            "at": (AT + timedelta(minutes=number)).isoformat(),
            "type": "test",
            "test_run": plain(
                TestRun(
                    id=str(number),
                    result="failed",
                    cases=cases,
                    timing=Timing(seconds=1.0, slowest={"a": 0.5}),
                )
            ),
        }
        for number in range(runs)
    ]
    actor = plain(Author(name="Ann", email="ann@example.com"))
    begun = {"event": START, "at": AT.isoformat(), "goal": "Mend", "actor": actor, **PLACE}
    live = fold("ses-0000000001", [begun, *events])
    assert live is not None
    return build(
        live,
        AT + timedelta(hours=9),
        SessionReport(),
        observed=(),
        certain=True,
        gaps=(),
        produced=(),
    )


@pytest.mark.parametrize(
    ("runs", "listed", "with_cases"), [(3, 3, 3), (40, 40, 20), (250, 100, 20)]
)
def test_a_record_of_many_runs_stays_small(runs: int, listed: int, with_cases: int) -> None:
    session = ended(runs)
    assert [one.id for one in session.test_runs] == [str(n) for n in range(runs - listed, runs)]
    assert sum(bool(one.cases) for one in session.test_runs) == with_cases
    assert session.test_runs[-1].cases
    assert all(one.timing and one.timing.seconds == 1.0 for one in session.test_runs)
    assert len(encode(session)) < 400_000
    left_out = [event.text for event in session.events if event.type == "gap"]
    expected = [f"{runs - 100} test runs before the newest are not listed"] if runs > 100 else []
    assert left_out == expected
