"""Sessions: noted in the journal while the work goes on, written as a record when it ends.

A live session belongs to a work tree and an actor, so several people and assistants can each
have one in the same repository. Nothing is written to the memory before it ends.
"""

from gitmem.sessions.live import LiveSession, Logged
from gitmem.sessions.logbook import LogEntry, Sessions, SessionStatus
from gitmem.sessions.summary import Produced

__all__ = ["LiveSession", "LogEntry", "Logged", "Produced", "SessionStatus", "Sessions"]
