"""A session as it went: its steps in the order of time, each an event, an edit or a run."""

import math
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from gitmem.records.kinds import Session
from gitmem.records.parts import TestRun
from gitmem.sessions.live import LiveSession, Logged


class ReplayStep(NamedTuple):
    """One step. Empty fields were not recorded.

    Attributes:
        at: when it was; None: nobody noted it.
        kind: what it is, in a word.
        text: what was said.
        path: the file that it is about.
        diff: lines of its patch.
        record: id of the record that it is about.
        run: the run that it is.

    """

    at: datetime | None
    kind: str
    text: str = ""
    path: str = ""
    diff: tuple[str, ...] = ()
    record: str = ""
    run: TestRun | None = None


def steps_of(session: Session) -> tuple[ReplayStep, ...]:
    """Give the steps of a session that ended; changes, of which no time is kept, come last."""
    events = [
        ReplayStep(event.at, event.type, event.text, record=event.record or "")
        for event in session.events
    ]
    runs = [ReplayStep(run.at, "run", run.summary, run=run) for run in session.test_runs]
    changes = [
        ReplayStep(None, change.action, change.reason, change.path, tuple(change.diff.splitlines()))
        for change in session.changes
    ]
    return _in_order([*events, *runs, *changes])


def steps_so_far(session: LiveSession) -> tuple[ReplayStep, ...]:
    """Give the steps of a session that has not ended."""
    return _in_order(map(_logged, session.logged))


def _logged(entry: Logged) -> ReplayStep:
    return ReplayStep(
        entry.at,
        "run" if entry.test_run else entry.action or entry.type,
        entry.text or entry.reason or (entry.test_run.summary if entry.test_run else ""),
        entry.path,
        tuple(entry.diff.splitlines()),
        entry.record or "",
        entry.test_run,
    )


def _in_order(steps: Iterable[ReplayStep]) -> tuple[ReplayStep, ...]:
    """Put steps in the order of time; those without one keep theirs, at the end."""
    return tuple(sorted(steps, key=lambda step: step.at.timestamp() if step.at else math.inf))
