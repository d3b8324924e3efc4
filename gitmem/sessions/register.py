"""The live sessions of a repository: list them, find one by its id."""

import contextlib
import os
from collections.abc import Callable
from datetime import datetime, timedelta

from gitmem.errors import EnvironmentProblem, NotFoundError, UsageError
from gitmem.records.layout import is_id, normalise
from gitmem.sessions.live import LiveSession, fold
from gitmem.sessions.session_record import title_of
from gitmem.sessions.summary import duration
from gitmem.store.journal import Journal

SESSION_VARIABLE = "GITMEM_SESSION"
_PREFIX = "ses-"


class Register:
    """Live sessions, seen by one owner.

    Args:
        journal: where they are noted.
        owner: the work tree and the actor whose own sessions count, as ``LiveSession.owner``
            has them.
        clock: gives the time now.
        max_age: without an event for longer, a session counts as left behind.

    """

    def __init__(
        self,
        journal: Journal,
        owner: tuple[str, ...],
        clock: Callable[[], datetime],
        max_age: timedelta,
    ) -> None:
        self._journal = journal
        self._owner = owner
        self._clock = clock
        self._max_age = max_age

    def live(self, *, everywhere: bool = False) -> list[LiveSession]:
        """List the owner's sessions, or all; the one taken up last comes last."""
        sessions = (self._load(stream) for stream in self._journal.streams(_PREFIX))
        chosen = [live for live in sessions if live and (everywhere or live.owner == self._owner)]
        return sorted(chosen, key=lambda live: (live.turn, live.id))

    def current(self) -> LiveSession | None:
        """Give the session in ``GITMEM_SESSION``, else the owner's newest that is not stale."""
        named = normalise(os.environ.get(SESSION_VARIABLE, ""))
        if named:
            return self._load(named) if is_id(named) else None
        fresh = [live for live in self.live() if not live.stale]
        return fresh[-1] if fresh else None

    def wanted(self, session: str | None) -> LiveSession:
        """Find the session that is meant by an id, by its beginning, or by None (the current one).

        Raises:
            NotFoundError: there is none, or it has ended.
            UsageError: the beginning is that of several.

        """
        if session is None:
            return self.current() or self._none_current()
        typed = normalise(session)
        matching = [live for live in self.live(everywhere=True) if live.id.startswith(typed or " ")]
        exact = [live for live in matching if live.id == typed]
        if len(exact or matching) == 1:
            return (exact or matching)[0]
        if matching:
            raise UsageError(
                f"{session!r} can mean {', '.join(live.id for live in matching)}",
                "type more of the id",
            )
        if is_id(typed) and typed in self._journal.streams(_PREFIX, done=True):
            raise NotFoundError(
                f"the session {typed} has ended already",
                f"look at it with gitmem show {typed}, or start a new one",
            )
        raise NotFoundError(
            f"there is no live session {session[:80]!r}", "list them with gitmem session list"
        )

    def next_turn(self) -> int:
        """Count on from all that are live. Clocks jump, and two starts can share a moment."""
        return 1 + max((live.turn for live in self.live(everywhere=True)), default=0)

    def close(self, live: LiveSession, how: str) -> None:
        """Note how a session ended, and close its stream."""
        at = max(self._clock(), live.last).isoformat()
        self._journal.append(live.id, {"event": how, "at": at}, create=False)
        self._journal.close_stream(live.id)

    def close_ended(self) -> None:
        """Close the streams whose end was written by a process that died right after."""
        for stream in self._journal.streams(_PREFIX):
            live = fold(stream, self._journal.read(stream))
            if live and live.over:
                with contextlib.suppress(EnvironmentProblem, NotFoundError):
                    self._journal.close_stream(stream)

    def _load(self, stream: str) -> LiveSession | None:
        live = fold(stream, self._journal.read(stream))
        if live is None or live.over:
            return None
        return live._replace(stale=self._clock() - live.last > self._max_age)

    def _none_current(self) -> LiveSession:
        named = os.environ.get(SESSION_VARIABLE, "").strip()
        if named:
            raise NotFoundError(
                f"the session {named[:80]!r} named by {SESSION_VARIABLE} is not live",
                f"unset {SESSION_VARIABLE}, or start a session and set it to that id",
            )
        stale = [live for live in self.live() if live.stale]
        if not stale:
            raise NotFoundError(
                "there is no live session of yours in this work tree",
                "start one with gitmem session start, or list all with gitmem session list",
            )
        left = stale[-1]
        age = duration(max(0.0, (self._clock() - left.last).total_seconds()))
        raise NotFoundError(
            f"the session {left.id} was left open {age} ago: {title_of(left.goal)}",
            f"go on with gitmem session resume {left.id}, or close it with gitmem session "
            f"end {left.id} or gitmem session abandon {left.id}",
        )
